#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <vector>

// Permissions of network clients. Pure functions, because their input comes from strangers.
namespace orrery::app::serve {

/// The rights of a client.
enum class Role { none, watches, drives };

/// The secrets and names of a server.
struct Access {
  std::string token;       ///< token of people who may drive: 32 hexadecimal digits, or the content of a file
  std::string view_token;  ///< token of people who may only watch; empty: nobody
  std::string base_path = "/";     ///< the path of the page as browsers see it, with a slash at both ends
  std::vector<std::string> hosts;  ///< names in Host that are ours, lower case, without port
};

/// 128 random bits of the operating system, in hexadecimal. Throws sim::Error where it has none.
std::string random_token();

/// Compares in a time that depends on the lengths only.
bool same_secret(std::string_view left, std::string_view right);

/// The name in a Host field: lower case, without its port, "[::1]" with its brackets. Empty if it is no name.
std::string host_name(std::string_view host);

/// True if a request with this Host is meant for this server. A page of a stranger whose name was rebound to
/// 127.0.0.1 brings its own name, and is refused.
bool host_is_ours(std::string_view host, const Access& access);

/// True if a WebSocket with this Origin comes from a page of this server: its host is Host, and ours.
bool origin_is_ours(std::string_view origin, std::string_view host, const Access& access);

/// The role that a token gives.
Role role_of_token(std::string_view token, const Access& access);

/// The value of a field in "a=b&token=c", with %-escapes decoded; empty if it is missing or malformed.
std::string form_value(std::string_view form, std::string_view name);

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

/// The open connections, counted by role, so that strangers cannot take the room of those with a token. Of
/// the server's thread.
class Seats {
 public:
  /// One connection, while the object lives. At first its client is a stranger.
  class Seat {
   public:
    /// `close` ends the connection. If too many connections of strangers are open, the one that has asked for
    /// nothing for longest is closed.
    Seat(Seats& seats, std::function<void()> close);
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;
    ~Seat();

    /// The client has sent a whole request.
    void note_request();
    /// The client has proved its role; from then on nothing closes the connection for others. False if too
    /// many connections of that role are open.
    bool prove(Role role);

   private:
    void leave();
    void move_to(Role role);

    Seats& seats_;
    std::function<void()> close_;
    Role role_ = Role::none;
    std::list<Seat*>::iterator place_;
    bool left_ = false;  ///< closed to make room for another connection
  };

 private:
  std::list<Seat*>& of(Role role) { return seats_.at(static_cast<std::size_t>(role)); }

  std::array<std::list<Seat*>, 3> seats_;  ///< by role; the latest request last
};

}  // namespace orrery::app::serve
