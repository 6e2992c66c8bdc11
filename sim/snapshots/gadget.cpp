#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/bodies/origin.h"
#include "sim/core/byte_order.h"
#include "sim/core/mapped_file.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/scene/periodic_box.h"
#include "sim/snapshots/check.h"
#include "snapshot_formats.h"

// Gadget-1 and -2 binaries, "SnapFormat" 1 and 2, as in io.c and allvars.h of Gadget-2. docs/formats.md has
// the bytes and the rules.

namespace orrery::sim {

namespace {

/// Gas, halo, disk, bulge, stars, boundary (or black holes).
constexpr std::size_t gadget_types = 6;

/// The header of Gadget-1 and -2 (allvars.h of Gadget-2): 256 bytes, of which these are used.
struct GadgetHeader {
  std::array<std::uint32_t, gadget_types> counts{};  ///< bodies of each type in this file
  std::array<double, gadget_types> masses{};  ///< mass of every body of the type; 0: each body has its own
  double time = 0.0;                          ///< or the scale factor
  double redshift = 0.0;
  double box = 0.0;             ///< side of the periodic box; 0: none
  double matter_density = 0.0;  ///< Omega0; 0: not cosmological
  double hubble = 0.0;          ///< H0 / (100 km/s/Mpc)
  std::uint32_t files = 1;      ///< number of files of the snapshot

  /// Bodies of all types in this file.
  std::uint64_t total() const { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}); }

  /// Bodies whose masses are in the block MASS.
  std::uint64_t with_own_mass() const {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < gadget_types; ++k) sum += masses.at(k) == 0.0 ? counts.at(k) : 0;
    return sum;
  }

  /// True if lengths and velocities are comoving: `time` is the scale factor that belongs to the redshift.
  bool is_cosmological() const {
    return matter_density > 0.0 && time > 0.0 && std::abs(time * (1.0 + redshift) - 1.0) < 1e-3;
  }
};

/// One record of the file: POS, VEL, ID, MASS, or the label of another one; "?" where format 1 names none.
struct GadgetBlock {
  std::string label;
  std::span<const std::byte> bytes;  ///< bytes of the record in the file
};

/// One file, divided into its blocks.
struct GadgetFile {
  FileView view;
  GadgetHeader header = {};
  int format = 1;  ///< 2: blocks have labels
  bool big_endian = false;
  std::vector<GadgetBlock> blocks = {};           ///< after the header
  std::shared_ptr<const MappedFile> mapped = {};  ///< null for the file that was named

  /// The block of that label; empty if there is none.
  std::span<const std::byte> block(std::string_view label) const {
    const auto found = std::ranges::find(blocks, label, &GadgetBlock::label);
    return found == blocks.end() ? std::span<const std::byte>{} : found->bytes;
  }
};

constexpr std::size_t header_bytes = 256;
constexpr std::size_t label_bytes = 8;
constexpr std::size_t marker_bytes = 4;

std::optional<bool> byte_order(std::span<const std::byte> bytes) {
  if (bytes.size() < marker_bytes) return std::nullopt;
  for (const bool big_endian : {false, true}) {
    const auto first = load<std::uint32_t>(bytes.data(), big_endian);
    if (first == header_bytes || first == label_bytes) return big_endian;
  }
  return std::nullopt;
}

/// Walks through Fortran records: length, bytes, length.
class Records {
 public:
  Records(const FileView& file, bool big_endian) : file_(file), big_endian_(big_endian) {}

  bool at_end() const { return at_ == file_.bytes.size(); }

  std::span<const std::byte> next() {
    const auto size = marker();
    if (size > file_.bytes.size() - at_) refuse(size);
    const auto content = file_.bytes.subspan(at_, size);
    at_ += size;
    if (marker() != size) refuse(size);
    return content;
  }

 private:
  std::uint32_t marker() {
    if (file_.bytes.size() - at_ < marker_bytes) refuse(0);
    const auto value = load<std::uint32_t>(file_.bytes.data() + at_, big_endian_);
    at_ += marker_bytes;
    return value;
  }
  [[noreturn]] void refuse(std::uint32_t size) const {
    cannot_read(file_.path,
                fmt::format("its Gadget record near byte {} ({} bytes long) does not end as it should; "
                            "the file is cut off or damaged, copy it again",
                            at_, size));
  }

