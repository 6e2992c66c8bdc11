#include "sim/snapshots/sky.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "sim/bodies/origin.h"
#include "sim/core/counted.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/scene/unit_systems.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/csv_layout.h"
#include "sim/snapshots/rounding.h"
#include "sim/snapshots/text_table.h"

namespace orrery::sim {

namespace {

enum class Sky { ra, dec, l, b, parallax, distance, modulus, pmra, pmdec, pml, pmb, radial, mass, id };
constexpr std::size_t sky_count = 14;

// ---- Names and units ----

constexpr double degree = std::numbers::pi / 180.0;

/// Names of a unit, and how many of the usual ones it is.
struct UnitFactor {
  std::string_view names;
  double factor;
};
constexpr std::array angles{UnitFactor{"deg,degree,degrees", degree}, UnitFactor{"rad,radian", 1.0},
                            UnitFactor{"hour,hourangle,h", 15.0 * degree}};
constexpr std::array parallaxes{UnitFactor{"mas,milliarcsecond,milliarcsec", 1.0}, UnitFactor{"arcsec", 1e3},
                                UnitFactor{"uas", 1e-3}};
constexpr std::array distances{UnitFactor{"kpc", 1.0}, UnitFactor{"pc,parsec", 1e-3}, UnitFactor{"mpc", 1e3},
                               UnitFactor{"lyr,ly", 3.0660139e-4}};
constexpr std::array motions{UnitFactor{"masyr,masyr1,masa,yr1mas,masyear", 1.0},
                             UnitFactor{"arcsecyr,arcsecyr1", 1e3}, UnitFactor{"uasyr", 1e-3}};
constexpr std::array speeds{UnitFactor{"kms,kms1,s1km", 1.0}, UnitFactor{"ms,ms1", 1e-3}};
constexpr std::array masses{UnitFactor{"msun,solmass,mo,solarmass,solarmasses,m", 1.0}};

/// Names of Gaia, SIMBAD, VizieR, SDSS and Astropy, as plain_column_name() gives them, and the known units,
/// of which the first is usual.
struct SkyNames {
  Sky quantity;
  std::string_view names;
  std::span<const UnitFactor> units = {};
};
constexpr std::array sky_names{
    SkyNames{Sky::ra, "ra,raicrs,raj2000,radeg,rightascension,alpha", angles},
    SkyNames{Sky::dec, "dec,deicrs,decicrs,dej2000,decj2000,decdeg,dedeg,declination,delta", angles},
    SkyNames{Sky::l, "l,glon,ldeg,gall,gallon,galacticlongitude", angles},
    SkyNames{Sky::b, "b,glat,bdeg,galb,gallat,galacticlatitude", angles},
    SkyNames{Sky::parallax, "parallax,parallaxmas,plx,plxvalue", parallaxes},
    SkyNames{Sky::distance,
             "distance,dist,d,rsun,heliocentricdistance,distancekpc,distkpc,dkpc,distancepc,distpc,dpc,"
             "distancempc,distmpc,dmpc,distancegspphot,rest,rmedgeo,rmedphotogeo,rgeo,rpgeo",
             distances},
    SkyNames{Sky::modulus, "distancemodulus,distmod"},
    SkyNames{Sky::pmra, "pmra,pmracosdec,pmrastar,muracosdec,muastar,mura", motions},
    SkyNames{Sky::pmdec, "pmdec,pmde,mudec,mudelta", motions},
    SkyNames{Sky::pml, "pml,pmll,pmlcosb,pmglon", motions},
    SkyNames{Sky::pmb, "pmb,pmbb,pmglat", motions},
    SkyNames{Sky::radial, "radialvelocity,rv,rvvalue,rvel,vrad,hrv,vlos,vhelio", speeds},
    SkyNames{Sky::mass, "m,mass,masses", masses},
    SkyNames{Sky::id, "sourceid,id"},
};

/// Distances of these columns are in parsecs without being said so (Bailer-Jones et al. 2018, 2021; Gaia
/// DR3).
constexpr std::string_view parsec_names = "distancegspphot,rest,rmedgeo,rmedphotogeo,rgeo,rpgeo";

std::optional<Sky> sky_quantity(std::string_view name) {
  const auto* const found = find_listed(sky_names, plain_column_name(name));
  return found == nullptr ? std::nullopt : std::optional(found->quantity);
}

bool contains(std::span<const std::string> names, Sky quantity) {
  return std::ranges::any_of(names, [&](const auto& name) { return sky_quantity(name) == quantity; });
}

/// A unit in brackets behind a name: "distance [pc]".
std::string_view unit_in_name(std::string_view name) {
  const auto begin = name.find_first_of("[(");
  if (begin == std::string_view::npos) return {};
  const auto end = name.find_first_of("])", begin);
  return name.substr(begin + 1, std::min(end, name.size()) - begin - 1);
}

std::string stated_unit(const NamedArray& column) {
  auto unit = plain_letters(column.unit.empty() ? unit_in_name(column.name) : std::string_view(column.unit));
  if (!unit.empty() || sky_quantity(column.name) != Sky::distance) return unit;
  const auto plain = plain_column_name(column.name);
  if (is_listed(parsec_names, plain)) return "pc";
  for (const auto* const end : {"kpc", "mpc", "pc"})
    if (plain.ends_with(end)) return end;
  return {};
}

// ---- Frames ----

struct Matrix {
  DVec3 x, y, z;  ///< rows
  DVec3 operator*(const DVec3& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
  DVec3 transposed_times(const DVec3& v) const { return x * v.x + y * v.y + z * v.z; }
};

/// From ICRS to Galactic coordinates.
constexpr Matrix galactic{{-0.0548755604162154, -0.8734370902348850, -0.4838350155487132},
                          {0.4941094278755837, -0.4448296299600112, 0.7469822444972189},
                          {-0.8676661490190047, -0.1980763734312015, 0.4559837761750669}};

constexpr double sun_distance = 8.122, sun_height = 0.0208;  // kpc
constexpr DVec3 sun_velocity{12.9, 245.6, 7.78};             // km/s
/// km/s of 1 mas/yr at 1 kpc: an AU in a Julian year.
constexpr double km_per_s = 4.740470463533349;

/// The plane contains the Galactic centre, and the Sun is above it: the frame is tilted by the angle between
/// both.
DVec3 tilted(const DVec3& v) {
  constexpr double sine = sun_height / sun_distance;
  const double cosine = std::sqrt(1.0 - sine * sine);
  return {cosine * v.x + sine * v.z, v.y, cosine * v.z - sine * v.x};
}

DVec3 direction(double longitude, double latitude) {
  return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
          std::sin(latitude)};
}

/// Motion across the line of sight `u` by proper motions along longitude and latitude, in mas/yr.
DVec3 across(const DVec3& u, double along_longitude, double along_latitude) {
  const double ring = std::hypot(u.x, u.y);
  const DVec3 east = ring > 0.0 ? DVec3{-u.y / ring, u.x / ring, 0.0} : DVec3{0.0, 1.0, 0.0};
  return east * along_longitude + cross(u, east) * along_latitude;
}

// ---- The table ----

class SkyTable {
 public:
  SkyTable(const FileView& file, std::span<const NamedArray> columns, const ReadOptions& options)
      : file_(file), options_(options), rounding_(options) {
    for (const auto& column : columns) take_column(column);
    require_directions();
    require_distances();
  }

