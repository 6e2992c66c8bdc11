#include "app/serve/server.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/serve/net.h"
#include "sim/core/error.h"
#include "sim/core/threads.h"

namespace orrery::app::serve {

namespace {

using tcp = asio::ip::tcp;
using unix_socket = asio::local::stream_protocol;

void begin(Stream::socket_type socket, const std::shared_ptr<ServerContext>& context) {
  auto executor = socket.get_executor();
  asio::co_spawn(executor, serve_connection(Stream(std::move(socket)), context), asio::detached);
}

template <typename Acceptor>
asio::awaitable<void> accept_all(std::shared_ptr<Acceptor> acceptor, std::shared_ptr<ServerContext> context) {
  while (acceptor->is_open()) {
    beast::error_code failed;
    auto socket = co_await acceptor->async_accept(asio::redirect_error(asio::use_awaitable, failed));
    if (failed == asio::error::operation_aborted) co_return;
    if (failed) {
      // Too many open files: connections that end make room.
      asio::steady_timer pause(acceptor->get_executor(), std::chrono::milliseconds(100));
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, failed));
      continue;
    }
    if constexpr (std::is_same_v<Acceptor, tcp::acceptor>) socket.set_option(tcp::no_delay(true), failed);
    begin(Stream::socket_type(std::move(socket)), context);
  }
}

}  // namespace

struct Server::State {
  explicit State(ServerOptions options, Served served)
      : context(std::make_shared<ServerContext>(ServerContext{std::move(options), served, {}, {}})) {
    if (context->options.socket.empty())
      listen_at_addresses();
    else
      listen_at_socket();
    thread = sim::start_thread("serving", [this] { io.run(); });
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    io.stop();
    thread.join();
    // What others send from now on must not reach connections that are about to go.
    context->served.audience.dismiss();
    // Questions without an answer hold timers of this server.
    context->served.desk.take_errands();
    context->served.broadcaster.drop_screenshots();
    std::error_code ignored;
    if (!context->options.socket.empty()) std::filesystem::remove(context->options.socket, ignored);
  }

  /// At the same port of all addresses. A port that is free at some of them only is not taken: browsers that
  /// are told "localhost" may go to another one, where another user listens.
  void listen_at_addresses() {
    constexpr int tries = 50;
    std::string why;
    for (int k = 0; k < tries; ++k) {
      Acceptors acceptors;
      port = context->options.port;
      why.clear();
      for (const auto& address : context->options.addresses) listen_at(address, acceptors, why);
      if (!acceptors.empty() && why.empty()) return accept_at(acceptors);
      if (context->options.port != 0) break;
    }
    throw sim::Error(fmt::format("cannot listen at {}; choose another --port or --host", why));
  }

  using Acceptors = std::vector<std::shared_ptr<tcp::acceptor>>;

  /// `why`: the reason if the port is not free.
  void listen_at(const std::string& address, Acceptors& acceptors, std::string& why) {
    beast::error_code failed;
    // A name may have several addresses, and the numbers of one are a name, too.
    for (const auto& found : tcp::resolver(io).resolve(address, "", failed)) {
      beast::error_code here;
      auto acceptor = listen(tcp::endpoint(found.endpoint().address(), port), here);
      // Where there is no IPv6 nobody else has an address of it either.
      const bool absent = here == asio::error::address_family_not_supported ||
                          here == boost::system::errc::address_not_available;
      if (!here)
        acceptors.push_back(std::move(acceptor));
      else if (!absent || context->options.addresses.size() == 1)
        failed = here;
    }
    if (failed && why.empty()) why = fmt::format("{} port {}: {}", address, port, failed.message());
  }

  void accept_at(const Acceptors& acceptors) {
    for (const auto& acceptor : acceptors) asio::co_spawn(io, accept_all(acceptor, context), asio::detached);
  }

  std::shared_ptr<tcp::acceptor> listen(const tcp::endpoint& endpoint, beast::error_code& failed) {
    auto acceptor = std::make_shared<tcp::acceptor>(io);
    acceptor->open(endpoint.protocol(), failed);
    if (!failed && endpoint.address().is_v6()) acceptor->set_option(asio::ip::v6_only(true), failed);
    if (!failed) acceptor->set_option(asio::socket_base::reuse_address(true), failed);
    if (!failed) acceptor->bind(endpoint, failed);
    if (!failed) acceptor->listen(64, failed);
    if (failed) return nullptr;
    port = acceptor->local_endpoint().port();
    local = local && endpoint.address().is_loopback();
    return acceptor;
  }

  void listen_at_socket() {
    const auto& path = context->options.socket;
    beast::error_code failed;
    auto acceptor = std::make_shared<unix_socket::acceptor>(io);
    acceptor->open(unix_socket(), failed);
    // From the first moment nobody else may connect.
    const auto before = umask(0177);
    if (!failed) acceptor->bind(unix_socket::endpoint(path.string()), failed);
    umask(before);
    if (!failed) acceptor->listen(64, failed);
    if (failed)
      throw sim::Error(fmt::format("cannot listen at the socket {}: {}; name a file that does not exist yet",
                                   path.string(), failed.message()));
    asio::co_spawn(io, accept_all(acceptor, context), asio::detached);
  }

  std::shared_ptr<ServerContext> context;
  asio::io_context io{1};
  std::uint16_t port = 0;
  bool local = true;
  std::thread thread;
};

Server::Server(ServerOptions options, Served served)
    : state_(std::make_unique<State>(std::move(options), served)) {}

Server::~Server() = default;

std::uint16_t Server::port() const { return state_->port; }

bool Server::is_local() const { return state_->local; }

}  // namespace orrery::app::serve
