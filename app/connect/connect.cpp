#include "app/connect/connect.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "app/connect/talking_process.h"
#include "app/film/child_process.h"
#include "app/shown_text.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"
#include "sim/core/json_text.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/private_file.h"
#include "sim/core/temporary_file.h"
#include "sim/core/threads.h"

namespace orrery::app {

namespace {

using Words = std::vector<std::string>;

/// Where the server listens, as it says itself.
struct Served {
  std::string host;
  std::uint16_t port = 0;
  std::string token;
  std::string path;
};

/// The line that tells that a port is forwarded. Whether the port answers does not: another user may listen.
constexpr std::string_view tunnel_stands = "orrery-tunnel";

/// ssh with words of its own, over the one connection that asked for a password.
class Ssh {
 public:
  Ssh(const ConnectOptions& options, const std::filesystem::path& control)
      : login_(options.login), control_(control.string()) {
    std::istringstream text(options.ssh);
    for (std::string word; text >> word;) program_.push_back(word);
    if (program_.empty()) throw sim::UsageError("--ssh is empty: give the command that starts ssh");
  }

  /// Makes the connection, and runs a command there for as long as it lives.
  Words run(const std::string& command) const {
    return with({"-o", "ControlMaster=yes", "-o", "ControlPath=" + control_, "-o", "ControlPersist=no", "-o",
                 "ServerAliveInterval=15", "-T", login_, command});
  }
  /// Forwards a port of this computer over it.
  Words forward(std::uint16_t here, const std::string& host, std::uint16_t there) const {
    return with({"-o", "ControlPath=" + control_, "-O", "forward", "-L", tunnel(here, host, there), login_});
  }
  /// A connection through it to a node, which forwards a port to the node itself.
  Words forward_to_node(std::uint16_t here, const std::string& node, std::uint16_t there) const {
    std::string proxy;
    for (const auto& word : program_) proxy += quoted_for_shell(word) + " ";
    proxy +=
        fmt::format("-o ControlPath={} -W %h:%p {}", quoted_for_shell(control_), quoted_for_shell(login_));
    const auto at = login_.find('@');
    // ssh runs the command once the port is forwarded, and `cat` ends with its standard input, whatever ends
    // this program.
    return with({"-T", "-o", "ExitOnForwardFailure=yes", "-o", "StrictHostKeyChecking=accept-new", "-o",
                 "ServerAliveInterval=15", "-o", "ControlMaster=no", "-o", "ControlPath=none", "-o",
                 "ProxyCommand=" + proxy, "-L", tunnel(here, loopback_address, there),
                 (at == std::string::npos ? "" : login_.substr(0, at + 1)) + node,
                 fmt::format("echo {}; exec cat", tunnel_stands)});
  }

 private:
  Words program_;
  std::string login_;
  std::string control_;