  Scene read(const std::string& source) {
    const auto count = rows();
    scene_.bodies.origin = options_.origin;
    const Ticker ticker(options_.progress, count, 0.6F, 0.8F);
    for (std::size_t i = 0; i < count; ++i) {
      ticker.now_and_then(i);
      take_object(i);
    }
    if (scene_.bodies.empty())
      cannot_read(
          file_.path,
          fmt::format("none of its {} on the sky has a direction and a positive distance or parallax; "
                      "choose another table",
                      counted(count, "object", "objects")));
    state_units(scene_, unit_system_named("kpc"));
    scene_.source = source + ", directions and distances placed in the Galaxy";
    settle();
    return std::move(scene_);
  }

 private:
  struct Column {
    const NamedArray* array = nullptr;
    double factor = 1.0;
  };

  const FileView& file_;
  const ReadOptions& options_;
  Rounding rounding_;
  std::array<Column, sky_count> columns_{};
  std::vector<std::string> left_out_;
  Scene scene_;
  std::size_t without_direction_ = 0, without_distance_ = 0, without_motion_ = 0, without_mass_ = 0;
  bool bad_ids_ = false, assumed_kpc_ = false;

  const Column& column(Sky quantity) const { return columns_.at(static_cast<std::size_t>(quantity)); }
  bool has(Sky quantity) const { return column(quantity).array != nullptr; }
  bool is_equatorial() const { return has(Sky::ra) && has(Sky::dec); }
  double value(Sky quantity, std::size_t i) const {
    const auto& from = column(quantity);
    return from.array != nullptr ? from.array->number(i) * from.factor
                                 : std::numeric_limits<double>::quiet_NaN();
  }
  std::size_t rows() const { return column(is_equatorial() ? Sky::ra : Sky::l).array->tuples(); }

