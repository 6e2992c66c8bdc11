#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "sim/core/byte_order.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/rounding.h"
#include "snapshot_formats.h"

// Simulation archives of REBOUND 3 to 5, after its manual (docs/binaryformat.md of hannorein/rebound).
// docs/formats.md has the fields.

namespace orrery::sim {

namespace {

constexpr std::string_view magic = "REBOUND Binary File. Version: ";
constexpr std::size_t header_size = 64;

struct Version {
  unsigned major = 0, minor = 0;
};

std::string_view header_of(const FileView& file) {
  return {reinterpret_cast<const char*>(file.bytes.data()), std::min(file.bytes.size(), header_size)};
}

Version version_of(const FileView& file) {
  Version version;
  const auto text = header_of(file).substr(std::min(magic.size(), header_of(file).size()));
  const auto* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.major);
  if (major.ec == std::errc() && major.ptr != end && *major.ptr == '.')
    std::from_chars(major.ptr + 1, end, version.minor);
  return version;
}

/// The fields that are read, under their names of version 5.
constexpr std::array<std::pair<std::uint32_t, std::string_view>, 6> names_of_types{
    {{0, "t"}, {1, "G"}, {4, "N"}, {5, "N_var"}, {85, "particles"}, {9999, "end"}}};
std::string_view name_of_type(std::uint32_t type) {
  for (const auto& [number, name] : names_of_types)
    if (number == type) return name;
  return "";
}

using FieldBytes = std::span<const std::byte>;

/// Goes through the fields of an archive, snapshot by snapshot. A later one holds only what changed.
class Archive {
 public:
  explicit Archive(const FileView& file) : file_(file), version_(version_of(file)) {
    if (version_.major < 3 || version_.major > 5)
      cannot_read(
          file.path,
          fmt::format("it is an archive of REBOUND {}.{}; versions 3 to 5 are read: write it again with "
                      "one of these, or its particles as CSV from Python",
                      version_.major, version_.minor));
  }
  const Version& version() const { return version_; }

  /// Takes in the next snapshot; false where there is none, or no whole one.
  bool next() {
    auto fields = fields_;
    std::size_t at = at_;
    while (const auto field = field_at(at)) {
      if (field->first == "end") {
        at_ = at + blob_size();
        if (at_ > file_.bytes.size()) return false;
        fields_ = std::move(fields);
        return true;
      }
      fields[field->first] = field->second;
    }
    return false;
  }

