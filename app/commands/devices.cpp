#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/commands/catalogue.h"
#include "app/session/interop.h"
#include "app/window/display_window.h"
#include "lab/bench/rates.h"
#include "lab/setup/machine.h"
#include "render/context/gl.h"
#include "render/context/headless_context.h"
#include "sim/core/counted.h"
#include "sim/simulation/engine_registry.h"

#include "sim/cuda/driver/availability.h"
#include "sim/cuda/driver/device.h"

namespace orrery::app {

namespace {

using nlohmann::json;

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

json engines() {
  auto list = json::array();
  for (const auto* kind : sim::engine_kinds()) {
    const auto why_not = kind->unavailable();
    list.push_back({{"name", kind->name},
                    {"meaning", kind->meaning},
                    {"available", why_not.empty()},
                    {"why_not", why_not}});
  }
  return list;
}

json cuda_parts() {
  auto list = json::array();
  for (const auto& part : sim::cuda::cuda_parts())
    list.push_back({{"name", part.name}, {"found", part.found}, {"meaning", part.meaning}});
  return list;
}

json cuda_devices() {
  auto list = json::array();
  for (const auto& device : sim::cuda::devices()) {
    list.push_back({{"ordinal", device.ordinal},
                    {"name", device.name},
                    {"architecture", device.architecture()},
                    {"multiprocessors", device.multiprocessors},
                    {"clock_mhz", device.clock_mhz},
                    {"memory_bytes", device.memory},
                    {"driver_cuda_version", device.driver_version},
                    {"fp32_limit_gips", device.fp32_limit_gips()},
                    {"why_not", sim::cuda::start_problem(device.ordinal)}});
  }
  return list;
}

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

json headless_drawing() try {
  const render::HeadlessContext context;
  render::load_gl(render::HeadlessContext::loader);
  return drawing(context.description());
} catch (const std::exception& error) {
  return {{"available", false}, {"why_not", error.what()}};
}

json without_window(const std::string& why) { return {{"available", false}, {"why_not", why}}; }

json window_here() try {
  if (!DisplayWindow::available())
    return without_window("no display; `orrery render` makes pictures without one");
  const DisplayWindow window({64, 64}, "Orrery", DisplayWindow::Look::hidden);
  return drawing("a window");
} catch (const std::exception& error) {
  return without_window(error.what());
}

/// In a process of its own: CUDA remembers the OpenGL that it saw first, and a window may be drawn by another
/// one than pictures without. Before CUDA is used here, because a copied process cannot use it then.
json window_drawing() {
  int ends[2] = {};
  if (pipe(ends) != 0) return window_here();
  const pid_t child = fork();
  if (child == 0) {
    const auto text = window_here().dump();
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
  const auto report = json::parse(text, nullptr, false);
  return report.is_object() ? report : without_window("the window's graphics driver ended the attempt");
}

std::string text(const json& value) { return value.get<std::string>(); }

void print_engines(const json& report) {
  for (const auto& engine : report["engines"]) {
    fmt::print("engine {:<7} {}\n", text(engine["name"]),
               engine["available"].get<bool>() ? text(engine["meaning"])
                                               : "not available: " + text(engine["why_not"]));
  }
  for (const auto& part : report["cuda_parts"]) {
    fmt::print("  {:<15} {}{}\n", text(part["name"]),
               part["found"].get<bool>() ? "" : "not usable: ", text(part["meaning"]));
  }
  for (const auto& device : report["cuda_devices"]) {
    fmt::print("CUDA device {}  {}, {}, {} multiprocessors at {:.0f} MHz, {:.1f} GiB, {} GInteractions/s\n",
               device["ordinal"].get<int>(), text(device["name"]), text(device["architecture"]),
               device["multiprocessors"].get<int>(), device["clock_mhz"].get<double>(),
               device["memory_bytes"].get<double>() / gib,
               lab::rate_text(device["fp32_limit_gips"].get<double>()));
    if (const auto why_not = text(device["why_not"]); !why_not.empty())
      fmt::print("  not usable    {}\n", why_not);
  }
}

void print_drawing(const char* label, const json& drawing) {
  if (!drawing["available"].get<bool>()) {
    fmt::print("{:<14} {}\n", label, text(drawing["why_not"]));
    return;
  }
  const int device = drawing["cuda_device"].get<int>();
  fmt::print("{:<14} {}: {}{}{}\n", label, text(drawing["how"]), text(drawing["renderer"]),
             drawing["software"].get<bool>() ? " (software)" : "",
             device >= 0 ? fmt::format(", CUDA device {}", device) : "");
  const auto& interop = drawing["interop"];
  if (interop["possible"].get<bool>()) {
    fmt::print("  interop      possible: the GPU writes the vertex buffer that it draws\n");
  } else {
    const auto remedy = text(interop["remedy"]);
    fmt::print("  interop      not possible: {}{}\n", text(interop["why_not"]),
               remedy.empty() ? "" : "\n  remedy       " + remedy);
  }
}

void print_text(const json& report) {
  fmt::print("processor      {} ({}, {}, {:.1f} GiB of memory)\n", text(report["cpu"]["name"]),
             sim::counted(report["cpu"]["processors"].get<int>(), "processor", "processors"),
             text(report["cpu"]["instructions"]), report["cpu"]["memory_bytes"].get<double>() / gib);
  print_engines(report);
  print_drawing("window", report["window_drawing"]);
  print_drawing("headless", report["headless_drawing"]);
}

int devices(bool as_json) {
  const auto window = window_drawing();
  const auto headless = headless_drawing();
  // After OpenGL was seen, and the GPU that is used without a word of another first: what it says is said of
  // the engine.
  if (!sim::cuda::devices().empty()) sim::cuda::start_problem(0);
  const auto machine = lab::this_machine();
  const json report{{"cpu",
                     {{"name", machine.cpu},
                      {"processors", machine.processors},
                      {"instructions", machine.instructions},
                      {"memory_bytes", machine.memory}}},
                    {"engines", engines()},
                    {"cuda_parts", cuda_parts()},
                    {"cuda_devices", cuda_devices()},
                    {"window_drawing", window},
                    {"headless_drawing", headless}};
  if (as_json) {
    fmt::print("{}\n", report.dump(2));
  } else {
    print_text(report);
  }
  return 0;
}

Action declare_devices(Arguments& arguments) {
  const auto as_json = std::make_shared<bool>(false);
  arguments.flag("--json", *as_json, "As JSON");
  return [as_json] { return devices(*as_json); };
}

}  // namespace

extern const Command devices_command{.name = "devices",
                                     .meaning = "List what can compute and draw on this machine",
                                     .declare = declare_devices};

}  // namespace orrery::app
