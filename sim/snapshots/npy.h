#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/mapped_file.h"
#include "sim/snapshots/format.h"
#include "sim/snapshots/named_array.h"

namespace orrery::sim {

/// One field of a NumPy array's elements; an array of plain numbers has one without a name.
struct NpyField {
  std::string name;
  char kind = '\0';  ///< as in NumPy: f, i, u, b, or another one, of which nothing is read
  bool big_endian = false;
  std::size_t width = 0;       ///< bytes of a number
  std::size_t components = 1;  ///< numbers of a field
  std::size_t offset = 0;      ///< bytes from the element's start

  /// The type of its numbers; text: none that is read.
  ArrayType type() const;
};

/// The header of an `.npy` file (numpy.lib.format, versions 1 to 3).
struct NpyHeader {
  std::vector<NpyField> fields;
  std::size_t element = 0;  ///< bytes
  bool fortran_order = false;
  bool has_objects = false;  ///< pickled Python objects
  std::vector<std::uint64_t> shape;
  std::size_t data = 0;  ///< byte offset of the numbers

  bool is_structured() const { return !fields.empty() && !fields.front().name.empty(); }
  /// Product of the shape; throws nothing: `most` where it is more.
  std::uint64_t elements() const;
};

/// True if the bytes begin as such a file does.
bool is_npy(std::span<const std::byte> bytes);

/// Reads the header; `name` is that of the array for messages. Throws Error for one that makes no sense, or
/// that promises more numbers than `bytes` hold.
NpyHeader read_npy_header(const FileView& file, std::string_view name, std::span<const std::byte> bytes);

/// The numbers of a field of all elements, in the order of the first index. For plain arrays of two
/// dimensions, the rows are tuples.
NamedArray npy_array(const NpyHeader& header, const NpyField& field, std::span<const std::byte> bytes);

/// Makes a scene of one NumPy array: the fields of a structured one, or the columns of a matrix. Throws Error
/// with one line. `bytes` are those of the `.npy` file, `name` is that of the array in an archive.
Scene scene_of_npy(const FileView& file, std::string_view name, std::span<const std::byte> bytes,
                   const ReadOptions& options);

}  // namespace orrery::sim
