#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "sim/core/counted.h"
#include "sim/core/hash.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/named_values.h"
#include "snapshot_formats.h"

// Orrery's own binary: little-endian, lossless, with the scene's parameters. docs/formats.md has the bytes.

namespace orrery::sim {

namespace {

static_assert(std::endian::native == std::endian::little, "the arrays are copied as they lie in memory");

constexpr std::string_view magic = "ORRERYB1";
constexpr std::uint32_t current_version = 2;
constexpr std::uint32_t flag_velocities = 1;
constexpr std::uint32_t flag_charges = 2;
constexpr std::uint32_t flag_colors = 4;
constexpr std::size_t longest_title = 4096;
constexpr std::size_t largest_block = 1 << 16;

/// The head that all versions share.
struct Header {
  std::array<char, 8> magic;
  std::uint32_t version, flags;
  std::uint64_t count;
};
static_assert(sizeof(Header) == 24 && std::is_trivially_copyable_v<Header>);

/// Version 1: all that it knew besides the bodies; the title follows.
struct Parameters1 {
  double time, gravitational_constant, softening, time_step, speed;
  std::uint32_t title_size, reserved;
};
static_assert(sizeof(Parameters1) == 48 && std::is_trivially_copyable_v<Parameters1>);

constexpr std::size_t body_size = 41;   // 12 position, 12 velocity, 4 mass, 8 id, 1 component, 4 galaxy
constexpr std::size_t charge_size = 4;  // more, if there are charges
constexpr std::size_t color_size = 4;   // the same
constexpr std::size_t checksum_size = 8;

using Checksum = Fnv1a<std::uint64_t>;

std::size_t padded_to_eight(std::size_t size) { return (size + 7) / 8 * 8; }

bool recognizes_bin(const FileView& file) {
  return file.bytes.size() >= magic.size() && std::memcmp(file.bytes.data(), magic.data(), magic.size()) == 0;
}

template <typename T>
T load(const FileView& file, std::size_t at) {
  if (file.bytes.size() < at + sizeof(T)) cannot_read(file.path, "it ends within its header; copy it again");
  T value;
  std::memcpy(&value, file.bytes.data() + at, sizeof(T));
  return value;
}

Header load_header(const FileView& file) {
  if (!recognizes_bin(file))
    cannot_read(file.path, "it does not begin with ORRERYB1; leave the format to be recognized");
  const auto header = load<Header>(file, 0);
  if (header.version == 0 || header.version > current_version ||
      (header.flags & ~(flag_velocities | flag_charges | flag_colors)) != 0) {
    cannot_read(file.path,
                fmt::format("it is of version {}, this program reads versions 1 to {}; update the program",
                            header.version, current_version));
  }
  return header;
}

bool has_charges(const Header& header) { return (header.flags & flag_charges) != 0; }
bool has_colors(const Header& header) { return (header.flags & flag_colors) != 0; }

std::size_t title_size_of_1(const FileView& file) {
  return load<Parameters1>(file, sizeof(Header)).title_size;
}

/// Size of the block of named values in version 2, stored before them.
std::size_t block_size_of(const FileView& file) { return load<std::uint64_t>(file, sizeof(Header)); }
constexpr std::size_t block_at = sizeof(Header) + sizeof(std::uint64_t);

/// Where the arrays begin; no more than the file's size if `header` is right.
std::size_t arrays_at(const FileView& file, const Header& header) {
  if (header.version == 1)
    return sizeof(Header) + sizeof(Parameters1) +
           padded_to_eight(std::min(title_size_of_1(file), 2 * longest_title));
  return block_at + std::min(block_size_of(file), 2 * largest_block);
}

bool has_sensible_sizes(const FileView& file, const Header& header) {
  if (header.version == 1) return title_size_of_1(file) <= longest_title;
  return block_size_of(file) <= largest_block && block_size_of(file) % 8 == 0;
}

/// The size equation, checked before anything is allocated.
void require_size(const FileView& file, const Header& header) {
  const auto size = file.bytes.size();
  const std::size_t each =
      body_size + (has_charges(header) ? charge_size : 0) + (has_colors(header) ? color_size : 0);
  // The first two keep the last one from overflowing.
  const bool fits = has_sensible_sizes(file, header) && header.count <= size / each &&
                    arrays_at(file, header) + header.count * each + checksum_size == size;
  if (fits) return;
  cannot_read(file.path, fmt::format("its header says {}, which its {} bytes do not fit; copy it again",
                                     counted(header.count, "body", "bodies"), size));
}

void require_checksum(const FileView& file, LoadProgress* progress) {
  const auto content = file.bytes.first(file.bytes.size() - checksum_size);
  const Ticker ticker(progress, content.size(), 0.0F, 0.6F);
  constexpr std::size_t slab = body_size * Ticker::interval;
  Checksum sum;
  for (std::size_t at = 0; at < content.size(); at += slab) {
    ticker.at(at);
    sum.add(content.subspan(at, std::min(slab, content.size() - at)));
  }
  std::uint64_t stored = 0;
  std::memcpy(&stored, file.bytes.data() + content.size(), sizeof(stored));
  if (stored != sum.value())
    cannot_read(file.path, "its checksum is wrong: the file is damaged; copy it again");
}

/// The arrays of the file, in its order.
template <typename SomeBodies, typename Visit>
void for_each_stored(const Header& header, SomeBodies& bodies, const Visit& visit) {
  visit(bodies.position);
  visit(bodies.velocity);
  visit(bodies.mass);
  visit(bodies.id);
  visit(bodies.component);
  visit(bodies.galaxy);
  if (has_charges(header)) visit(bodies.charge);
  if (has_colors(header)) visit(bodies.color);
}

void read_arrays(const std::byte* from, const Header& header, Bodies& bodies) {
  if (has_colors(header)) bodies.color.resize(bodies.size());
  for_each_stored(header, bodies, [&](auto& values) {
    const auto bytes = std::as_writable_bytes(std::span(values));
    std::memcpy(bytes.data(), from, bytes.size());
    from += bytes.size();
  });
}

void require_valid_bodies(const FileView& file, const Bodies& bodies) {
  const bool components = std::ranges::all_of(
      bodies.component, [](auto c) { return static_cast<std::size_t>(c) < component_count; });
  if (!components)
    cannot_read(file.path, "it names components that this version does not know; update the program");
  constexpr Color white = 0xffffff;
  if (std::ranges::any_of(bodies.color, [](auto c) { return c > white && c != no_color; }))
    cannot_read(file.path, "its colours are not of 24 bits; write it again, or update the program");
  if (!std::ranges::is_sorted(bodies.galaxy))
    cannot_read(file.path, "its galaxies are not in order; write it again");
}

void read_parameters_1(const FileView& file, Scene& scene) {
  const auto parameters = load<Parameters1>(file, sizeof(Header));
  scene.time = parameters.time;
  scene.physics.gravitational_constant = parameters.gravitational_constant;
  scene.physics.softening = parameters.softening;
  scene.physics.time_step = parameters.time_step;
  scene.speed = parameters.speed;
  const auto* const title =
      reinterpret_cast<const char*>(file.bytes.data() + sizeof(Header) + sizeof(Parameters1));
  scene.title = std::string(title, parameters.title_size);
}

void note_unknown_values(const NamedValues& values, Scene& scene) {
  std::vector<std::string> known{
      "time",     "speed",    "title",   "meters-of-length", "seconds-of-time", "kilograms-of-mass",
      "origin-x", "origin-y", "origin-z"};
  for_each_value(scene.physics, [&](const char* name, const auto&) { known.emplace_back(name); });
  std::string unknown;
  for (const auto& name : values.names()) {
    if (std::ranges::find(known, name) == known.end())
      unknown += (unknown.empty() ? "" : ", ") + printable(name);
  }
  if (!unknown.empty())
    scene.notes.push_back("the file states what this version does not know, and which is left out: " +
                          unknown);
}

void read_parameters(const FileView& file, Scene& scene) {
  const auto values = NamedValues::from_bytes(file.bytes.subspan(block_at, block_size_of(file)));
  if (!values) cannot_read(file.path, "its named values make no sense; write it again");
  take_values(file, *values, scene);
  note_unknown_values(*values, scene);
}

Scene read_bin(const FileView& file, const ReadOptions& options) {
  const Header header = load_header(file);
  require_size(file, header);
  require_checksum(file, options.progress);
  Scene scene;
  scene.source = fmt::format("Orrery binary, version {}", header.version);
  scene.has_velocities = (header.flags & flag_velocities) != 0;
  if (header.version == 1)
    read_parameters_1(file, scene);
  else
    read_parameters(file, scene);
  require_sense(file, scene);
  scene.bodies.resize(header.count);
  read_arrays(file.bytes.data() + arrays_at(file, header), header, scene.bodies);
  require_valid_bodies(file, scene.bodies);
  if (!scene.has_velocities) scene.notes.emplace_back("positions only: all bodies start at rest");
  // Version 1 did not state the law.
  if (header.version == 1) suggest_force_law(scene);
  return scene;
}

/// Writes and adds to the checksum, in slabs.
class SummedWriter {
 public:
  explicit SummedWriter(FileWriter& out) : out_(out) {}
  void write(std::span<const std::byte> bytes) {
    constexpr std::size_t slab = std::size_t{1} << 19;
    for (std::size_t at = 0; at < bytes.size(); at += slab) {
      const auto part = bytes.subspan(at, std::min(slab, bytes.size() - at));
      sum_.add(part);
      out_.write(part);
    }
  }
  void finish() {
    const std::uint64_t sum = sum_.value();
    out_.write(std::as_bytes(std::span(&sum, 1)));
  }

