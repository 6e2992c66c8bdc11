#include <fmt/format.h>

#include <algorithm>

#include "sim/core/byte_order.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/body_arrays.h"
#include "sim/snapshots/npy_scene.h"
#include "sim/snapshots/zip_file.h"
#include "snapshot_formats.h"

// Archives of numpy.savez and numpy.savez_compressed: arrays named like the columns of a text table, or one
// array as in an .npy file. docs/formats.md has the rules.

namespace orrery::sim {

namespace {

constexpr std::string_view ending = ".npy";

/// The first local header names an array.
bool recognizes_npz(const FileView& file) {
  constexpr std::size_t local_size = 30;
  const std::string_view bytes(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
  if (bytes.size() < local_size || !bytes.starts_with("PK\x03\x04")) return false;
  return bytes.substr(local_size, load<std::uint16_t>(file.bytes.data() + 26, false)).ends_with(ending);
}

struct Member {
  std::string name;
  ZipMember zip;
};

std::vector<Member> arrays_in(const FileView& file) {
  std::vector<Member> arrays;
  for (auto& member : zip_members(file)) {
    if (!member.name.ends_with(ending)) continue;
    auto name = member.name.substr(0, member.name.size() - ending.size());
    arrays.push_back({std::move(name), std::move(member)});
  }
  if (arrays.empty()) cannot_read(file.path, "its archive holds no NumPy arrays; choose another file");
  return arrays;
}

/// All of what is unpacked counts against the limits.
class MemberReader {
 public:
  explicit MemberReader(const FileView& file) : file_(file) {}
  std::vector<std::byte> content(const ZipMember& member) {
    auto bytes = zip_content(file_, member, limits_);
    limits_.bytes -= bytes.size();
    return bytes;
  }

 private:
  const FileView& file_;
  UnpackLimits limits_;
};

NamedArray array_of(const FileView& file, const std::string& name, std::span<const std::byte> bytes) {
  const auto header = read_npy_header(file, name, bytes);
  if (header.has_objects || header.is_structured() || header.shape.size() > 2)
    return {.name = name, .type = ArrayType::text};
  auto array = npy_array(header, header.fields.front(), bytes);
  array.name = name;
  return array;
}

Scene read_named(const FileView& file, const std::vector<Member>& members, std::span<const std::string> names,
                 const ReadOptions& options) {
  MemberReader unpacking(file);
  std::vector<NamedArray> arrays;
  const Ticker ticker(options.progress, members.size(), 0.0F, 0.6F);
  for (std::size_t k = 0; k < members.size(); ++k) {
    ticker.at(k);
    const auto& [name, zip] = members[k];
    if (needs_array(name, names))
      arrays.push_back(array_of(file, name, unpacking.content(zip)));
    else
      arrays.push_back({.name = name, .type = ArrayType::text});
  }
  return scene_of_arrays(file, std::move(arrays), options, "NumPy, archive of arrays");
}

Scene read_npz(const FileView& file, const ReadOptions& options) {
  const auto members = arrays_in(file);
  std::vector<std::string> names;
  for (const auto& member : members) names.push_back(member.name);
  const auto is_matrix = [&] {
    return members.size() == 1 && (!names_places(names) || !options.columns.empty());
  };
  if (is_matrix()) {
    const auto bytes = MemberReader(file).content(members.front().zip);
    return scene_of_npy(file, members.front().name, bytes, options);
  }
  return read_named(file, members, names, options);
}

}  // namespace

const SnapshotFormat npz_format{"npz",
                                "archives of NumPy arrays, named like the columns of a text table",
                                "",
                                false,
                                &recognizes_npz,
                                &read_npz,
                                nullptr};

}  // namespace orrery::sim
