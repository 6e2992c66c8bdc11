#include "sim/snapshots/hdf5_header.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>

namespace orrery::sim {

namespace {

/// G in cgs as in Gadget-2's allvars.h: with kpc, km/s and 10^10 solar masses it is the usual 43007.1.
constexpr double gadget_gravity = 6.672e-8;

struct Place {
  std::string path, name;
};
/// The first of several attributes that is there and above 0; 0 if none is.
double first_of(const Hdf5File& file, std::initializer_list<Place> places) {
  for (const auto& [path, name] : places) {
    if (const auto value = hdf5_number(file, path, name, 0.0); value > 0.0) return value;
  }
  return 0.0;
}

bool is_expanding(const Hdf5File& file, const Hdf5Header& header) {
  if (header.is_swift) return hdf5_number(file, "/Cosmology", "Cosmological run", 0.0) == 1.0;
  for (const char* const path : {"/Parameters", "/Header"}) {
    const auto flag = file.numbers(path, "ComovingIntegrationOn");
    if (!flag.empty()) return flag[0] == 1.0;
  }
  const double z = hdf5_number(file, "/Header", "Redshift", 0.0);
  const double omega = first_of(file, {{"/Header", "Omega0"}, {"/Parameters", "Omega0"}});
  return omega > 0.0 && header.time > 0.0 && std::abs(header.time * (1.0 + z) - 1.0) < 1e-3;
}

/// Its lengths are divided by h, as it says beside them.
bool states_h(const Hdf5File& file) {
  return std::ranges::any_of(file.children("/"), [&](const std::string& group) {
    return hdf5_number(file, "/" + group + "/Coordinates", "h-scale-exponent", 0.0) == -1.0;
  });
}

double scale_factor(const Hdf5File& file) {
  const double stated = first_of(file, {{"/Header", "Scale-factor"}, {"/Cosmology", "Scale-factor"}});
  const double z = std::max(hdf5_number(file, "/Header", "Redshift", 0.0), -0.5);
  return stated > 0.0 ? stated : 1.0 / (1.0 + z);
}

DVec3 box_of(const Hdf5File& file) {
  const auto box = file.numbers("/Header", "BoxSize");
  if (box.empty() || !std::ranges::all_of(box, [](double side) { return std::isfinite(side) && side > 0.0; }))
    return {};
  return box.size() >= 3 ? DVec3{box[0], box[1], box[2]} : DVec3{box[0], box[0], box[0]};
}

std::string_view code_of(const Hdf5File& file, bool is_swift) {
  if (is_swift) return "SWIFT";
  return file.numbers("/Header", "GIZMO_version").empty() ? "Gadget layout" : "GIZMO";
}

}  // namespace

double hdf5_number(const Hdf5File& file, const std::string& path, const std::string& name, double otherwise) {
  const auto values = file.numbers(path, name);
  return values.empty() || !std::isfinite(values[0]) ? otherwise : values[0];
}

double scale_exponent(const Hdf5File& file, const std::string& path, double otherwise) {
  for (const char* const name : {"a-scale exponent", "aexp-scale-exponent", "a_scaling"}) {
    const auto stated = file.numbers(path, name);
    if (!stated.empty() && std::abs(stated[0]) <= 4.0) return stated[0];
  }
  return otherwise;
}

Hdf5Header header_of(const Hdf5File& file) {
  Hdf5Header header;
  header.is_swift = file.text("/Header", "Code") == "SWIFT";
  header.code = code_of(file, header.is_swift);
  header.files = static_cast<std::size_t>(
      std::clamp(hdf5_number(file, "/Header", "NumFilesPerSnapshot", 1.0), 1.0, 1e6));
  header.time = hdf5_number(file, "/Header", "Time", 0.0);
  header.box = box_of(file);
  const auto masses = file.numbers("/Header", "MassTable");
  std::copy_n(masses.begin(), std::min(masses.size(), header.masses.size()), header.masses.begin());
  header.expands = is_expanding(file, header);
  if (header.expands) header.scale = scale_factor(file);
  if (!header.expands && !states_h(file)) return header;
  const double h = first_of(file, {{"/Header", "HubbleParam"}, {"/Parameters", "HubbleParam"}});
  if (h > 0.0 && !header.is_swift) header.hubble = h;
  return header;
}

FileUnits units_of(const Hdf5File& file, const std::string& group) {
  FileUnits units;
  units.length = first_of(file, {{"/Units", "Unit length in cgs (U_L)"},
                                 {"/Header", "UnitLength_in_cm"},
                                 {"/Header", "UnitLength_In_CGS"},
                                 {"/Units", "UnitLength_in_cm"},
                                 {"/Parameters", "UnitLength_in_cm"},
                                 {group + "/Coordinates", "to_cgs"},
                                 {group + "/Coordinates", "CGSConversionFactor"}});
  units.mass = first_of(file, {{"/Units", "Unit mass in cgs (U_M)"},
                               {"/Header", "UnitMass_in_g"},
                               {"/Header", "UnitMass_In_CGS"},
                               {"/Units", "UnitMass_in_g"},
                               {"/Parameters", "UnitMass_in_g"},
                               {group + "/Masses", "to_cgs"},
                               {group + "/Mass", "CGSConversionFactor"},
                               {group + "/Masses", "CGSConversionFactor"}});
  units.velocity = first_of(file, {{"/Header", "UnitVelocity_in_cm_per_s"},
                                   {"/Header", "UnitVelocity_In_CGS"},
                                   {"/Units", "UnitVelocity_in_cm_per_s"},
                                   {"/Parameters", "UnitVelocity_in_cm_per_s"},
                                   {group + "/Velocities", "to_cgs"},
                                   {group + "/Velocity", "CGSConversionFactor"},
                                   {group + "/Velocities", "CGSConversionFactor"}});
  const double time = first_of(file, {{"/Units", "Unit time in cgs (U_t)"}});
  if (time > 0.0) units.velocity = units.length / time;
  return units;
}

double gravity_of(const Hdf5File& file, const FileUnits& units) {
  const double stated = first_of(file, {{"/Header", "Gravitational_Constant_In_Code_Inits"},
                                        {"/PhysicalConstants/Internal", "newton_G"},
                                        {"/Parameters", "GravityConstantInternal"}});
  if (stated > 0.0) return stated;
  if (!units.all()) return 0.0;
  const double cgs = hdf5_number(file, "/PhysicalConstants/CGS", "newton_G", gadget_gravity);
  const double gravity = cgs * units.mass / (units.length * units.velocity * units.velocity);
  return std::isfinite(gravity) ? gravity : 0.0;
}

}  // namespace orrery::sim
