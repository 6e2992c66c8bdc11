#include "lab/diagnostics/diagnostics_log.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace orrery::lab {

namespace {

using nlohmann::json;

constexpr std::array<Column<Instant>, 22> columns_of_instants{{{"time", &Instant::time},
                                                               {"kinetic", &Instant::kinetic},
                                                               {"potential", &Instant::potential},
                                                               {"energy", &Instant::energy},
                                                               {"virial_ratio", &Instant::virial_ratio},
                                                               {"momentum_x", &Instant::px},
                                                               {"momentum_y", &Instant::py},
                                                               {"momentum_z", &Instant::pz},
                                                               {"angular_momentum_x", &Instant::lx},
                                                               {"angular_momentum_y", &Instant::ly},
                                                               {"angular_momentum_z", &Instant::lz},
                                                               {"lagrange_10", &Instant::r10},
                                                               {"lagrange_25", &Instant::r25},
                                                               {"lagrange_50", &Instant::r50},
                                                               {"lagrange_75", &Instant::r75},
                                                               {"lagrange_90", &Instant::r90},
                                                               {"bound_fraction", &Instant::bound},
                                                               {"bar_a2", &Instant::a2},
                                                               {"center_x", &Instant::x},
                                                               {"center_y", &Instant::y},
                                                               {"center_z", &Instant::z},
                                                               {"sampled_bodies", &Instant::sampled}}};

constexpr std::array<Column<ProfileRow>, 10> columns_of_profiles{
    {{"radius", &ProfileRow::radius},
     {"bodies", &ProfileRow::bodies},
     {"surface_density", &ProfileRow::surface_density},
     {"rotation", &ProfileRow::rotation},
     {"circular_speed", &ProfileRow::circular_speed},
     {"sigma_r", &ProfileRow::sigma_r},
     {"sigma_phi", &ProfileRow::sigma_phi},
     {"sigma_z", &ProfileRow::sigma_z},
     {"epicyclic_frequency", &ProfileRow::kappa},
     {"toomre_q", &ProfileRow::toomre_q}}};

template <typename Row>
std::string table(std::span<const Row> rows, std::span<const Column<Row>> columns) {
  std::string text;
  for (const auto& column : columns) text += fmt::format("{}{}", text.empty() ? "" : ",", column.name);
  text += '\n';
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k > 0) text += ',';
      if (const double value = row.*columns[k].value; std::isfinite(value)) text += fmt::format("{}", value);
    }
    text += '\n';
  }
  return text;
}

template <typename Row>
json lists_of(const std::vector<Row>& rows, std::span<const Column<Row>> columns) {
  auto lists = json::object();
  for (const auto& column : columns) {
    auto& list = lists[std::string(column.name)] = json::array();
    for (const auto& row : rows) list.push_back(row.*column.value);
  }
  return lists;
}

template <typename Row>
std::vector<Row> rows_of(const json& lists, std::span<const Column<Row>> columns) {
  std::vector<Row> rows;
  for (const auto& column : columns) {
    const auto found = lists.find(std::string(column.name));
    if (found == lists.end()) continue;
    if (rows.size() < found->size()) rows.resize(found->size());
    for (std::size_t k = 0; k < found->size(); ++k)
      if (!found->at(k).is_null()) rows[k].*column.value = found->at(k).template get<double>();
  }
  return rows;
}

ProfileRow row_of(const sim::ProfilePoint& point) {
  const auto& ring = point.ring;
  return {.radius = ring.radius(),
          .bodies = static_cast<double>(ring.bodies),
          .surface_density = ring.surface_density(),
          .rotation = ring.rotation,
          .circular_speed = point.circular_speed,
          .sigma_r = ring.sigma_r,
          .sigma_phi = ring.sigma_phi,
          .sigma_z = ring.sigma_z,
          .kappa = point.kappa,
          .toomre_q = point.toomre_q};
}

}  // namespace

std::span<const Column<Instant>> instant_columns() { return columns_of_instants; }
std::span<const Column<ProfileRow>> profile_columns() { return columns_of_profiles; }

Instant& DiagnosticsLog::row_of(double at) {
  if (!past.empty() && past.back().time == at) return past.back();
  if (past.size() >= most_rows) {
    for (std::size_t k = 1; 2 * k < past.size(); ++k) past[k] = past[2 * k];
    past.resize(past.size() / 2);
  }
  past.push_back({.time = at});
  return past.back();
}

void DiagnosticsLog::add(double at, const sim::Diagnostics& sums) {
  auto& row = row_of(at);
  row.kinetic = sums.kinetic;
  row.potential = sums.potential;
  row.energy = sums.energy();
  row.virial_ratio = sums.virial_ratio();
  row.px = sums.momentum.x, row.py = sums.momentum.y, row.pz = sums.momentum.z;
  row.lx = sums.angular_momentum.x, row.ly = sums.angular_momentum.y, row.lz = sums.angular_momentum.z;
}

void DiagnosticsLog::add(double at, const sim::Structure& structure) {
  auto& row = row_of(at);
  const auto& radii = structure.lagrange;
  row.r10 = radii[0], row.r25 = radii[1], row.r50 = radii[2], row.r75 = radii[3], row.r90 = radii[4];
  row.bound = structure.bound;
  row.sampled = static_cast<double>(structure.sample);
  row.a2 = structure.a2;
  row.x = structure.center.x, row.y = structure.center.y, row.z = structure.center.z;
  profile.clear();
  for (const auto& point : structure.profile) profile.push_back(lab::row_of(point));
  phase = structure.phase;
  time = at;
  sample = structure.sample;
  of = structure.of;
}

std::string csv_of(std::span<const Instant> rows) { return table(rows, instant_columns()); }
std::string csv_of(std::span<const ProfileRow> rows) { return table(rows, profile_columns()); }

void to_document(json& document, const DiagnosticsLog& log) {
  document["series"] = lists_of(log.past, instant_columns());
  document["profile"] = lists_of(log.profile, profile_columns());
  auto& phase = document["phase"] = json::array();
  for (const auto& point : log.phase) phase.push_back({point.radius, point.v_r, point.v_phi});
  document["time"] = log.time;
  document["sample"] = log.sample;
  document["sample_of"] = log.of;
  document["units"] = {
      {"meters", log.units.length}, {"seconds", log.units.time}, {"kilograms", log.units.mass}};
}

DiagnosticsLog log_of(const json& document) {
  DiagnosticsLog log;
  log.past = rows_of(document.at("series"), instant_columns());
  log.profile = rows_of(document.at("profile"), profile_columns());
  for (const auto& point : document.at("phase"))
    log.phase.push_back({point.at(0).get<double>(), point.at(1).get<double>(), point.at(2).get<double>()});
  if (const auto& time = document.at("time"); !time.is_null()) log.time = time.get<double>();
  log.sample = document.at("sample").get<std::size_t>();
  log.of = document.at("sample_of").get<std::size_t>();
  if (document.contains("units")) {
    const auto& units = document.at("units");
    log.units = {units.at("meters").get<double>(), units.at("seconds").get<double>(),
                 units.at("kilograms").get<double>()};
  }
  return log;
}

}  // namespace orrery::lab
