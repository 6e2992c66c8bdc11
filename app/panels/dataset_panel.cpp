#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "app/gui/theme.h"
#include "app/panels/dataset_parts.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "sim/core/counted.h"
#include "sim/galaxies/model.h"
#include "sim/scene/unit_systems.h"

namespace orrery::app {

namespace {

constexpr const char* about_it = "About it";

/// In the line of the buttons that open something: nothing moves while a dataset loads.
void loading_bar(PanelContext& context) {
  const auto name = std::filesystem::path(context.loader.what()).filename().string();
  const char* label = "Cancel";
  const auto& style = ImGui::GetStyle();
  const float after = ImGui::CalcTextSize(about_it).x + 2.0F * ImGui::GetFontSize();
  const float button =
      ImGui::CalcTextSize(label).x + 2.0F * style.FramePadding.x + style.ItemSpacing.x + after;
  const float width = std::max(ImGui::GetContentRegionAvail().x - button, 20.0F);
  ImGui::ProgressBar(context.loader.fraction(), {width, 0.0F}, name.c_str());
  tooltip("Loading " + context.loader.what());
  ImGui::SameLine();
  if (named_button(context.widgets, "cancel-loading", label)) context.loader.cancel();
}

void opening_buttons(PanelContext& context) {
  if (named_button(context.widgets, "galaxies", "Galaxies...",
                   "All built-in galaxies as pictures. Key: Ctrl+G."))
    context.actions.command("galaxies");
  ImGui::SameLine();
  if (named_button(context.widgets, "open-file", "Open a file...",
                   "Shows the files of a folder. Key: Ctrl+O. A file dropped on the window opens too."))
    context.actions.command("open-file");
}

void notes(const Session& session) {
  const auto& scene = session.scene();
  if (scene.source.empty() && session.notes().empty()) return ImGui::NewLine();
  heighten_for_fingers();
  if (!ImGui::TreeNode(about_it)) return;
  if (!scene.source.empty()) wrapped_text(dim_color(), scene.source);
  for (const auto& note : session.notes()) ImGui::TextWrapped("- %s", note.c_str());
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
  wrapped_text(fmt::format("galaxy {}: {}, mass {:.4g}", galaxy->number,
                           sim::counted(galaxy->bodies, "body", "bodies"), galaxy->mass));
  context.widgets.note(fmt::format("galaxy:{}", galaxy->number));
  if (named_button(context.widgets, "frame-galaxy", "Frame it",
                   "Moves the camera to this galaxy. Key: Shift+Home."))
    context.actions.frame_galaxy();
  ImGui::SameLine();
  if (named_button(context.widgets, "show-all-galaxies", "Show all", "Shows all galaxies again. Key: Esc.")) {
    session.show_all_galaxies();
    context.actions.fit_camera();
  }
}

/// The model of the present dataset, or of the default one; null where it is a file.
const sim::GalaxyModel* built_in(const PanelContext& context) {
  return lab::built_in_model(context.session.dataset().request);
}

void facts(PanelContext& context) {
  const auto& session = context.session;
  const auto& summary = session.summary();
  const auto galaxies =
      summary.galaxies > 1 ? fmt::format(" in {} galaxies", summary.galaxies) : std::string();
  // Of one built-in galaxy the rows say all of it.
  if (summary.galaxies > 1 || built_in(context) == nullptr)
    wrapped_text(fmt::format("{}: {}{}", session.scene().title,
                             sim::counted(summary.bodies, "body", "bodies"), galaxies));
  singled_out(context);
}

std::string short_name(const lab::DatasetRequest& request) {
  return lab::is_file(request) ? std::filesystem::path(request.source).filename().string() : request.source;
}

void entry(PanelContext& context, const std::string& label, const std::string& meaning,
           const lab::DatasetRequest& request) {
  // Files of the same name in different folders are different entries.
  ImGui::PushID(request.source.c_str());
  const bool shown = context.session.dataset().request.source == request.source;
  if (named_entry(context.widgets, "open:" + label, label, shown, meaning)) context.actions.open(request);
  ImGui::PopID();
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

bool in_playlist(const PanelContext& context, const std::string& path) {
  return std::ranges::any_of(context.playlist, [&](const auto& request) {
    std::error_code failure;
    return lab::is_file(request) && std::filesystem::equivalent(request.source, path, failure);
  });
}

void files_to_open(PanelContext& context) {
  bool any = false;
  for (const auto& request : context.playlist) {
    if (!lab::is_file(request)) continue;
    entry(context, short_name(request), request.source, request);
    any = true;
  }
  for (const auto& path : context.actions.recent_files()) {
    if (in_playlist(context, path)) continue;
    entry(context, file_name(path), "Opened before: " + path, {.source = path});
    any = true;
  }
  if (any) ImGui::Separator();
}

/// Chooses the dataset: the present one and the others.
void choose_dataset(PanelContext& context) {
  const auto& request = context.session.dataset().request;
  const auto* model = built_in(context);
  const auto present = model != nullptr ? std::string(model->name) : short_name(request);
  row_label("Shown", ImGui::CalcTextSize(present.c_str()).x + 2.0F * ImGui::GetFrameHeight());
  const bool open =
      begin_named_list(context.widgets, "open-list", present,
                       "Built-in galaxies, and files that were opened before. N opens the next file.",
                       ImGuiComboFlags_HeightLarge);
  if (context.session.has_dataset()) context.widgets.note("dataset");
  if (!open) return;
  if (context.actions.offers("last-session") &&
      named_entry(
          context.widgets, "open:last-session", "Last session", false,
          "Goes on with the bodies, options and view that were there when the window was closed last."))
    context.actions.command("last-session");
  files_to_open(context);
  for (const auto* each : sim::galaxy_models()) {
    lab::DatasetRequest wanted{.source = std::string(each->name), .built_in = true};
    wanted.seed = request.seed;
    entry(context, wanted.source, std::string(each->meaning), wanted);
  }
  ImGui::EndCombo();
}

/// Begins anew when another dataset shows.
void follow(PanelContext& context) {
  auto& choice = context.dataset;
  const auto& request = context.session.dataset().request;
  if (choice.of == request && choice.bodies > 0) return;
  const auto& summary = context.session.summary();
  choice.of = request;
  choice.galaxies = request.galaxies;
  choice.bodies = request.bodies.value_or(summary.bodies / std::max<std::size_t>(request.galaxies, 1));
  choice.seed = request.seed;
}

/// Opens what is chosen, in the background.
void reload(PanelContext& context, const sim::GalaxyModel& model) {
  const auto& choice = context.dataset;
  auto request = choice.of;
  request.source = std::string(model.name);
  request.built_in = true;
  if (model.maximum_bodies > model.minimum_bodies)
    request.bodies = std::clamp<std::size_t>(choice.bodies, model.minimum_bodies, model.maximum_bodies);
  request.seed = choice.seed;
  request.galaxies = std::clamp<std::uint32_t>(choice.galaxies, 1, lab::most_galaxies);
  if (!(request == choice.of)) context.actions.open(request);
}

/// A slider by factors; true when it is let go after a change.
template <typename Number>
bool slider(PanelContext& context, const char* label, const char* name, const char* meaning, Number& value,
            Number low, Number high) {
  constexpr auto type = sizeof(Number) == 8 ? ImGuiDataType_U64 : ImGuiDataType_U32;
  row_label(label);
  const auto id = fmt::format("##{}", name);
  ImGui::SliderScalar(id.c_str(), type, &value, &low, &high, nullptr, ImGuiSliderFlags_Logarithmic);
  context.widgets.note(name);
  const bool done = ImGui::IsItemDeactivatedAfterEdit();
  if (!ImGui::IsItemActive()) tooltip(meaning);
  return done;
}

void seed_row(PanelContext& context, bool& changed) {
  auto& choice = context.dataset;
  row_label("Seed");
  const float button = ImGui::CalcTextSize("Next").x + 3.0F * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::InputScalar("##seed", ImGuiDataType_U64, &choice.seed);
  context.widgets.note("dataset-seed");
  changed = ImGui::IsItemDeactivatedAfterEdit() || changed;
  if (!ImGui::IsItemActive()) tooltip("Another seed gives another galaxy of the same kind.");
  ImGui::SameLine(0.0F, ImGui::GetStyle().ItemInnerSpacing.x);
  if (ImGui::Button("Next", {-1.0F, 0.0F})) {
    ++choice.seed;
    changed = true;
  }
  context.widgets.note("next-seed");
  tooltip("The galaxy of the next seed.");
}

/// Bodies, seed and number of a built-in galaxy. The old one runs on until the new one is ready.
void built_in_rows(PanelContext& context, const sim::GalaxyModel& model) {
  follow(context);
  auto& choice = context.dataset;
  bool changed = false;
  if (model.maximum_bodies > model.minimum_bodies) {
    const std::uint64_t low = model.minimum_bodies;
    const auto high = std::clamp<std::uint64_t>(8 * std::uint64_t{context.session.summary().bodies},
                                                std::uint64_t{1} << 18U, model.maximum_bodies);
    changed = slider(context, "Bodies", "dataset-bodies",
                     "Bodies of the galaxy, of each where there are several. Ctrl+click types a number. The "
                     "new galaxy is made in the background when the slider is released.",
                     choice.bodies, low, high);
    seed_row(context, changed);
  }
  changed = slider(context, "Galaxies", "dataset-galaxies",
                   "Independent galaxies of this kind, with seeds that follow each other.", choice.galaxies,
                   1U, 64U) ||
            changed;
  if (changed) reload(context, model);
}

/// The present units, in a few words.
std::string units_shown(const sim::Scene& scene) {
  if (const auto* const system = sim::unit_system_of(scene)) return std::string(system->meaning);
  const auto text = sim::units_text(scene.units);
  return text.empty() ? fmt::format("G = {:.6g}", scene.physics.gravitational_constant) : text;
}

void units_entry(PanelContext& context, const sim::UnitSystem& system) {
  const auto& session = context.session;
  const bool proposed = session.scene().proposed_units == system.name;
  const auto label = fmt::format("{}{}", system.meaning, proposed ? " (proposed)" : "");
  if (named_entry(context.widgets, fmt::format("units:{}", system.name), label,
                  sim::unit_system_of(session.scene()) == &system,
                  proposed ? "In these units the bodies are nearest to equilibrium."
                           : "Loads the file again: G, softening and time step follow.")) {
    auto request = session.dataset().request;
    request.units = system.name;
    context.actions.open(request);
  }
}

/// The units of a file: those that it states or that the user gave; a choice if it does not state its
/// physics.
void units_row(PanelContext& context) {
  const auto& session = context.session;
  const auto& scene = session.scene();
  if (!lab::is_file(session.dataset().request)) return;
  const auto text = units_shown(scene);
  row_label("Units");
  if (scene.states_physics) return wrapped_text(text);
  if (!begin_named_list(context.widgets, "units-list", text,
                        "What the numbers of the file stand for: " + text + "."))
    return;
  for (const auto& system : sim::unit_systems()) units_entry(context, system);
  ImGui::EndCombo();
}

/// One line with its button where a periodic box can be moved.
void recentre_row(PanelContext& context) {
  const auto& session = context.session;
  auto request = session.dataset().request;
  if (session.scene().box == sim::DVec3{} || request.recentre || !request.with.empty()) return;
  if (named_button(context.widgets, "recentre", "Recentre in the box",
                   "The file has a periodic box. Moves the bodies by whole sides of it, so that no edge cuts "
                   "the densest place, which becomes the middle.")) {
    request.recentre = true;
    context.actions.open(request);
  }
}

/// One line with its button where nothing says the units.
void proposal(PanelContext& context) {
  const auto& scene = context.session.scene();
  const auto* const system = sim::find_unit_system(scene.proposed_units);
  if (system == nullptr) return;
  if (named_button(context.widgets, "use-proposed-units", "Use these",
                   "Nothing says the units, and in these the bodies are nearest to equilibrium.")) {
    auto request = context.session.dataset().request;
    request.units = system->name;
    context.actions.open(request);
  }
  ImGui::SameLine();
  ImGui::TextWrapped("%s?", std::string(system->meaning).c_str());
}

void draw_dataset(PanelContext& context) {
  if (context.session.has_dataset()) facts(context);
  playback_rows(context);
  choose_dataset(context);
  if (context.session.has_dataset()) {
    units_row(context);
    proposal(context);
    recentre_row(context);
  }
  if (const auto* model = built_in(context); model != nullptr && context.session.has_dataset())
    built_in_rows(context, *model);
  if (context.loader.busy())
    loading_bar(context);
  else
    opening_buttons(context);
  if (!context.session.has_dataset()) return;
  ImGui::SameLine();
  notes(context.session);
  dataset_parts(context);
}

}  // namespace

extern const Panel dataset_panel{"Dataset", true, draw_dataset, PanelTab::run};

}  // namespace orrery::app
