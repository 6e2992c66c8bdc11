#include "sim/snapshots/npy.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "sim/core/byte_order.h"
#include "sim/core/json_text.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/snapshots/body_arrays.h"
#include "snapshot_formats.h"

// A NumPy array in a file of its own: a matrix of bodies, or a structured array. docs/formats.md has the
// rules.

namespace orrery::sim {

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t most_header = std::size_t{1} << 20;
using Json = nlohmann::json;

/// A Python literal as JSON: its tuples are lists, and nothing follows the last comma.
std::string json_of(std::string_view text) {
  std::string json;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\'' || c == '"') {
      const auto end = std::min(text.find(c, at + 1), text.size());
      json += dump_json(text.substr(at + 1, end - at - 1));
      at = end;
    } else if (c == ')' || c == ']' || c == '}') {
      if (json.ends_with(',')) json.pop_back();
      json += c == ')' ? ']' : c;
    } else if (c == 'T' || c == 'F') {
      json += to_lower(c);
    } else if (c != ' ' && c != '\n' && c != 'L') {  // Python 2 has 3L
      json += c == '(' ? '[' : c;
    }
  }
  return json;
}

/// One field of a NumPy array's elements; an array of plain numbers has one without a name.
struct NpyField {
  std::string name;
  char kind = '\0';  ///< as in NumPy: f, i, u, b, or another one, of which nothing is read
  bool big_endian = false;
  std::size_t width = 0;       ///< bytes of a number
  std::size_t components = 1;  ///< numbers of a field
  std::size_t offset = 0;      ///< bytes from the element's start

  /// The type of its numbers; text: none that is read.
  ArrayType type() const {
    struct Type {
      char kind;
      std::size_t width;
      ArrayType type;
    };
    constexpr std::array types{
        Type{'f', 4, ArrayType::f32}, Type{'f', 8, ArrayType::f64}, Type{'b', 1, ArrayType::u8},
        Type{'i', 1, ArrayType::i8},  Type{'u', 1, ArrayType::u8},  Type{'i', 2, ArrayType::i16},
        Type{'u', 2, ArrayType::u16}, Type{'i', 4, ArrayType::i32}, Type{'u', 4, ArrayType::u32},
        Type{'i', 8, ArrayType::i64}, Type{'u', 8, ArrayType::u64}};
    const auto found = std::ranges::find_if(
        types, [&](const Type& each) { return each.kind == kind && each.width == width; });
    return found == types.end() ? ArrayType::text : found->type;
  }
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
  std::uint64_t elements() const {
    std::uint64_t count = 1;
    for (const auto side : shape)
      count = limited_product(count, side, std::numeric_limits<std::uint64_t>::max());
    return count;
  }
};

/// Reads the header's text. What makes no sense throws Json::exception.
class HeaderText {
 public:
  explicit HeaderText(const FileView& file) : file_(file) {}

  NpyHeader read(std::string_view text) {
    const auto json = json_in(json_of(text));
    if (!json.is_object()) refuse();
    for (const auto& [key, value] : json.items()) {
      if (key == "descr")
        take_fields(value);
      else if (key == "shape")
        header_.shape = sides(value);
      else if (key == "fortran_order")
        header_.fortran_order = value.get<bool>();
      else
        refuse();
    }
    if (header_.fields.empty()) refuse();
    return std::move(header_);
  }

 private:
  const FileView& file_;
  NpyHeader header_;

  [[noreturn]] static void refuse() { throw Json::other_error::create(501, "no header", nullptr); }

  static std::vector<std::uint64_t> sides(const Json& tuple) {
    constexpr std::size_t most = 32;
    const auto is_count = [](const Json& side) { return side.is_number_unsigned(); };
    if (!tuple.is_array() || tuple.size() > most || !std::ranges::all_of(tuple, is_count)) refuse();
    return tuple.get<std::vector<std::uint64_t>>();
  }

  /// A type, or fields such as ('pos', '<f4', (3,)); a title stands with the name in a tuple.
  void take_fields(const Json& described) {
    constexpr std::size_t most_fields = 4096;
    if (described.is_string()) return add_field({}, described, {});
    if (!described.is_array() || described.size() > most_fields) refuse();
    for (const auto& field : described) {
      const auto name = field.at(0).is_array() ? field.at(0).at(1) : field.at(0);
      if (field.at(1).is_array())
        cannot_read(file_.path, fmt::format("its NumPy field '{}' has fields of its own; save plain columns",
                                            printable(name.get<std::string>())));
      if (field.size() > 3) refuse();
      const auto shape = field.size() < 3      ? Json::array()
                         : field[2].is_array() ? field[2]
                                               : Json::array({field[2]});
      // Bytes that only fill up have no name.
      add_field(name == "" ? "-" : name.get<std::string>(), field.at(1), sides(shape));
    }
  }

  /// "<f8", "|u1", "|S10".
  void add_field(std::string name, const std::string& type, const std::vector<std::uint64_t>& shape) {
    if (type.size() < 2 || std::string_view("<>|=").find(type[0]) == std::string_view::npos) refuse();
    NpyField field{.name = std::move(name), .kind = type[1], .big_endian = type[0] == '>'};
    header_.has_objects = header_.has_objects || field.kind == 'O';
    const auto* const end = type.data() + type.size();
    std::uint64_t width = 0;
    std::from_chars(type.data() + 2, end, width);
    if (field.kind == 'U') width *= 4;
    std::uint64_t components = 1;
    for (const auto side : shape) components = limited_product(components, side);
    const auto bytes = limited_product(width, components);
    constexpr std::uint64_t most = std::uint64_t{1} << 30;
    if (width > most || components > most || bytes > most) refuse();
    field.width = static_cast<std::size_t>(width);
    field.components = static_cast<std::size_t>(components);
    field.offset = header_.element;
    header_.element += static_cast<std::size_t>(bytes);
    header_.fields.push_back(std::move(field));
  }
};