  const FileView& file_;
  bool big_endian_;
  std::size_t at_ = 0;
};

GadgetHeader header_of(std::span<const std::byte> bytes, bool big_endian) {
  GadgetHeader header;
  const auto real = [&](std::size_t at) { return load<double>(bytes.data() + at, big_endian); };
  for (std::size_t k = 0; k < gadget_types; ++k) {
    header.counts.at(k) = load<std::uint32_t>(bytes.data() + 4 * k, big_endian);
    header.masses.at(k) = real(24 + 8 * k);
  }
  header.time = real(72);
  header.redshift = real(80);
  // Initial conditions of one file say 0.
  header.files = std::max(load<std::uint32_t>(bytes.data() + 124, big_endian), 1U);
  header.box = real(128);
  header.matter_density = real(136);
  header.hubble = real(152);
  return header;
}

std::string label_of(std::span<const std::byte> bytes) {
  std::string label;
  for (std::size_t k = 0; k < 4; ++k) label += static_cast<char>(bytes[k]);
  while (label.ends_with(' ') || label.ends_with('\0')) label.pop_back();
  return label;
}

/// Format 2: a record with the label before every other one.
void take_labelled(Records& records, GadgetFile& result) {
  while (!records.at_end()) {
    const auto label = records.next();
    if (records.at_end() || label.size() != label_bytes) return;
    result.blocks.push_back({label_of(label), records.next()});
  }
}

/// Format 1 has the blocks in this order; those that are missing are found by the sizes.
struct Expected {
  std::string_view label;
  std::uint64_t numbers;  ///< numbers in the block, of 4 or 8 bytes each
};

void name_by_size(GadgetFile& file) {
  const auto& header = file.header;
  const std::array expected{Expected{"POS", 3 * header.total()}, Expected{"VEL", 3 * header.total()},
                            Expected{"ID", header.total()}, Expected{"MASS", header.with_own_mass()},
                            Expected{"U", header.counts[0]}};
  std::size_t next = 0;
  for (auto& block : file.blocks) {
    const auto fits = [&](const Expected& each) {
      return each.numbers > 0 &&
             (block.bytes.size() == 4 * each.numbers || block.bytes.size() == 8 * each.numbers);
    };
    const auto found =
        std::find_if(expected.begin() + static_cast<std::ptrdiff_t>(next), expected.end(), fits);
    block.label = found == expected.end() ? "?" : std::string(found->label);
    if (found != expected.end()) next = static_cast<std::size_t>(found - expected.begin()) + 1;
  }
}

void check_counts(const FileView& file, const GadgetHeader& header) {
  if (header.total() == 0) cannot_read(file.path, "its Gadget header says that there are no bodies");
  // The positions alone take 12 bytes per body: a damaged count must not ask for memory.
  if (header.total() > file.bytes.size() / 12)
    cannot_read(
        file.path,
        fmt::format("its Gadget header says {} bodies, for which its {} bytes are too few; copy it again",
                    header.total(), file.bytes.size()));
}

/// True if the first record has the size of a header, or is a label, and ends as it should.
bool recognizes_gadget(const FileView& file) {
  const auto& bytes = file.bytes;
  const auto order = byte_order(bytes);
  if (!order) return false;
  if (load<std::uint32_t>(bytes.data(), *order) == header_bytes) {
    // One that is cut off so early is still called Gadget, for a better message.
    return bytes.size() < header_bytes + 2 * marker_bytes ||
           load<std::uint32_t>(bytes.data() + marker_bytes + header_bytes, *order) == header_bytes;
  }
  return bytes.size() >= label_bytes + 2 * marker_bytes && label_of(bytes.subspan(marker_bytes)) == "HEAD";
}

