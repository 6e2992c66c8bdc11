#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/snapshots/named_array.h"

namespace orrery::sim {

/// Description of a dataset in an HDF5 file.
struct Hdf5Shape {
  enum class Kind { whole, real, other };
  Kind kind = Kind::other;            ///< kind of the numbers
  bool is_signed = true;              ///< true if whole numbers are signed
  std::size_t width = 0;              ///< bytes of a number
  std::vector<std::uint64_t> extent;  ///< numbers along each dimension; none: a single number
  std::uint64_t stored = 0;           ///< bytes that it takes in the file
  bool packed = false;                ///< the stored data are compressed
  bool elsewhere = false;             ///< the numbers are in other files, and are not read; no extent then
};

/// An object of the module, which is used where it is.
class Hdf5Object {
 public:
  Hdf5Object() = default;
  Hdf5Object(const Hdf5Object&) = delete;
  Hdf5Object& operator=(const Hdf5Object&) = delete;
  virtual ~Hdf5Object() = default;
};

/// An HDF5 file that is read. Paths are as "/PartType0/Coordinates". Nothing here throws; what is not there,
/// or damaged, is empty or false.
class Hdf5File : public Hdf5Object {
 public:
  /// The names in a group, in alphabetical order, of at most 10000; those of external links are left out.
  virtual std::vector<std::string> children(const std::string& group) const = 0;
  /// Empty if there is no such dataset.
  virtual std::optional<Hdf5Shape> dataset(const std::string& path) const = 0;
  /// Reads the rows from `first` on, as many as make `count` numbers, which are converted to `type`: f32,
  /// f64, or u64 from whole numbers alone, of which signed ones keep their bits.
  virtual bool read(const std::string& path, std::uint64_t first, ArrayType type, std::size_t count,
                    void* out) const = 0;
  template <std::ranges::contiguous_range Values>
  bool read(const std::string& path, std::uint64_t first, Values&& out) const {
    return read(path, first, type_of<std::ranges::range_value_t<Values>>, std::ranges::size(out),
                std::ranges::data(out));
  }
  /// The numbers of an attribute, of any kind and width, at most 64.
  virtual std::vector<double> numbers(const std::string& path, const std::string& attribute) const = 0;
  /// The text of an attribute, at most 4096 bytes.
  virtual std::string text(const std::string& path, const std::string& attribute) const = 0;
};

/// An HDF5 file that is made in memory. What fails is seen by content() only.
class Hdf5Output : public Hdf5Object {
 public:
  /// A group; those above it must be there.
  virtual void group(const std::string& path) = 0;
  /// Attributes of a group or dataset: `count` numbers, or a single one where that is 0.
  virtual void attribute(const std::string& path, const std::string& name, ArrayType type, std::size_t count,
                         const void* values) = 0;
  virtual void attribute(const std::string& path, const std::string& name, const std::string& text) = 0;
  template <typename Value>
  void attribute(const std::string& path, const std::string& name, const Value& value) {
    if constexpr (std::ranges::contiguous_range<Value>)
      attribute(path, name, type_of<std::ranges::range_value_t<Value>>, value.size(), value.data());
    else
      attribute(path, name, type_of<Value>, 0, &value);
  }
  /// Datasets of rows with that many columns; of one column they have one dimension.
  virtual void dataset(const std::string& path, std::size_t columns, ArrayType type, std::size_t count,
                       const void* values) = 0;
  template <typename T>
  void dataset(const std::string& path, std::size_t columns, const std::vector<T>& values) {
    dataset(path, columns, type_of<T>, values.size(), values.data());
  }
  /// The whole file, for the life of this object; empty if something failed. Nothing can be added then.
  virtual std::span<const std::byte> content() = 0;
};

/// The functions of libhdf5, which is used by one thread at a time only: see hdf5_lock().
class Hdf5Library : public Hdf5Object {
 public:
  /// `bytes` must outlive the result. Null if they are no HDF5 file, or one that is cut off or damaged.
  /// Nothing but these bytes is read: no filters from elsewhere, no other files.
  virtual std::unique_ptr<Hdf5File> open(std::span<const std::byte> bytes) const = 0;
  virtual std::unique_ptr<Hdf5Output> create() const = 0;
};

/// Why HDF5 files can be neither read nor written here, and what would help; empty if they can.
std::string hdf5_problem();
/// libhdf5, opened at the first call, which takes a moment. Throws Error with one line if orrery was built
/// without it or it does not open here; `what` begins the line ("cannot read 'a.hdf5'").
const Hdf5Library& hdf5_library(std::string_view what);

/// Called once the library is open, before it sees a file. Null, as in all programs but the reader's: nobody
/// is told.
inline void (*on_hdf5)() = nullptr;

/// Held while the library is used: it keeps state of its own and knows no threads.
std::mutex& hdf5_lock();

}  // namespace orrery::sim
