#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/bodies/origin.h"
#include "sim/core/byte_order.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/foreign.h"
#include "snapshot_formats.h"

// Tipsy binary, as in N-BodyShop/tipsy code/defs.h, with the dialects of Bonsai (runtime/include/tipsydefs.h)
// and of pkdgrav3's long counts. docs/formats.md has the bytes and the rules.

namespace orrery::sim {

namespace {

constexpr std::size_t short_header = 28;
constexpr std::size_t long_header = 32;

/// The widths of the numbers in a record; nothing in the file but its size tells.
struct Precision {
  std::string_view name;
  bool double_mass, double_position, double_velocity;
  std::array<std::size_t, 3> record;  ///< bytes of a gas, dark and star record
};
constexpr std::array precisions{
    Precision{"single precision", false, false, false, {48, 36, 44}},
    Precision{"double-precision positions", false, true, false, {60, 48, 56}},
    Precision{"double-precision positions and velocities", false, true, true, {72, 60, 68}},
    Precision{"double precision", true, true, true, {96, 72, 88}},
};

using Counts = std::array<std::uint64_t, 3>;  ///< gas, dark, star

struct Header {
  double time = 0.0;
  Counts counts{};
  std::uint32_t pad = 0;
  bool big_endian = false;
  std::uint64_t total() const { return counts[0] + counts[1] + counts[2]; }
};

/// Layout of a file's records.
struct Shape {
  std::size_t header_size;
  const Precision* precision;
  bool more_follow;  ///< another snapshot begins where this one ends
};

// ---- Header and size ----

bool plausible_dimensions(std::span<const std::byte> bytes, bool big_endian) {
  const auto dimensions = load<std::uint32_t>(bytes.data() + 12, big_endian);
  return dimensions >= 1 && dimensions <= 3;
}

/// Checks the sum of the counts; where it does not hold, tries the counts of 40 bits that pkdgrav3 writes
/// with the help of the pad. In most files the pad is garbage, so that it is asked last.
bool settle_counts(std::uint64_t total, Header& header) {
  if (total != 0 && total == header.total()) return true;
  const std::uint64_t pad = header.pad;
  Counts longer = header.counts;
  for (std::size_t k = 0; k < 3; ++k) longer[k] |= ((pad >> (8 * (k + 1))) & 0xff) << 32;
  total |= (pad & 0xff) << 32;
  if (total != std::accumulate(longer.begin(), longer.end(), std::uint64_t{0})) return false;
  header.counts = longer;
  return true;
}

/// The header if its number of dimensions and its counts make sense.
std::optional<Header> plausible_header(std::span<const std::byte> bytes) {
  if (bytes.size() < short_header) return std::nullopt;
  Header header{.big_endian = !plausible_dimensions(bytes, false)};
  if (header.big_endian && !plausible_dimensions(bytes, true)) return std::nullopt;
  const auto word = [&](std::size_t offset) {
    return load<std::uint32_t>(bytes.data() + offset, header.big_endian);
  };
  header.time = load<double>(bytes.data(), header.big_endian);
  header.counts = {word(16), word(20), word(24)};
  if (bytes.size() >= long_header) header.pad = word(28);
  if (!settle_counts(word(8), header)) return std::nullopt;
  return header;
}

/// Counts have at most 40 bits, so that this cannot overflow.
std::uint64_t size_of(const Counts& counts, std::size_t header_size, const Precision& precision) {
  return std::inner_product(counts.begin(), counts.end(), precision.record.begin(),
                            std::uint64_t{header_size});
}

bool another_snapshot_begins(std::span<const std::byte> rest) {
  const auto header = plausible_header(rest);
  return header && header->total() > 0;
}

/// A file with a long header that lost its last four bytes has the size of one with a short header; then the
/// pad (0 or garbage) stands where the first mass should be.
bool first_mass_makes_sense(std::span<const std::byte> bytes, const Header& header,
                            const Precision& precision) {
  if (header.total() == 0) return true;
  const auto* const at = bytes.data() + short_header;
  return precision.double_mass ? std::isnormal(load<double>(at, header.big_endian))
                               : std::isnormal(load<float>(at, header.big_endian));
}

std::optional<Shape> find_shape(std::span<const std::byte> bytes, const Header& header) {
  for (const bool more_follow : {false, true}) {
    for (const auto& precision : precisions) {
      for (const auto header_size : {long_header, short_header}) {
        const auto size = size_of(header.counts, header_size, precision);
        if (size > bytes.size()) continue;
        if (header_size == short_header && !first_mass_makes_sense(bytes, header, precision)) continue;
        const bool fits = more_follow ? another_snapshot_begins(bytes.subspan(size)) : size == bytes.size();
        if (fits) return Shape{header_size, &precision, more_follow};
      }
    }
  }
  return std::nullopt;
}

bool recognizes_tipsy(const FileView& file) {
  const auto header = plausible_header(file.bytes);
  if (!header) return false;
  // A damaged file is still called Tipsy where nothing else claims it, for a better message.
  return find_shape(file.bytes, *header) || (header->total() > 0 && !foreign_format(file.bytes));
}

// ---- Records ----

/// Appends `count` records of one kind from body `at` on; what may be an id is put into `id` and judged
/// later. With long ids the last 8 bytes are the id (Bonsai V2), not the last 4 (V1).
template <bool swap>
void read_records(const std::byte* record, std::size_t stride, std::size_t at, std::size_t count,
                  const Precision& precision, bool long_ids, const Ticker& ticker, Bodies& bodies) {
  for (std::size_t i = at; i < at + count; ++i, record += stride) {
    if (i % Ticker::interval == 0) ticker.at(i);
    const auto* next = record;
    const auto number = [&](bool is_double) {
      const auto* const from = std::exchange(next, next + (is_double ? 8 : 4));
      return is_double ? load<double, swap>(from) : static_cast<double>(load<float, swap>(from));
    };
    const auto vector = [&](bool is_double) {
      const double x = number(is_double), y = number(is_double);
      return DVec3{x, y, number(is_double)};
    };
    bodies.mass[i] = static_cast<float>(number(precision.double_mass));
    bodies.position[i] = counted_from(bodies.origin, vector(precision.double_position));
    bodies.velocity[i] = static_cast<Vec3>(vector(precision.double_velocity));
    const std::byte* const end = record + stride;
    bodies.id[i] = long_ids ? load<std::uint64_t, swap>(end - 8) : load<std::uint32_t, swap>(end - 4);
  }
}

// ---- What the last words of a record mean ----

/// The ids of a dialect of Bonsai say what a body is.
struct IdRanges {
  std::uint64_t bulge, halo, end;  ///< disk below bulge, bulge below halo, halo below end
};
constexpr IdRanges bonsai_v1{100'000'000, 200'000'000, 1'000'000'000};
constexpr IdRanges bonsai_v2{2'000'000'000'000'000'000, 3'000'000'000'000'000'000, std::uint64_t{1} << 63};

Component component_of(std::uint64_t id, const IdRanges& ranges) {
  if (id >= ranges.halo) return Component::halo;
  return id >= ranges.bulge ? Component::bulge : Component::disk;
}

/// True if dark bodies (first in the file) and stars have different ids in their ranges. A potential, or
/// garbage, does not pass: as an integer it is negative, far above the range or repeated.
bool are_ids(const std::vector<std::uint64_t>& words, std::size_t dark, const IdRanges& ranges) {
  const std::span all(words);
  const auto is_dark = [&](auto word) { return word >= ranges.halo && word < ranges.end; };
  const auto is_star = [&](auto word) { return word < ranges.halo; };
  if (!std::ranges::all_of(all.first(dark), is_dark)) return false;
  if (!std::ranges::all_of(all.subspan(dark), is_star)) return false;
  return all_different(all.first(dark)) && all_different(all.subspan(dark));
}

/// The id without what its component adds to it in Bonsai's V1 numbering.
std::uint64_t without_base(std::uint64_t id) {
  if (id >= bonsai_v1.halo) return id - bonsai_v1.halo;
  return id >= bonsai_v1.bulge ? id - bonsai_v1.bulge : id;
}

/// The writer below adds the component's base to ids 0..N-1; this takes it away. Files with any other
/// numbering keep theirs.
void restore_plain_ids(std::vector<std::uint64_t>& ids) {
  std::vector<bool> seen(ids.size());
  for (const auto id : ids) {
    const auto plain = without_base(id);
    if (plain >= ids.size() || seen[plain]) return;
    seen[plain] = true;
  }
  std::ranges::transform(ids, ids.begin(), without_base);
}

void set_components_by_kind(const Counts& counts, std::vector<Component>& components) {
  auto next = components.begin();
  constexpr std::array kinds{Component::gas, Component::halo, Component::star};
  for (std::size_t k = 0; k < kinds.size(); ++k) next = std::fill_n(next, counts[k], kinds.at(k));
}

void set_components_by_id(const IdRanges& ranges, Bodies& bodies) {
  std::ranges::transform(bodies.id, bodies.component.begin(),
                         [&](auto id) { return component_of(id, ranges); });
}

bool may_hold_long_ids(const Header& header, const Precision& precision) {
  return header.pad == 2 && header.counts[0] == 0 && !precision.double_position;
}

/// Sets ids and components from the words that read_records() left in `id`; returns the dialect's name.
std::string_view settle_ids(const Header& header, const Precision& precision, Bodies& bodies) {
  const auto dark = static_cast<std::size_t>(header.counts[1]);
  const bool may_be_ids = header.counts[0] == 0 && !precision.double_mass;
  if (may_be_ids && may_hold_long_ids(header, precision) && are_ids(bodies.id, dark, bonsai_v2)) {
    set_components_by_id(bonsai_v2, bodies);
    return ", Bonsai V2 ids";
  }
  if (may_hold_long_ids(header, precision)) {
    for (auto& word : bodies.id)
      word = header.big_endian ? word & 0xffffffffU : word >> 32;  // the last 4 bytes
  }
  if (may_be_ids && are_ids(bodies.id, dark, bonsai_v1)) {
    set_components_by_id(bonsai_v1, bodies);
    restore_plain_ids(bodies.id);
    return ", Bonsai V1 ids";
  }
  set_components_by_kind(header.counts, bodies.component);
  std::iota(bodies.id.begin(), bodies.id.end(), 0);
  return "";
}

// ---- Reading ----

std::string_view order_name(const Header& header) {
  return header.big_endian ? "big-endian" : "little-endian";
}

[[noreturn]] void refuse_size(const FileView& file, const Header& header) {
  const auto& [gas, dark, star] = header.counts;
  cannot_read(
      file.path,
      fmt::format("its {} Tipsy header says {} gas, {} dark and {} star bodies ({} bytes), but it has {} "
                  "bytes; copy it again",
                  order_name(header), gas, dark, star, size_of(header.counts, long_header, precisions[0]),
                  file.bytes.size()));
}

void read_bodies(const FileView& file, const Header& header, const Shape& shape, const ReadOptions& options,
                 Bodies& bodies) {
  bodies.resize(static_cast<std::size_t>(header.total()));
  const Ticker ticker(options.progress, bodies.size(), 0.0F, 0.8F);
  const bool swap = header.big_endian != machine_is_big;
  const auto reader = swap ? &read_records<true> : &read_records<false>;
  const bool long_ids = may_hold_long_ids(header, *shape.precision);
  const std::byte* next = file.bytes.data() + shape.header_size;
  std::size_t at = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto count = static_cast<std::size_t>(header.counts.at(k));
    const auto stride = shape.precision->record.at(k);
    reader(next, stride, at, count, *shape.precision, long_ids, ticker, bodies);
    next += stride * count;
    at += count;
  }
}

Scene read_tipsy(const FileView& file, const ReadOptions& options) {
  const auto header = plausible_header(file.bytes);
  if (!header) cannot_read(file.path, "it has no Tipsy header; leave the format to be recognized");
  const auto shape = find_shape(file.bytes, *header);
  if (!shape) refuse_size(file, *header);
  Scene scene;
  read_bodies(file, *header, *shape, options, scene.bodies);
  const auto dialect = settle_ids(*header, *shape->precision, scene.bodies);
  scene.source = fmt::format("Tipsy, {}, {}-byte header, {}{}", order_name(*header), shape->header_size,
                             shape->precision->name, dialect);
  if (std::isfinite(header->time)) scene.time = header->time;
  if (shape->more_follow)
    scene.notes.emplace_back("the file holds several snapshots: the first one is shown");
  return scene;
}

// ---- Writing ----

/// Which kind of record a body takes, and what its last word says.
struct Plan {
  bool bonsai = false;    ///< the last word is an id
  bool add_base = false;  ///< the id needs its component's base
};

bool has_bonsai_component(Component component) {
  return component == Component::halo || component == Component::disk || component == Component::bulge;
}

bool in_own_range(std::uint64_t id, Component component) {
  return id < bonsai_v1.end && component_of(id, bonsai_v1) == component;
}

Plan plan_of(const Bodies& bodies) {
  Plan plan;
  if (!std::ranges::all_of(bodies.component, has_bonsai_component) || !all_different(bodies.id)) return plan;
  bool as_they_are = true;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    as_they_are = as_they_are && in_own_range(bodies.id[i], bodies.component[i]);
  }
  plan.add_base = !as_they_are;
  plan.bonsai = as_they_are || std::ranges::all_of(bodies.id, [](auto id) { return id < bonsai_v1.bulge; });
  return plan;
}

std::size_t kind_of(Component component) {
  if (component == Component::gas) return 0;
  return component == Component::halo ? 1 : 2;
}

std::uint32_t last_word(const Plan& plan, std::uint64_t id, Component component) {
  // Minus zero: a potential that no reader takes for an id.
  if (!plan.bonsai) return std::bit_cast<std::uint32_t>(-0.0F);
  std::uint64_t base = 0;
  if (plan.add_base && component == Component::halo) base = bonsai_v1.halo;
  if (plan.add_base && component == Component::bulge) base = bonsai_v1.bulge;
  return static_cast<std::uint32_t>(id + base);
}

void write_header(const Scene& scene, const Counts& counts, bool big_endian, FileWriter& out) {
  std::array<std::byte, long_header> bytes{};
  store(scene.time, big_endian, bytes.data());
  const std::array<std::uint64_t, 5> words{scene.bodies.size(), 3, counts[0], counts[1], counts[2]};
  for (std::size_t k = 0; k < words.size(); ++k) {
    store(static_cast<std::uint32_t>(words.at(k)), big_endian, bytes.data() + 8 + 4 * k);
  }
  out.write(bytes);
}

/// One record, of which all fields but those named here are 0.
void write_record(const Scene& scene, std::size_t i, std::uint32_t last, bool big_endian, FileWriter& out) {
  const auto kind = kind_of(scene.bodies.component[i]);
  const auto size = precisions[0].record.at(kind);
  std::array<std::byte, 48> bytes{};
  const auto& p = scene.bodies.position[i];
  const auto& v = scene.bodies.velocity[i];
  const std::array<float, 7> common{scene.bodies.mass[i], p.x, p.y, p.z, v.x, v.y, v.z};
  for (std::size_t k = 0; k < common.size(); ++k) store(common.at(k), big_endian, bytes.data() + 4 * k);
  // The softening precedes the potential, in gas records (hsmooth) the metals lie between.
  store(static_cast<float>(scene.physics.softening), big_endian, bytes.data() + size - (kind == 0 ? 12 : 8));
  store(last, big_endian, bytes.data() + size - 4);
  out.write(std::span(bytes).first(size));
}

void write_tipsy(const Scene& scene, const WriteOptions& options, FileWriter& out) {
  const auto& bodies = scene.bodies;
  if (bodies.size() > 0x7fffffff) cannot_write(out.target(), "Tipsy holds at most 2147483647 bodies");
  require_one_galaxy(scene, out, "Tipsy holds", "bin or csv");
  Counts counts{};
  for (const auto component : bodies.component) ++counts.at(kind_of(component));
  write_header(scene, counts, options.big_endian, out);
  const Plan plan = plan_of(bodies);
  const Ticker ticker(options.progress, counts.size() * bodies.size());
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    ticker.at(kind * bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (kind_of(bodies.component[i]) != kind) continue;
      write_record(scene, i, last_word(plan, bodies.id[i], bodies.component[i]), options.big_endian, out);
    }
  }
}

}  // namespace

const SnapshotFormat tipsy_format{
    "tipsy",
    "Tipsy binary: both byte orders, with Bonsai's ids (written little-endian, .std big-endian)",
    "tipsy,tbin,std",
    false,
    &recognizes_tipsy,
    &read_tipsy,
    &write_tipsy};

}  // namespace orrery::sim
