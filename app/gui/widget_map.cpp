#include "app/gui/widget_map.h"

#include <imgui.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/json_text.h"

namespace orrery::app {

WidgetMap::WidgetMap() {
#ifdef ORRERY_ASSERTIONS
  const char* file = std::getenv("ORRERY_WIDGET_MAP");
  if (file != nullptr) file_ = file;
#endif
}

void WidgetMap::note(const std::string& name) {
  if (!enabled()) return;
  const auto low = ImGui::GetItemRectMin();
  const auto high = ImGui::GetItemRectMax();
  boxes_[ImGui::IsItemVisible() ? name : "hidden:" + name] = {{low.x, low.y}, {high.x, high.y}};
}

void WidgetMap::write() try {
  if (!enabled() || boxes_ == written_) {
    boxes_.clear();
    return;
  }
  auto json = nlohmann::json::object();
  for (const auto& [name, box] : boxes_) json[name] = {box.low.x, box.low.y, box.high.x, box.high.y};
  sim::write_file(file_, sim::dump_json(json, 1) + "\n");
  written_ = std::exchange(boxes_, {});
} catch (const sim::Error&) {
  file_.clear();
}

}  // namespace orrery::app
