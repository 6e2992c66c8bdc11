#pragma once

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

}  // namespace orrery::app::serve
