#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <optional>
#include <string_view>

#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "app/panels/panel_state.h"

namespace orrery::app {

std::string film_time(std::uint64_t frames, int rate) {
  const double seconds = static_cast<double>(frames) / rate;
  const auto minutes = static_cast<int>(seconds / 60.0);
  return fmt::format("{}:{:04.1f}", minutes, seconds - 60.0 * minutes);
}

namespace {

template <typename Value>
struct Named {
  const char* name;
  Value value;
};
using NamedSize = Named<glm::ivec2>;
constexpr std::array film_sizes{NamedSize{"1280 x 720", {1280, 720}}, NamedSize{"1920 x 1080", {1920, 1080}},
                                NamedSize{"2560 x 1440", {2560, 1440}},
                                NamedSize{"3840 x 2160", {3840, 2160}}};
constexpr std::array picture_sizes{
    NamedSize{"as the window", {0, 0}},       NamedSize{"1920 x 1080", {1920, 1080}},
    NamedSize{"3840 x 2160", {3840, 2160}},   NamedSize{"7680 x 4320", {7680, 4320}},
    NamedSize{"16384 x 9216", {16384, 9216}}, NamedSize{"16384 x 16384", {16384, 16384}}};

using NamedKind = Named<std::string_view>;
constexpr std::array kinds{NamedKind{"MP4 (H.264)", ".mp4"}, NamedKind{"WebM (AV1)", ".webm"},
                           NamedKind{"MKV (H.264)", ".mkv"}, NamedKind{"PNG frames", ""}};

/// One of a list of named values; notes itself and its entries as `name` and `name=entry`.
template <typename List, typename Value>
void choose(PanelContext& context, const char* name, const List& list, Value& value) {
  const char* shown = "other";
  for (const auto& entry : list)
    if (entry.value == value) shown = entry.name;
  if (!begin_named_list(context.widgets, name, shown)) return;
  for (const auto& entry : list) {
    if (named_entry(context.widgets, fmt::format("{}={}", name, entry.name), entry.name,
                    entry.value == value))
      value = entry.value;
  }
  ImGui::EndCombo();
}

void heading(const char* text) {
  ImGui::Separator();
  ImGui::TextUnformatted(text);
}

void choose_film(PanelContext& context) {
  auto& choice = context.film.choice;
  row_label("Film size");
  choose(context, "film-size", film_sizes, choice.film_size);
  row_label("Kind of file");
  choose(context, "film-kind", kinds, choice.kind);
  row_label("Frames per second");
  ImGui::SliderInt("##film-rate", &choice.rate, 10, 120, "%d", ImGuiSliderFlags_AlwaysClamp);
  context.widgets.note("film-rate");
  tooltip(
      "Frame rate of the film. Every frame advances the same simulated time, however fast the window is; a "
      "second of film shows about what the speed asks for.");
}

void show_film(PanelContext& context) {
  const auto& status = context.film.status;
  if (status.ends) {
    ImGui::TextUnformatted("The film is being completed...");
    return;
  }
  if (!status.records) {
    if (named_button(context.widgets, "film-record", "Record (F9)",
                     "Starts a film, in a new file in the pictures folder."))
      context.actions.command("record");
    return;
  }
  if (named_button(context.widgets, "film-stop", "Stop (F9)", "Ends the film."))
    context.actions.command("record");
  ImGui::SameLine();
  const auto of =
      status.wanted ? fmt::format(" of {}", film_time(*status.wanted, status.rate)) : std::string();
  ImGui::TextUnformatted((film_time(status.frames, status.rate) + of).c_str());
  context.widgets.note(fmt::format("film-frames:{}", status.frames));
}

void edit_easing(render::CameraKey& key, std::size_t number) {
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 5.0F);
  const auto id = fmt::format("##easing{}", number);
  if (!ImGui::BeginCombo(id.c_str(), render::easing_name(key.easing).data())) return;
  for (std::size_t i = 0; i < render::easing_count; ++i) {
    const auto easing = static_cast<render::Easing>(i);
    if (list_entry(render::easing_name(easing).data(), easing == key.easing)) key.easing = easing;
  }
  ImGui::EndCombo();
}

/// One row of the list; true if the key is to go.
bool edit_key(PanelContext& context, render::CameraKey& key, std::size_t number) {
  ImGui::PushID(static_cast<int>(number));
  ImGui::SetNextItemWidth(ImGui::GetFontSize() * 4.5F);
  double time = key.time;
  const double least = 0.0;
  const double most = 36000.0;
  if (ImGui::DragScalar("##time", ImGuiDataType_Double, &time, 0.05F, &least, &most, "%.2f s",
                        ImGuiSliderFlags_AlwaysClamp))
    key.time = time;
  tooltip("Time of this key frame, in seconds of film.");
  ImGui::SameLine();
  edit_easing(key, number);
  tooltip("Motion to the next key frame: smooth, constant speed, ease in and out, or hold and jump.");
  ImGui::SameLine();
  if (ImGui::Button("go")) context.actions.glide_to(key.camera);
  ImGui::SameLine();
  const bool goes = ImGui::Button("x");
  ImGui::PopID();
  return goes;
}

void edit_keys(PanelContext& context) {
  auto& path = context.session.path;
  std::vector<render::CameraKey> keys(path.keys().begin(), path.keys().end());
  std::optional<std::size_t> removed;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (edit_key(context, keys[i], i)) removed = i;
  if (removed) keys.erase(keys.begin() + static_cast<std::ptrdiff_t>(*removed));
  const std::vector<render::CameraKey> before(path.keys().begin(), path.keys().end());
  if (keys != before) path = render::CameraPath(keys);
}

void lay_paths(PanelContext& context) {
  if (named_button(context.widgets, "path-add", "Add this view",
                   "Adds the present camera as a key frame, 2 s after the last one."))
    context.actions.add_key();
  ImGui::SameLine();
  if (named_button(context.widgets, "path-orbit", "Orbit",
                   "Replaces the key frames by one orbit from here, in 10 s."))
    context.actions.lay_path("orbit");
  ImGui::SameLine();
  if (named_button(context.widgets, "path-fly", "Fly through",
                   "Replaces the key frames by a flight into the galaxy from here, in 10 s."))
    context.actions.lay_path("fly-through");
}

void show_path(PanelContext& context) {
  const auto& desk = context.film;
  lay_paths(context);
  if (context.session.path.keys().size() < 2) return edit_keys(context);
  if (named_button(context.widgets, "path-play", desk.plays ? "Stop###play" : "Play###play",
                   "Moves the camera along the key frames."))
    context.actions.command("play-path");
  ImGui::SameLine();
  if (!desk.status.records && !desk.status.ends &&
      named_button(context.widgets, "path-record", "Record the path",
                   "Records a film from the first key frame to the last."))
    context.actions.command("record-path");
  edit_keys(context);
}

void show_bookmarks(PanelContext& context) {
  const auto& bookmarks = context.session.bookmarks;
  for (int i = 0; i < static_cast<int>(bookmarks.size()); ++i) {
    if (i > 0) ImGui::SameLine(0.0F, 3.0F * context.scale);
    const bool kept = bookmarks.at(static_cast<std::size_t>(i)).has_value();
    if (!kept) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 0.45F);
    const bool pressed = ImGui::Button(fmt::format("{}##bookmark", i + 1).c_str());
    if (!kept) ImGui::PopStyleVar();
    if (pressed && kept) context.actions.go_to_bookmark(i);
    if (pressed && !kept) context.actions.keep_bookmark(i);
    context.widgets.note(fmt::format("bookmark-{}", i + 1));
    tooltip(kept ? fmt::format("Goes to this view. Key: {0}; Shift+{0} keeps the present one here.", i + 1)
                 : fmt::format("Keeps the present view. Keys: Shift+{0} keeps, {0} goes there.", i + 1));
  }
}

void draw_film(PanelContext& context) {
  if (!context.session.has_dataset()) return;
  if (!context.film.status.records) choose_film(context);
  show_film(context);
  heading("Camera path");
  show_path(context);
  heading("Views");
  show_bookmarks(context);
}

void draw_picture(PanelContext& context) {
  if (!context.session.has_dataset()) return;
  auto& choice = context.film.choice;
  row_label("Picture size");
  choose(context, "picture-size", picture_sizes, choice.picture_size);
  named_checkbox(
      context.widgets, "picture-transparent", "Transparent sky", choice.transparent,
      "Makes the sky of pictures transparent, for laying them over something else. Not with the panel.");
  if (named_button(context.widgets, "picture-take", "Take a picture",
                   "Saves a picture without the panel. Key: F12."))
    context.actions.take_screenshot(false);
}

}  // namespace

extern const Panel film_panel{"Film and camera", false, draw_film, PanelTab::picture};
extern const Panel picture_panel{"Pictures", false, draw_picture, PanelTab::picture};

}  // namespace orrery::app
