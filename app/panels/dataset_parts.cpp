#include "app/panels/dataset_parts.h"

#include <fmt/format.h>
#include <imgui.h>

#include <filesystem>

#include "app/panels/option_widgets.h"
#include "app/session/shared_names.h"
#include "sim/core/counted.h"

namespace orrery::app {

namespace {

void scrub_row(PanelContext& context, Playback& playback) {
  row_label("Snapshot");
  // People count from 1.
  auto place = static_cast<float>(playback.place()) + 1.0F;
  ImGui::SliderFloat("##playback-place", &place, 1.0F, static_cast<float>(playback.size()), "%.1f",
                     ImGuiSliderFlags_AlwaysClamp);
  context.widgets.note("playback-place");
  if (ImGui::IsItemActive()) {
    context.session.paused = true;
    playback.go_to(double{place} - 1.0);
  } else {
    tooltip("Snapshot that is shown. Between two snapshots, bodies are interpolated by their ids.");
  }
}

void speed_row(PanelContext& context, Playback& playback) {
  row_label("Speed");
  auto speed = static_cast<float>(playback.speed);
  if (ImGui::DragFloat("##playback-speed", &speed, 0.1F, -200.0F, 200.0F, "%.1f a second",
                       ImGuiSliderFlags_AlwaysClamp))
    playback.speed = speed;
  context.widgets.note("playback-speed");
  if (!ImGui::IsItemActive()) tooltip("Snapshots per second; negative values play backwards.");
}

/// The snapshot that shows, as the start of a simulation.
void simulate_from_here(PanelContext& context, const Playback& playback) {
  auto request = context.session.dataset().request;
  request.snapshot = playback.nearest();
  context.actions.open(request);
}

/// Remarks about what the series lacks.
void remarks(const Playback& playback, PanelContext& context) {
  if (!playback.gaps().empty()) {
    ImGui::TextWrapped("Gaps: %s.", playback.gaps().c_str());
    context.widgets.note("playback-gaps");
  }
  if (playback.missing() > 0) {
    wrapped_text(sim::counted(playback.missing(), "body is missing", "bodies are missing") +
                 " here; not drawn.");
    context.widgets.note(fmt::format("playback-missing:{}", playback.missing()));
  }
}

constexpr std::uint64_t most_bodies = 1'000'000'000;

std::string name_of(const std::string& source) {
  return source.empty() ? "the default galaxy" : std::filesystem::path(source).filename().string();
}

/// A whole number, with `low` shown as "all".
void number_row(PanelContext& context, const char* label, const char* name, const char* meaning,
                std::uint64_t& value, std::uint64_t low) {
  row_label(label);
  ImGui::DragScalar(fmt::format("##{}", name).c_str(), ImGuiDataType_U64, &value, 0.1F, &low, &most_bodies,
                    value == low ? "all" : "%llu", ImGuiSliderFlags_AlwaysClamp);
  context.widgets.note(name);
  if (!ImGui::IsItemActive()) tooltip(meaning);
}

void vector_row(PanelContext& context, const char* label, const std::string& name, const char* meaning,
                double* values, int count) {
  row_label(label);
  ImGui::InputScalarN(fmt::format("##{}", name).c_str(), ImGuiDataType_Double, values, count, nullptr,
                      nullptr, "%.4g");
  context.widgets.note(name);
  if (!ImGui::IsItemActive()) tooltip(meaning);
}

void component_boxes(lab::DatasetRequest& wanted) {
  ImGui::TextUnformatted("Without these components:");
  for (std::size_t i = 0; i < sim::component_count; ++i) {
    const std::string name(sim::component_name(static_cast<sim::Component>(i)));
    const auto all = "," + wanted.without + ",";
    bool out = all.find("," + name + ",") != std::string::npos;
    if (i % 3 != 0) ImGui::SameLine();
    if (!ImGui::Checkbox(name.c_str(), &out)) continue;
    std::string left;
    for (std::size_t k = 0; k < sim::component_count; ++k) {
      const std::string other(sim::component_name(static_cast<sim::Component>(k)));
      const bool leave = k == i ? out : all.find("," + other + ",") != std::string::npos;
      if (leave) left += (left.empty() ? "" : ",") + other;
    }
    wanted.without = left;
  }
}

/// A box, edited as its two corners.
void box_rows(PanelContext& context, sim::BodyFilter& filter) {
  bool boxed = filter.box.has_value();
  if (named_checkbox(context.widgets, "part-box", "In a box", boxed)) {
    const auto radius = context.session.summary().radius;
    filter.box.reset();
    if (boxed) filter.box = {-radius, -radius, -radius, radius, radius, radius};
  }
  if (!filter.box) return;
  vector_row(context, "From", "part-box-low", "A corner of the box: x, y, z.", filter.box->data(), 3);
  vector_row(context, "To", "part-box-high", "The opposite corner: x, y, z.", filter.box->data() + 3, 3);
}

void sphere_row(PanelContext& context, sim::BodyFilter& filter) {
  double radius = filter.radius.value_or(0.0);
  vector_row(context, "Within", "part-sphere",
             "Keeps bodies within this radius of the centre (median of the positions); 0: everywhere.",
             &radius, 1);
  if (radius > 0.0)
    filter.radius = radius;
  else
    filter.radius.reset();
}

/// True while they show.
bool filter_rows(PanelContext& context) {
  heighten_for_fingers();
  if (!ImGui::TreeNode("Part of it")) return false;
  auto& wanted = context.dataset.wanted;
  auto& filter = wanted.filter;
  number_row(context, "One of", "part-every-nth",
             "Keeps one of every N bodies of each component and raises their masses, so that the component's "
             "mass stays.",
             filter.every_nth, 1);
  number_row(context, "Nearest", "part-nearest", "Keeps this many bodies nearest to the centre; 0: all.",
             filter.nearest, 0);
  sphere_row(context, filter);
  box_rows(context, filter);
  component_boxes(wanted);
  ImGui::BeginDisabled(wanted == context.session.dataset().request);
  if (named_button(
          context.widgets, "part-take", "Take this part",
          "Loads the dataset again, in the background. Suggested parameters are computed for this part."))
    context.actions.open(wanted);
  ImGui::EndDisabled();
  ImGui::TreePop();
  return true;
}

void offset_rows(PanelContext& context, const std::string& source, sim::Placement& offset, std::size_t n) {
  ImGui::PushID(static_cast<int>(n));
  ImGui::TextUnformatted(name_of(source).c_str());
  if (n > 0) {
    named_checkbox(context.widgets, fmt::format("together-auto-{}", n), "On a parabolic orbit", offset.thrown,
                   "Starts the galaxy far outside, just fast enough to come from infinity. Offsets are "
                   "relative to that orbit.");
  }
  vector_row(context, "Place", fmt::format("together-place-{}", n), "Offset of all positions: x, y, z.",
             &offset.position.x, 3);
  vector_row(context, "Velocity", fmt::format("together-velocity-{}", n),
             "Offset of all velocities: x, y, z.", &offset.velocity.x, 3);
  vector_row(context, "Axis", fmt::format("together-axis-{}", n),
             "Axis through its centre about which the galaxy is turned; 0, 0, 0: not turned.", &offset.axis.x,
             3);
  vector_row(context, "Degrees", fmt::format("together-degrees-{}", n), "Angle of the turn, right-handed.",
             &offset.degrees, 1);
  ImGui::PopID();
}

/// Rows of the playlist besides the present dataset.
void add_rows(PanelContext& context) {
  auto& wanted = context.dataset.wanted;
  std::size_t n = 0;
  for (const auto& other : context.playlist) {
    if (other.source.empty() || other.source == wanted.source) continue;
    const auto label = fmt::format("Throw {} at it##{}", name_of(other.source), n);
    if (!named_button(
            context.widgets, fmt::format("together-add-{}", n++), label.c_str(),
            "Puts both into one scene, on a parabolic orbit. Files dropped with Shift held do so at once."))
      continue;
    auto request = wanted;
    if (request.offsets.empty()) request.offsets.emplace_back();
    request.with.push_back(name_in_scene(other));
    request.offsets.push_back({.thrown = true});
    return context.actions.open(request);
  }
  if (n == 0 && wanted.with.empty())
    ImGui::TextWrapped("Drop a second file on the window, or name it on the command line.");
}

void together_rows(PanelContext& context) {
  heighten_for_fingers();
  if (!ImGui::TreeNode("Thrown together")) return;
  auto& wanted = context.dataset.wanted;
  for (std::size_t n = 0; n < wanted.offsets.size(); ++n)
    offset_rows(context, n == 0 ? wanted.source : wanted.with[n - 1], wanted.offsets[n], n);
  add_rows(context);
  if (!wanted.with.empty()) {
    if (named_button(context.widgets, "together-again", "Throw again")) context.actions.open(wanted);
    ImGui::SameLine();
    if (named_button(context.widgets, "together-alone", "Alone again")) {
      wanted.with.clear();
      wanted.offsets.clear();
      context.actions.open(wanted);
    }
  }
  ImGui::TreePop();
}

}  // namespace

void playback_rows(PanelContext& context) {
  auto* playback = context.session.playback();
  if (playback == nullptr) return;
  wrapped_text(fmt::format("A series of {}, played without simulating.",
                           sim::counted(playback->size(), "snapshot", "snapshots")));
  context.widgets.note(fmt::format("playback:{}", playback->nearest() + 1));
  scrub_row(context, *playback);
  speed_row(context, *playback);
  named_checkbox(context.widgets, "playback-loop", "Loop", playback->loop, "Restarts the series at its end.");
  if (named_button(context.widgets, "playback-simulate", "Simulate from here",
                   "Starts a simulation from the nearest snapshot."))
    simulate_from_here(context, *playback);
  remarks(*playback, context);
  if (const auto problem = playback->problem(); !problem.empty()) wrapped_text(problem);
  ImGui::Separator();
}

lab::DatasetRequest thrown_together(const std::vector<lab::DatasetRequest>& requests) {
  auto all = requests.front();
  all.offsets.assign(1, {});
  for (std::size_t n = 1; n < requests.size(); ++n) {
    all.with.push_back(name_in_scene(requests[n]));
    all.offsets.push_back({.thrown = true});
  }
  return all;
}

void dataset_parts(PanelContext& context) {
  const auto& request = context.session.dataset().request;
  auto& choice = context.dataset;
  if (choice.shown != request) choice.shown = choice.wanted = request;
  const float row = ImGui::GetCursorPosX() + 0.46F * ImGui::GetContentRegionAvail().x;
  const bool filtering = filter_rows(context);
  context.widgets.note("part-of-it");
  // Two short rows would take the place of what stands at the panel's end.
  if (!filtering) ImGui::SameLine(row);
  together_rows(context);
}

}  // namespace orrery::app
