#include <fmt/format.h>
#include <imgui.h>

#include <filesystem>

#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "sim/core/counted.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace {

void loading_bar(PanelContext& context) {
  const auto name = std::filesystem::path(context.loader.what()).filename().string();
  ImGui::ProgressBar(context.loader.fraction(), {-1.0F, 0.0F}, name.c_str());
  tooltip("Loading " + context.loader.what());
  if (ImGui::Button("Cancel loading")) context.loader.cancel();
  context.widgets.note("cancel-loading");
}

void notes(const Session& session) {
  const auto& scene = session.scene();
  if (scene.source.empty() && scene.notes.empty()) return;
  if (!ImGui::TreeNode("About it")) return;
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  if (!scene.source.empty()) ImGui::TextWrapped("%s", scene.source.c_str());
  ImGui::PopStyleColor();
  for (const auto& note : scene.notes) ImGui::TextWrapped("- %s", note.c_str());
  ImGui::TreePop();
}

/// Which galaxy is singled out among several, and what to do with it.
void singled_out(PanelContext& context) {
  auto& session = context.session;
  if (session.summary().galaxies < 2) return;
  const auto* galaxy = session.singled_out();
  if (galaxy == nullptr) {
    ImGui::TextDisabled("Click a galaxy, or press G, to single it out.");
    return;
  }
  ImGui::TextWrapped("%s", fmt::format("galaxy {}: {}, mass {:.4g}", galaxy->number,
                                       sim::counted(galaxy->bodies, "body", "bodies"), galaxy->mass)
                               .c_str());
  context.widgets.note(fmt::format("galaxy:{}", galaxy->number));
  if (ImGui::Button("Frame it")) context.frame_galaxy();
  context.widgets.note("frame-galaxy");
  tooltip("Moves the camera to this galaxy. Key: Shift+Home.");
  ImGui::SameLine();
  if (ImGui::Button("Show all")) {
    session.show_all_galaxies();
    context.fit_camera();
  }
  context.widgets.note("show-all-galaxies");
  tooltip("Shows all galaxies again. Key: Esc.");
}

void facts(PanelContext& context) {
  const auto& session = context.session;
  const auto& summary = session.summary();
  const auto galaxies =
      summary.galaxies > 1 ? fmt::format(" in {} galaxies", summary.galaxies) : std::string();
  ImGui::TextWrapped("%s", fmt::format("{}: {}{}", session.scene().title,
                                       sim::counted(summary.bodies, "body", "bodies"), galaxies)
                               .c_str());
  context.widgets.note("dataset");
  singled_out(context);
  notes(session);
}

std::string short_name(const lab::DatasetRequest& request) {
  return lab::is_file(request) ? std::filesystem::path(request.source).filename().string() : request.source;
}

void entry(PanelContext& context, const std::string& label, const std::string& meaning,
           const lab::DatasetRequest& request) {
  // Files of the same name in different folders are different entries.
  ImGui::PushID(request.source.c_str());
  if (ImGui::Selectable(label.c_str(), context.session.dataset().request.source == request.source))
    context.open(request);
  context.widgets.note("open:" + label);
  ImGui::PopID();
  tooltip(meaning);
}

void choose(PanelContext& context) {
  if (!ImGui::TreeNode("Open another")) return;
  for (const auto& request : context.playlist) {
    if (lab::is_file(request)) entry(context, short_name(request), request.source, request);
  }
  for (const auto* model : sim::galaxy_models()) {
    lab::DatasetRequest request = context.session.dataset().request;
    request.source = std::string(model->name);
    request.built_in = true;
    request.bodies.reset();
    entry(context, request.source, std::string(model->meaning), request);
  }
  ImGui::TextDisabled("or drop a file on this window");
  ImGui::TreePop();
}

void draw(PanelContext& context) {
  if (context.loader.busy()) loading_bar(context);
  if (context.session.has_dataset()) facts(context);
  choose(context);
}

}  // namespace

extern const Panel dataset_panel{"Dataset", true, draw};

}  // namespace orrery::app
