#pragma once

#include <string_view>
#include <vector>

namespace orrery::app::serve {

/// Credentials that a client must show to use a route: nothing; a token or the cookie of a session, of one
/// who drives where it changes anything; or a token itself.
enum class Right { none, watch, drive, token };

/// Which pages a browser may send the request from, as the field Origin tells. Scripts send no Origin.
enum class FromPage {
  any,
  ours_or_script,  ///< a page of this server, or no page
  ours_or_token    ///< a page of this server, or no page and a token
};

/// A row of the server's table of routes. The gate of each connection checks host, origin and right of every
/// request by this table before a handler runs.
struct Route {
  std::string_view method;  ///< "GET" (HEAD too), "POST" or "PUT"
  std::string_view path;    ///< below the base path; with '*' at its end every path that begins so
  Right right = Right::watch;
  FromPage from = FromPage::any;
};

/// All routes. The first one that fits a request counts.
std::vector<Route> routes();

}  // namespace orrery::app::serve
