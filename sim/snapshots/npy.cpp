#include <fmt/format.h>

#include <algorithm>

#include "sim/core/message.h"
#include "sim/snapshots/body_arrays.h"
#include "sim/snapshots/npy_scene.h"
#include "snapshot_formats.h"

// A NumPy array in a file of its own: a matrix of bodies, or a structured array. docs/formats.md has the
// rules.

namespace orrery::sim {

namespace {

[[noreturn]] void refuse_objects(const FileView& file) {
  cannot_read(
      file.path,
      "it holds pickled Python objects, which could run any code and are never read; save arrays of numbers");
}

std::string source_of(const NpyHeader& header, std::string_view kind) {
  const auto& field = header.fields.front();
  return fmt::format("NumPy, {}{}", kind, field.big_endian && field.width > 1 ? ", big-endian" : "");
}

Scene scene_of_fields(const FileView& file, const NpyHeader& header, std::span<const std::byte> bytes,
                      const ReadOptions& options) {
  std::vector<std::string> names;
  for (const auto& field : header.fields) names.push_back(field.name);
  std::vector<NamedArray> arrays;
  std::vector<std::string> left_out;
  for (const auto& field : header.fields) {
    if (needs_array(field.name, names))
      arrays.push_back(npy_array(header, field, bytes));
    else
      arrays.push_back({.name = field.name, .type = ArrayType::text});
  }
  return scene_of_arrays(file, std::move(arrays), options, source_of(header, "structured array"));
}

Scene read_npy(const FileView& file, const ReadOptions& options) {
  return scene_of_npy(file, {}, file.bytes, options);
}

bool recognizes_npy(const FileView& file) { return is_npy(file.bytes); }

}  // namespace

Scene scene_of_npy(const FileView& file, std::string_view name, std::span<const std::byte> bytes,
                   const ReadOptions& options) {
  const auto header = read_npy_header(file, name, bytes);
  if (header.has_objects) refuse_objects(file);
  if (header.is_structured()) return scene_of_fields(file, header, bytes, options);
  const auto& field = header.fields.front();
  if (field.type() == ArrayType::text)
    cannot_read(file.path,
                fmt::format("its NumPy numbers are of the type '{}{}', which is not read; save them with "
                            "astype('f8')",
                            printable({&field.kind, 1}), field.width));
  if (header.shape.size() != 2)
    cannot_read(file.path,
                fmt::format("its NumPy array has {} dimensions; bodies must be rows, as in the shape "
                            "(1000, 3) or (1000, 7)",
                            header.shape.size()));
  return scene_of_matrix(file, npy_array(header, field, bytes), options, source_of(header, "array"));
}

const SnapshotFormat npy_format{"npy",
                                "NumPy arrays: (N, 3), (N, 6), (N, 7), or structured with named fields",
                                "",
                                false,
                                &recognizes_npy,
                                &read_npy,
                                nullptr};

}  // namespace orrery::sim
