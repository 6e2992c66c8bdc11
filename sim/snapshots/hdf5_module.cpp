// The only file that knows libhdf5. A module of its own, opened by hdf5_library.cpp when an HDF5 file is met:
// the library brings two dozen others along, which would take longer to load than all the rest of the
// program.
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "sim/snapshots/hdf5_library.h"

namespace orrery::sim {

namespace {

constexpr std::size_t most_children = 10'000;
constexpr std::size_t most_numbers = 64;
constexpr std::size_t most_text = 4096;

/// An identifier of libhdf5, closed at the end of its scope.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): handed to C functions
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// A name for a file in memory. Two files of one name would be taken for the same. libhdf5 opens whatever has
/// the name already, and would wait for the writer of a pipe: nothing can have a name below a device.
std::string new_name() {
  static unsigned long names = 0;
  return "/dev/null/orrery-" + std::to_string(++names) + ".hdf5";
}

// ---- A file in memory that is not ours to change or free ----

void* borrow(std::size_t, H5FD_file_image_op_t, void* image) { return image; }
void* keep(void* to, const void*, std::size_t, H5FD_file_image_op_t, void*) { return to; }
void* no_other(void* image, std::size_t, H5FD_file_image_op_t, void*) { return image; }
herr_t leave(void*, H5FD_file_image_op_t, void*) { return 0; }
void* same(void* image) { return image; }
herr_t forget(void*) { return 0; }

Handle image_access(std::span<const std::byte> bytes) {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, std::size_t{1} << 20, 0);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): opened for reading only
  auto* const image = const_cast<std::byte*>(bytes.data());
  H5FD_file_image_callbacks_t callbacks{borrow, keep, no_other, leave, same, forget, image};
  H5Pset_file_image_callbacks(access, &callbacks);
  H5Pset_file_image(access, image, bytes.size());
  return access;
}

herr_t refuse_other_file(const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) {
  return -1;
}

/// Access properties under which links never lead into another file.
Handle link_access() {
  Handle access(H5Pcreate(H5P_LINK_ACCESS), H5Pclose);
  H5Pset_elink_cb(access, &refuse_other_file, nullptr);
  return access;
}

// ---- Reading ----

herr_t take_name(hid_t, const char* name, const H5L_info_t* info, void* data) {
  auto& names = *static_cast<std::vector<std::string>*>(data);
  if (info->type == H5L_TYPE_HARD || info->type == H5L_TYPE_SOFT) names.emplace_back(name);
  return names.size() < most_children ? 0 : 1;
}

Hdf5Shape::Kind kind_of(hid_t type) {
  const auto of = H5Tget_class(type);
  return of == H5T_INTEGER ? Hdf5Shape::Kind::whole
         : of == H5T_FLOAT ? Hdf5Shape::Kind::real
                           : Hdf5Shape::Kind::other;
}

