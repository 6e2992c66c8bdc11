#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <string_view>

#include "app/serve/access.h"

namespace orrery::app::serve {

/// The browsers that have logged in. Each has a secret of its own in its cookie: browsers send cookies to
/// every port of a host, and whoever gets such a secret has neither the token nor another run of the server.
class Sessions {
 public:
  using Clock = std::chrono::steady_clock;
  /// The most sessions of one role, and the most codes of one.
  static constexpr std::size_t most = 64;

  /// Begins a session and returns its secret. With too many of this role the one that was not used for
  /// longest ends. Throws as random_token().
  std::string begin(Role role);
  /// The role of the session with this secret.
  Role role_of(std::string_view secret);
  /// The role that a Cookie field gives: "a=b; orrery-8080=SECRET". The secret decides, not the port: a proxy
  /// may have changed that.
  Role role_of_cookies(std::string_view cookies);

  /// A code that begins one session, once and within a minute: for programs that open a browser whose
  /// arguments other users can read.
  std::string make_code(Role role, Clock::time_point now = Clock::now());
  /// The role that a code gives. The code is worth nothing afterwards.
  Role redeem(std::string_view code, Clock::time_point now = Clock::now());

 private:
  struct Session {
    std::string secret;
    Role role;
  };
  struct Code {
    std::string text;
    Role role;
    Clock::time_point end;
  };
  std::deque<Session> sessions_;  ///< the one that was used last first
  std::deque<Code> codes_;        ///< oldest first
};

/// The name of the cookie for requests to this Host ("localhost:8080"). It has the port: servers at other
/// ports of that host have cookies of their own.
std::string cookie_name(std::string_view host);
/// The Set-Cookie field that gives a session's secret to the browser.
std::string cookie_field(std::string_view secret, std::string_view host, const Access& access);

}  // namespace orrery::app::serve
