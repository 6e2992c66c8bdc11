#include "app/serve/service.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "app/ending/answer_in_time.h"
#include "app/log.h"
#include "app/serve/served.h"
#include "app/serve/served_window.h"
#include "app/serve/server.h"
#include "app/serve/viewer_answers.h"
#include "app/session/free_folder.h"
#include "app/shown_text.h"
#include "app/window/viewer.h"
#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/private_file.h"
#include "sim/core/temporary_file.h"
#include "sim/core/threads.h"

namespace orrery::app::serve {

namespace {

constexpr glm::ivec2 first_size{1280, 720};

std::string this_host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0' ? name.data() : "localhost";
}

/// "ada@gpu17", for the line that a person copies.
std::string login_here() {
  const char* user = std::getenv("USER");
  return fmt::format("{}@{}", user != nullptr ? user : "you", this_host());
}

std::string token_of(const ServiceOptions& options) {
  if (options.token_file.empty()) return random_token();
  auto token = sim::read_secret(options.token_file);
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r' || token.back() == ' '))
    token.pop_back();
  constexpr std::size_t shortest = 16;
  if (token.size() < shortest || !sim::is_plain(token, "-_"))
    throw sim::UsageError(fmt::format("{} must hold one token of {} or more letters, digits, - and _",
                                      options.token_file.string(), shortest));
  return token;
}

std::string base_path_of(const std::string& url) {
  std::string path = url;
  if (!path.starts_with('/')) path.insert(0, 1, '/');
  if (!path.ends_with('/')) path += '/';
  const bool plain =
      std::ranges::all_of(path, [](unsigned char letter) { return letter > 32 && letter < 127; });
  if (!plain || path.find_first_of("?#\"\\;") != std::string::npos)
    throw sim::UsageError(fmt::format("--base-url {} is no path: give for example /node/gpu17/8080/", url));
  return path;
}

Access access_of(const ServiceOptions& options) {
  Access access{.token = token_of(options), .base_path = base_path_of(options.base_url)};
  if (options.view_only_link) access.view_token = random_token();
  access.hosts = {"localhost", loopback_address, "[::1]"};
  if (!options.host.empty()) {
    access.hosts.push_back(
        host_name(options.host.find(':') == std::string::npos ? options.host : "[" + options.host + "]"));
    access.hosts.push_back(host_name(this_host()));
  }
  for (const auto& each : options.allow_hosts) {
    const auto name = host_name(each);
    if (name.empty()) throw sim::UsageError(fmt::format("--allow-host {} is no host name", each));
    access.hosts.push_back(name);
  }
  return access;
}

/// True if others can read where standard output goes: a log.
bool others_read_output() {
  struct stat status {};
  return ::fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
         (status.st_mode & (S_IRGRP | S_IROTH)) != 0;
}

/// Path and token of the link. A log that others can read has no token that a private file has,
/// too.
std::string shown_token(const ServiceOptions& options, const Access& access) {
  const bool has_file = !options.connection.empty() && options.connection != "-";
  const auto file = options.token_file.empty() && has_file ? options.connection : options.token_file;
  if (!others_read_output() || file.empty()) return access.base_path + "?token=" + access.token;
  return fmt::format("{} (the token is in {})", access.base_path, sim::quoted(file));
}

std::string address_lines(const ServiceOptions& options, const Access& access, std::uint16_t port) {
  const auto token = shown_token(options, access);
  if (!options.socket.empty())
    return fmt::format(
        "serving at the socket {}\nfrom your computer: ssh -L 8080:{} {}\nthen open http://{}:8080{}\n",
        options.socket.string(), std::filesystem::absolute(options.socket).string(), login_here(),
        loopback_address, token);
  const bool everywhere = options.host == "0.0.0.0" || options.host == "::";
  const auto name = options.host.empty() ? loopback_address : everywhere ? this_host() : options.host;
  auto lines = fmt::format("open http://{}:{}{}\n", name, port, token);
  if (!access.view_token.empty())
    lines += fmt::format("to watch only: http://{}:{}{}?token={}\n", name, port, access.base_path,
                         access.view_token);
  if (options.host.empty())
    lines += fmt::format("from another computer, first: ssh -L {}:{}:{} {}\n", port, loopback_address, port,
                         login_here());
  return lines;
}

/// Writes to standard output, without its buffer: what did not get out is not tried again at the end. Returns
/// why it failed; empty if it did not.
std::string print_at_once(std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return sim::reason_of(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

/// Without the address nobody can come: then there is nothing to serve for.
void say_address(const ServiceOptions& options, const std::string& lines) {
  const auto failed = print_at_once(lines);
  if (failed.empty() || !(options.connection.empty() || options.connection == "-")) return;
  // A pipe that nobody reads counts as an interruption: this is the answer.
  note_answered();
  throw sim::Error(fmt::format(
      "nobody can learn the address: standard output cannot be written ({}); --connection FILE writes it "
      "into a file",
      failed));
}

std::string connection_json(const ServiceOptions& options, const Access& access, std::uint16_t port) {
  nlohmann::json json{{"host", this_host()},      {"port", port},    {"token", access.token},
                      {"path", access.base_path}, {"pid", getpid()}, {"socket", options.socket.string()}};
  if (!access.view_token.empty()) json["view_token"] = access.view_token;
  return json.dump(options.connection == "-" ? -1 : 1) + "\n";
}

void tell_address(const ServiceOptions& options, const Access& access, std::uint16_t port) {
  if (!options.connection.empty() && options.connection != "-")
    sim::write_secret(options.connection, connection_json(options, access, port));
  say_address(options, options.connection == "-" ? connection_json(options, access, port)
                                                 : address_lines(options, access, port));
}

/// The program at the other end of the pipe wants this one for as long as it runs itself.
void end_with_standard_input() {
  sim::start_thread("watching standard input", [] {
    std::array<char, 256> ignored{};
    ssize_t got = 1;
    while (got > 0 || (got < 0 && errno == EINTR)) got = ::read(STDIN_FILENO, ignored.data(), ignored.size());
    ::kill(getpid(), SIGTERM);
  }).detach();
}

WindowAnswers answers_of(Viewer& viewer) {
  const auto asked = std::ref(viewer);
  return {.status = std::bind_front(status_answer, asked),
          .options = std::bind_front(options_answer, asked),
          .options_page = std::bind_front(options_page, asked),
          .set_option = std::bind_front(set_option_answer, asked)};
}

/// Files below --root are shown by their paths from there, all others, uploads too, by their names.
std::vector<std::filesystem::path> folders_shown(const std::filesystem::path& root) {
  if (root.empty()) return {};
  return {plain_path(std::filesystem::absolute(root)), real_path(root)};
}

UploadLimits upload_limits(const ServiceOptions& options) {
  const auto total = options.upload_total_mib > 0 ? options.upload_total_mib : 4 * options.upload_mib;
  return {.largest = options.upload_mib << 20U, .total = total << 20U};
}

/// Uploads that are shown stay, and all of them while something is being read. Those that are gone are not
/// played.
void note_used(Viewer& viewer, Uploads& uploads) {
  std::vector<std::filesystem::path> files;
  if (viewer.session().has_dataset()) {
    const auto& request = viewer.session().dataset().request;
    files.assign(request.with.begin(), request.with.end());
    files.emplace_back(request.source);
  }
  for (const auto& folder : uploads.note_used(files, viewer.datasets().loader().busy()))
    viewer.datasets().forget(folder);
}

std::vector<std::string> addresses_of(const ServiceOptions& options) {
  if (options.host.empty()) return {loopback_address, "::1"};
  return {options.host};
}

/// The system's limit, with the name that exceeds it.
void require_short_socket(const std::filesystem::path& socket) {
  constexpr std::size_t longest = sizeof(sockaddr_un::sun_path) - 1;
  if (socket.native().size() > longest)
    throw sim::UsageError(
        fmt::format("--serve-socket {} is too long: the system takes {} bytes; use a shorter folder",
                    sim::quoted(socket), longest));
}

/// Others could put a link to a file of yours there while it is opened.
void warn_of_shared_root(const std::filesystem::path& root) {
  struct stat status {};
  if (root.empty() || ::stat(root.c_str(), &status) != 0) return;
  const bool shared = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (shared)
    fmt::print(stderr,
               "others can write into --root {}: a link that they change while a file is opened may lead "
               "elsewhere\n",
               sim::quoted(root));
}

void run_errands(Desk& desk) {
  for (const auto& errand : desk.take_errands()) {
    try {
      errand();
    } catch (const std::exception& error) {
      // The request stays without an answer; the window goes on.
      log_error(error.what());
    }
  }
}

void serve_window(const ViewOptions& view, const ServiceOptions& options, const Access& access) {
  const sim::TemporaryFolder folder("orrery-serve", "uploads");
  shorten_shown_paths(folders_shown(view.run.root));
  auto wanted = view;
  wanted.run.uploads = folder.path();
  Uploads uploads(folder.path(), upload_limits(options));
  Audience audience;
  Broadcaster broadcaster(audience);
  Desk desk;
  Downloads downloads;
  const auto size =
      view.window_size ? glm::ivec2(view.window_size->width, view.window_size->height) : first_size;
  Viewer viewer(wanted, [&](const Settings&) {
    return std::make_unique<ServedWindow>(audience, broadcaster, desk, size);
  });
  viewer.messages().tell_of_files([&](const std::filesystem::path& file) {
    audience.say({{"t", "file"}, {"name", downloads.offer(file)}});
  });
  viewer.each_frame([&] {
    run_errands(desk);
    note_used(viewer, uploads);
    if (const auto why = broadcaster.problem(); !why.empty()) throw sim::Error(why);
  });
  const Server server({.addresses = addresses_of(options),
                       .port = static_cast<std::uint16_t>(options.port),
                       .socket = options.socket,
                       .access = access},
                      {audience, broadcaster, desk, downloads, uploads, shared_answers(answers_of(viewer))});
  if (!server.is_local())
    log_warning(
        "--host: other machines can connect, and what is sent is not encrypted, the token included; on a "
        "network that you do not trust use an ssh tunnel to this machine or a proxy with https instead");
  if (options.token_file.empty() && options.connection.empty() && others_read_output())
    log_warning(
        "other users can read the file that standard output goes to, and the token in it; `umask 077` before "
        "prevents that, or --connection FILE, which keeps the token in a private file");
  tell_address(options, access, server.port());
  if (options.connection == "-") end_with_standard_input();
  viewer.run();
  audience.say({{"t", "end"}, {"s", "Orrery has ended on the server."}});
  // Time for the farewell to leave.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

/// Lets all threads allocate from one heap. The C library can give back free memory from within any heap, but
/// from the end of the first one only: with a heap for each thread, the encoder alone would keep up to 64 MB
/// of what the largest picture needed. Must be called before there are other threads.
void share_one_heap() { mallopt(M_ARENA_MAX, 1); }

}  // namespace

void serve(const ViewOptions& view, const ServiceOptions& options) try {
  share_one_heap();
  if (options.port > 65535) throw sim::UsageError("--port is at most 65535");
  require_short_socket(options.socket);
  warn_of_shared_root(view.run.root);
  serve_window(view, options, access_of(options));
} catch (const std::bad_alloc&) {
  throw sim::Error(
      "not enough memory to serve the window; fewer --bodies need less, and `ulimit -v` may be the limit");
} catch (const std::filesystem::filesystem_error&) {
  throw;
} catch (const std::system_error& failure) {
  throw sim::Error(
      fmt::format("the system gives the server no further thread ({}); `ulimit -u` and `ulimit -v` show the "
                  "limits of processes and memory: raise them, or end other programs",
                  failure.code().message()));
}

}  // namespace orrery::app::serve
