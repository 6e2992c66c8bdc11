#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/gui.h"
#include "app/gui/theme.h"
#include "app/live/headline.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "lab/bench/benchmark.h"
#include "sim/options/engine_option.h"
#include "sim/scene/physical_units.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::app {

namespace {

std::string limits_text() {
  using Limits = sim::ForceErrorLimits;
  return fmt::format(
      "Are the forces right? 256 bodies are checked in the background, against sums in double precision. The "
      "numbers are relative errors of the force: half of the bodies are below the median, 99 % below the "
      "second one. For a tree, as many bodies more are drawn from each clump, each component and each decade "
      "of "
      "the density.\n"
      "Green: the median is at most {:g}, and 99 % of the bodies are below {:g}. A tree states errors of its "
      "own instead.\n"
      "Amber: at most {:g} and {:g}.\n"
      "Red: above that. Each group of bodies must keep to it.\n"
      "Amber, too, where the energy has changed by more than 1 %.\n"
      "Where one body has more than half of the mass, its own error counts too: green up to {:g}, amber up "
      "to "
      "{:g}.",
      Limits::good_median, Limits::good_p99, Limits::doubtful_median, Limits::doubtful_p99,
      Limits::good_dominant, Limits::doubtful_dominant);
}

/// One body's pull hides that of all others: how right they are without it.
void dominant_body(const sim::ForceError& error) {
  if (error.mass_ratio == 0.0) return;
  wrapped_text(
      fmt::format("heaviest body ({:.2g} times the median mass): error {:.1e}; without its pull on the "
                  "others: median {:.1e}",
                  error.mass_ratio, error.dominant, error.without_dominant));
  tooltip(limits_text());
}

/// For approximate kernels.
void stated_error(const sim::ForceError& error) {
  if (error.stated.median == 0.0) return;
  wrapped_text(fmt::format("stated: median {:.1e}, 99 % {:.1e}", error.stated.median, error.stated.p99));
  tooltip(
      "A tree treats distant bodies as one. The badge is green while the median is at most the one that the "
      "tree states for its options, the 99th percentile of these few bodies at most twice the stated one, "
      "and no more bodies are above it than chance explains.");
}

/// From an approximate kernel to direct sums.
void sum_every_pair(PanelContext& context) {
  auto& session = context.session;
  const auto& option = session.table().at(sim::kernel_option(session.configuration));
  const auto usual = session.default_of(option);
  ImGui::SameLine();
  if (ImGui::SmallButton("Sum every pair")) session.set_option(option, usual);
  context.widgets.note("sum-every-pair");
  tooltip(fmt::format("Sets {}={}.", option.name, sim::to_string(usual)));
}

/// Only if something is wrong.
void problems(const sim::Health& health) {
  const auto& worst = health.force_error.worst;
  if (sim::breaks_statement(health.force_error))
    ImGui::TextColored(
        wrong_color(), "%s",
        fmt::format("{}: median {:.1e}, 99 % below {:.1e}", worst.name, worst.median, worst.p99).c_str());
  if (!health.problem.empty()) wrapped_text(health.problem);
  if (health.drift_step && sim::loses_energy(health))
    wrapped_text(doubtful_color(),
                 "the energy is not conserved: use a shorter time-step, step=even, or a larger softening");
}

/// Only if they do not: the rule is not worth a line.
void wrong_motion(const sim::Health& health) {
  if (!health.motion_error || *health.motion_error <= sim::most_motion_error) return;
  wrapped_text(
      fmt::format("bodies do not go where their velocities say: {:.0f} % off", 100.0 * *health.motion_error));
  tooltip(
      "The step is wrong, or too long to follow the orbits. Over one step a body should move by its velocity "
      "times the step; this is the median deviation.");
}

void force_badge(PanelContext& context, const sim::Health& health) {
  const auto result = verdict_of(health, units_doubt(context.session));
  text_in(Gui::large_font(), color_of(result), word_for(result));
  tooltip(limits_text());
  context.widgets.note("badge");
  ImGui::SameLine();
  ImGui::TextDisabled("forces of %s", health.label.c_str());
  if (health.force_error.stated.median > 0.0) sum_every_pair(context);
  const auto& error = health.force_error;
  wrapped_text(
      fmt::format("median {:.1e}, 99 % {:.1e}, largest {:.1e}", error.median, error.p99, error.maximum));
  if (error.stated.median > 0.0 && !error.strata.empty())
    ImGui::TextDisabled("%s", fmt::format("{} bodies checked so far", error.strata.front().sample).c_str());
  tooltip(limits_text());
  stated_error(health.force_error);
  problems(health);
  wrong_motion(health);
}

/// Why there is no verdict yet.
std::string why_unchecked(const Session& session) {
  if (session.playback() != nullptr) return "nothing is computed: a film of snapshots";
  if (session.paused)
    return session.frame().steps > 0 ? "comes with the next step" : "comes with the first step";
  return session.frame().steps > 0 ? "the first check is under way" : "waiting for the first step";
}

/// The lines of the badge before there is one: what stands below must not move when it comes.
void no_badge(PanelContext& context) {
  text_in(Gui::large_font(), dim_color(), "-");
  ImGui::SameLine();
  ImGui::TextDisabled("%s", why_unchecked(context.session).c_str());
  tooltip(limits_text());
  context.widgets.note("unchecked");
  ImGui::TextDisabled("median -, 99 %% -, largest -");
  if (!sim::uses_tree(context.session.configuration)) return;
  ImGui::TextDisabled("- bodies checked so far");
  ImGui::TextDisabled("stated: -");
}

/// In amber, where a file's bodies fly apart or fall together: its numbers are hardly in these units.
void doubt_of_units(PanelContext& context) {
  const auto doubt = units_doubt(context.session);
  if (doubt.empty()) return;
  wrapped_text(doubtful_color(), doubt);
  context.widgets.note("units-doubt");
  tooltip(
      "K is the kinetic and W the potential energy. K/|W| is 1/2 in equilibrium, and below 1 for bodies that "
      "stay together. Dataset has a list of units that a file may be in.");
}

std::string step_text(const sim::Health& health) { return fmt::format(", step {}", *health.drift_step); }

void momentum(const sim::Health& health) {
  const auto text =
      fmt::format("momentum {:.1e}, angular {:.1e}", health.momentum_drift, health.angular_momentum_drift);
  if (health.conserves_momentum) {
    ImGui::Text("%s", text.c_str());
    tooltip(
        "Drift of momentum and angular momentum from their first values. 1 would mean that all bodies move "
        "the same way.");
    return;
  }
  ImGui::TextDisabled("%s", text.c_str());
  tooltip(
      "This says nothing about errors here. Magnetic forces between charges do not conserve momentum. They "
      "do no work, so the energy is still conserved.");
}

constexpr const char* energy_help =
    "Relative drift of the energy, (E - E0) / |E0|,\nsince the start or the last change of the "
    "forces.\nGreen: below 1e-3. Amber: below 1e-2.";

/// The method that summed the potential energy, which defines what `+-` means.
const char* summed_by(const sim::Diagnostics& diagnostics) {
  switch (diagnostics.potential_method) {
    case sim::PotentialMethod::tree:
      return "\nThe potential is that of a tree; +- is one standard error of it.";
    case sim::PotentialMethod::sample:
      return "\nThe potential is estimated from some bodies; +- is one standard error of it.";
    case sim::PotentialMethod::pairs:
      break;
  }
  return "\nThe potential is the sum over all pairs, in double precision.";
}

void energy(const sim::Health& health) {
  const auto uncertainty = health.energy_drift_uncertainty > 0.0
                               ? fmt::format(" +- {:.0e}", health.energy_drift_uncertainty)
                               : std::string();
  const auto text = fmt::format("energy drift {:+.1e}{}", health.energy_drift, uncertainty);
  ImGui::TextColored(color_of(sim::energy_verdict(health.energy_drift)), "%s", text.c_str());
  tooltip(std::string(energy_help) + summed_by(health.diagnostics));
  ImGui::SameLine(0.0F, 0.0F);
  ImGui::TextDisabled("%s", step_text(health).c_str());
}

/// Until the first state after the start is measured.
void no_drifts(PanelContext& context) {
  const char* when = context.session.paused ? "comes with the next steps" : "measuring";
  ImGui::TextDisabled("energy drift: %s", when);
  context.widgets.note("drift-measuring");
  tooltip(energy_help);
  ImGui::TextDisabled("momentum drift: %s", when);
}

void drifts(PanelContext& context, const std::optional<sim::Health>& checked) {
  if (checked && checked->drift_step && checked->baseline == context.session.frame().baseline) {
    energy(*checked);
    context.widgets.note("drift");
    momentum(*checked);
  } else {
    no_drifts(context);
  }
  if (!checked) return ImGui::TextDisabled("K/|W| -, half-mass radius -");
  const auto& found = checked->diagnostics;
  const auto& session = context.session;
  const auto unit =
      sim::length_measure(found.half_mass_radius, session.look().overlay.units(session.scene().units));
  ImGui::TextDisabled("%s", fmt::format("K/|W| {:.3f}, half-mass radius {:.4g} {}", found.virial_ratio(),
                                        unit.factor * found.half_mass_radius, unit.name)
                                .c_str());
  context.widgets.note("virial");
  tooltip(
      "Kinetic over potential energy. In equilibrium it is 1/2.\n"
      "Half of the mass lies within the half-mass radius.");
}

/// As many lines before the first check as after it.
void draw_correctness(PanelContext& context) {
  const auto& health = context.session.health();
  const bool checked = health && health->force_error.sample > 0;
  if (checked)
    force_badge(context, *health);
  else
    no_badge(context);
  drifts(context, health);
  doubt_of_units(context);
  if (checked) dominant_body(health->force_error);
}

}  // namespace

extern const Panel correctness_panel{"Is it right?", true, draw_correctness, PanelTab::run};

}  // namespace orrery::app
