#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <string_view>

#include "app/serve/access.h"

namespace orrery::app::serve {

/// The secrets that browsers show once they have logged in: one for each role, in a cookie. Browsers send
/// cookies to every port of a host, and whoever gets such a secret has neither the token nor another run of
/// the server.
class Sessions {
 public:
  using Clock = std::chrono::steady_clock;
  /// The most codes of one role.
  static constexpr std::size_t most = 64;

  /// Throws as random_token().
  Sessions() : drives_(random_token()), watches_(random_token()) {}

  /// The secret of a role that drives or watches.
  const std::string& secret_of(Role role) const { return role == Role::drives ? drives_ : watches_; }
  /// The role with this secret.
  Role role_of(std::string_view secret) const;
  /// The largest role that a Cookie field gives: "a=b; orrery-8080=SECRET". The secret decides, not the port:
  /// a proxy may have changed that.
  Role role_of_cookies(std::string_view cookies) const;

  /// A code that begins one session, once and within a minute: for programs that open a browser whose
  /// arguments other users can read.
  std::string make_code(Role role, Clock::time_point now = Clock::now());
  /// The role that a code gives. The code is worth nothing afterwards.
  Role redeem(std::string_view code, Clock::time_point now = Clock::now());

 private:
  struct Code {
    std::string text;
    Role role;
    Clock::time_point end;
  };
  std::string drives_, watches_;
  std::deque<Code> codes_;  ///< oldest first
};

/// The name of the cookie for requests to this Host ("localhost:8080"). It has the port: servers at other
/// ports of that host have cookies of their own. That of who watches has another name: a link for watching
/// takes nothing from who drives.
std::string cookie_name(Role role, std::string_view host);
/// The Set-Cookie field that gives the secret of a role to the browser.
std::string cookie_field(Role role, std::string_view secret, std::string_view host, const Access& access);

}  // namespace orrery::app::serve
