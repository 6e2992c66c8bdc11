#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "sim/core/byte_order.h"
#include "sim/core/mapped_file.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/body_arrays.h"
#include "sim/snapshots/npy.h"
#include "sim/snapshots/unpack.h"
#include "snapshot_formats.h"

// Archives of numpy.savez and numpy.savez_compressed: arrays named like the columns of a text table, or one
// array as in an .npy file. docs/formats.md has the rules.

namespace orrery::sim {

namespace {

/// One file in a zip archive, as the directory at its end says.
struct ZipMember {
  std::string name;
  unsigned method = 0;  ///< 0 stored, 8 deflated
  bool encrypted = false;
  std::uint32_t checksum = 0;
  std::uint64_t packed = 0, size = 0;  ///< bytes
  std::uint64_t offset = 0;            ///< byte offset of the local header
};

constexpr std::size_t end_size = 22, entry_size = 46, local_size = 30, long_end_size = 56, locator_size = 20;
constexpr std::uint64_t in_long_field = 0xffffffffU;

[[noreturn]] void refuse_directory(const FileView& file) {
  cannot_read(file.path, "it is a zip archive whose directory is missing or damaged; copy it again");
}

std::uint16_t u16(const std::byte* at) { return load<std::uint16_t>(at, false); }
std::uint32_t u32(const std::byte* at) { return load<std::uint32_t>(at, false); }
std::uint64_t u64(const std::byte* at) { return load<std::uint64_t>(at, false); }

/// Where the directory is.
struct Directory {
  std::uint64_t offset = 0, size = 0, entries = 0;
};

/// The record of so many bytes that begins there with this signature; nullptr: there is none.
const std::byte* record_at(std::span<const std::byte> bytes, std::uint64_t offset, std::size_t size,
                           std::uint32_t signature) {
  if (offset > bytes.size() || bytes.size() - offset < size) return nullptr;
  const auto* const at = bytes.data() + offset;
  return u32(at) == signature ? at : nullptr;
}

/// As the end record says, behind which a comment of up to 64 KB can follow.
Directory find_directory(const FileView& file) {
  const auto& bytes = file.bytes;
  const std::byte* end = nullptr;
  for (std::size_t back = end_size; end == nullptr && back <= end_size + 0xffff; ++back)
    end = record_at(bytes, bytes.size() - back, end_size, 0x06054b50);
  if (end == nullptr) refuse_directory(file);
  const Directory directory{u32(end + 16), u32(end + 12), u16(end + 10)};
  const auto* const locator = record_at(bytes, static_cast<std::uint64_t>(end - bytes.data()) - locator_size,
                                        locator_size, 0x07064b50);
  const bool is_long = directory.offset == in_long_field || directory.entries == 0xffff;
  if (!is_long || locator == nullptr) return directory;
  const auto* const record = record_at(bytes, u64(locator + 8), long_end_size, 0x06064b50);
  if (record == nullptr) refuse_directory(file);
  return {u64(record + 48), u64(record + 40), u64(record + 32)};
}

/// Sizes and offset of 64 bits, in this order, of those that have no room in 32.
void take_long_fields(std::span<const std::byte> extra, ZipMember& member) {
  while (extra.size() >= 4) {
    const auto id = u16(extra.data());
    const std::size_t size = std::min<std::size_t>(u16(extra.data() + 2), extra.size() - 4);
    auto field = extra.subspan(4, size);
    extra = extra.subspan(4 + size);
    if (id != 1) continue;
    for (auto* const value : {&member.size, &member.packed, &member.offset}) {
      if (*value != in_long_field || field.size() < 8) continue;
      *value = u64(field.data());
      field = field.subspan(8);
    }
  }
}

ZipMember member_at(const std::byte* at, std::size_t name, std::size_t extra) {
  ZipMember member{.name = std::string(reinterpret_cast<const char*>(at + entry_size), name),
                   .method = u16(at + 10),
                   .encrypted = (u16(at + 8) & 1U) != 0,
                   .checksum = u32(at + 16),
                   .packed = u32(at + 20),
                   .size = u32(at + 24),
                   .offset = u32(at + 42)};
  take_long_fields({at + entry_size + name, extra}, member);
  return member;
}

[[noreturn]] void refuse_member(const FileView& file, const ZipMember& member, std::string_view why) {
  cannot_read(file.path, fmt::format("'{}' in its zip archive {}", printable(member.name, 40), why));
}

std::span<const std::byte> packed_bytes(const FileView& file, const ZipMember& member) {
  const auto& bytes = file.bytes;
  const auto* const at = record_at(bytes, member.offset, local_size, 0x04034b50);
  const auto begin = at == nullptr ? bytes.size() : member.offset + local_size + u16(at + 26) + u16(at + 28);
  if (at == nullptr || begin > bytes.size() || member.packed > bytes.size() - begin)
    refuse_member(file, member, "is cut off; copy it again");
  return bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(member.packed));
}

void require_limits(const FileView& file, const ZipMember& member, const UnpackLimits& limits) {
  constexpr double always_allowed = 64.0 * 1024.0 * 1024.0;
  const auto size = static_cast<double>(member.size);
  if (size > static_cast<double>(limits.bytes) ||
      size > std::max(always_allowed, limits.times * static_cast<double>(file.bytes.size())))
    refuse_member(
        file, member,
        fmt::format("would become {:.0f} MB when it is unpacked, more than such a file or this machine's "
                    "memory allows; unpack it by hand if you trust it",
                    size / 1e6));
}

std::vector<std::byte> inflated(const FileView& file, const ZipMember& member,
                                std::span<const std::byte> packed) {
  std::vector<std::byte> content(static_cast<std::size_t>(member.size));
  z_stream stream{};
  if (inflateInit2(&stream, -15) != Z_OK) throw std::bad_alloc();
  constexpr std::size_t most = std::size_t{1} << 30;  // counts have 32 bits there
  std::size_t read = 0, written = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    const auto in = std::min(most, packed.size() - read), out = std::min(most, content.size() - written);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): zlib reads only
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data() + read));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(content.data() + written);
    stream.avail_out = static_cast<uInt>(out);
    state = inflate(&stream, Z_NO_FLUSH);
    read += in - stream.avail_in;
    written += out - stream.avail_out;
  }
  inflateEnd(&stream);
  if (state == Z_MEM_ERROR) throw std::bad_alloc();
  if (state != Z_STREAM_END || written != content.size())
    refuse_member(file, member, "is damaged; copy the file again");
  return content;
}

