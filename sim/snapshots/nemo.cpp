#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/byte_order.h"
#include "sim/core/letters.h"
#include "sim/core/mapped_file.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/body_arrays.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/text_table.h"
#include "snapshot_formats.h"

// Snapshots of NEMO and ZENO, structured binary, as in snapshot(5) of NEMO. docs/formats.md has the items.

namespace orrery::sim {

namespace {

constexpr std::uint16_t single_magic = 0x0992, plural_magic = 0x0b92;
constexpr std::string_view types = "cbsilfd()";
constexpr std::array<std::size_t, types.size()> sizes{1, 1, 2, 4, 8, 4, 8, 0, 0};
constexpr std::size_t longest_text = 64;
constexpr std::size_t most_dimensions = 8;

bool is_magic(std::uint16_t value) { return value == single_magic || value == plural_magic; }

/// Bytes of a number of one of the types; 0 for the borders of sets.
std::size_t size_of(char type) { return sizes.at(types.find(type)); }

/// True if the file begins with an item.
bool recognizes_nemo(const FileView& file) {
  const auto& bytes = file.bytes;
  if (bytes.size() < 4) return false;
  const bool known_type = types.find(static_cast<char>(bytes[2])) != std::string_view::npos;
  return known_type && bytes[3] == std::byte{0} &&
         (is_magic(load<std::uint16_t>(bytes.data(), false)) ||
          is_magic(load<std::uint16_t>(bytes.data(), true)));
}

/// One item of a NEMO structured file (filesecret.c): a number, an array, or the begin or end of a set.
struct NemoItem {
  char type = '\0';  ///< 'c', 'b', 's', 'i', 'l', 'f', 'd'; '(' and ')' begin and end a set
  std::string tag;   ///< empty at the end of a set
  std::vector<std::uint32_t> dimensions;  ///< dimensions of an array; empty: a single number
  std::span<const std::byte> bytes;       ///< its numbers, in the file's byte order

  /// The number of values.
  std::uint64_t count() const {
    const auto size = size_of(type);
    return size == 0 ? 0 : bytes.size() / size;
  }
};

/// Walks through the items of a file.
class NemoItems {
 public:
  /// `file` is borrowed. Throws Error if it does not begin with an item.
  NemoItems(const FileView& file) : file_(file) {
    if (!recognizes_nemo(file))
      cannot_read(file.path, "it is no NEMO file; leave the format to be recognized");
    big_endian_ = !is_magic(load<std::uint16_t>(file.bytes.data(), false));
  }

  bool big_endian() const { return big_endian_; }

  /// The next item, or nothing at the end of the file. Throws Error with one line for what is no item.
  std::optional<NemoItem> next() {
    if (at_ == file_.bytes.size()) return std::nullopt;
    const auto kind = magic();
    const auto type = text();
    if (type.size() != 1 || types.find(type[0]) == std::string_view::npos) refuse();
    NemoItem item{.type = type[0]};
    if (item.type == ')') return item;
    item.tag = text();
    if (item.type == '(') return item;
    std::uint64_t bytes = size_of(item.type);
    if (kind == plural_magic) {
      while (const auto length = load<std::uint32_t>(take(4).data(), big_endian_)) {
        if (item.dimensions.size() == most_dimensions) refuse();
        item.dimensions.push_back(length);
        // Each factor at least one number, so that this stays far below overflow.
        bytes *= length;
        if (bytes > file_.bytes.size()) refuse();
      }
    }
    item.bytes = take(bytes);
    return item;
  }

 private:
  std::uint16_t magic() {
    const auto value = load<std::uint16_t>(take(2).data(), big_endian_);
    if (!is_magic(value)) refuse();
    return value;
  }

  std::string text() {
    std::string value;
    while (true) {
      const auto letter = static_cast<char>(take(1)[0]);
      if (letter == '\0') return value;
      if (value.size() == longest_text) refuse();
      value += letter;
    }
  }

  std::span<const std::byte> take(std::uint64_t bytes) {
    if (bytes > file_.bytes.size() - at_) refuse();
    const auto taken = file_.bytes.subspan(at_, static_cast<std::size_t>(bytes));
    at_ += taken.size();
    return taken;
  }

  [[noreturn]] void refuse() const {
    cannot_read(file_.path,
                fmt::format("its NEMO items are cut off or damaged near byte {}; copy it again", at_));
  }

  const FileView& file_;
  std::size_t at_ = 0;
  bool big_endian_ = false;
};

/// The items of one set SnapShot.
struct Snapshot {
  std::map<std::string, NemoItem, std::less<>> parameters, particles;

  bool has(std::string_view tag) const { return particles.find(tag) != particles.end(); }
};

/// The first set SnapShot that has bodies, and whether another one follows; diagnostics have sets of their
/// own.
class SnapshotFinder {
 public:
  explicit SnapshotFinder(const FileView& file) : file_(file), items_(file) {}

