#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "sim/hash.h"
#include "sim/snapshots/formats.h"
#include "sim/snapshots/message.h"
#include "sim/snapshots/ticker.h"

// Orrery's own binary: little-endian, lossless, with the scene's parameters. docs/formats.md has the bytes.

namespace orrery::sim {

namespace {

static_assert(std::endian::native == std::endian::little, "the arrays are copied as they lie in memory");

constexpr std::string_view magic = "ORRERYB1";
constexpr std::uint32_t current_version = 1;
constexpr std::uint32_t flag_velocities = 1;
constexpr std::uint32_t flag_charges = 2;
constexpr std::size_t longest_title = 4096;

struct Header {
  std::array<char, 8> magic;
  std::uint32_t version, flags;
  std::uint64_t count;
  double time, gravitational_constant, softening, time_step, speed;
  std::uint32_t title_size, reserved;
};
static_assert(sizeof(Header) == 72 && std::is_trivially_copyable_v<Header>);

constexpr std::size_t body_size = 41;   // 12 position, 12 velocity, 4 mass, 8 id, 1 component, 4 galaxy
constexpr std::size_t charge_size = 4;  // more, if there are charges
constexpr std::size_t checksum_size = 8;

using Checksum = Fnv1a<std::uint64_t>;

std::size_t padded_to_eight(std::size_t size) { return (size + 7) / 8 * 8; }

bool recognizes(const FileView& file) {
  return file.bytes.size() >= magic.size() && std::memcmp(file.bytes.data(), magic.data(), magic.size()) == 0;
}

Header load_header(const FileView& file) {
  Header header{};
  if (!recognizes(file))
    cannot_read(file.path, "it does not begin with ORRERYB1; leave the format to be recognized");
  if (file.bytes.size() < sizeof(Header)) cannot_read(file.path, "it ends within its header; copy it again");
  std::memcpy(&header, file.bytes.data(), sizeof(Header));
  if (header.version != current_version || (header.flags & ~(flag_velocities | flag_charges)) != 0) {
    cannot_read(file.path,
                fmt::format("it is of version {}, this program reads version {}; update the program",
                            header.version, current_version));
  }
  return header;
}

bool has_charges(const Header& header) { return (header.flags & flag_charges) != 0; }

/// The size equation, checked before anything is allocated.
void require_size(const FileView& file, const Header& header) {
  const auto size = file.bytes.size();
  const std::size_t each = body_size + (has_charges(header) ? charge_size : 0);
  // The first two keep the last one from overflowing.
  const bool fits =
      header.title_size <= longest_title && header.count <= size / each &&
      sizeof(Header) + padded_to_eight(header.title_size) + header.count * each + checksum_size == size;
  if (fits) return;
  cannot_read(file.path,
              fmt::format("its header says {} bodies, which its {} bytes do not fit; copy it again",
                          header.count, size));
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

void require_sense(const FileView& file, const Header& header) {
  const bool sensible = std::isfinite(header.time) && std::isfinite(header.gravitational_constant) &&
                        std::isfinite(header.speed) && std::isfinite(header.softening) &&
                        header.softening >= 0.0 && std::isfinite(header.time_step);
  if (!sensible) cannot_read(file.path, "its time, G, softening or time step make no sense; write it again");
}

template <typename T>
const std::byte* copy_array(const std::byte* from, std::vector<T>& to) {
  std::memcpy(to.data(), from, to.size() * sizeof(T));
  return from + to.size() * sizeof(T);
}

void read_arrays(const std::byte* from, bool charges, Bodies& bodies) {
  from = copy_array(from, bodies.position);
  from = copy_array(from, bodies.velocity);
  from = copy_array(from, bodies.mass);
  from = copy_array(from, bodies.id);
  from = copy_array(from, bodies.component);
  from = copy_array(from, bodies.galaxy);
  if (charges) copy_array(from, bodies.charge);
}

void require_valid_bodies(const FileView& file, const Bodies& bodies) {
  const bool components = std::ranges::all_of(
      bodies.component, [](auto c) { return static_cast<std::size_t>(c) < component_count; });
  if (!components)
    cannot_read(file.path, "it names components that this version does not know; update the program");
  if (!std::ranges::is_sorted(bodies.galaxy))
    cannot_read(file.path, "its galaxies are not in order; write it again");
}

void copy_parameters(const Header& header, Scene& scene) {
  scene.time = header.time;
  scene.gravitational_constant = header.gravitational_constant;
  scene.softening = header.softening;
  scene.time_step = header.time_step;
  scene.speed = header.speed;
  scene.has_velocities = (header.flags & flag_velocities) != 0;
}

Scene read(const FileView& file, const ReadOptions& options) {
  const Header header = load_header(file);
  require_size(file, header);
  require_checksum(file, options.progress);
  require_sense(file, header);
  Scene scene;
  copy_parameters(header, scene);
  scene.source = "Orrery binary, version 1";
  const auto* const title = reinterpret_cast<const char*>(file.bytes.data() + sizeof(Header));
  scene.title = std::string(title, header.title_size);
  scene.bodies.resize(header.count);
  read_arrays(file.bytes.data() + sizeof(Header) + padded_to_eight(header.title_size), has_charges(header),
              scene.bodies);
  require_valid_bodies(file, scene.bodies);
  if (!scene.has_velocities) scene.notes.emplace_back("positions only: all bodies start at rest");
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

Header header_of(const Scene& scene, std::size_t title_size) {
  Header header{};
  std::ranges::copy(magic, header.magic.begin());
  header.version = current_version;
  header.flags =
      (scene.has_velocities ? flag_velocities : 0) | (scene.bodies.has_charges() ? flag_charges : 0);
  header.count = scene.bodies.size();
  header.time = scene.time;
  header.gravitational_constant = scene.gravitational_constant;
  header.softening = scene.softening;
  header.time_step = scene.time_step;
  header.speed = scene.speed;
  header.title_size = static_cast<std::uint32_t>(title_size);
  return header;
}

void write(const Scene& scene, const WriteOptions& /*options*/, FileWriter& out) {
  std::string title = scene.title.substr(0, longest_title);
  const Header header = header_of(scene, title.size());
  title.resize(padded_to_eight(title.size()));
  SummedWriter summed(out);
  summed.write(std::as_bytes(std::span(&header, 1)));
  summed.write(std::as_bytes(std::span(title)));
  const auto& bodies = scene.bodies;
  summed.write(std::as_bytes(std::span(bodies.position)));
  summed.write(std::as_bytes(std::span(bodies.velocity)));
  summed.write(std::as_bytes(std::span(bodies.mass)));
  summed.write(std::as_bytes(std::span(bodies.id)));
  summed.write(std::as_bytes(std::span(bodies.component)));
  summed.write(std::as_bytes(std::span(bodies.galaxy)));
  if ((header.flags & flag_charges) != 0) summed.write(std::as_bytes(std::span(bodies.charge)));
  summed.finish();
}

}  // namespace

const SnapshotFormat bin_format{
    "bin",        "Orrery's own binary: lossless, with G, softening, time step and a checksum",
    "bin,orrery", true,
    &recognizes,  &read,
    &write};

}  // namespace orrery::sim
