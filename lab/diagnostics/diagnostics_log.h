#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/diagnostics/structure.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/scene/physical_units.h"

namespace orrery::lab {

inline constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// The diagnostics of one state, in the units of the dataset. NaN: not known.
struct Instant {
  double time = not_known;
  double kinetic = not_known, potential = not_known, energy = not_known;
  double virial_ratio = not_known;  ///< K / |W|
  double px = not_known, py = not_known, pz = not_known;
  double lx = not_known, ly = not_known, lz = not_known;  ///< about the origin
  double r10 = not_known, r25 = not_known, r50 = not_known, r75 = not_known, r90 = not_known;  ///< Lagrange
  double bound = not_known;                            ///< share of the mass
  double a2 = not_known;                               ///< bar strength
  double x = not_known, y = not_known, z = not_known;  ///< the centre
  double sampled = not_known;  ///< bodies that radii, bound share, bar strength and centre are found from
};

/// The profile at one distance from the axis of the disk.
struct ProfileRow {
  double radius = not_known;
  double bodies = not_known;
  double surface_density = not_known;
  double rotation = not_known;        ///< mean of v_phi
  double circular_speed = not_known;  ///< speed of circular orbits, computed from the forces
  double sigma_r = not_known, sigma_phi = not_known, sigma_z = not_known;
  double kappa = not_known;
  double toomre_q = not_known;
};

/// A column of a table: its name in CSV and JSON, which stays for good, and its value.
template <typename Row>
struct Column {
  std::string_view name;
  double Row::*value;
};
std::span<const Column<Instant>> instant_columns();
std::span<const Column<ProfileRow>> profile_columns();

/// The diagnostics of one dataset since it was opened, and the profiles of its newest state.
struct DiagnosticsLog {
  static constexpr std::size_t most_rows = 4'000;  ///< when it is exceeded, every second instant is dropped

  std::vector<Instant> past;  ///< instants in the order in which they were added
  std::vector<ProfileRow> profile;
  std::vector<sim::PhasePoint> phase;
  double time = not_known;         ///< simulated time of `profile` and `phase`
  std::size_t sample = 0, of = 0;  ///< bodies that these are from, and of how many
  sim::PhysicalUnits units = {};   ///< units of the dataset, in which all numbers are

  /// Adds the sums to the last row if it has this time, else as a new row.
  void add(double time, const sim::Diagnostics& sums);
  void add(double time, const sim::Structure& structure);

 private:
  Instant& row_of(double time);
};

/// A line of names, then one line for each row; empty where a value is not known. Numbers come back exactly.
std::string csv_of(std::span<const Instant> rows);
std::string csv_of(std::span<const ProfileRow> rows);

/// Writes a log into members of `document`, and reads it back. Reading throws nlohmann's exceptions for
/// another form.
void to_document(nlohmann::json& document, const DiagnosticsLog& log);
DiagnosticsLog log_of(const nlohmann::json& document);

}  // namespace orrery::lab
