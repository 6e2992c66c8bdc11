#include <algorithm>
#include <array>

#include "app/serve/net.h"

namespace orrery::app::serve {

namespace {

/// Fields of which a proxy in between may take another one than this server, if there are two.
constexpr std::array single_fields{http::field::host,          http::field::content_length,
                                   http::field::authorization, http::field::transfer_encoding,
                                   http::field::cookie,        http::field::origin,
                                   http::field::expect,        http::field::upgrade,
                                   http::field::content_type,  http::field::range};

}  // namespace

Response fault_of(const http::request_header<>& head) {
  const auto has = [&](http::field name) { return head.count(name) > 0; };
  if (std::ranges::any_of(single_fields, [&](http::field name) { return head.count(name) > 1; }))
    return text_response(400, "the request has a header field twice");
  const bool is_old = head.version() < 11;
  if (!is_old && !has(http::field::host)) return text_response(400, "the request has no Host field");
  // Two lines are one to the parser, with a blank between.
  const auto host = head[http::field::host];
  if (has(http::field::host) && host_name({host.data(), host.size()}).empty())
    return text_response(400, "the Host field of the request is no name");
  if (!head.target().starts_with('/')) return text_response(400, "the target of the request is no path");
  if (head[http::field::content_length].find(',') != beast::string_view::npos)
    return text_response(400, "the request has two lengths");
  if (has(http::field::transfer_encoding)) {
    if (is_old || has(http::field::content_length))
      return text_response(400, "the request has a length and a transfer coding");
    if (!beast::iequals(head[http::field::transfer_encoding], "chunked"))
      return text_response(501, "this server knows no transfer coding but chunked");
  }
  if (has(http::field::expect) && !beast::iequals(head[http::field::expect], "100-continue"))
    return text_response(417, "this server meets no expectation but 100-continue");
  return {};
}

}  // namespace orrery::app::serve