  Snapshot find() {
    if (auto snapshot = next()) return std::move(*snapshot);
    cannot_read(file_.path,
                "it is a NEMO file without a snapshot of bodies; choose the output of snapshot programs");
  }
  /// Nothing at the end of the file.
  std::optional<Snapshot> next() {
    while (auto item = items_.next()) {
      if (item->type == '(') {
        begin(item->tag);
      } else if (item->type == ')') {
        if (end()) return std::move(found_);
      } else if (in({"SnapShot", "Parameters"})) {
        found_.parameters.insert_or_assign(item->tag, std::move(*item));
      } else if (in({"SnapShot", "Particles"})) {
        found_.particles.insert_or_assign(item->tag, std::move(*item));
      }
    }
    return std::nullopt;
  }
  bool big_endian() const { return items_.big_endian(); }

 private:
  bool in(const std::vector<std::string>& sets) const { return open_ == sets; }
  void begin(const std::string& tag) {
    if (open_.size() == 16) cannot_read(file_.path, "its NEMO sets are nested too deeply; copy it again");
    open_.push_back(tag);
    if (in({"SnapShot"})) found_ = {};
  }
  /// True if a snapshot with bodies ended.
  bool end() {
    if (open_.empty()) cannot_read(file_.path, "a NEMO set ends that never began; copy it again");
    const bool whole = in({"SnapShot"}) && (found_.has("PhaseSpace") || found_.has("Position"));
    open_.pop_back();
    return whole;
  }

  const FileView& file_;
  NemoItems items_;
  std::vector<std::string> open_;
  Snapshot found_;
};

// ---- Bodies ----

/// Turns the items of a snapshot into arrays of the bodies.
class BodyReader {
 public:
  BodyReader(const FileView& file, const Snapshot& snapshot, bool big_endian)
      : file_(file), snapshot_(snapshot), big_endian_(big_endian) {}

  std::vector<NamedArray> arrays() const {
    const auto count = this->count();
    std::vector<NamedArray> arrays;
    if (snapshot_.has("PhaseSpace")) {
      const auto both = reals(snapshot_.particles.at("PhaseSpace"), 6 * count, 3);
      for (const std::size_t k : {0U, 1U}) arrays.push_back(half_of(both, k));
    } else {
      arrays.push_back(reals(snapshot_.particles.at("Position"), 3 * count, 3));
      if (snapshot_.has("Velocity"))
        arrays.push_back(reals(snapshot_.particles.at("Velocity"), 3 * count, 3));
    }
    for (const auto& [tag, item] : snapshot_.particles) {
      const bool is_key = tag == "Key" && (item.type == 'i' || item.type == 'l') && item.count() == count;
      if (tag == "Mass") arrays.push_back(reals(item, count, 1));
      if (is_key) arrays.push_back(array_of(item, item.type == 'i' ? ArrayType::u32 : ArrayType::u64, 1));
      if (is_key) arrays.back().name = "id";
      if (!is_key && !is_listed("Mass,PhaseSpace,Position,Velocity,CoordSystem", tag))
        arrays.push_back({.name = tag, .type = ArrayType::text});
    }
    return arrays;
  }

  /// Where it is said.
  std::optional<double> time() const {
    const auto found = snapshot_.parameters.find("Time");
    if (found == snapshot_.parameters.end()) return std::nullopt;
    const double time = reals(found->second, 1, 1).number(0);
    return std::isfinite(time) ? std::optional(time) : std::nullopt;
  }

 private:
  const FileView& file_;
  const Snapshot& snapshot_;
  bool big_endian_;

  /// As many as the positions say: Nobj may be missing.
  std::size_t count() const {
    const bool phases = snapshot_.has("PhaseSpace");
    const auto numbers = snapshot_.particles.at(phases ? "PhaseSpace" : "Position").count();
    const auto bodies = numbers / (phases ? 6 : 3);
    const auto stated = snapshot_.parameters.find("Nobj");
    if (stated != snapshot_.parameters.end() && stated->second.type == 'i' && stated->second.count() > 0) {
      const auto stated_bodies = load<std::uint32_t>(stated->second.bytes.data(), big_endian_);
      if (stated_bodies != bodies)
        cannot_read(file_.path, fmt::format("it says {} bodies and has places of {}; copy it again",
                                            stated_bodies, bodies));
    }
    if (bodies == 0) cannot_read(file_.path, "its NEMO snapshot has no bodies");
    return static_cast<std::size_t>(bodies);
  }

  NamedArray array_of(const NemoItem& item, ArrayType type, std::size_t components) const {
    NamedArray array{.name = item.tag,
                     .type = type,
                     .components = components,
                     .bytes = {item.bytes.begin(), item.bytes.end()}};
    to_native(array.bytes, size_of(type), big_endian_);
    return array;
  }

  NamedArray reals(const NemoItem& item, std::uint64_t count, std::size_t components) const {
    if (item.type != 'f' && item.type != 'd')
      cannot_read(file_.path, fmt::format("its NEMO item {} holds no real numbers", printable(item.tag)));
    if (item.count() != count)
      cannot_read(file_.path, fmt::format("its NEMO item {} has {} numbers where {} belong; copy it again",
                                          printable(item.tag), item.count(), count));
    return array_of(item, item.type == 'f' ? ArrayType::f32 : ArrayType::f64, components);
  }

