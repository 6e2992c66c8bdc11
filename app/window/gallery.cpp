#include "app/window/gallery.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/panels/option_widgets.h"
#include "lab/setup/paths.h"
#include "render/context/target.h"
#include "render/error.h"
#include "render/picture/image.h"
#include "sim/core/counted.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace {

/// Width over height of a picture.
constexpr float aspect = 1.6F;
constexpr float least_tile = 186.0F;  ///< wide, at scale 1

struct Number {
  const char* title;
  const char* name;  ///< name in the widget map
  std::size_t bodies;
};
constexpr std::array numbers{
    Number{"the usual number", "usual", 0}, Number{"1000", "1000", 1'000},
    Number{"4000", "4000", 4'000},          Number{"20 000", "20000", 20'000},
    Number{"100 000", "100000", 100'000},   Number{"1 million", "1000000", 1'000'000}};

bool has_fixed_size(const sim::GalaxyModel& model) { return model.maximum_bodies == model.minimum_bodies; }

std::string bodies_text(const sim::GalaxyModel& model) {
  if (has_fixed_size(model)) return sim::counted(model.default_bodies, "body", "bodies");
  return fmt::format("usually {} bodies; from {} to {}", sim::grouped(model.default_bodies),
                     sim::grouped(model.minimum_bodies), sim::grouped(model.maximum_bodies));
}

bool shows(const lab::DatasetRequest& shown, const sim::GalaxyModel& model) {
  if (shown.source.empty()) return &model == sim::galaxy_models().front();
  return !lab::is_file(shown) && shown.source == model.name;
}

/// In the middle of what the panel leaves free; over it where that is too narrow for three tiles.
void place_window(float left, float scale) {
  const auto size = ImGui::GetIO().DisplaySize;
  const float margin = 10.0F * scale;
  if (size.x - left < 3.2F * least_tile * scale) left = 0.0F;
  const ImVec2 room{std::max(size.x - left - 2.0F * margin, 32.0F), std::max(size.y - 2.0F * margin, 32.0F)};
  ImGui::SetNextWindowPos({0.5F * (left + size.x), 0.5F * size.y}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(room.x, 1560.0F * scale), std::min(room.y, 1130.0F * scale)});
  // The legend under it must not shine through.
  ImGui::SetNextWindowBgAlpha(1.0F);
}

}  // namespace

/// Measures of the tiles, in window units.
struct Gallery::Layout {
  std::size_t columns;
  float gap;
  ImVec2 tile;     ///< all of one
  ImVec2 picture;  ///< the thumbnail within the tile
  float padding;

  Layout(float width, float scale) {
    gap = 8.0F * scale;
    padding = 6.0F * scale;
    columns = std::max<std::size_t>(static_cast<std::size_t>((width + gap) / (least_tile * scale + gap)), 1);
    const auto count = static_cast<float>(columns);
    tile.x = std::max((width - (count - 1.0F) * gap) / count, 3.0F * padding);
    picture = {tile.x - 2.0F * padding, (tile.x - 2.0F * padding) / aspect};
    tile.y = picture.y + 3.0F * padding + ImGui::GetTextLineHeight() + height_of_texts();
  }

 private:
  float height_of_texts() const {
    float height = 0.0F;
    for (const auto* model : sim::galaxy_models()) {
      const auto& text = model->meaning;
      height =
          std::max(height, ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, picture.x).y);
    }
    return height;
  }
};

void Gallery::open(const lab::DatasetRequest& shown) {
  open_ = true;
  seed_ = shown.seed;
}

/// One picture is loaded per frame, so that no frame takes long.
void Gallery::load_next_picture() {
  const auto models = sim::galaxy_models();
  if (pictures_.size() == models.size()) return;
  const auto file = fmt::format("{}.jpg", models[pictures_.size()]->name);
  auto& picture = pictures_.emplace_back();
  try {
    const auto data = lab::data_folder();
    if (data.empty())
      throw render::Error("the program's data (share/orrery) is missing; install Orrery again");
    picture = render::texture_of(render::read_jpeg(data / "models" / file));
  } catch (const render::Error& error) {
    problem_ = error.what();
  }
}

lab::DatasetRequest Gallery::request_of(std::size_t index) const {
  const auto& model = *sim::galaxy_models()[index];
  lab::DatasetRequest request{.source = std::string(model.name), .built_in = true};
  request.seed = seed_;
  const auto bodies = numbers.at(bodies_choice_).bodies;
  if (bodies > 0 && !has_fixed_size(model))
    request.bodies = std::clamp(bodies, model.minimum_bodies, model.maximum_bodies);
  return request;
}

