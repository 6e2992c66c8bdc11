#include <algorithm>
#include <boost/asio/write.hpp>
#include <sstream>

#include "app/serve/net.h"

namespace orrery::app::serve {

namespace {

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
