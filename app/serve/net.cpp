#include "app/serve/net.h"

#include <algorithm>
#include <array>
#include <boost/asio/write.hpp>
#include <sstream>

namespace orrery::app::serve {

namespace {

/// Fields of which a proxy in between may take another one than this server, if there are two.
constexpr std::array single_fields{http::field::host,          http::field::content_length,
                                   http::field::authorization, http::field::transfer_encoding,
                                   http::field::cookie,        http::field::origin,
                                   http::field::expect,        http::field::upgrade,
                                   http::field::content_type,  http::field::range};

/// Short enough that others are served in between, long enough for a fast network.
constexpr std::size_t part_size = 65536;

std::string_view body_of(const Response& response) {
  if (!response.shared) return response.body;
  return {reinterpret_cast<const char*>(response.shared->data()), response.shared->size()};
}

std::uint64_t size_of(const Response& response) {
  return response.file ? response.part.size : body_of(response).size();
}

std::string head_of(const Response& response, bool keeps) {
  http::response<http::empty_body> message;
  message.version(11);
  message.result(static_cast<unsigned>(response.status));
  message.set(http::field::content_type, response.type);
  for (const auto& fields : {safety_fields(), response.fields})
    for (const auto& [name, value] : fields) message.set(name, value);
  message.keep_alive(keeps);
  message.content_length(size_of(response));
  std::ostringstream text;
  text << message.base();
  return text.str();
}

/// Appends the next part of the body. Nothing where a file has become shorter meanwhile.
void append_part(const Response& response, std::uint64_t position, std::string& bytes) {
  const auto count =
      static_cast<std::size_t>(std::min<std::uint64_t>(part_size, size_of(response) - position));
  if (!response.file) {
    bytes.append(body_of(response), position, count);
    return;
  }
  const auto before = bytes.size();
  bytes.resize(before + count);
  bytes.resize(before + response.file->read(response.part.begin + position, {bytes.data() + before, count}));
}

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

asio::awaitable<bool> send_response(Stream& stream, const Response& response, Sending sending) {
  const auto end = sending.head_only ? 0 : size_of(response);
  std::uint64_t position = 0;
  std::string bytes = head_of(response, sending.keeps);
  beast::error_code failed;
  while (true) {
    const auto before = bytes.size();
    if (position < end) append_part(response, position, bytes);
    const auto count = bytes.size() - before;
    // The length was promised: only the end of the connection says that less is coming.
    if (position < end && count == 0) sending.keeps = false;
    position = count == 0 ? end : position + count;
    stream.expires_after(sending.part_time);
    co_await asio::async_write(stream, asio::buffer(bytes),
                               asio::redirect_error(asio::use_awaitable, failed));
    if (failed || position == end) co_return !failed && sending.keeps;
    bytes.clear();
  }
}

}  // namespace orrery::app::serve
