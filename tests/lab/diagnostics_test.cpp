#include "lab/diagnostics/diagnostics_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {
namespace {

sim::Structure structure(double scale) {
  sim::Structure found{.lagrange = {scale, 2 * scale, 3 * scale, 4 * scale, 5 * scale},
                       .bound = 0.75,
                       .a2 = 0.25,
                       .phase = {{1.0, 0.1, 2.0}, {2.0, -0.1, 2.5}},
                       .sample = 10,
                       .of = 40};
  for (int k = 0; k < 3; ++k) {
    sim::ProfilePoint point{
        .ring = {.inner = 1.0 * k, .outer = k + 1.0, .bodies = 5, .mass = 2.0, .rotation = 0.5 * k},
        .circular_speed = 1.0,
        .kappa = 2.0,
        .toomre_q = 1.5};
    if (k == 2) point.toomre_q = std::nan("");
    found.profile.push_back(point);
  }
  return found;
}

DiagnosticsLog some_log() {
  DiagnosticsLog log;
  for (int k = 0; k < 3; ++k) {
    sim::Diagnostics sums;
    sums.kinetic = 1.0 + k;
    sums.potential = -4.0;
    sums.momentum = {0.1, 0.2, 0.3};
    log.add(0.5 * k, sums);
    log.add(0.5 * k, structure(1.0 + k));
  }
  return log;
}

TEST(DiagnosticsLog, WhatIsOfOneTimeIsOneRow) {
  const auto log = some_log();
  ASSERT_EQ(log.past.size(), 3U);
  EXPECT_EQ(log.past[1].energy, -2.0);
  EXPECT_EQ(log.past[1].virial_ratio, 0.5);
  EXPECT_EQ(log.past[2].r90, 15.0);
  EXPECT_EQ(log.profile.size(), 3U);
  EXPECT_EQ(sample_text(log), "from 10 of 40 bodies, drawn by lot");
}

TEST(DiagnosticsLog, StaysBoundedAndKeepsFirstAndLast) {
  DiagnosticsLog log;
  for (int k = 0; k < 20'000; ++k) log.add(k, sim::Diagnostics{});
  EXPECT_LE(log.past.size(), DiagnosticsLog::most_rows);
  EXPECT_EQ(log.past.front().time, 0.0);
  EXPECT_EQ(log.past.back().time, 19'999.0);
  EXPECT_TRUE(std::ranges::is_sorted(log.past, {}, &Instant::time));
}

TEST(DiagnosticsLog, TablesHaveARowForEachTimeAndNothingForWhatIsNotKnown) {
  const auto log = some_log();
  const auto text = csv_of(log.past);
  EXPECT_TRUE(text.starts_with("time,kinetic,potential,energy,virial_ratio,")) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 4);
  EXPECT_NE(text.find("\n0.5,2,-4,-2,0.5,0.1,0.2,0.3,"), std::string::npos) << text;
  const auto profile = csv_of(log.profile);
  EXPECT_TRUE(profile.ends_with(",2,\n")) << profile;  // kappa, and no Q
}

TEST(DiagnosticsLog, ComesBackFromItsDocument) {
  const auto log = some_log();
  nlohmann::json document;
  to_document(document, log);
  const auto back = log_of(nlohmann::json::parse(document.dump()));
  EXPECT_EQ(csv_of(back.past), csv_of(log.past));
  EXPECT_EQ(csv_of(back.profile), csv_of(log.profile));
  EXPECT_EQ(back.phase.size(), 2U);
  EXPECT_EQ(sample_text(back), sample_text(log));
}

class EveryPlot : public testing::TestWithParam<DiagnosticPlot> {};

TEST_P(EveryPlot, ShowsWhatIsKnownAndNothingOfNothing) {
  const auto& plot = GetParam();
  EXPECT_EQ(find_diagnostic_plot(plot.name)->title, plot.title);
  EXPECT_FALSE(has_points(plot.draw({})));
  const auto panel = plot.draw(some_log());
  ASSERT_TRUE(has_points(panel));
  for (const auto& line : panel.lines)
    for (const auto& point : line.points) {
      EXPECT_TRUE(std::isfinite(point.x) && std::isfinite(point.y)) << plot.name;
      EXPECT_GE(point.x, panel.x.low);
      EXPECT_LE(point.x, panel.x.high);
    }
  EXPECT_EQ(figure_of(plot, some_log(), "").note, "from 10 of 40 bodies, drawn by lot");
  EXPECT_TRUE(csv_of(panel).starts_with("line," + panel.x.label + "," + panel.y.label + "\n"));
}

INSTANTIATE_TEST_SUITE_P(All, EveryPlot,
                         testing::ValuesIn(diagnostic_plots().begin(), diagnostic_plots().end()),
                         [](const auto& each) {
                           std::string name(each.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Plots, AxesHaveTheUnitsThatAreKnown) {
  auto log = some_log();
  const auto plain = find_diagnostic_plot("lagrange-radii")->draw(log);
  EXPECT_EQ(plain.x.label, "simulated time");
  EXPECT_EQ(plain.y.label, "radius");
  // 1 kpc, 10 Myr, 1e9 solar masses.
  log.units = {1e3 * sim::meters_of_parsec, 1e7 * sim::seconds_of_year, 1e9 * sim::kilograms_of_sun};
  const auto radii = find_diagnostic_plot("lagrange-radii")->draw(log);
  EXPECT_EQ(radii.x.label, "simulated time (Myr)");
  EXPECT_EQ(radii.y.label, "radius (kpc)");
  EXPECT_NEAR(radii.lines[2].points[1].x, 5.0, 1e-9);
  EXPECT_NEAR(radii.lines[2].points[1].y, 6.0, 1e-9);
  const auto curve = find_diagnostic_plot("rotation-curve")->draw(log);
  EXPECT_EQ(curve.y.label, "speed (km/s)");
  EXPECT_NEAR(curve.lines[1].points[0].y, 97.78, 0.01);  // 1 kpc in 10 Myr
  const auto density = find_diagnostic_plot("surface-density")->draw(log);
  EXPECT_EQ(density.y.label, "mass / area (solar masses / pc^2)");
  EXPECT_EQ(find_diagnostic_plot("bar")->draw(log).y.label, "A2");
  const auto energy = find_diagnostic_plot("energy")->draw(log);
  EXPECT_EQ(energy.y.label, "energy (solar masses km^2/s^2)");
  EXPECT_NEAR(energy.lines[0].points[1].y, 2e9 * 97.7792 * 97.7792, 1e9);
  const auto momentum = find_diagnostic_plot("momentum")->draw(log);
  EXPECT_EQ(momentum.y.label, "momentum (solar masses km/s)");
  EXPECT_NEAR(momentum.lines[1].points[0].y, 0.2e9 * 97.7792, 1e5);
  const auto spin = find_diagnostic_plot("angular-momentum")->draw(log);
  EXPECT_EQ(spin.y.label, "angular momentum (solar masses pc km/s)");
  log.units.mass = 0.0;
  EXPECT_EQ(find_diagnostic_plot("energy")->draw(log).y.label, "energy");
}

TEST(Plots, ShowTheirNumbers) {
  const auto log = some_log();
  const auto lagrange = find_diagnostic_plot("lagrange-radii")->draw(log);
  ASSERT_EQ(lagrange.lines.size(), 5U);
  EXPECT_EQ(lagrange.lines[2].points[1].y, 6.0);
  const auto q = find_diagnostic_plot("toomre-q")->draw(log);
  ASSERT_EQ(q.lines[0].points.size(), 2U);  // one is not known
  EXPECT_EQ(q.lines[0].points[0].y, 1.5);
  EXPECT_EQ(q.lines[1].points[0].y, 1.0);
  EXPECT_EQ(find_diagnostic_plot("nothing"), nullptr);
}

}  // namespace
}  // namespace orrery::lab
