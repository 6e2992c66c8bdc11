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
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <memory>

#include "app/serve/server.h"

namespace orrery::app::serve {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;

/// A connection over TCP or a Unix socket.
using Stream = beast::basic_stream<asio::generic::stream_protocol>;

/// The state that all connections of a server share.
struct ServerContext {
  ServerOptions options;
  Served served;
  std::size_t connections = 0;  ///< that are open now; of the server's thread
};

/// Answers the requests of one connection until it ends.
asio::awaitable<void> serve_connection(Stream stream, std::shared_ptr<ServerContext> context);

/// Goes on with a connection as a WebSocket of the page.
asio::awaitable<void> serve_browser(Stream stream, http::request<http::string_body> request, Role role,
                                    std::shared_ptr<ServerContext> context);

}  // namespace orrery::app::serve
