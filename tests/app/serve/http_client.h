#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace orrery::app::serve {

/// A connection to a server on this machine that sends bytes as they are: requests of strangers are not
/// polite.
class RawConnection {
 public:
  /// `window`: bytes that may wait to be received; 0: as usual.
  explicit RawConnection(std::uint16_t port, int window = 0) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    if (window > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &window, sizeof window);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    timeval patience{30, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("no connection");
  }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;
  ~RawConnection() { close(socket_); }

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  /// True once the server has answered or closed; does not wait.
  bool can_receive() const {
    char byte;
    return recv(socket_, &byte, 1, MSG_DONTWAIT | MSG_PEEK) >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
  }
  /// What arrives until `enough` bytes are there or the server closes.
  std::string receive(std::size_t enough = SIZE_MAX) const {
    std::string all;
    char part[4096];
    while (all.size() < enough) {
      const auto count = recv(socket_, part, std::min(sizeof part, enough - all.size()), 0);
      if (count <= 0) return all;
      all.append(part, static_cast<std::size_t>(count));
    }
    return all;
  }

 private:
  int socket_;
};

}  // namespace orrery::app::serve