/// Checks that records follow each other without a gap, each between two equal lengths, and names them. In
/// format 1 the order and the sizes say which is which. Throws Error with one line.
GadgetFile parse_gadget(const FileView& file) {
  const auto order = byte_order(file.bytes);
  if (!order || !recognizes_gadget(file))
    cannot_read(file.path, "it has no Gadget header; leave the format to be recognized");
  GadgetFile result{.view = file, .big_endian = *order};
  Records records(file, *order);
  auto first = records.next();
  if (first.size() == label_bytes) {
    result.format = 2;
    first = records.next();
  }
  if (first.size() != header_bytes)
    cannot_read(file.path,
                fmt::format("its Gadget header has {} bytes instead of 256, as GADGET-4's own; write it "
                            "with GADGET2_HEADER or as HDF5",
                            first.size()));
  result.header = header_of(first, *order);
  check_counts(file, result.header);
  if (result.format == 2) {
    take_labelled(records, result);
  } else {
    while (!records.at_end()) result.blocks.push_back({{}, records.next()});
    name_by_size(result);
  }
  return result;
}

// ---- Several files ----

/// The files of a snapshot in their order; `named` is one of them.
std::vector<GadgetFile> files_of(const FileView& named, std::vector<std::string>& notes) {
  auto first = parse_gadget(named);
  std::vector<GadgetFile> files;
  for (const auto& path : files_of_snapshot(named.path, first.header.files, notes)) {
    const auto mapped = path == named.path ? nullptr : std::make_shared<const MappedFile>(path);
    files.push_back(mapped ? parse_gadget(mapped->view()) : first);
    files.back().mapped = mapped;
  }
  return files;
}

// ---- Blocks ----

/// Numbers of a block, of 4 or 8 bytes as its size says.
class Numbers {
 public:
  /// Throws Error if the block has not that many numbers.
  Numbers(const GadgetFile& gadget, std::string_view label, std::uint64_t count)
      : bytes_(gadget.block(label)), big_endian_(gadget.big_endian) {
    if (bytes_.empty()) return;
    if (bytes_.size() != 4 * count && bytes_.size() != 8 * count)
      cannot_read(gadget.view.path,
                  fmt::format("its Gadget block {} has {} bytes, which do not fit {} numbers; copy it again",
                              label, bytes_.size(), count));
    wide_ = bytes_.size() == 8 * count;
  }

  bool there() const { return !bytes_.empty(); }
  bool wide() const { return wide_; }
  float real(std::size_t k) const { return wide_ ? static_cast<float>(at<double>(8 * k)) : at<float>(4 * k); }
  Vec3 vector(std::size_t k) const { return {real(3 * k), real(3 * k + 1), real(3 * k + 2)}; }
  /// A position from double-precision numbers, which are scaled and moved to `origin` before they are
  /// rounded.
  Vec3 place(std::size_t k, double scale, const DVec3& origin) const {
    return counted_from(origin,
                        scale * DVec3{at<double>(24 * k), at<double>(24 * k + 8), at<double>(24 * k + 16)});
  }
  std::uint64_t whole(std::size_t k) const {
    return wide_ ? at<std::uint64_t>(8 * k) : at<std::uint32_t>(4 * k);
  }

 private:
  template <typename T>
  T at(std::size_t offset) const {
    return load<T>(bytes_.data() + offset, big_endian_);
  }

  std::span<const std::byte> bytes_;
  bool big_endian_, wide_ = false;
};

/// The blocks found, over all files.
struct Found {
  bool velocities = true, ids = true, masses = true, wide = false;
  bool all_wide = true;
  std::set<std::string> left_out;
};

/// Masses of a file's bodies, from the header or its block; where both are silent they stay 0.
void take_masses(const GadgetFile& gadget, std::size_t first, Bodies& bodies, Found& found) {
  const auto& header = gadget.header;
  const Numbers own(gadget, "MASS", header.with_own_mass());
  std::size_t i = first, next = 0;
  for (std::size_t k = 0; k < gadget_types; ++k) {
    const bool has_own = header.masses.at(k) == 0.0;
    if (has_own && !own.there() && header.counts.at(k) > 0) found.masses = false;
    for (std::uint32_t n = 0; n < header.counts.at(k); ++n, ++i) {
      bodies.component[i] = static_cast<Component>(k);
      if (!has_own)
        bodies.mass[i] = static_cast<float>(header.masses.at(k));
      else if (own.there())
        bodies.mass[i] = own.real(next++);
    }
  }
}

