#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "sim/core/counted.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/percentile.h"
#include "sim/snapshots/body_arrays.h"
#include "sim/snapshots/hdf5_snapshot.h"
#include "sim/snapshots/stated_units.h"
#include "sim/snapshots/text_table.h"

// AMUSE's HDF5, versions 1 and 2 (amuse/io/store_v1.py, store_v2.py). The class of a set is kept in it as a
// pickled Python object, which is never looked at.

namespace orrery::sim {

namespace {

/// The units that a scene gets, in those of the file's system.
struct UnitChoice {
  double length = 1.0, mass = 1.0, time = 1.0;
  double gravity = 0.0;      ///< G in them; 0: unknown
  bool is_physical = false;  ///< units are these numbers of metres, kilograms and seconds
  std::string source;        ///< a few words
  std::string note;          ///< a line for people; empty: nothing was changed

  /// The factor for numbers in `unit`.
  double factor(const AmuseUnit& unit) const {
    return unit.factor / (std::pow(length, unit.powers[0]) * std::pow(mass, unit.powers[1]) *
                          std::pow(time, unit.powers[2]));
  }
};

struct System {
  double below;  ///< meters
  double length, mass, time;
  const char* name;
};

/// SI numbers become AU, years and solar masses, or pc or kpc, km/s and (10^10) solar masses, by the `reach`
/// of the bodies in meters: in kilograms and meters single precision overflows. Others stay as they are.
UnitChoice choose_units(const AmuseUnit& length, double reach) {
  if (length.system == "generic" || length.system == "nbody")
    return {.gravity = 1.0, .source = "N-body units", .note = "units of the file: N-body units, G = 1"};
  if (length.system != "S.I.") return {.source = "without units"};
  constexpr double gravity = 6.6743e-11;  // CODATA 2018
  constexpr double pc = 3.0856775814913673e16, sun = 1.98841e30, au = 149597870700.0;
  constexpr double year = 365.25 * 86400.0;
  constexpr std::array systems{
      System{1e15, au, sun, year, "AU, years and solar masses"},
      System{1e19, pc, sun, pc / 1e3, "pc, km/s and solar masses"},
      System{HUGE_VAL, 1e3 * pc, 1e10 * sun, pc, "kpc, km/s and 10^10 solar masses"},
  };
  const auto& chosen = reach < systems[0].below   ? systems[0]
                       : reach < systems[1].below ? systems[1]
                                                  : systems[2];
  return {.length = chosen.length,
          .mass = chosen.mass,
          .time = chosen.time,
          .gravity = gravity * chosen.mass * chosen.time * chosen.time /
                     (chosen.length * chosen.length * chosen.length),
          .is_physical = true,
          .source = "SI units",
          .note = fmt::format("the file's SI units were changed to {}", chosen.name)};
}

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

  /// In those units: lengths of a series must not change.
  Scene read(const UnitChoice& units) {
    count_bodies();
    units_ = units;
    auto scene = scene_of_arrays(reader_.view, arrays(), reader_.options,
                                 fmt::format("HDF5, AMUSE, {}", units_.source));
    read_time(scene);
    scene.physics.gravitational_constant = units_.gravity;
    scene.states_gravity = units_.gravity > 0.0;
    if (units_.is_physical) scene.units = {units_.length, units_.time, units_.mass};
    if (!units_.note.empty()) scene.notes.push_back(units_.note);
    return scene;
  }

  /// The units in which this set would be read alone.
  UnitChoice own_units() {
    count_bodies();
    const auto length = unit_of("x");
    return choose_units(length, reach() * length.factor);
  }

 private:
  const Hdf5Reader& reader_;
  std::string set_;
  std::size_t count_ = 0;
  UnitChoice units_;

  std::string path_of(const std::string& name) const { return set_ + "/attributes/" + name; }

  AmuseUnit unit_of(const std::string& name) const {
    const auto text = reader_.file.text(path_of(name), "units");
    const auto unit = parse_amuse_unit(text);
    if (!unit)
      refuse_dataset(reader_.view, path_of(name),
                     fmt::format("has a unit that is not understood ({})", printable(text, 40)));
    return *unit;
  }

  std::vector<double> numbers(const std::string& name) const {
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
  double reach() const {
    auto x = numbers("x");
    const auto quarter = (x.size() - 1) / 4;
    const double low = nth_smallest(x, quarter), high = nth_smallest(x, x.size() - 1 - quarter);
    return std::abs(high - low);
  }

  /// The attributes that bodies have, in the units of the scene; of the others the names.
  std::vector<NamedArray> arrays() const {
    std::vector<NamedArray> arrays;
    for (const auto& name : reader_.file.children(set_ + "/attributes")) {
      if (!is_listed("x,y,z,vx,vy,vz,mass", name)) {
        arrays.push_back({.name = name, .type = ArrayType::text});
        continue;
      }
      const auto values = numbers(name);
      const double factor = units_.factor(unit_of(name));
      arrays.push_back(array_of_numbers(name, count_, [&](std::size_t i) { return values[i] * factor; }));
      reader_.tell(0.1 * static_cast<double>(std::min<std::size_t>(arrays.size(), 7)));
    }
    const auto keys = reader_.file.dataset(set_ + "/keys");
    if (keys) require_plausible(reader_.view, set_ + "/keys", *keys);
    NamedArray ids{.name = "id", .type = ArrayType::u64};
    ids.bytes.resize(count_ * sizeof(std::uint64_t));
    if (keys && keys->extent.size() == 1 && keys->extent[0] == count_ &&
        reader_.file.read(set_ + "/keys", 0, ids.type, count_, ids.bytes.data()))
      arrays.push_back(std::move(ids));
    return arrays;
  }

  void count_bodies() {
    const auto shape = reader_.file.dataset(path_of("x"));
    if (shape) require_plausible(reader_.view, path_of("x"), *shape);
    count_ = !shape || shape->extent.empty() ? 0 : static_cast<std::size_t>(shape->extent[0]);
    if (count_ == 0) cannot_read(reader_.view.path, "its AMUSE particles are none; choose another file");
  }

  /// Where it is said (savepoint(time) of AMUSE).
  void read_time(Scene& scene) const {
    const auto stated = reader_.file.numbers(set_, "timestamp");
    const auto unit = parse_amuse_unit(reader_.file.text(set_, "timestamp_unit"));
    if (stated.empty() || !unit) return;
    const double time = stated[0] * units_.factor(*unit);
    if (std::isfinite(time)) scene.time = time;
  }
};

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

Scene read_amuse_hdf5(const Hdf5Reader& reader, const AmuseSets& sets) {
  const auto& states = sets.states;
  if (states.empty()) refuse_group(reader.view, reader.options.group, sets.all);
  const auto wanted = reader.options.snapshot;
  if (wanted >= states.size())
    cannot_read(reader.view.path,
                fmt::format("it has {} only", counted(states.size(), "snapshot", "snapshots")));
  auto scene = AmuseSet(reader, states[wanted]).read(AmuseSet(reader, states.front()).own_units());
  scene.snapshots = states.size();
  if (wanted > 0 && scene.time == 0.0) scene.time = static_cast<double>(wanted);
  if (sets.all.size() > states.size())
    scene.notes.push_back(
        fmt::format("the file holds {} sets of particles ({}): {} is shown; --set group=NAME "
                    "chooses another",
                    sets.all.size(), some_of(sets.all, 6), printable(states[wanted], 60)));
  return scene;
}

}  // namespace orrery::sim
