#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/machine.h"
#include "render/gl.h"
#include "render/headless_context.h"
#include "sim/engine.h"

namespace orrery::app {

namespace {

using nlohmann::json;

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

json headless_drawing() try {
  const render::HeadlessContext context;
  render::load_gl(render::HeadlessContext::loader);
  const auto info = render::gl_info();
  return {{"available", true},       {"how", context.description()}, {"renderer", info.renderer},
          {"version", info.version}, {"software", info.software},    {"cuda_device", context.cuda_ordinal()}};
} catch (const std::exception& error) {
  return {{"available", false}, {"why_not", error.what()}};
}

bool has_display() { return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr; }

void print_text(const json& report) {
  fmt::print("processor      {} ({} processors, {:.1f} GiB of memory)\n",
             report["cpu"]["name"].get<std::string>(), report["cpu"]["processors"].get<int>(),
             report["cpu"]["memory_bytes"].get<double>() / (1024.0 * 1024 * 1024));
  for (const auto& engine : report["engines"]) {
    const bool available = engine["available"].get<bool>();
    fmt::print("engine {:<7} {}\n", engine["name"].get<std::string>(),
               available ? engine["meaning"].get<std::string>()
                         : "not available: " + engine["why_not"].get<std::string>());
  }
  const auto& headless = report["headless_drawing"];
  fmt::print("headless       {}\n", headless["available"].get<bool>()
                                        ? fmt::format("{}, {}{}", headless["how"].get<std::string>(),
                                                      headless["renderer"].get<std::string>(),
                                                      headless["software"].get<bool>() ? " (software)" : "")
                                        : headless["why_not"].get<std::string>());
  fmt::print("display        {}\n",
             report["display"].get<bool>() ? "found" : "none: `orrery render` makes pictures without one");
}

}  // namespace

int devices_command(bool as_json) {
  const auto machine = this_machine();
  const json report{
      {"cpu", {{"name", machine.cpu}, {"processors", machine.processors}, {"memory_bytes", machine.memory}}},
      {"engines", engines()},
      {"headless_drawing", headless_drawing()},
      {"display", has_display()}};
  if (as_json) {
    fmt::print("{}\n", report.dump(2));
  } else {
    print_text(report);
  }
  return 0;
}

}  // namespace orrery::app
