#pragma once

#include <cstdint>
#include <memory>

#include "app/serve/served.h"

namespace orrery::app::serve {

/// An HTTP and WebSocket server on a thread of its own. Everything that it reads is a stranger's until
/// checked.
class Server {
 public:
  /// Listens. Throws sim::Error with cause and remedy.
  Server(ServerOptions options, Served served);
  /// Closes all connections.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The port that it listens at; 0 at a Unix socket.
  std::uint16_t port() const;
  /// True if no other machine can connect.
  bool is_local() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery::app::serve