  void take_column(const NamedArray& array) {
    const auto quantity = sky_quantity(array.name);
    const bool usable = quantity && array.components == 1 && array.type != ArrayType::text;
    if (!usable || has(*quantity)) {
      left_out_.push_back(printable(array.name));
      return;
    }
    const auto unit = stated_unit(array);
    if (*quantity == Sky::distance) assumed_kpc_ = unit.empty();
    columns_.at(static_cast<std::size_t>(*quantity)) = {&array, factor_of(*quantity, unit, array.name)};
  }

  double factor_of(Sky quantity, const std::string& unit, std::string_view name) const {
    const auto known = std::ranges::find(sky_names, quantity, &SkyNames::quantity)->units;
    if (known.empty()) return 1.0;
    if (unit.empty()) return known.front().factor;
    if (const auto* const found = find_listed(known, unit)) return found->factor;
    cannot_read(file_.path,
                fmt::format("its column {} has the unit '{}', which is unknown there; convert it, or "
                            "write it without a unit: {}",
                            printable(name), printable(unit),
                            "degrees, mas, kpc, mas/yr, km/s and solar masses are usual"));
  }

  /// names_directions() knows names only; the columns themselves may be texts or vectors.
  void require_directions() const {
    if (is_equatorial() || (has(Sky::l) && has(Sky::b))) return;
    cannot_read(file_.path,
                "its directions on the sky are not columns of numbers (texts such as '05 35 17.3' are not "
                "read); convert them to degrees, for example with astropy or TOPCAT");
  }

  void require_distances() const {
    if (!has(Sky::parallax) && !has(Sky::distance) && !has(Sky::modulus))
      cannot_read(file_.path,
                  "it is a table of the sky without distances in numbers, so its objects have no place in "
                  "space; add a column parallax (mas) or distance (kpc)");
    const auto count = rows();
    for (const auto& each : columns_)
      if (each.array != nullptr && each.array->tuples() != count)
        cannot_read(file_.path, fmt::format("its column {} has {} rows, others have {}; write it again",
                                            printable(each.array->name), each.array->tuples(), count));
    require_one_distance();
  }

  /// Distances without a unit beside parallaxes that say something else are in another unit, or are another
  /// quantity.
  void require_one_distance() const {
    constexpr double least = 0.1, most = 10.0;
    if (!assumed_kpc_ || !has(Sky::parallax)) return;
    std::size_t good = 0, bad = 0;
    for (std::size_t i = 0; i < rows(); ++i) {
      const double ratio = value(Sky::distance, i) * value(Sky::parallax, i);
      if (!(ratio > 0.0)) continue;
      ++(ratio > least && ratio < most ? good : bad);
    }
    if (bad <= good) return;
    const auto name = printable(column(Sky::distance).array->name);
    cannot_read(file_.path,
                fmt::format("its column {} says other distances in kpc than the parallaxes; name it "
                            "{}_pc if it is in pc, or remove it",
                            name, name));
  }

  /// In Galactic coordinates, seen from the Sun.
  DVec3 direction_of(std::size_t i) const {
    const bool equatorial = is_equatorial();
    const double latitude = value(equatorial ? Sky::dec : Sky::b, i);
    const double longitude = value(equatorial ? Sky::ra : Sky::l, i);
    if (std::abs(latitude) > 90.0001 * degree) return {NAN, NAN, NAN};
    const auto u = direction(longitude, latitude);
    return equatorial ? galactic * u : u;
  }

  /// In kpc; 0 or less, or not a number: not usable.
  double distance_of(std::size_t i) const {
    const double stated = value(Sky::distance, i);
    if (std::isfinite(stated) && stated > 0.0) return stated;
    const double modulus = value(Sky::modulus, i);
    if (std::isfinite(modulus)) return std::pow(10.0, 0.2 * modulus - 2.0);
    return 1.0 / value(Sky::parallax, i);
  }

  bool has_motions() const {
    return (has(Sky::pmra) && has(Sky::pmdec)) || (has(Sky::pml) && has(Sky::pmb)) || has(Sky::radial);
  }

  double motion(Sky quantity, std::size_t i, bool& missing) const {
    const double v = value(quantity, i);
    missing = missing || !std::isfinite(v);
    return std::isfinite(v) ? v : 0.0;
  }