std::vector<std::uint64_t> extent_of(hid_t space) {
  std::vector<hsize_t> extent(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  if (!extent.empty()) H5Sget_simple_extent_dims(space, extent.data(), nullptr);
  return {extent.begin(), extent.end()};
}

/// Types of libhdf5 for numbers in a file, and for those that are given or taken.
struct NumberTypes {
  hid_t stored, given;
};
NumberTypes types_of(ArrayType type) {
  switch (type) {
    case ArrayType::f32:
      return {H5T_IEEE_F32LE, H5T_NATIVE_FLOAT};
    case ArrayType::f64:
      return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
    case ArrayType::i32:
      return {H5T_STD_I32LE, H5T_NATIVE_INT32};
    case ArrayType::u32:
      return {H5T_STD_U32LE, H5T_NATIVE_UINT32};
    default:
      return {H5T_STD_U64LE, H5T_NATIVE_UINT64};
  }
}

class File final : public Hdf5File {
 public:
  explicit File(Handle file) : file_(std::move(file)), links_(link_access()) {}

  std::vector<std::string> children(const std::string& group) const override {
    const Handle opened(H5Oopen(file_, group.c_str(), links_), H5Oclose);
    std::vector<std::string> names;
    if (opened && H5Iget_type(opened) == H5I_GROUP)
      H5Literate(opened, H5_INDEX_NAME, H5_ITER_INC, nullptr, &take_name, &names);
    return names;
  }

  std::optional<Hdf5Shape> dataset(const std::string& path) const override {
    const Handle data = open_dataset(path);
    if (!data) return std::nullopt;
    const Handle type(H5Dget_type(data), H5Tclose);
    // To know its extent the library would open those files.
    if (is_elsewhere(data)) return Hdf5Shape{.kind = kind_of(type), .elsewhere = true};
    const Handle space(H5Dget_space(data), H5Sclose), made(H5Dget_create_plist(data), H5Pclose);
    if (!type || !space || !made) return std::nullopt;
    return Hdf5Shape{.kind = kind_of(type),
                     .is_signed = H5Tget_sign(type) == H5T_SGN_2,
                     .width = H5Tget_size(type),
                     .extent = extent_of(space),
                     .stored = H5Dget_storage_size(data),
                     .packed = H5Pget_nfilters(made) > 0};
  }

  bool read(const std::string& path, std::uint64_t first, ArrayType type, std::size_t count,
            void* out) const override {
    if (type != ArrayType::u64) return read_as(path, first, count, types_of(type).given, out);
    const auto shape = dataset(path);
    if (!shape || shape->kind != Hdf5Shape::Kind::whole) return false;
    // As unsigned ones, negative numbers would all become 0.
    return read_as(path, first, count, shape->is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64, out);
  }

  std::vector<double> numbers(const std::string& path, const std::string& attribute) const override {
    const Handle opened = open_attribute(path, attribute);
    if (!opened) return {};
    const Handle type(H5Aget_type(opened), H5Tclose), space(H5Aget_space(opened), H5Sclose);
    const auto count = H5Sget_simple_extent_npoints(space);
    if (kind_of(type) == Hdf5Shape::Kind::other || count < 1 || std::cmp_greater(count, most_numbers))
      return {};
    std::vector<double> values(static_cast<std::size_t>(count));
    if (H5Aread(opened, H5T_NATIVE_DOUBLE, values.data()) < 0) return {};
    return values;
  }

  std::string text(const std::string& path, const std::string& attribute) const override {
    const Handle opened = open_attribute(path, attribute);
    if (!opened) return {};
    const Handle type(H5Aget_type(opened), H5Tclose), space(H5Aget_space(opened), H5Sclose);
    if (H5Sget_simple_extent_npoints(space) != 1) return {};
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) return long_text(opened, type);
    if (H5Tget_class(type) != H5T_STRING && H5Tget_class(type) != H5T_OPAQUE) return {};
    const auto size = H5Tget_size(type);
    if (size == 0 || size > most_text) return {};
    std::string bytes(size, '\0');
    if (H5Aread(opened, type, bytes.data()) < 0) return {};
    return bytes.substr(0, bytes.find('\0'));
  }

 private:
  Handle file_, links_;
  mutable std::string open_path_;  ///< a dataset stays open: it keeps what it unpacked last
  mutable Handle open_data_;

  static std::string long_text(hid_t attribute, hid_t type) {
    char* text = nullptr;
    if (H5Aread(attribute, type, static_cast<void*>(&text)) < 0 || text == nullptr) return {};
    std::string copy(text, ::strnlen(text, most_text));
    H5free_memory(text);
    return copy;
  }

  /// True if the numbers are in other files, of which none is ever opened.
  static bool is_elsewhere(hid_t data) {
    const Handle made(H5Dget_create_plist(data), H5Pclose);
    return !made || H5Pget_layout(made) == H5D_VIRTUAL || H5Pget_external_count(made) > 0;
  }

  /// The dataset with room for what it unpacks: parts of a piece would else unpack all of it every time.
  Handle open_dataset(const std::string& path) const {
    const Handle object(H5Oopen(file_, path.c_str(), links_), H5Oclose);
    if (!object || H5Iget_type(object) != H5I_DATASET) return {};
    return {H5Dopen2(file_, path.c_str(), data_access(object)), H5Dclose};
  }
  Handle data_access(hid_t data) const {
    Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    const Handle made(H5Dget_create_plist(data), H5Pclose), type(H5Dget_type(data), H5Tclose);
    std::array<hsize_t, H5S_MAX_RANK> piece{};
    if (H5Pget_layout(made) != H5D_CHUNKED) return access;
    const int dimensions = H5Pget_chunk(made, H5S_MAX_RANK, piece.data());
    double bytes = static_cast<double>(H5Tget_size(type));
    for (int k = 0; k < dimensions; ++k) bytes *= static_cast<double>(piece.at(static_cast<std::size_t>(k)));
    constexpr double most = 256e6, usual = 1 << 20;
    H5Pset_chunk_cache(access, 521, static_cast<std::size_t>(std::clamp(4.0 * bytes, usual, most)), 1.0);
    return access;
  }

  Handle open_attribute(const std::string& path, const std::string& name) const {
    if (H5Oexists_by_name(file_, path.c_str(), links_) <= 0) return {};
    if (H5Aexists_by_name(file_, path.c_str(), name.c_str(), links_) <= 0) return {};
    return {H5Aopen_by_name(file_, path.c_str(), name.c_str(), H5P_DEFAULT, links_), H5Aclose};
  }

  bool read_as(const std::string& path, std::uint64_t first, std::size_t count, hid_t type, void* out) const {
    if (path != open_path_) {
      open_data_ = open_dataset(path);
      open_path_ = path;
    }
    if (!open_data_ || is_elsewhere(open_data_)) return false;
    const Handle space(H5Dget_space(open_data_), H5Sclose);
    const auto extent = extent_of(space);
    if (extent.empty())
      return count == 1 && H5Dread(open_data_, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    std::vector<hsize_t> start(extent.size(), 0), part(extent.begin(), extent.end());
    const auto columns = std::accumulate(part.begin() + 1, part.end(), hsize_t{1}, std::multiplies<>());
    if (columns == 0 || count % columns != 0) return false;
    start[0] = first;
    part[0] = count / columns;
    if (first > extent[0] || part[0] > extent[0] - first) return false;
    if (part[0] == 0) return true;
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, part.data(), nullptr) < 0)
      return false;
    const hsize_t numbers = count;
    const Handle memory(H5Screate_simple(1, &numbers, nullptr), H5Sclose);
    return H5Dread(open_data_, type, memory, space, H5P_DEFAULT, out) >= 0;
  }
};

