#include "sim/snapshots/gadget_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/core/byte_order.h"
#include "sim/core/message.h"

namespace orrery::sim {

namespace {

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

}  // namespace

std::uint64_t GadgetHeader::total() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::uint64_t GadgetHeader::with_own_mass() const {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < gadget_types; ++k) sum += masses.at(k) == 0.0 ? counts.at(k) : 0;
  return sum;
}

bool GadgetHeader::is_cosmological() const {
  return matter_density > 0.0 && time > 0.0 && std::abs(time * (1.0 + redshift) - 1.0) < 1e-3;
}

std::span<const std::byte> GadgetFile::block(std::string_view label) const {
  const auto found = std::ranges::find(blocks, label, &GadgetBlock::label);
  return found == blocks.end() ? std::span<const std::byte>{} : found->bytes;
}

bool looks_like_gadget(std::span<const std::byte> bytes) {
  const auto order = byte_order(bytes);
  if (!order) return false;
  if (load<std::uint32_t>(bytes.data(), *order) == header_bytes) {
    // One that is cut off so early is still called Gadget, for a better message.
    return bytes.size() < header_bytes + 2 * marker_bytes ||
           load<std::uint32_t>(bytes.data() + marker_bytes + header_bytes, *order) == header_bytes;
  }
  return bytes.size() >= label_bytes + 2 * marker_bytes && label_of(bytes.subspan(marker_bytes)) == "HEAD";
}

GadgetFile parse_gadget(const FileView& file) {
  const auto order = byte_order(file.bytes);
  if (!order || !looks_like_gadget(file.bytes))
    cannot_read(file.path, "it has no Gadget header; leave the format to be recognized");
  GadgetFile result{.big_endian = *order};
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

}  // namespace orrery::sim
