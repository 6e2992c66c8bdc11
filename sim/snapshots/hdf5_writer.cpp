#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/hdf5_library.h"
#include "sim/snapshots/hdf5_snapshot.h"
#include "sim/snapshots/stated_units.h"

namespace orrery::sim {

namespace {

using Order = std::vector<std::size_t>;

Order bodies_of(const Bodies& bodies, Component type) {
  Order order;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.component[i] == type) order.push_back(i);
  return order;
}

// ---- Units ----

/// Powers of length, mass and velocity, as GADGET-4 and AREPO state them.
void state_units(Hdf5Output& out, const std::string& path, const FileUnits& units,
                 const std::array<int, 3>& powers) {
  out.attribute(path, "a_scaling", 0.0);
  out.attribute(path, "h_scaling", 0.0);
  out.attribute(path, "length_scaling", double(powers[0]));
  out.attribute(path, "mass_scaling", double(powers[1]));
  out.attribute(path, "velocity_scaling", double(powers[2]));
  out.attribute(path, "to_cgs",
                std::pow(units.length, powers[0]) * std::pow(units.mass, powers[1]) *
                    std::pow(units.velocity, powers[2]));
}

// ---- The file ----

void write_header(const Scene& scene, const FileUnits& units, Hdf5Output& out) {
  const std::string header = "/Header";
  out.group(header);
  std::array<std::uint32_t, component_count> counts{}, none{};
  for (std::size_t k = 0; k < component_count; ++k)
    counts.at(k) =
        static_cast<std::uint32_t>(std::ranges::count(scene.bodies.component, static_cast<Component>(k)));
  for (const char* const name : {"NumPart_ThisFile", "NumPart_Total"}) out.attribute(header, name, counts);
  out.attribute(header, "NumPart_Total_HighWord", none);
  out.attribute(header, "MassTable", std::array<double, component_count>{});
  out.attribute(header, "Time", scene.time);
  for (const char* const name : {"Redshift", "BoxSize", "Omega0", "OmegaLambda"})
    out.attribute(header, name, 0.0);
  out.attribute(header, "HubbleParam", 1.0);
  out.attribute(header, "NumFilesPerSnapshot", 1);
  for (const char* const name :
       {"Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals", "Flag_Feedback", "Flag_DoublePrecision",
        "Flag_IC_Info", "ComovingIntegrationOn"})
    out.attribute(header, name, 0);
  out.attribute(header, "UnitLength_in_cm", units.length);
  out.attribute(header, "UnitMass_in_g", units.mass);
  out.attribute(header, "UnitVelocity_in_cm_per_s", units.velocity);
  // As GIZMO spells it.
  out.attribute(header, "Gravitational_Constant_In_Code_Inits", scene.physics.gravitational_constant);
}

std::vector<float> gathered(const std::vector<Vec3>& all, const Order& order) {
  std::vector<float> numbers;
  numbers.reserve(3 * order.size());
  for (const auto i : order) numbers.insert(numbers.end(), {all[i].x, all[i].y, all[i].z});
  return numbers;
}

template <typename To, typename From>
std::vector<To> gathered_as(const std::vector<From>& all, const Order& order) {
  std::vector<To> numbers(order.size());
  std::ranges::transform(order, numbers.begin(), [&](std::size_t i) { return static_cast<To>(all[i]); });
  return numbers;
}

void write_type(const Scene& scene, std::size_t type, const FileUnits& units, bool long_ids,
                Hdf5Output& out) {
  const auto& bodies = scene.bodies;
  const auto order = bodies_of(bodies, static_cast<Component>(type));
  if (order.empty()) return;
  const auto group = fmt::format("/PartType{}", type);
  out.group(group);
  out.dataset(group + "/Coordinates", 3, gathered(bodies.position, order));
  state_units(out, group + "/Coordinates", units, {1, 0, 0});
  if (scene.has_velocities) {
    out.dataset(group + "/Velocities", 3, gathered(bodies.velocity, order));
    state_units(out, group + "/Velocities", units, {0, 0, 1});
  }
  out.dataset(group + "/Masses", 1, gathered_as<float>(bodies.mass, order));
  state_units(out, group + "/Masses", units, {0, 1, 0});
  if (long_ids)
    out.dataset(group + "/ParticleIDs", 1, gathered_as<std::uint64_t>(bodies.id, order));
  else
    out.dataset(group + "/ParticleIDs", 1, gathered_as<std::uint32_t>(bodies.id, order));
}

void check_writable(const Scene& scene, const FileWriter& out) {
  const auto& bodies = scene.bodies;
  if (bodies.size() > 0xffffffffU)
    cannot_write(out.target(), "HDF5 files of Gadget's kind hold at most 4294967295 bodies here");
  require_one_galaxy(scene, out, "HDF5 files of Gadget's kind hold", "bin or csv");
}

}  // namespace

void write_hdf5(const Scene& scene, const WriteOptions& options, FileWriter& file) {
  check_writable(scene, file);
  const auto& library = hdf5_library(fmt::format("cannot write {}", quoted(file.target())));
  const std::lock_guard lock(hdf5_lock());
  const auto out = library.create();
  const auto units = units_for(scene);
  write_header(scene, units, *out);
  const bool long_ids = std::ranges::any_of(scene.bodies.id, [](auto id) { return id > 0xffffffffU; });
  const Ticker ticker(options.progress, component_count + 1);
  for (std::size_t type = 0; type < component_count; ++type) {
    ticker.at(type);
    write_type(scene, type, units, long_ids, *out);
  }
  const auto content = out->content();
  if (content.empty()) cannot_write(file.target(), "there is not enough memory to put it together");
  ticker.at(component_count);
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (std::size_t at = 0; at < content.size(); at += piece)
    file.write(content.subspan(at, std::min(piece, content.size() - at)));
}

}  // namespace orrery::sim