// ---- Writing ----

class Output final : public Hdf5Output {
 public:
  Output() {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access, std::size_t{16} << 20, 0);
    file_ = Handle(H5Fcreate(new_name().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    good_ = static_cast<bool>(file_);
  }

  void group(const std::string& path) override {
    const Handle made(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    good_ = good_ && made;
  }
  void attribute(const std::string& path, const std::string& name, ArrayType type, std::size_t size,
                 const void* values) override {
    put_attribute(path, name, types_of(type), size, values);
  }
  void attribute(const std::string& path, const std::string& name, const std::string& text) override {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, std::max<std::size_t>(text.size(), 1));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    put_attribute(path, name, {type, type}, 0, text.c_str());
  }
  void dataset(const std::string& path, std::size_t columns, ArrayType type, std::size_t count,
               const void* values) override {
    const auto [stored, given] = types_of(type);
    const std::array<hsize_t, 2> extent{count / columns, columns};
    const Handle space(H5Screate_simple(columns == 1 ? 1 : 2, extent.data(), nullptr), H5Sclose);
    const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(how, false);  // the same bodies, the same bytes
    const Handle made(H5Dcreate2(file_, path.c_str(), stored, space, H5P_DEFAULT, how, H5P_DEFAULT),
                      H5Dclose);
    good_ = good_ && made && H5Dwrite(made, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
  }

  std::span<const std::byte> content() override {
    if (!good_ || H5Fflush(file_, H5F_SCOPE_GLOBAL) < 0) return {};
    const auto size = H5Fget_file_image(file_, nullptr, 0);
    void** memory = nullptr;
    if (size <= 0 || H5Fget_vfd_handle(file_, H5P_DEFAULT, reinterpret_cast<void**>(&memory)) < 0) return {};
    return {static_cast<const std::byte*>(*memory), static_cast<std::size_t>(size)};
  }

 private:
  Handle file_;
  bool good_ = false;

  /// `count` 0: a single value.
  void put_attribute(const std::string& path, const std::string& name, const NumberTypes& types,
                     hsize_t count, const void* values) {
    const Handle object(H5Oopen(file_, path.c_str(), H5P_DEFAULT), H5Oclose);
    const Handle space(count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle made(H5Acreate2(object, name.c_str(), types.stored, space, H5P_DEFAULT, H5P_DEFAULT),
                      H5Aclose);
    good_ = good_ && made && H5Awrite(made, types.given, values) >= 0;
  }
};

class Library final : public Hdf5Library {
 public:
  Library() {
    H5open();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // its errors are told in our words
    H5PLset_loading_state(0);                     // a file must not have code loaded
  }

  std::unique_ptr<Hdf5File> open(std::span<const std::byte> bytes) const override {
    Handle file(H5Fopen(new_name().c_str(), H5F_ACC_RDONLY, image_access(bytes)), H5Fclose);
    if (!file) return nullptr;
    return std::make_unique<File>(std::move(file));
  }
  std::unique_ptr<Hdf5Output> create() const override { return std::make_unique<Output>(); }
};

}  // namespace

}  // namespace orrery::sim

/// The entry points that hdf5_library.cpp looks for.
extern "C" const orrery::sim::Hdf5Library* orrery_hdf5() {
  static const orrery::sim::Library library;
  return &library;
}
