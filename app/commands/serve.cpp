#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/log.h"
#include "app/run/interruption.h"
#include "app/run/kernel_folder.h"
#include "app/serve/service.h"
#include "app/window/viewer.h"
#include "sim/core/error.h"
#include "sim/core/message.h"

namespace orrery::app {

namespace {

struct Serving {
  std::shared_ptr<ViewOptions> view = std::make_shared<ViewOptions>();
  serve::ServiceOptions service;
};

int run_service(const Serving& serving) {
#ifdef ORRERY_SERVE
  const auto& run = serving.view->run;
  require_datasets(run);
  std::error_code failure;
  if (!run.root.empty() && !std::filesystem::is_directory(run.root, failure))
    throw sim::UsageError(fmt::format("--root: there is no folder {}", sim::quoted(run.root)));
  start_log();
  end_early_on_signals();
  const auto kernels = watch_kernels_in(run.kernel_folder);
  serve::serve(*serving.view, serving.service);
  return interrupted_at("the server");
#else
  static_cast<void>(serving);
  throw sim::Error(
      "this program was built without Boost, libvpx and libturbojpeg, which serve needs: install "
      "libboost-dev, libvpx-dev and libturbojpeg0-dev, and build it again");
#endif
}

void add_service(Arguments& arguments, serve::ServiceOptions& service, std::filesystem::path& root) {
  arguments.group("Server");
  arguments.value("--port", service.port, "Port (default: any that is free)").whole_number(0, 65535);
  arguments.value("--host", service.host, "Address to listen at (default: this machine only)")
      .shown_as("ADDRESS")
      .not_empty();
  arguments.value("--serve-socket", service.socket, "Unix socket instead of a port, for this user only")
      .shown_as("PATH")
      .not_empty();
  arguments
      .value("--allow-host", service.allow_hosts,
             "Another name under which browsers reach the server, such as that of a proxy")
      .shown_as("NAME")
      .one_each_time();
  arguments.value("--base-url", service.base_url, "Path of the page behind a proxy (default /)")
      .shown_as("PATH")
      .not_empty();
  arguments
      .value("--token-file", service.token_file,
             "File with the token, readable by you only (default: a random one for each run)")
      .shown_as("FILE")
      .not_empty()
      .names_file(FileRole::read);
  arguments.flag("--view-only", service.view_only_link, "Print a second link, for those who only watch");
  arguments
      .value("--root", root, "Folder that files may be opened from in the window (default: uploads only)")
      .shown_as("DIR")
      .not_empty();
  arguments
      .value("--upload-limit", service.upload_mib, "Largest file that a browser may send, MiB (default 4096)")
      .whole_number(0, 1U << 20U);
  arguments
      .value("--upload-total", service.upload_total_mib,
             "All files that browsers may keep on the server at a time, MiB (default 4 x --upload-limit)")
      .whole_number(1, 1U << 24U);
  arguments
      .value(
          "--connection", service.connection,
          "Write address and token as JSON, for scripts of this user; with - print it, and end when standard "
          "input ends")
      .shown_as("FILE|-")
      .not_empty()
      .names_file(FileRole::kept_new);
}

Action declare_serve(Arguments& arguments) {
  const auto serving = std::make_shared<Serving>();
  add_viewing(arguments, serving->view);
  add_service(arguments, serving->service, serving->view->run.root);
  arguments.footer(
      "Opens no port to other machines unless --host says so. Reach it from another computer through\n"
      "ssh -L, as the printed line shows. In the page Ctrl+Q leaves, and \"End the server\" of the palette\n"
      "(Ctrl+P) ends it for everybody.\n\n" +
      galaxies_help());
  return [serving] {
    settle_viewing(*serving->view);
    return run_service(*serving);
  };
}

}  // namespace

/// Shows the window in browsers; no display is needed.
extern const Command serve_command{.name = "serve",
                                   .meaning = "Show the window in a browser, on this or another computer",
                                   .declare = declare_serve};

}  // namespace orrery::app
