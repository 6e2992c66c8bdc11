#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

#include "app/serve/net.h"

namespace orrery::app::serve {

namespace {

using Clock = std::chrono::steady_clock;

/// A person with a mouse that reports a thousand times per second stays below.
constexpr int most_messages_a_second = 3000;
/// Messages that wait to be sent. Two of them are pictures at most; texts are short.
constexpr std::size_t most_waiting = 256;

/// One browser. It lives as long as its connection, and is used by the server's thread only, but for `send`.
class Browser : public std::enable_shared_from_this<Browser> {
 public:
  Browser(Stream stream, std::shared_ptr<ServerContext> context)
      : socket_(std::move(stream)), context_(std::move(context)) {}

  asio::awaitable<void> run(http::request<http::string_body> request, Role role) {
    beast::get_lowest_layer(socket_).expires_never();
    socket_.set_option(
        websocket::stream_base::timeout{std::chrono::seconds(10), std::chrono::seconds(20), true});
    socket_.read_message_max(longest_message);
    // A picture is one frame, not one of every 4096 bytes.
    socket_.auto_fragment(false);
    co_await socket_.async_accept(request, asio::use_awaitable);
    id_ = context_->served.audience.join(role, sender());
    context_->served.desk.wake();
    bool strange = false;
    try {
      strange = co_await read_all();
    } catch (const std::exception&) {
      // The connection ended; in which way does not matter.
    }
    if (context_->served.audience.drives(id_))
      context_->served.desk.put({.kind = ClientMessage::Kind::release});
    context_->served.audience.leave(id_);
    if (!strange) co_return;
    const websocket::close_reason reason(websocket::close_code::policy_error, "not a message of the page");
    co_await socket_.async_close(reason, asio::use_awaitable);
  }

 private:
  /// Sends from any thread, by way of the server's. The strand keeps the order: without it, what the server's
  /// thread posts itself (the first role) waits until its handler is done, and others' messages overtake it.
  Audience::Send sender() {
    return [self = weak_from_this(),
            strand = asio::make_strand(socket_.get_executor())](std::shared_ptr<const Outgoing> message) {
      asio::post(strand, [self, message = std::move(message)]() mutable {
        if (const auto browser = self.lock()) browser->queue(std::move(message));
      });
    };
  }

  void queue(std::shared_ptr<const Outgoing> message) {
    const auto is_older = [&](const auto& each) {
      return !message->subject.empty() && each->subject == message->subject;
    };
    // The first one is being sent.
    const auto waiting = outgoing_ | std::views::drop(1);
    if (const auto older = std::ranges::find_if(waiting, is_older); older != waiting.end()) {
      *older = std::move(message);
      return;
    }
    if (outgoing_.size() >= most_waiting) return beast::get_lowest_layer(socket_).cancel();
    outgoing_.push_back(std::move(message));
    if (outgoing_.size() == 1) write_next();
  }

  void write_next() {
    const auto& message = *outgoing_.front();
    socket_.text(message.text);
    socket_.async_write(asio::buffer(message.bytes),
                        [self = shared_from_this()](beast::error_code failed, std::size_t) {
                          if (failed) return;
                          if (self->outgoing_.front()->last) return self->close();
                          self->outgoing_.pop_front();
                          if (!self->outgoing_.empty()) self->write_next();
                        });
  }

  void close() {
    socket_.async_close(websocket::close_code::normal, [self = shared_from_this()](beast::error_code) {});
  }

  /// True if the browser sent something else than messages of the page.
  asio::awaitable<bool> read_all() {
    beast::flat_buffer buffer;
    while (true) {
      co_await socket_.async_read(buffer, asio::use_awaitable);
      const auto bytes = buffer.cdata();
      const auto message = parse_message({static_cast<const char*>(bytes.data()), bytes.size()});
      buffer.consume(buffer.size());
      if (!message || !socket_.got_text() || is_too_fast()) co_return true;
      take(*message);
    }
  }

  bool is_too_fast() {
    const auto now = Clock::now();
    if (now - second_ > std::chrono::seconds(1)) {
      second_ = now;
      messages_ = 0;
    }
    return ++messages_ > most_messages_a_second;
  }

  void take(const ClientMessage& message) {
    using Kind = ClientMessage::Kind;
    auto& audience = context_->served.audience;
    switch (message.kind) {
      case Kind::drawn:
        return audience.drawn(id_, message.number);
      case Kind::wants_key:
        return audience.needs_key(id_);
      case Kind::codec:
        return audience.set_codec(id_, message.codec, message.lists);
      case Kind::wants_drive:
        audience.take_control(id_);
        return;
      case Kind::ping:
        return audience.say_to(id_, {{"t", "pong"}, {"n", message.number}});
      default:
        if (audience.drives(id_)) context_->served.desk.put(message);
    }
  }

  websocket::stream<Stream> socket_;
  std::shared_ptr<ServerContext> context_;
  Audience::Id id_ = 0;
  std::deque<std::shared_ptr<const Outgoing>> outgoing_;
  Clock::time_point second_{};
  int messages_ = 0;
};

}  // namespace

asio::awaitable<void> serve_browser(Stream stream, http::request<http::string_body> request, Role role,
                                    std::shared_ptr<ServerContext> context) {
  const auto browser = std::make_shared<Browser>(std::move(stream), std::move(context));
  co_await browser->run(std::move(request), role);
}

}  // namespace orrery::app::serve