  Words with(Words words) const {
    words.insert(words.begin(), program_.begin(), program_.end());
    return words;
  }
  static std::string tunnel(std::uint16_t here, const std::string& host, std::uint16_t there) {
    return fmt::format("127.0.0.1:{}:{}:{}", here, host, there);
  }
};

/// A host's name, and nothing that ssh would take for an option.
bool is_host(const std::string& name) {
  return !name.empty() && name.front() != '-' && sim::is_plain(name, ".-_");
}

/// The line that `serve --connection -` prints; nothing for any other, such as a greeting of the cluster.
std::optional<Served> served_in(const std::string& line) {
  const auto json = sim::json_in(line);
  if (!json.is_object() || !json.contains("token") || !json.contains("port")) return std::nullopt;
  try {
    const auto port = json.at("port").get<std::int64_t>();
    Served served{.host = json.at("host"), .token = json.at("token"), .path = json.at("path")};
    if (!is_host(served.host) || port < 1 || port > 65535) return std::nullopt;
    // Nothing that changes which host the address is of.
    if (!sim::is_plain(served.token, "-_") || !served.path.starts_with('/') ||
        !sim::is_plain(served.path, "/-_.~"))
      return std::nullopt;
    served.port = static_cast<std::uint16_t>(port);
    return served;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

Served wait_for_server(TalkingProcess& job, const ConnectOptions& options) {
  while (const auto line = job.next_line()) {
    if (auto served = served_in(*line)) return *served;
    fmt::print(stderr, "{}: {}\n", options.login, sim::one_line(*line));
  }
  if (sim::interrupted()) throw sim::Error("ended before the window was there");
  throw sim::Error(
      fmt::format("`{} serve` on {} ended with status {} before its window was there; the lines above "
                  "say why. Is it in PATH there? --program names it, --before loads a module",
                  options.program, options.login, job.wait()));
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

std::uint16_t free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto address = loopback(0);
  socklen_t size = sizeof address;
  const bool found = ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                     ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(descriptor);
  if (!found) throw sim::Error("no free port on this computer");
  return ntohs(address.sin_port);
}

bool answers(std::uint16_t port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto address = loopback(port);
  const bool connected =
      ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(descriptor);
  return connected;
}

/// The connection to the node, where there is one; it lives as long as the tunnel shall.
std::unique_ptr<TalkingProcess> open_tunnel(const Ssh& ssh, const ConnectOptions& options,
                                            const Served& served, std::uint16_t port) {
  const bool on_node = options.uses_slurm();
  if (!on_node || options.through_login) {
    if (run_quietly(ssh.forward(port, on_node ? served.host : loopback_address, served.port)) != 0)
      throw sim::Error(
          fmt::format("ssh does not forward port {} to {}: the lines above say why; --port takes "
                      "another one here",
                      port, served.host));
    return nullptr;
  }
  auto tunnel = std::make_unique<TalkingProcess>(ssh.forward_to_node(port, served.host, served.port),
                                                 TalkingProcess::Input::held_open);
  // Nodes may greet.
  while (const auto line = tunnel->next_line())
    if (*line == tunnel_stands) return tunnel;
  throw sim::Error(fmt::format(
      "ssh does not reach the node {}; if the cluster forbids it, try --through-login", served.host));
}

/// A page that leads to the address: every user of this computer sees the words with which a browser is
/// started, and the page is for this one only.
class LeadingPage {
 public:
  explicit LeadingPage(const std::string& address) : file_(folder_.path() / "orrery.html") {
    sim::write_secret(file_, fmt::format("<!doctype html><meta name=\"referrer\" content=\"no-referrer\">"
                                         "<meta http-equiv=\"refresh\" content=\"0;url={0}\">"
                                         "<title>Orrery</title><p>Opening <a href=\"{0}\">Orrery</a>.\n",
                                         address));
    // A browser that must start first takes some seconds.
    removal_ = sim::start_thread<std::jthread>(
        "removing the browser's first page", [this](const std::stop_token& stop) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any().wait_for(lock, stop, std::chrono::seconds(60), [] { return false; });
          std::error_code ignored;
          std::filesystem::remove(file_, ignored);
        });
    start_apart({"xdg-open", file_.string()});
  }

 private:
  sim::TemporaryFolder folder_{"orrery-page", "the browser's first page"};
  std::filesystem::path file_;
  std::jthread removal_;
};

/// Says the address, and opens it in a browser if there is a display. What is returned is kept as long as the
/// window.
std::unique_ptr<LeadingPage> show(const std::string& address, bool browser) {
  fmt::print("open {}\n", address);
  std::fflush(stdout);
  const bool has_display = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
  if (!browser || !has_display || !is_program("xdg-open")) return nullptr;
  return std::make_unique<LeadingPage>(address);
}

}  // namespace

std::string quoted_for_shell(const std::string& word) {
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

std::string remote_command(const ConnectOptions& options) {
  auto serve = fmt::format("{} serve --connection -", quoted_for_shell(options.program));
  if (!options.data.empty()) serve += " " + quoted_for_shell(options.data);
  if (!options.serve.empty()) serve += " " + options.serve;
  std::string command = serve;
  if (options.uses_slurm()) {
    command = "srun --ntasks=1";
    if (!options.gres.empty()) command += " --gres=" + quoted_for_shell(options.gres);
    if (!options.srun.empty()) command += " " + options.srun;
    // The node's name is known on the node only.
    command += options.through_login
                   ? " sh -c " + quoted_for_shell("exec " + serve + " --host \"$(hostname)\"")
                   : " " + serve;
  }
  command = "exec " + command;
  if (!options.before.empty()) command = options.before + " && " + command;
  // A login shell, which knows the cluster's modules.
  return "exec bash -lc " + quoted_for_shell(command);
}

int connect(const ConnectOptions& options) {
  if (options.login.starts_with('-'))
    throw sim::UsageError("give the computer first: orrery connect ada@cluster");
  if (options.through_login && !options.uses_slurm())
    throw sim::UsageError("--through-login is for a job on a node: add --gres gpu:1 or --srun");
  const sim::TemporaryFolder folder("orrery-connect", "the connection");
  const Ssh ssh(options, folder.path() / "ssh");
  TalkingProcess job(ssh.run(remote_command(options)), TalkingProcess::Input::held_open);
  const auto served = wait_for_server(job, options);
  const auto port = options.port != 0 ? static_cast<std::uint16_t>(options.port) : free_port();
  if (answers(port))
    throw sim::Error(fmt::format("port {} of this computer is in use: choose another --port", port));
  auto tunnel = open_tunnel(ssh, options, served, port);
  const auto page =
      show(fmt::format("http://{}:{}{}?token={}", loopback_address, port, served.path, served.token),
           options.browser);
  while (const auto line = job.next_line())
    fmt::print(stderr, "{}: {}\n", options.login, sim::one_line(*line));
  // The tunnel holds ssh's connection open. The server ends with its standard input.
  tunnel.reset();
  job.close_input();
  for (int tenth = 0; tenth < 50 && !job.ended(); ++tenth)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  if (!job.ended()) job.terminate();
  const int status = job.wait();
  return sim::interrupted() ? 0 : status;
}

}  // namespace orrery::app
