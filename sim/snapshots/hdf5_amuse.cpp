#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "sim/core/counted.h"
#include "sim/core/message.h"
#include "sim/snapshots/amuse_units.h"
#include "sim/snapshots/hdf5_snapshot.h"
#include "sim/snapshots/rounding.h"

// AMUSE's HDF5, versions 1 and 2 (amuse/io/store_v1.py, store_v2.py). The class of a set is kept in it as a
// pickled Python object, which is never looked at.

namespace orrery::sim {

namespace {

constexpr int deepest = 4;
constexpr std::size_t most_sets = 100'000;

/// A set; one without particles may lack all attributes.
bool is_set(const Hdf5File& file, const std::string& path) {
  const auto count = file.numbers(path, "number_of_particles");
  return !count.empty() && (count.front() == 0.0 || file.dataset(path + "/attributes/x"));
}

bool is_empty(const Hdf5File& file, const std::string& path) {
  const auto shape = file.dataset(path + "/attributes/x");
  return !shape || (!shape->elsewhere && (shape->extent.empty() || shape->extent.front() == 0));
}

void find_sets(const Hdf5File& file, const std::string& path, int depth, std::vector<std::string>& found) {
  if (is_set(file, path)) {
    found.push_back(path);
    return;
  }
  if (depth == deepest) return;
  for (const auto& name : file.children(path.empty() ? "/" : path)) {
    if (found.size() < most_sets) find_sets(file, fmt::format("{}/{}", path, name), depth + 1, found);
  }
}

/// True for a neighbour of `first` where both names are numbers.
bool is_next_state(const std::string& path, const std::string& first) {
  const auto folder = first.rfind('/');
  const auto is_number = [&](const std::string& text) {
    return text.size() > folder + 1 && text.find_first_not_of("0123456789", folder + 1) == std::string::npos;
  };
  return path.starts_with(first.substr(0, folder + 1)) && is_number(path) && is_number(first);
}

/// Numbers of one attribute of all particles, in the units that were chosen for the scene.
class AmuseSet {
 public:
  AmuseSet(const Hdf5Reader& reader, std::string set) : reader_(reader), set_(std::move(set)) {}
  Hdf5Facts read();
  /// In those of another set of the file: lengths of a series must not change.
  void use_units(const UnitChoice& units) { chosen_ = units; }
  /// Those in which this set would be read.
  UnitChoice own_units();

 private:
  const Hdf5Reader& reader_;
  std::string set_;
  std::optional<UnitChoice> chosen_;
  Rounding rounding_{reader_.options};
  std::size_t count_ = 0;
  Hdf5Facts facts_;
  UnitChoice units_;

