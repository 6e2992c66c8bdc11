#pragma once

// Boost.Beast and Asio, as the server's files use them.
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <memory>

#include "app/serve/access.h"
#include "app/serve/served.h"

namespace orrery::app::serve {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;

/// A connection over TCP or a Unix socket.
using Stream = beast::basic_stream<asio::generic::stream_protocol>;

/// The state that all connections of a server share. Of the server's thread.
struct ServerContext {
  ServerOptions options;
  Served served;
  Sessions sessions;
  Seats seats;
};

/// The reason to refuse a request by its head alone: what a proxy in between may read in another way (400),
/// an unknown transfer coding (501), an unknown expectation (417). Status 200 if there is none.
Response fault_of(const http::request_header<>& head);

/// The way in which a response is sent.
struct Sending {
  bool keeps = false;                      ///< the connection stays open
  bool head_only = false;                  ///< the answer to HEAD
  std::chrono::milliseconds part_time{0};  ///< for each part, however many there are
};

/// Sends a response part by part, a file as it is read. False if the connection is over.
asio::awaitable<bool> send_response(Stream& stream, const Response& response, Sending sending);

/// Answers the requests of one connection until it ends.
asio::awaitable<void> serve_connection(Stream stream, std::shared_ptr<ServerContext> context);

/// Goes on with a connection as a WebSocket of the page.
asio::awaitable<void> serve_browser(Stream stream, http::request<http::string_body> request, Role role,
                                    std::shared_ptr<ServerContext> context);

}  // namespace orrery::app::serve
