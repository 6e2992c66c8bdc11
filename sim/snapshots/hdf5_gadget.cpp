#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/bodies/origin.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/vec3.h"
#include "sim/scene/periodic_box.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/hdf5_library.h"
#include "sim/snapshots/hdf5_snapshot.h"
#include "sim/snapshots/stated_units.h"
#include "sim/snapshots/text_table.h"

// HDF5 as Gadget-2 to -4, AREPO, GIZMO, EAGLE and SWIFT write it. docs/formats.md has the rules.

namespace orrery::sim {

namespace {

/// The header of a file of Gadget's relatives.
struct Hdf5Header {
  std::string_view code;            ///< program that wrote the file, for people
  bool is_swift = false;            ///< velocities are peculiar, nothing is divided by h
  std::size_t files = 1;            ///< number of files of the snapshot
  double time = 0.0;                ///< time, if the simulation does not expand
  bool expands = false;             ///< lengths are comoving
  double scale = 1.0;               ///< scale factor a
  double hubble = 1.0;              ///< H0 / (100 km/s/Mpc) where units are divided by it
  DVec3 box{};                      ///< size of the periodic box in the file's lengths; 0: none
  std::array<double, 10> masses{};  ///< mass of every body of a type; 0: each body has its own
};

/// G in cgs as in Gadget-2's allvars.h: with kpc, km/s and 10^10 solar masses it is the usual 43007.1.
constexpr double gadget_gravity = 6.672e-8;

/// The first number of an attribute; `otherwise` if there is none or it is not finite.
double hdf5_number(const Hdf5File& file, const std::string& path, const std::string& name, double otherwise) {
  const auto values = file.numbers(path, name);
  return values.empty() || !std::isfinite(values[0]) ? otherwise : values[0];
}

struct Place {
  std::string path, name;
};
/// The first of several attributes that is there and above 0; 0 if none is.
double first_of(const Hdf5File& file, const std::vector<Place>& places) {
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

/// The exponent of the scale factor with which a dataset becomes physical, if it is stated.
double scale_exponent(const Hdf5File& file, const std::string& path, double otherwise) {
  for (const char* const name : {"a-scale exponent", "aexp-scale-exponent", "a_scaling"}) {
    const auto stated = file.numbers(path, name);
    if (!stated.empty() && std::abs(stated[0]) <= 4.0) return stated[0];
  }
  return otherwise;
}

/// Reads the attributes of the groups Header, Cosmology and Parameters, of any width and number.
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

/// The cgs of a unit such as UnitLength, as Header, Units (SWIFT, EAGLE), Parameters (GADGET-4, AREPO), or
/// one of the datasets state it. SWIFT has a name of its own for it.
double unit_of(const Hdf5File& file, const std::string& swift, const std::string& name,
               const std::string& cgs, const std::vector<std::string>& datasets) {
  std::vector<Place> places{{"/Units", swift},
                            {"/Header", name + cgs},
                            {"/Header", name + "_In_CGS"},
                            {"/Units", name + cgs},
                            {"/Parameters", name + cgs}};
  for (const auto& dataset : datasets)
    for (const char* const attribute : {"to_cgs", "CGSConversionFactor"})
      places.push_back({dataset, attribute});
  return first_of(file, places);
}

FileUnits units_of(const Hdf5File& file, const std::string& group) {
  FileUnits units;
  units.length = unit_of(file, "Unit length in cgs (U_L)", "UnitLength", "_in_cm", {group + "/Coordinates"});
  units.mass =
      unit_of(file, "Unit mass in cgs (U_M)", "UnitMass", "_in_g", {group + "/Masses", group + "/Mass"});
  units.velocity = unit_of(file, "Unit velocity in cgs", "UnitVelocity", "_in_cm_per_s",
                           {group + "/Velocities", group + "/Velocity"});
  const double time = first_of(file, {{"/Units", "Unit time in cgs (U_t)"}});
  if (time > 0.0) units.velocity = units.length / time;
  return units;
}

/// G in these units: as stated, else from the units with Gadget's own constant. 0 if neither is there.
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

constexpr std::size_t most_types = 10;

constexpr std::string_view velocity_names = "Velocities,Velocity", mass_names = "Masses,Mass,DynamicalMasses";

std::string group_of(std::size_t type) { return fmt::format("/PartType{}", type); }

// ---- Files and their groups ----

/// The bodies of one type in one file.
struct Group {
  std::size_t type = 0;
  std::string path;
  std::size_t rows = 0;
  bool wide = false;
};

/// Types without coordinates (tracers of gas) have no bodies.
std::vector<Group> groups_of(const FileView& view, const Hdf5File& file) {
  std::vector<Group> found;
  for (std::size_t type = 0; type < most_types; ++type) {
    const auto path = group_of(type) + "/Coordinates";
    const auto shape = file.dataset(path);
    if (!shape) continue;
    if (shape->elsewhere) require_plausible(view, path, *shape);
    if (shape->extent.size() != 2 || shape->extent[1] != 3 || shape->kind == Hdf5Shape::Kind::other)
      refuse_dataset(view, path, "is no table of three numbers a row");
    if (shape->extent[0] == 0) continue;
    require_plausible(view, path, *shape);
    found.push_back({type, group_of(type), static_cast<std::size_t>(shape->extent[0]), shape->width > 4});
  }
  return found;
}

/// One file of a snapshot.
struct Part {
  FileView view;
  std::unique_ptr<MappedFile> mapped;  ///< null for the file that was named
  std::unique_ptr<Hdf5File> opened;    ///< likewise
  const Hdf5File* file = nullptr;
  std::vector<Group> groups;
};

// ---- Arrays ----

/// The transformation of stored numbers: (x - middle) scale - origin.
struct Change {
  DVec3 middle{};
  double scale = 1.0;
  DVec3 origin{};
  bool none() const { return middle == DVec3{} && scale == 1.0 && origin == DVec3{}; }
};

std::span<float> numbers_of(std::span<Vec3> vectors) {
  static_assert(sizeof(Vec3) == 3 * sizeof(float));
  return {&vectors.data()->x, 3 * vectors.size()};
}

/// Reads all rows in double precision, piece by piece, and changes them before they are rounded.
bool read_changed(const Hdf5File& file, const std::string& path, const Change& change, std::span<Vec3> out) {
  constexpr std::size_t piece = std::size_t{1} << 16;
  std::vector<double> numbers(3 * std::min(piece, out.size()));
  for (std::size_t at = 0; at < out.size(); at += piece) {
    const auto rows = std::min(piece, out.size() - at);
    if (!file.read(path, at, std::span(numbers).first(3 * rows))) return false;
    for (std::size_t k = 0; k < rows; ++k) {
      const double* const p = &numbers[3 * k];
      out[at + k] = counted_from(change.origin, change.scale * (DVec3{p[0], p[1], p[2]} - change.middle));
    }
  }
  return true;
}

void read_vectors(const Part& part, const std::string& path, const Change& change, std::span<Vec3> out) {
  const bool good =
      change.none() ? part.file->read(path, 0, numbers_of(out)) : read_changed(*part.file, path, change, out);
  if (!good) refuse_dataset(part.view, path, "cannot be unpacked");
}

/// The dataset of a group with one of these names; throws Error if it does not fit the group's bodies.
std::optional<std::string> find_dataset(const Part& part, const Group& group, std::string_view names,
                                        std::size_t columns) {
  for (const auto name : split_text(names, ',')) {
    auto path = fmt::format("{}/{}", group.path, name);
    const auto shape = part.file->dataset(path);
    if (!shape) continue;
    const bool fits = !shape->extent.empty() && shape->extent[0] == group.rows &&
                      shape->extent.size() == (columns > 1 ? 2U : 1U) &&
                      (columns == 1 || shape->extent[1] == columns);
    if (!fits || shape->kind == Hdf5Shape::Kind::other)
      refuse_dataset(part.view, path, "does not fit the coordinates");
    require_plausible(part.view, path, *shape);
    return path;
  }
  return std::nullopt;
}

// ---- The snapshot ----

class GadgetHdf5 {
 public:
  explicit GadgetHdf5(const Hdf5Reader& reader) : reader_(reader), header_(header_of(reader.file)) {}

  Scene read() {
    find_parts();
    std::size_t count = 0;
    for (const auto& part : parts_) {
      for (const auto& group : part.groups) count += group.rows;
      for (std::size_t type = 0; type < most_types; ++type) note_left_out(part, type);
    }
    if (count == 0) return std::move(scene_);
    find_middle();
    if (all_wide()) scene_.bodies.origin = reader_.options.origin;
    scene_.bodies.resize(count);
    std::size_t first = 0;
    for (const auto& part : parts_) {
      for (const auto& group : part.groups) {
        reader_.tell(0.8 * static_cast<double>(first) / static_cast<double>(count));
        read_group(part, group, first);
        first += group.rows;
      }
    }
    state_units();
    describe();
    settle();
    return std::move(scene_);
  }

 private:
  const Hdf5Reader& reader_;
  Hdf5Header header_;
  Scene scene_;
  bool has_masses_ = true, has_ids_ = true;
  std::set<std::string> left_out_;  ///< datasets that no body of ours has
  std::vector<Part> parts_;
  DVec3 middle_{};

  void find_parts() {
    for (const auto& path : files_of_snapshot(reader_.view.path, header_.files, scene_.notes)) {
      Part part{.view = reader_.view, .file = &reader_.file};
      if (path != reader_.view.path) open_other(path, part);
      part.groups = groups_of(part.view, *part.file);
      parts_.push_back(std::move(part));
    }
  }
  void open_other(const std::filesystem::path& path, Part& part) const {
    part.mapped = std::make_unique<MappedFile>(path);
    part.view = part.mapped->view();
    part.opened = reader_.library.open(part.view.bytes);
    if (part.opened == nullptr)
      cannot_read(path, "it is no whole HDF5 file, cut off or damaged; copy it again");
    part.file = part.opened.get();
  }

  void find_middle() {
    if (header_.box == DVec3{}) return;
    DVec3 extent{};
    for (const auto& part : parts_) {
      for (const auto& group : part.groups)
        if (!begins_in_box(part, group, extent)) return;
    }
    // In a plane all of one coordinate are 0.
    const auto half = [](double side, double reach) { return reach > 0.0 ? 0.5 * side : 0.0; };
    middle_ = {half(header_.box.x, extent.x), half(header_.box.y, extent.y), half(header_.box.z, extent.z)};
    const auto& first = *std::ranges::find_if(parts_, [](const Part& p) { return !p.groups.empty(); });
    scene_.box = header_.box * physical(first, first.groups.front().path + "/Coordinates");
    scene_.notes.push_back(fmt::format(
        "coordinates from 0 to the size of the box, {:.6g}: the origin is now its middle; the box is "
        "not periodic here",
        header_.box.x));
  }

  /// Places in single precision come back bit for bit when they count from 0.
  bool all_wide() const {
    return std::ranges::all_of(
        parts_, [](const Part& part) { return std::ranges::all_of(part.groups, &Group::wide); });
  }

  /// Looks at the first bodies of a group; widens `extent`.
  bool begins_in_box(const Part& part, const Group& group, DVec3& extent) const {
    std::vector<double> numbers(3 * std::min<std::size_t>(group.rows, std::size_t{1} << 14));
    if (!part.file->read(group.path + "/Coordinates", 0, numbers)) return false;
    if (!lies_in_box(numbers, header_.box)) return false;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      double& reach = k % 3 == 0 ? extent.x : k % 3 == 1 ? extent.y : extent.z;
      reach = std::max(reach, std::abs(numbers[k]));
    }
    return true;
  }

  void read_group(const Part& part, const Group& group, std::size_t first) {
    auto& bodies = scene_.bodies;
    const auto share = [&](auto& all) { return std::span(all).subspan(first, group.rows); };
    const auto place = group.path + "/Coordinates";
    read_vectors(part, place, {middle_, physical(part, place), bodies.origin}, share(bodies.position));
    if (const auto path = find_dataset(part, group, velocity_names, 3)) {
      const double exponent = scale_exponent(*part.file, *path, header_.is_swift ? 0.0 : 0.5);
      const double factor = header_.expands ? std::pow(header_.scale, exponent) : 1.0;
      read_vectors(part, *path, {{}, factor}, share(bodies.velocity));
    } else {
      scene_.has_velocities = false;
    }
    read_masses(part, group, share(bodies.mass));
    const auto ids = find_dataset(part, group, "ParticleIDs", 1);
    has_ids_ = ids && part.file->read(*ids, 0, share(bodies.id)) && has_ids_;
    std::ranges::fill(share(bodies.component), component_of(group.type));
  }

  /// The transformation of stored coordinates into physical ones.
  double physical(const Part& part, const std::string& place) const {
    return header_.expands ? std::pow(header_.scale, scale_exponent(*part.file, place, 1.0)) : 1.0;
  }

  void read_masses(const Part& part, const Group& group, std::span<float> mass) {
    const auto path = find_dataset(part, group, mass_names, 1);
    const double of_all = header_.masses.at(group.type);
    if (path) {
      if (!part.file->read(*path, 0, mass)) refuse_dataset(part.view, *path, "cannot be unpacked");
    } else if (of_all > 0.0) {
      std::ranges::fill(mass, static_cast<float>(of_all));
    } else {
      has_masses_ = false;
    }
  }

  void note_left_out(const Part& part, std::size_t type) {
    for (const auto& child : part.file->children(group_of(type))) {
      if (!is_listed("Coordinates,ParticleIDs", child) && !is_listed(velocity_names, child) &&
          !is_listed(mass_names, child))
        left_out_.insert(printable(child, 40));
    }
  }

  Component component_of(std::size_t type) const {
    // Low-resolution dark matter of cosmological runs. SWIFT has sinks as type 3.
    const bool dark = header_.is_swift || header_.expands;
    if (type == 2 && dark) return Component::halo;
    if (type == 3 && dark) return header_.is_swift ? Component::other : Component::halo;
    return type < component_count ? static_cast<Component>(type) : Component::other;
  }

  void state_units() {
    const auto& part = *std::ranges::find_if(parts_, [](const Part& p) { return !p.groups.empty(); });
    const auto units = units_of(*part.file, part.groups.front().path);
    const double gravity = gravity_of(*part.file, units);
    if (units.all()) {
      scene_.notes.push_back(fmt::format("units of the file: {}", unit_names(units, header_.hubble != 1.0)));
      // Of cgs, and of what is divided by h.
      const double length = units.length / (100.0 * header_.hubble);
      scene_.units = {length, 100.0 * length / units.velocity, units.mass / (1000.0 * header_.hubble)};
    }
    if (gravity <= 0.0) return;
    scene_.physics.gravitational_constant = gravity;
    scene_.states_gravity = true;
  }

  void describe() {
    const bool wide = std::ranges::any_of(
        parts_, [](const Part& part) { return std::ranges::any_of(part.groups, &Group::wide); });
    scene_.source = fmt::format("HDF5, {}, {} precision{}", header_.code, wide ? "double" : "single",
                                parts_.size() > 1 ? fmt::format(", {} files", parts_.size()) : "");
    if (!header_.expands) {
      scene_.time = header_.time;
      return;
    }
    scene_.notes.push_back(
        fmt::format("cosmological, at scale factor {:.4g}: positions and velocities are physical, multiplied "
                    "by its powers; the expansion is left out",
                    header_.scale));
  }

  void settle() {
    if (!scene_.has_velocities) assume_no_velocities(scene_);
    settle_masses(scene_, has_masses_);
    settle_ids(scene_, has_ids_, true);
    if (!left_out_.empty())
      scene_.notes.push_back(fmt::format("left out: {}", some_of({left_out_.begin(), left_out_.end()}, 12)));
  }
};

}  // namespace

bool is_gadget_hdf5(const Hdf5File& file) {
  return std::ranges::any_of(file.children("/"), [](const std::string& name) {
    return name.starts_with("PartType") || name == "Header";
  });
}

Scene read_gadget_hdf5(const Hdf5Reader& reader) { return GadgetHdf5(reader).read(); }

}  // namespace orrery::sim