 private:
  FileWriter& out_;
  Checksum sum_;
};

Header header_of(const Scene& scene) {
  Header header{};
  std::ranges::copy(magic, header.magic.begin());
  header.version = current_version;
  header.flags = (scene.has_velocities ? flag_velocities : 0) |
                 (scene.bodies.has_charges() ? flag_charges : 0) |
                 (scene.bodies.has_colors() ? flag_colors : 0);
  header.count = scene.bodies.size();
  return header;
}

void write_bin(const Scene& scene, const WriteOptions& /*options*/, FileWriter& out) {
  const Header header = header_of(scene);
  const std::string block = values_of(scene).bytes();
  const std::uint64_t block_size = block.size();
  SummedWriter summed(out);
  summed.write(std::as_bytes(std::span(&header, 1)));
  summed.write(std::as_bytes(std::span(&block_size, 1)));
  summed.write(std::as_bytes(std::span(block)));
  for_each_stored(header, scene.bodies,
                  [&](const auto& values) { summed.write(std::as_bytes(std::span(values))); });
  summed.finish();
}

}  // namespace

const SnapshotFormat bin_format{"bin",
                                "Orrery's own binary: lossless, with all physics options and a checksum",
                                "bin,orrery",
                                true,
                                &recognizes_bin,
                                &read_bin,
                                &write_bin,
                                nullptr,
                                {.origin = true, .units = true, .colors = true, .no_color = true}};

}  // namespace orrery::sim