  /// Relative to the Sun, in Galactic coordinates.
  DVec3 velocity_of(std::size_t i, const DVec3& u, double distance) {
    bool missing = false;
    DVec3 mas_per_year{};
    if (has(Sky::pmra) && has(Sky::pmdec)) {
      const double ra = motion(Sky::pmra, i, missing), dec = motion(Sky::pmdec, i, missing);
      mas_per_year = galactic * across(galactic.transposed_times(u), ra, dec);
    } else {
      const double l = motion(Sky::pml, i, missing), b = motion(Sky::pmb, i, missing);
      mas_per_year = across(u, l, b);
    }
    const double radial = motion(Sky::radial, i, missing);
    if (missing) ++without_motion_;
    return mas_per_year * (km_per_s * distance) + u * radial;
  }

  void take_object(std::size_t i) {
    const auto u = direction_of(i);
    const double distance = distance_of(i);
    if (!is_finite(u)) return void(++without_direction_);
    if (!std::isfinite(distance) || distance <= 0.0) return void(++without_distance_);
    auto& bodies = scene_.bodies;
    const auto k = bodies.size();
    bodies.resize(k + 1);
    bodies.position[k] = rounding_.place(tilted(u * distance - DVec3{sun_distance, 0.0, 0.0}));
    bodies.velocity[k] =
        rounding_.velocity(has_motions() ? tilted(velocity_of(i, u, distance)) + sun_velocity : DVec3{});
    const double mass = has(Sky::mass) ? value(Sky::mass, i) : 1.0;
    if (std::isnan(mass)) ++without_mass_;
    bodies.mass[k] = rounding_.mass(std::isnan(mass) ? 0.0 : mass);
    bodies.component[k] = Component::star;
    const auto id = has(Sky::id) ? column(Sky::id).array->whole(i) : std::nullopt;
    bodies.id[k] = id.value_or(0);
    bad_ids_ = bad_ids_ || !id;
  }

  void settle() {
    auto& notes = scene_.notes;
    const auto note_count = [&](std::size_t count, std::string_view one, std::string_view several) {
      if (count > 0) notes.push_back(counted(count, one, several));
    };
    settle_ids(scene_, has(Sky::id), !bad_ids_);
    notes.push_back(
        fmt::format("placed about the Galactic centre: the Sun is at ({:.6g}, 0, {:g}) kpc and moves with "
                    "({:g}, {:g}, {:g}) km/s (Astropy's Galactocentric, v4.0)",
                    -std::sqrt(sun_distance * sun_distance - sun_height * sun_height), sun_height,
                    sun_velocity.x, sun_velocity.y, sun_velocity.z));
    note_count(without_distance_, "object without a usable distance is left out",
               "objects without a usable distance are left out");
    note_count(without_direction_, "object without a direction is left out",
               "objects without a direction are left out");
    note_left_out();
    if (assumed_kpc_)
      notes.emplace_back(
          "distances without a unit were taken as kpc; name the column distance_pc if they are pc");
    if (!has_motions()) assume_no_velocities(scene_);
    constexpr std::string_view lacking =
        " proper motion or radial velocity: what is missing counts as 0, relative to the Sun";
    note_count(without_motion_, fmt::format("object lacks a{}", lacking),
               fmt::format("objects lack a{}", lacking));
    if (!has(Sky::mass)) notes.emplace_back("the table has no masses: every object has 1 solar mass");
    note_count(without_mass_, "object has no mass: it counts as 0", "objects have no mass: it counts as 0");
  }

  void note_left_out() {
    if (left_out_.empty()) return;
    constexpr std::size_t most = 8;
    const bool more = left_out_.size() > most;
    left_out_.resize(std::min(most, left_out_.size()));
    scene_.notes.push_back(
        fmt::format("left out: {}{}", fmt::join(left_out_, ", "), more ? ", and more" : ""));
  }
};

}  // namespace

bool names_directions(std::span<const std::string> names) {
  return (contains(names, Sky::ra) && contains(names, Sky::dec)) ||
         (contains(names, Sky::l) && contains(names, Sky::b));
}

bool is_sky_quantity(std::string_view name) { return sky_quantity(name).has_value(); }

Scene sky_scene(const FileView& file, std::span<const NamedArray> columns, const ReadOptions& options,
                const std::string& source) {
  return SkyTable(file, columns, options).read(source);
}

}  // namespace orrery::sim