/// Everything in a zip archive, with sizes of 32 or 64 bits. Throws Error if the directory is missing or
/// damaged.
std::vector<ZipMember> zip_members(const FileView& file) {
  const auto directory = find_directory(file);
  const auto& bytes = file.bytes;
  if (directory.offset > bytes.size() || directory.size > bytes.size() - directory.offset ||
      directory.entries > directory.size / entry_size)
    refuse_directory(file);
  std::vector<ZipMember> members;
  auto rest =
      bytes.subspan(static_cast<std::size_t>(directory.offset), static_cast<std::size_t>(directory.size));
  for (std::uint64_t k = 0; k < directory.entries; ++k) {
    if (record_at(rest, 0, entry_size, 0x02014b50) == nullptr) refuse_directory(file);
    const std::size_t name = u16(rest.data() + 28), extra = u16(rest.data() + 30),
                      comment = u16(rest.data() + 32);
    if (name + extra + comment > rest.size() - entry_size) refuse_directory(file);
    members.push_back(member_at(rest.data(), name, extra));
    rest = rest.subspan(entry_size + name + extra + comment);
  }
  return members;
}

/// The bytes of a member, unpacked. Throws Error for another method, a wrong size or checksum, or beyond the
/// limits; what the member promises is compared with the limits before memory is taken.
std::vector<std::byte> zip_content(const FileView& file, const ZipMember& member,
                                   const UnpackLimits& limits) {
  if (member.encrypted) refuse_member(file, member, "is encrypted; unpack it first");
  if (member.method != 0 && member.method != 8)
    refuse_member(file, member, "is packed in a way that is unknown; save it with numpy.savez_compressed");
  const auto packed = packed_bytes(file, member);
  require_limits(file, member, limits);
  if (member.method == 0 && member.packed != member.size)
    refuse_member(file, member, "is damaged; copy the file again");
  auto content = member.method == 0 ? std::vector<std::byte>(packed.begin(), packed.end())
                                    : inflated(file, member, packed);
  const auto checksum = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  if (checksum != member.checksum) refuse_member(file, member, "is damaged; copy the file again");
  return content;
}

constexpr std::string_view ending = ".npy";

/// The first local header names an array.
bool recognizes_npz(const FileView& file) {
  const std::string_view bytes(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  if (bytes.size() < local_size || !bytes.starts_with("PK\x03\x04")) return false;
  return bytes.substr(local_size, load<std::uint16_t>(file.bytes.data() + 26, false)).ends_with(ending);
}

Scene read_npz(const FileView& file, const ReadOptions& options) {
  auto members = zip_members(file);
  std::erase_if(members, [](const ZipMember& member) { return !member.name.ends_with(ending); });
  if (members.empty()) cannot_read(file.path, "its archive holds no NumPy arrays; choose another file");
  std::vector<std::string> names;
  for (const auto& member : members)
    names.push_back(member.name.substr(0, member.name.size() - ending.size()));
  UnpackLimits limits;  // all of what is unpacked counts against them
  const auto unpacked = [&](std::size_t k) {
    auto bytes = zip_content(file, members[k], limits);
    limits.bytes -= bytes.size();
    return bytes;
  };
  if (members.size() == 1 && (!names_places(names) || !options.columns.empty()))
    return scene_of_npy(file, names.front(), unpacked(0), options);
  const auto read = [&](std::size_t k) { return npy_array(file, names[k], unpacked(k)); };
  return scene_of_arrays(file, needed_arrays(names, options.progress, read), options,
                         "NumPy, archive of arrays");
}

}  // namespace

const SnapshotFormat npz_format{.name = "npz",
                                .meaning = "archives of NumPy arrays, named like the columns of a text table",
                                .recognizes = &recognizes_npz,
                                .read = &read_npz};

}  // namespace orrery::sim
