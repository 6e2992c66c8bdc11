#include "app/doctor/findings.h"

#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>

#include "app/session/interop.h"
#include "app/window/display_window.h"
#include "render/context/gl.h"
#include "render/context/headless_context.h"
#include "sim/core/json_text.h"

namespace orrery::app {

using nlohmann::json;

namespace {

/// Describes the renderer of the current context, and whether CUDA may write its buffers.
json drawing(const std::string& how) {
  const auto info = render::gl_info();
  const auto interop = probe_interop(-1);
  return {{"available", true},
          {"how", how},
          {"renderer", info.renderer},
          {"version", info.version},
          {"software", info.software},
          {"cuda_device", interop.device},
          {"interop",
           {{"possible", interop.possible}, {"why_not", interop.why_not}, {"remedy", interop.remedy}}}};
}

json without_window(const std::string& why) { return {{"available", false}, {"why_not", why}}; }

json window_here() try {
  if (!DisplayWindow::available()) return without_window("no display; `orrery serve` shows it in a browser");
  const DisplayWindow window({64, 64}, "Orrery", DisplayWindow::Look::hidden);
  return drawing("a window");
} catch (const std::exception& error) {
  return without_window(error.what());
}

}  // namespace

json window_drawing() {
  int ends[2] = {};
  if (pipe(ends) != 0) return window_here();
  const pid_t child = fork();
  if (child == 0) {
    const auto text = sim::dump_json(window_here());
    const bool written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t count = 0; child > 0 && (count = read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(count));
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  const auto report = sim::json_in(text);
  return report.is_object() ? report : without_window("the window's graphics driver ended the attempt");
}

json headless_drawing() try {
  const render::HeadlessContext context;
  render::load_gl(render::HeadlessContext::loader);
  return drawing(context.description());
} catch (const std::exception& error) {
  return {{"available", false}, {"why_not", error.what()}};
}

}  // namespace orrery::app
