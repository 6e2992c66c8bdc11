#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/gui.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

using sim::Verdict;

ImVec4 color_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return {0.35F, 0.85F, 0.45F, 1.0F};
    case Verdict::doubtful:
      return {0.98F, 0.75F, 0.25F, 1.0F};
    case Verdict::wrong:
      break;
  }
  return {1.0F, 0.35F, 0.32F, 1.0F};
}

const char* word_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return "RIGHT";
    case Verdict::doubtful:
      return "DOUBTFUL";
    case Verdict::wrong:
      break;
  }
  return "WRONG";
}

std::string limits_text() {
  using Limits = sim::ForceErrorLimits;
  return fmt::format(
      "Relative force error of 256 sampled bodies against a sum in double precision, refreshed in the "
      "background.\n"
      "Green: median up to {:g} and 99th percentile up to {:g}. Amber: up to {:g} and {:g}. Red: above.",
      Limits::good_median, Limits::good_p99, Limits::doubtful_median, Limits::doubtful_p99);
}

void force_badge(PanelContext& context, const sim::Health& health) {
  const auto result = sim::verdict(health.force_error);
  ImGui::PushFont(Gui::large_font());
  ImGui::TextColored(color_of(result), "%s", word_for(result));
  ImGui::PopFont();
  tooltip(limits_text());
  context.widgets.note("badge");
  ImGui::SameLine();
  ImGui::TextDisabled("forces of %s", health.label.c_str());
  ImGui::TextWrapped("%s", fmt::format("median error {:.1e}, 99 % below {:.1e}", health.force_error.median,
                                       health.force_error.p99)
                               .c_str());
  tooltip(limits_text());
}

void momentum(const sim::Health& health) {
  const auto text =
      fmt::format("momentum {:.1e}, angular {:.1e}", health.momentum_drift, health.angular_momentum_drift);
  if (health.conserves_momentum) {
    ImGui::Text("%s", text.c_str());
    tooltip(
        "Drift of momentum and angular momentum, relative to what all bodies would carry moving one way.");
    return;
  }
  ImGui::TextDisabled("%s", text.c_str());
  tooltip(
      "No criterion here: in the magnetic force between charges action and reaction differ, so momentum is "
      "not conserved. The force does no work, so energy is.");
}

void drifts(const sim::Health& health) {
  const auto energy = fmt::format("energy drift {:+.2e}{}", health.energy_drift,
                                  health.energy_drift_uncertainty > 0.0
                                      ? fmt::format(" +- {:.0e}", health.energy_drift_uncertainty)
                                      : "");
  ImGui::TextColored(color_of(sim::energy_verdict(health.energy_drift)), "%s", energy.c_str());
  tooltip(
      "(E - E0) / |E0| since the start, or since the forces changed. Green below 1e-3, amber below "
      "1e-2.");
  momentum(health);
  ImGui::TextDisabled("%s",
                      fmt::format("K/|W| {:.3f}, half-mass radius {:.4g}", health.diagnostics.virial_ratio(),
                                  health.diagnostics.half_mass_radius)
                          .c_str());
  tooltip(fmt::format(
      "Kinetic over potential energy (1/2 in equilibrium) and the radius that holds half of the mass, "
      "at time {:.4g}.",
      health.time));
}

void draw(PanelContext& context) {
  const auto& health = context.session.health();
  if (!health || health->force_error.sample == 0) {
    ImGui::TextDisabled("not checked yet: the first step is under way");
    tooltip(limits_text());
  } else {
    force_badge(context, *health);
  }
  if (health) drifts(*health);
}

}  // namespace

extern const Panel correctness_panel{"Is it right?", true, draw};

}  // namespace orrery::app