  std::string path_of(const std::string& name) const { return set_ + "/attributes/" + name; }
  bool has(const std::string& name) const { return reader_.file.dataset(path_of(name)).has_value(); }
  AmuseUnit unit_of(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;
  double reach() const;
  void read_vectors(const std::array<const char*, 3>& names, std::span<Vec3> out,
                    const DVec3& origin = {}) const;
  void count_bodies();
  void read_bodies();
  void read_time();
  void note_left_out();
};

AmuseUnit AmuseSet::unit_of(const std::string& name) const {
  const auto text = reader_.file.text(path_of(name), "units");
  const auto unit = parse_amuse_unit(text);
  if (!unit)
    refuse_dataset(reader_.view, path_of(name),
                   fmt::format("has a unit that is not understood ({})", printable(text, 40)));
  return *unit;
}

std::vector<double> AmuseSet::numbers(const std::string& name) const {
  const auto path = path_of(name);
  const auto shape = reader_.file.dataset(path);
  if (shape) require_plausible(reader_.view, path, *shape);
  if (!shape || shape->extent.size() != 1 || shape->kind == Hdf5Shape::Kind::other ||
      shape->extent[0] != count_)
    refuse_dataset(reader_.view, path, "does not fit the number of particles");
  std::vector<double> values(count_);
  if (!reader_.file.read(path, 0, values)) refuse_dataset(reader_.view, path, "cannot be unpacked");
  return values;
}

/// Half of the particles lie within about this distance from the middle ones, in the file's lengths.
double AmuseSet::reach() const {
  auto x = numbers("x");
  const auto quarter = (x.size() - 1) / 4;
  const auto at = [&](std::size_t k) {
    const auto place = x.begin() + static_cast<std::ptrdiff_t>(k);
    std::ranges::nth_element(x, place);
    return *place;
  };
  const double low = at(quarter), high = at(x.size() - 1 - quarter);
  return std::abs(high - low);
}

void AmuseSet::read_vectors(const std::array<const char*, 3>& names, std::span<Vec3> out,
                            const DVec3& origin) const {
  for (std::size_t k = 0; k < 3; ++k) {
    const auto values = numbers(names.at(k));
    const double factor = units_.factor(unit_of(names.at(k)));
    for (std::size_t i = 0; i < out.size(); ++i) {
      float& number = k == 0 ? out[i].x : k == 1 ? out[i].y : out[i].z;
      number = rounding_.coordinate(values[i] * factor, k == 0 ? origin.x : k == 1 ? origin.y : origin.z);
    }
  }
}

void AmuseSet::read_bodies() {
  auto& bodies = facts_.scene.bodies;
  bodies.resize(count_);
  bodies.origin = reader_.options.origin;
  read_vectors({"x", "y", "z"}, bodies.position, bodies.origin);
  reader_.tell(0.3);
  facts_.scene.has_velocities = has("vx") && has("vy") && has("vz");
  if (facts_.scene.has_velocities) read_vectors({"vx", "vy", "vz"}, bodies.velocity);
  reader_.tell(0.6);
  facts_.has_masses = has("mass");
  if (facts_.has_masses) {
    const auto masses = numbers("mass");
    const double factor = units_.factor(unit_of("mass"));
    std::ranges::transform(masses, bodies.mass.begin(), [&](double m) { return rounding_.mass(m * factor); });
  }
  const auto keys = reader_.file.dataset(set_ + "/keys");
  if (keys) require_plausible(reader_.view, set_ + "/keys", *keys);
  facts_.has_ids = keys && keys->extent.size() == 1 && keys->extent[0] == count_ &&
                   reader_.file.read(set_ + "/keys", 0, bodies.id);
}

void AmuseSet::note_left_out() {
  constexpr std::array<std::string_view, 7> used{"x", "y", "z", "vx", "vy", "vz", "mass"};
  for (const auto& name : reader_.file.children(set_ + "/attributes"))
    if (std::ranges::find(used, name) == used.end()) facts_.left_out.insert(printable(name, 40));
}

void AmuseSet::count_bodies() {
  if (!has("x")) cannot_read(reader_.view.path, "its AMUSE particles are none; choose another file");
  const auto shape = *reader_.file.dataset(path_of("x"));
  require_plausible(reader_.view, path_of("x"), shape);
  count_ = shape.extent.empty() ? 0 : static_cast<std::size_t>(shape.extent[0]);
  if (count_ == 0) cannot_read(reader_.view.path, "its AMUSE particles are none; choose another file");
}

UnitChoice AmuseSet::own_units() {
  count_bodies();
  const auto length = unit_of("x");
  return choose_units(length, reach() * length.factor);
}

/// Where it is said (savepoint(time) of AMUSE).
void AmuseSet::read_time() {
  const auto stated = reader_.file.numbers(set_, "timestamp");
  const auto unit = parse_amuse_unit(reader_.file.text(set_, "timestamp_unit"));
  if (stated.empty() || !unit) return;
  const double time = stated[0] * units_.factor(*unit);
  if (std::isfinite(time)) facts_.scene.time = time;
}

Hdf5Facts AmuseSet::read() {
  count_bodies();
  units_ = chosen_ ? *chosen_ : own_units();
  read_bodies();
  read_time();
  note_left_out();
  auto& scene = facts_.scene;
  scene.source = fmt::format("HDF5, AMUSE, {}", units_.source);
  scene.physics.gravitational_constant = units_.gravity;
  scene.states_gravity = units_.gravity > 0.0;
  if (units_.is_physical) scene.units = {units_.length, units_.time, units_.mass};
  if (!units_.note.empty()) scene.notes.push_back(units_.note);
  return std::move(facts_);
}

}  // namespace

AmuseSets amuse_sets(const Hdf5File& file, std::string_view named) {
  AmuseSets sets;
  find_sets(file, "", 0, sets.all);
  const auto is_without = [&](const std::string& path) { return is_empty(file, path); };
  if (!std::ranges::all_of(sets.all, is_without)) std::erase_if(sets.all, is_without);
  const auto first =
      std::ranges::find_if(sets.all, [&](const std::string& path) { return is_named(path, named); });
  if (first == sets.all.end()) return sets;
  // One that is named by its whole path stands alone.
  const bool alone = !named.empty() && first->ends_with(named) && is_next_state(*first, *first);
  std::ranges::copy_if(sets.all, std::back_inserter(sets.states), [&](const std::string& path) {
    return path == *first || (!alone && is_next_state(path, *first));
  });
  return sets;
}

Hdf5Facts read_amuse_hdf5(const Hdf5Reader& reader, const AmuseSets& sets) {
  const auto& states = sets.states;
  if (states.empty()) refuse_group(reader.view, reader.options.group, sets.all);
  const auto wanted = reader.options.snapshot;
  if (wanted >= states.size())
    cannot_read(reader.view.path,
                fmt::format("it has {} only", counted(states.size(), "snapshot", "snapshots")));
  AmuseSet set(reader, states[wanted]);
  if (wanted > 0) set.use_units(AmuseSet(reader, states.front()).own_units());
  auto facts = set.read();
  auto& scene = facts.scene;
  scene.snapshots = states.size();
  if (wanted > 0 && scene.time == 0.0) scene.time = static_cast<double>(wanted);
  if (sets.all.size() > states.size())
    scene.notes.push_back(
        fmt::format("the file holds {} sets of particles ({}): {} is shown; --set group=NAME "
                    "chooses another",
                    sets.all.size(), some_of(sets.all, 6), printable(states[wanted], 60)));
  return facts;
}

}  // namespace orrery::sim