  /// The places or the velocities of those that stand in turn.
  static NamedArray half_of(const NamedArray& both, std::size_t part) {
    NamedArray half{.name = part == 0 ? "position" : "velocity", .type = both.type, .components = 3};
    const auto size = 3 * size_of(both.type);
    half.bytes.resize(both.bytes.size() / 2);
    for (std::size_t at = 0; at < half.bytes.size(); at += size)
      std::memcpy(half.bytes.data() + at, both.bytes.data() + 2 * at + part * size, size);
    return half;
  }
};

Scene read_nemo(const FileView& file, const ReadOptions& options) {
  SnapshotFinder finder(file);
  auto snapshot = finder.find();
  for (std::size_t k = 0; k < options.snapshot; ++k) {
    auto next = finder.next();
    if (!next) cannot_read(file.path, fmt::format("it has {} snapshots only", k + 1));
    // Masses that do not change may be in the first snapshot alone.
    if (snapshot.has("Mass")) next->particles.try_emplace("Mass", snapshot.particles.at("Mass"));
    snapshot = std::move(*next);
  }
  const BodyReader reader(file, snapshot, finder.big_endian());
  auto scene =
      scene_of_arrays(file, reader.arrays(), options,
                      fmt::format("NEMO snapshot, {}", finder.big_endian() ? "big-endian" : "little-endian"));
  scene.time = reader.time().value_or(scene.time);
  return scene;
}

std::size_t count_nemo(const FileView& file, const ReadOptions& /*options*/) {
  SnapshotFinder finder(file);
  std::size_t snapshots = 0;
  while (finder.next()) ++snapshots;
  return snapshots;
}

// ---- Writing ----

class ItemWriter {
 public:
  ItemWriter(FileWriter& out, bool big_endian) : out_(out), big_endian_(big_endian) {}

  void begin(std::string_view tag) { head(false, '(', tag); }
  void end() {
    put(single_magic);
    text(")");
  }
  template <typename T>
  void number(char type, std::string_view tag, T value) {
    head(false, type, tag);
    put(value);
  }
  void array(char type, std::string_view tag, std::initializer_list<std::size_t> dimensions) {
    head(true, type, tag);
    for (const auto length : dimensions) put(static_cast<std::uint32_t>(length));
    put(std::uint32_t{0});
  }
  template <typename T>
  void put(T value) {
    out_.write(bytes_of(value, big_endian_));
  }
  void vector(const Vec3& value) {
    put(value.x);
    put(value.y);
    put(value.z);
  }

 private:
  void text(std::string_view letters) {
    out_.write(letters);
    put('\0');
  }
  void head(bool many, char type, std::string_view tag) {
    put(many ? plural_magic : single_magic);
    text({&type, 1});
    text(tag);
  }

  FileWriter& out_;
  bool big_endian_;
};

void check_writable(const Scene& scene, const FileWriter& out) {
  const auto& bodies = scene.bodies;
  if (bodies.size() > 0x7fffffff) cannot_write(out.target(), "NEMO files hold at most 2147483647 bodies");
  require_one_galaxy(scene, out, "NEMO snapshots hold", "bin or csv");
}

void write_particles(const Bodies& bodies, const Ticker& ticker, ItemWriter& out) {
  const auto count = bodies.size();
  constexpr std::int32_t cartesian = 0201402;  // 3 dimensions, of snapshot.h
  out.number('i', "CoordSystem", cartesian);
  out.array('f', "Mass", {count});
  for (const auto mass : bodies.mass) out.put(mass);
  out.array('f', "PhaseSpace", {count, 2, 3});
  for (std::size_t i = 0; i < count; ++i) {
    ticker.now_and_then(i);
    out.vector(bodies.position[i]);
    out.vector(bodies.velocity[i]);
  }
  const bool short_keys = std::ranges::all_of(bodies.id, [](auto id) { return id <= 0x7fffffffU; });
  out.array(short_keys ? 'i' : 'l', "Key", {count});
  for (const auto id : bodies.id) {
    if (short_keys)
      out.put(static_cast<std::uint32_t>(id));
    else
      out.put(id);
  }
}

void write_nemo(const Scene& scene, const WriteOptions& options, FileWriter& file) {
  check_writable(scene, file);
  ItemWriter out(file, options.big_endian);
  const Ticker ticker(options.progress, scene.bodies.size());
  out.begin("SnapShot");
  out.begin("Parameters");
  out.number('i', "Nobj", static_cast<std::int32_t>(scene.bodies.size()));
  out.number('d', "Time", scene.time);
  out.end();
  out.begin("Particles");
  write_particles(scene.bodies, ticker, out);
  out.end();
  out.end();
}

}  // namespace

const SnapshotFormat nemo_format{
    "nemo",           "NEMO and ZENO snapshots: structured binary, both byte orders",
    "nemo,snap",      false,
    &recognizes_nemo, &read_nemo,
    &write_nemo,      &count_nemo};

}  // namespace orrery::sim