void Gallery::draw_choices(float scale, WidgetMap& widgets) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Start with");
  ImGui::SameLine();
  ImGui::SetNextItemWidth((is_for_fingers() ? 180.0F : 150.0F) * scale);
  if (begin_named_list(widgets, "gallery-bodies", numbers.at(bodies_choice_).title)) {
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (named_entry(widgets, std::string("gallery-bodies=") + numbers.at(k).name, numbers.at(k).title,
                      k == bodies_choice_))
        bodies_choice_ = k;
    }
    ImGui::EndCombo();
  }
  // "of bodies, seed" and the field of the seed in the next line, where they find no room in this one.
  const float gap = ImGui::GetStyle().ItemSpacing.x, seed_width = 80.0F * scale;
  const float rest = ImGui::CalcTextSize("of bodies, seed").x + seed_width + 2.0F * gap;
  if (ImGui::GetItemRectMax().x + rest < ImGui::GetWindowPos().x + line_end())
    ImGui::SameLine();
  else
    ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("of bodies, seed");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(seed_width);
  ImGui::InputScalar("##seed", ImGuiDataType_U64, &seed_);
  widgets.note("gallery-seed");
  tooltip("Another seed gives another galaxy of the same kind.");
}

void Gallery::draw_hint() const {
  if (!problem_.empty()) return ImGui::TextColored(doubtful_color(), "No picture: %s", problem_.c_str());
  ImGui::TextDisabled("Click a picture to start that galaxy.");
}

/// True if it was clicked.
bool Gallery::draw_tile(std::size_t index, const Layout& layout, bool marked, WidgetMap& widgets) const {
  const auto& model = *sim::galaxy_models()[index];
  const std::string name(model.name);
  const auto corner = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(name.c_str(), layout.tile);
  widgets.note("gallery:" + name);
  const bool hovered = ImGui::IsItemHovered();
  tooltip(bodies_text(model));
  if (!ImGui::IsItemVisible()) return clicked;
  auto& canvas = *ImGui::GetWindowDrawList();
  const float rounding = ImGui::GetStyle().FrameRounding;
  const ImVec2 end{corner.x + layout.tile.x, corner.y + layout.tile.y};
  canvas.AddRectFilled(corner, end, ImGui::GetColorU32(hovered ? ImGuiCol_HeaderHovered : ImGuiCol_FrameBg),
                       rounding);
  const ImVec2 low{corner.x + layout.padding, corner.y + layout.padding};
  const ImVec2 high{low.x + layout.picture.x, low.y + layout.picture.y};
  if (index < pictures_.size() && pictures_[index].name() != 0) {
    canvas.AddImageRounded(texture_id(pictures_[index].name()), low, high, {0, 0}, {1, 1}, IM_COL32_WHITE,
                           rounding);
    widgets.note("gallery-picture:" + name);
  } else {
    canvas.AddRectFilled(low, high, empty_color(), rounding);
  }
  if (marked)
    canvas.AddRect(corner, end, ImGui::GetColorU32(accent_color()), rounding, 0, 0.4F * layout.padding);
  const ImVec2 title{low.x, high.y + 0.5F * layout.padding};
  canvas.AddText(title, ImGui::GetColorU32(accent_color()), name.c_str());
  canvas.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {title.x, title.y + ImGui::GetTextLineHeight()},
                 ImGui::GetColorU32(ImGuiCol_Text), model.meaning.data(),
                 model.meaning.data() + model.meaning.size(), layout.picture.x);
  return clicked;
}

std::optional<std::size_t> Gallery::draw_tiles(float scale, const lab::DatasetRequest& shown,
                                               WidgetMap& widgets) {
  std::optional<std::size_t> clicked;
  if (ImGui::BeginChild("##tiles")) {
    const Layout layout(ImGui::GetContentRegionAvail().x, scale);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {layout.gap, layout.gap});
    const auto models = sim::galaxy_models();
    for (std::size_t k = 0; k < models.size(); ++k) {
      if (k % layout.columns != 0) ImGui::SameLine();
      if (draw_tile(k, layout, shows(shown, *models[k]), widgets)) clicked = k;
    }
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
  return clicked;
}

std::optional<lab::DatasetRequest> Gallery::draw(float left, float scale, const lab::DatasetRequest& shown,
                                                 WidgetMap& widgets) {
  if (!open_) return std::nullopt;
  load_next_picture();
  place_window(left, scale);
  bool stays = true;
  std::optional<std::size_t> clicked;
  constexpr auto flags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                         ImGuiWindowFlags_NoSavedSettings;
  if (ImGui::Begin("Galaxies", &stays, flags)) {
    draw_choices(scale, widgets);
    draw_hint();
    clicked = draw_tiles(scale, shown, widgets);
  }
  ImGui::End();
  if (!stays || clicked) close();
  return clicked ? std::optional(request_of(*clicked)) : std::nullopt;
}

}  // namespace orrery::app