  std::optional<FieldBytes> find(const std::string& name) const {
    const auto found = fields_.find(name);
    return found == fields_.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<double> real(const std::string& name) const {
    const auto bytes = find(name);
    if (!bytes || bytes->size() != 8) return std::nullopt;
    return load<double>(bytes->data(), false);
  }
  /// A whole number of 4 or 8 bytes.
  std::optional<std::uint64_t> whole(const std::string& name) const {
    const auto bytes = find(name);
    if (!bytes) return std::nullopt;
    if (bytes->size() == 4) return load<std::uint32_t>(bytes->data(), false);
    if (bytes->size() == 8) return load<std::uint64_t>(bytes->data(), false);
    return std::nullopt;
  }

 private:
  /// Behind each snapshot: a number and two distances, of 2 bytes before version 3.18.
  std::size_t blob_size() const { return version_.major == 3 && version_.minor < 18 ? 8 : 12; }

  std::optional<std::pair<std::string, FieldBytes>> field_at(std::size_t& at) const {
    const auto& bytes = file_.bytes;
    if (at > bytes.size() || bytes.size() - at < 16) return std::nullopt;
    const bool named = version_.major >= 5;
    const auto first = load<std::uint64_t>(bytes.data() + at, false);
    const auto size = load<std::uint64_t>(bytes.data() + at + 8, false);
    const auto type = load<std::uint32_t>(bytes.data() + at, false);
    at += 16;
    const auto letters = named ? first : 0;
    if (letters > 4096 || letters > bytes.size() - at) return std::nullopt;
    std::string name(reinterpret_cast<const char*>(bytes.data() + at), static_cast<std::size_t>(letters));
    name.resize(std::min(name.find('\0'), name.size()));
    if (!named) name = name_of_type(type);
    at += letters;
    // The end has no data, whatever its size says.
    if (name == "end") return std::pair(std::move(name), FieldBytes());
    if (size > bytes.size() - at) return std::nullopt;
    const auto data = bytes.subspan(at, static_cast<std::size_t>(size));
    at += static_cast<std::size_t>(size);
    return std::pair(std::move(name), data);
  }

  const FileView& file_;
  Version version_;
  std::size_t at_ = header_size;
  std::map<std::string, FieldBytes, std::less<>> fields_;
};

/// Places in a record: x y z vx vy vz ax ay az m, of 8 bytes each.
constexpr std::size_t mass_at = 72, least_record = 80, most_record = 4096;

DVec3 vector_at(const std::byte* at) {
  return {load<double>(at, false), load<double>(at + 8, false), load<double>(at + 16, false)};
}

void take_bodies(const FileView& file, const Archive& archive, const ReadOptions& options, Scene& scene) {
  const auto particles = archive.find("particles");
  const auto count = archive.whole("N").value_or(0);
  if (!particles || particles->empty() || count == 0)
    cannot_read(file.path, "it is a REBOUND archive without particles; choose another one");
  const auto record = particles->size() / count;
  if (particles->size() % count != 0 || record < least_record || record > most_record || record % 8 != 0)
    cannot_read(file.path, fmt::format("its {} bytes of particles are none of {} bodies; copy it again",
                                       particles->size(), count));
  const auto variations = archive.whole("N_var").value_or(0);
  scene.bodies.resize(static_cast<std::size_t>(count - std::min(count, variations)));
  const Rounding rounding(options);
  scene.bodies.origin = rounding.origin();
  const Ticker ticker(options.progress, scene.bodies.size(), 0.0F, 0.8F);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    ticker.now_and_then(i);
    const auto* const at = particles->data() + i * record;
    scene.bodies.position[i] = rounding.place(vector_at(at));
    scene.bodies.velocity[i] = rounding.velocity(vector_at(at + 24));
    scene.bodies.mass[i] = rounding.mass(load<double>(at + mass_at, false));
  }
  if (variations > 0)
    scene.notes.push_back(fmt::format("{} variational particles are left out", std::min(count, variations)));
}

bool recognizes_rebound(const FileView& file) { return header_of(file).starts_with(magic); }

Scene read_rebound(const FileView& file, const ReadOptions& options) {
  Archive archive(file);
  for (std::size_t k = 0; k <= options.snapshot; ++k) {
    if (archive.next()) continue;
    if (k == 0) cannot_read(file.path, "it is a REBOUND archive that is cut off; copy it again");
    cannot_read(file.path, fmt::format("it has {} whole snapshots only", k));
  }
  Scene scene;
  take_bodies(file, archive, options, scene);
  const auto time = archive.real("t");
  if (time && std::isfinite(*time)) scene.time = *time;
  const auto gravity = archive.real("G");
  if (gravity && std::isfinite(*gravity) && *gravity > 0.0) {
    scene.physics.gravitational_constant = *gravity;
    scene.states_gravity = true;
  }
  scene.source =
      fmt::format("REBOUND archive, version {}.{}", archive.version().major, archive.version().minor);
  scene.notes.emplace_back("left out: sizes of bodies, and what belongs to REBOUND's integrators");
  return scene;
}

std::size_t count_rebound(const FileView& file, const ReadOptions& /*options*/) {
  Archive archive(file);
  std::size_t snapshots = 0;
  while (archive.next()) ++snapshots;
  return snapshots;
}

}  // namespace

const SnapshotFormat rebound_format{"rebound",
                                    "simulation archives of REBOUND 3 to 5",
                                    "",
                                    false,
                                    &recognizes_rebound,
                                    &read_rebound,
                                    nullptr,
                                    &count_rebound};

}  // namespace orrery::sim