void note_other_blocks(const GadgetFile& gadget, Found& found) {
  for (const auto& block : gadget.blocks) {
    constexpr std::array<std::string_view, 5> used{"POS", "VEL", "ID", "MASS", "INFO"};
    if (std::ranges::find(used, block.label) == used.end())
      found.left_out.insert(block.label == "?" ? "blocks without a name" : printable(block.label));
  }
}

/// The factor for comoving coordinates.
double scale_of(const GadgetHeader& header) { return header.is_cosmological() ? header.time : 1.0; }

/// Bodies of one file from `first` on, places scaled. Those in double precision count from the origin of
/// `bodies`.
void take_file(const GadgetFile& gadget, std::size_t first, const Ticker& ticker, Bodies& bodies,
               Found& found) {
  const double scale = scale_of(gadget.header);
  const auto count = static_cast<std::size_t>(gadget.header.total());
  const Numbers position(gadget, "POS", 3 * count);
  if (!position.there()) cannot_read(gadget.view.path, "its Gadget blocks have no positions (POS)");
  const Numbers velocity(gadget, "VEL", 3 * count), id(gadget, "ID", count);
  for (std::size_t k = 0; k < count; ++k) {
    ticker.now_and_then(first + k);
    bodies.position[first + k] = position.wide() ? position.place(k, scale, bodies.origin)
                                                 : static_cast<float>(scale) * position.vector(k);
    if (velocity.there()) bodies.velocity[first + k] = velocity.vector(k);
    if (id.there()) bodies.id[first + k] = id.whole(k);
  }
  found.velocities = found.velocities && velocity.there();
  found.ids = found.ids && id.there();
  found.wide = found.wide || position.wide();
  found.all_wide = found.all_wide && position.wide();
  take_masses(gadget, first, bodies, found);
  note_other_blocks(gadget, found);
}

// ---- Meaning ----

/// Comoving coordinates x and Gadget's velocities u become a x and sqrt(a) u (user's guide of Gadget-2);
/// places are scaled already.
void make_physical(Scene& scene, const GadgetHeader& header) {
  const auto a = header.time;
  scene.time = 0.0;
  scene.notes.push_back(
      fmt::format("cosmological, at scale factor {:.4g}: positions are physical, multiplied by it; "
                  "the expansion is left out",
                  a));
  if (a == 1.0) return;
  const auto velocity = static_cast<float>(std::sqrt(a));
  for (auto& v : scene.bodies.velocity) v *= velocity;
}

/// A header may say a box that its bodies do not lie in.
void take_box(Scene& scene, const GadgetHeader& header) {
  const double side = header.box * scale_of(header);
  if (!(side > 0.0) || !std::isfinite(side) || !lies_in_box(scene.bodies, {side, side, side})) return;
  scene.box = {side, side, side};
}

void settle(Scene& scene, const Found& found, const GadgetHeader& header) {
  take_box(scene, header);
  if (!found.velocities) assume_no_velocities(scene);
  settle_masses(scene, found.masses);
  settle_ids(scene, found.ids, true);
  if (!found.left_out.empty())
    scene.notes.push_back(fmt::format("left out: {}", fmt::join(found.left_out, ", ")));
  if (header.is_cosmological())
    make_physical(scene, header);
  else if (std::isfinite(header.time))
    scene.time = header.time;
}

Scene read_gadget(const FileView& file, const ReadOptions& options) {
  Scene scene;
  const auto files = files_of(file, scene.notes);
  std::size_t total = 0;
  for (const auto& each : files) total += static_cast<std::size_t>(each.header.total());
  scene.bodies.resize(total);
  scene.bodies.origin = options.origin;
  const Ticker ticker(options.progress, total, 0.0F, 0.8F);
  Found found;
  std::size_t first = 0;
  for (const auto& gadget : files) {
    take_file(gadget, first, ticker, scene.bodies, found);
    first += static_cast<std::size_t>(gadget.header.total());
  }
  // Numbers in single precision count from 0, and come back bit for bit.
  if (!found.all_wide && options.origin != DVec3{}) return read_gadget(file, {.progress = options.progress});
  const auto& gadget = files.front();
  scene.source = fmt::format("Gadget format {}, {}, {}{}", gadget.format,
                             gadget.big_endian ? "big-endian" : "little-endian",
                             found.wide ? "double precision" : "single precision",
                             files.size() > 1 ? fmt::format(", {} files", files.size()) : "");
  settle(scene, found, gadget.header);
  return scene;
}