/// The text and where it ends.
std::string_view header_text(std::span<const std::byte> bytes, std::size_t& end) {
  const bool is_first = bytes.size() >= 10 && bytes[6] == std::byte{1};
  if (bytes.size() < 12) return {};
  const std::size_t begin = is_first ? 10 : 12;
  const std::size_t size =
      is_first ? load<std::uint16_t>(bytes.data() + 8, false) : load<std::uint32_t>(bytes.data() + 8, false);
  const auto version = std::to_integer<int>(bytes[6]);
  if (version < 1 || version > 3 || size > most_header || size > bytes.size() - begin) return {};
  end = begin + size;
  return {reinterpret_cast<const char*>(bytes.data()) + begin, size};
}

/// True if the bytes begin as such a file does.
bool is_npy(std::span<const std::byte> bytes) {
  return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).starts_with(magic);
}

/// `name` is that of the array for messages.
NpyHeader read_npy_header(const FileView& file, std::string_view name, std::span<const std::byte> bytes) {
  std::size_t end = 0;
  const auto text = is_npy(bytes) ? header_text(bytes, end) : std::string_view();
  const auto what =
      name.empty() ? std::string("its NumPy array") : fmt::format("its array '{}'", printable(name));
  if (text.empty())
    cannot_read(file.path, what + " has no header of version 1 to 3, or is cut off; save it again");
  NpyHeader header;
  try {
    header = HeaderText(file).read(text);
  } catch (const Json::exception&) {
    cannot_read(file.path,
                fmt::format("the header of its NumPy array{} makes no sense; save it again with numpy.save",
                            name.empty() ? "" : fmt::format(" '{}'", printable(name))));
  }
  header.data = end;
  if (header.has_objects) return header;
  if (header.element == 0 || header.elements() > (bytes.size() - end) / header.element)
    cannot_read(file.path,
                fmt::format("{} should have {} elements of {} bytes, for which the file is too short; copy "
                            "it again",
                            what, header.elements(), header.element));
  return header;
}

/// The numbers of a field of all elements, in the order of the first index. For plain arrays of two
/// dimensions, the rows are tuples.
NamedArray npy_array(const NpyHeader& header, const NpyField& field, std::span<const std::byte> bytes) {
  const auto elements = static_cast<std::size_t>(header.elements());
  const bool in_rows = !header.is_structured() && !header.shape.empty();
  const auto rows = in_rows ? static_cast<std::size_t>(header.shape.front()) : elements;
  const auto columns = rows > 0 ? elements / rows : 1;
  NamedArray array{.name = field.name, .type = field.type(), .components = columns * field.components};
  if (array.type == ArrayType::text || elements == 0 || array.components == 0) {
    array.components = std::max<std::size_t>(array.components, 1);
    return array;
  }
  const auto size = field.width * field.components;
  array.bytes.resize(elements * size);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < columns; ++k) {
      const auto element = header.fortran_order ? k * rows + i : i * columns + k;
      std::memcpy(array.bytes.data() + (i * columns + k) * size,
                  bytes.data() + header.data + element * header.element + field.offset, size);
    }
  }
  to_native(array.bytes, field.width, field.big_endian);
  return array;
}

std::string source_of(const NpyHeader& header, std::string_view kind) {
  const auto& field = header.fields.front();
  return fmt::format("NumPy, {}{}", kind, field.big_endian && field.width > 1 ? ", big-endian" : "");
}

Scene scene_of_fields(const FileView& file, const NpyHeader& header, std::span<const std::byte> bytes,
                      const ReadOptions& options) {
  std::vector<std::string> names;
  for (const auto& field : header.fields) names.push_back(field.name);
  auto arrays = needed_arrays(names, nullptr,
                              [&](std::size_t k) { return npy_array(header, header.fields[k], bytes); });
  return scene_of_arrays(file, std::move(arrays), options, source_of(header, "structured array"));
}

Scene read_npy(const FileView& file, const ReadOptions& options) {
  return scene_of_npy(file, {}, file.bytes, options);
}

bool recognizes_npy(const FileView& file) { return is_npy(file.bytes); }

}  // namespace

NamedArray npy_array(const FileView& file, const std::string& name, std::span<const std::byte> bytes) {
  const auto header = read_npy_header(file, name, bytes);
  if (header.has_objects || header.is_structured() || header.shape.size() > 2)
    return {.name = name, .type = ArrayType::text};
  auto array = npy_array(header, header.fields.front(), bytes);
  array.name = name;
  return array;
}

Scene scene_of_npy(const FileView& file, std::string_view name, std::span<const std::byte> bytes,
                   const ReadOptions& options) {
  const auto header = read_npy_header(file, name, bytes);
  if (header.has_objects)
    cannot_read(
        file.path,
        "it holds pickled Python objects, which could run any code and are never read; save arrays of "
        "numbers");
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

const SnapshotFormat npy_format{
    .name = "npy",
    .meaning = "NumPy arrays: (N, 3), (N, 6), (N, 7), or structured with named fields",
    .recognizes = &recognizes_npy,
    .read = &read_npy};

}  // namespace orrery::sim