// ---- Writing: format 2, one file, every body with its mass ----

/// Numbers of one kind become a labelled record.
class BlockWriter {
 public:
  BlockWriter(FileWriter& out, bool big_endian) : out_(out), big_endian_(big_endian) {}

  void begin(std::string_view label, std::size_t bytes) {
    size_ = static_cast<std::uint32_t>(bytes);
    put(std::uint32_t{8});
    out_.write(label);
    put(size_ + 8);
    put(std::uint32_t{8});
    put(size_);
  }
  void end() { put(size_); }

  template <typename T>
  void put(T value) {
    out_.write(bytes_of(value, big_endian_));
  }

 private:
  FileWriter& out_;
  bool big_endian_;
  std::uint32_t size_ = 0;
};

/// The bodies type by type, as Gadget has them.
std::vector<std::size_t> by_type(const Bodies& bodies) {
  std::vector<std::size_t> order;
  order.reserve(bodies.size());
  for (std::size_t type = 0; type < gadget_types; ++type)
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies.component[i] == static_cast<Component>(type)) order.push_back(i);
  return order;
}

void write_header(const Scene& scene, BlockWriter& out) {
  std::array<std::uint32_t, gadget_types> counts{};
  for (const auto component : scene.bodies.component) ++counts.at(static_cast<std::size_t>(component));
  out.begin("HEAD", 256);
  for (const auto count : counts) out.put(count);
  for (std::size_t k = 0; k < gadget_types; ++k) out.put(0.0);
  out.put(scene.time);
  out.put(0.0);                                          // redshift
  for (int k = 0; k < 2; ++k) out.put(std::int32_t{0});  // star formation, feedback
  for (const auto count : counts) out.put(count);
  out.put(std::int32_t{0});                  // cooling
  out.put(std::int32_t{1});                  // files
  for (int k = 0; k < 4; ++k) out.put(0.0);  // box, Omega0, OmegaLambda, HubbleParam
  for (int k = 0; k < 24; ++k) out.put(std::int32_t{0});
  out.end();
}

void check_writable(const Scene& scene, const FileWriter& out) {
  const auto& bodies = scene.bodies;
  // Lengths of records have 32 bits.
  if (bodies.size() > 0xffffffffU / 12 - 1)
    cannot_write(out.target(), "Gadget files hold at most 357913940 bodies");
  require_one_galaxy(scene, out, "Gadget files hold", "bin or csv");
}

void write_gadget(const Scene& scene, const WriteOptions& options, FileWriter& file) {
  check_writable(scene, file);
  const auto& bodies = scene.bodies;
  const auto order = by_type(bodies);
  BlockWriter out(file, options.big_endian);
  write_header(scene, out);
  const Ticker ticker(options.progress, 4 * order.size());
  const auto block = [&](std::string_view label, std::size_t bytes, std::size_t part, const auto& put) {
    out.begin(label, bytes * order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      ticker.now_and_then(part * order.size() + k);
      put(order[k]);
    }
    out.end();
  };
  const auto vector = [&](const Vec3& value) { out.put(value.x), out.put(value.y), out.put(value.z); };
  block("POS ", 12, 0, [&](std::size_t i) { vector(bodies.position[i]); });
  block("VEL ", 12, 1, [&](std::size_t i) { vector(bodies.velocity[i]); });
  if (std::ranges::all_of(bodies.id, [](auto id) { return id <= 0xffffffffU; }))
    block("ID  ", 4, 2, [&](std::size_t i) { out.put(static_cast<std::uint32_t>(bodies.id[i])); });
  else
    block("ID  ", 8, 2, [&](std::size_t i) { out.put(bodies.id[i]); });
  block("MASS", 4, 3, [&](std::size_t i) { out.put(bodies.mass[i]); });
}

}  // namespace

const SnapshotFormat gadget_format{
    "gadget",           "Gadget-1 and -2 binaries: formats 1 and 2, both byte orders, several files",
    "gadget,gad",       false,
    &recognizes_gadget, &read_gadget,
    &write_gadget};

}  // namespace orrery::sim
