#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <sstream>

#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/text_table.h"
#include "sim/snapshots/vtk_scene.h"
#include "snapshot_formats.h"

// Point clouds in PLY (Greg Turk, "The PLY Polygon File Format"): the vertices, found by the names of their
// properties. docs/formats.md has the rules.

namespace orrery::sim {

namespace {

enum class Coding { ascii, little, big };

struct Property {
  std::string name;
  VtkType type = VtkType::f32;
};

/// `element vertex 8` and its properties.
struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;
  bool has_lists = false;

  std::size_t bytes_of_one() const {
    std::size_t sum = 0;
    for (const auto& property : properties) sum += size_of(property.type);
    return sum;
  }
};

struct Header {
  Coding coding = Coding::ascii;
  std::vector<Element> elements;
  std::size_t size = 0;  ///< bytes, up to where the numbers begin
};

std::optional<VtkType> type_named(std::string_view name) {
  struct TypeName {
    std::string_view name, other;
    VtkType type;
  };
  constexpr std::array names{
      TypeName{"char", "int8", VtkType::i8},      TypeName{"uchar", "uint8", VtkType::u8},
      TypeName{"short", "int16", VtkType::i16},   TypeName{"ushort", "uint16", VtkType::u16},
      TypeName{"int", "int32", VtkType::i32},     TypeName{"uint", "uint32", VtkType::u32},
      TypeName{"float", "float32", VtkType::f32}, TypeName{"double", "float64", VtkType::f64}};
  const auto found = std::ranges::find_if(
      names, [&](const TypeName& each) { return each.name == name || each.other == name; });
  if (found == names.end()) return std::nullopt;
  return found->type;
}

/// Reads the lines up to end_header.
class HeaderReader {
 public:
  explicit HeaderReader(const FileView& file) : file_(file), lines_(text_of(file.bytes)) {}

  Header read() {
    std::string_view line;
    lines_.next(line);  // ply
    while (lines_.next(line)) {
      if (lines_.number() > 1000) break;
      std::vector<std::string_view> words;
      split_fields(line, Separator::blanks, words);
      if (words.empty() || words[0] == "comment" || words[0] == "obj_info") continue;
      if (words[0] == "end_header") {
        header_.size = lines_.offset();
        return header_;
      }
      take(words);
    }
    cannot_read(file_.path, "its PLY header has no end_header; copy it again");
  }

 private:
  void take(const std::vector<std::string_view>& words) {
    if (words[0] == "format" && words.size() >= 2) return take_format(words[1]);
    if (words[0] == "element" && words.size() == 3) return take_element(words[1], words[2]);
    if (words[0] == "property" && words.size() >= 3 && !header_.elements.empty()) return take_property(words);
    cannot_read(file_.path, fmt::format("line {} of its PLY header, '{}', makes no sense; copy it again",
                                        lines_.number(), printable(words[0])));
  }
  void take_format(std::string_view name) {
    if (name == "ascii")
      header_.coding = Coding::ascii;
    else if (name == "binary_little_endian")
      header_.coding = Coding::little;
    else if (name == "binary_big_endian")
      header_.coding = Coding::big;
    else
      cannot_read(file_.path, fmt::format("its PLY format is '{}', which is unknown", printable(name)));
  }
  void take_element(std::string_view name, std::string_view count) {
    Element element{.name = std::string(name)};
    const auto result = std::from_chars(count.data(), count.data() + count.size(), element.count);
    if (result.ec != std::errc{} || result.ptr != count.data() + count.size())
      cannot_read(file_.path, fmt::format("'{}' is no count of elements; copy it again", printable(count)));
    header_.elements.push_back(std::move(element));
  }
  void take_property(const std::vector<std::string_view>& words) {
    auto& element = header_.elements.back();
    if (words[1] == "list") {
      element.has_lists = true;
      return;
    }
    const auto type = type_named(words[1]);
    if (!type) cannot_read(file_.path, fmt::format("its PLY type '{}' is unknown", printable(words[1])));
    element.properties.push_back({std::string(words[2]), *type});
  }

  const FileView& file_;
  TextLines lines_;
  Header header_;
};

/// The numbers of the vertices, a column for each property.
class VertexReader {
 public:
  VertexReader(const FileView& file, const Header& header, const ReadOptions& options)
      : file_(file), header_(header), options_(options) {
    find_vertices();
  }

  const Element& element() const { return *vertices_; }

  std::vector<VtkArray> columns() {
    std::vector<VtkArray> columns;
    for (const auto& property : vertices_->properties) {
      columns.push_back({.name = property.name, .type = property.type, .components = 1, .bytes = {}});
      if (header_.coding == Coding::ascii) columns.back().type = VtkType::f64;
    }
    if (header_.coding == Coding::ascii) {
      read_text(columns);
      for (std::size_t k = 0; k < columns.size(); ++k) narrow(columns[k], vertices_->properties[k].type);
    } else {
      read_binary(columns);
    }
    return columns;
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const { cannot_read(file_.path, what); }

  void find_vertices() {
    for (const auto& element : header_.elements) {
      if (element.name == "vertex") {
        vertices_ = &element;
        break;
      }
      lines_before_ += element.count;
      bytes_before_ += element.count * element.bytes_of_one();
      if (element.has_lists || element.count > file_.bytes.size())
        refuse("its PLY vertices come after lists; put the element vertex first");
    }
    if (vertices_ == nullptr || vertices_->count == 0) refuse("it is a PLY file without vertices");
    if (vertices_->has_lists) refuse("its PLY vertices have lists, which bodies have not; leave them out");
    // A digit and a blank a number are the least.
    const auto least =
        header_.coding == Coding::ascii ? 2 * vertices_->properties.size() : vertices_->bytes_of_one();
    if (least == 0 || vertices_->count > (file_.bytes.size() + 1) / least)
      refuse(fmt::format("its PLY header says {} vertices, for which the file is too short; copy it again",
                         vertices_->count));
  }

  void read_text(std::vector<VtkArray>& columns) {
    TextLines lines(text_of(file_.bytes).substr(header_.size));
    std::string_view line;
    for (std::size_t k = 0; k < lines_before_; ++k) lines.next(line);
    for (auto& column : columns) column.bytes.resize(vertices_->count * sizeof(double));
    const Ticker ticker(options_.progress, vertices_->count, 0.0F, 0.8F);
    std::vector<std::string_view> fields;
    for (std::size_t i = 0; i < vertices_->count; ++i) {
      ticker.now_and_then(i);
      if (!lines.next(line))
        refuse(fmt::format("it ends after {} of {} vertices; copy it again", i, vertices_->count));
      split_fields(line, Separator::blanks, fields);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto number = k < fields.size() ? parse_number(fields[k]) : std::nullopt;
        if (!number) refuse(fmt::format("vertex {} of its PLY text lacks a number; copy it again", i + 1));
        std::memcpy(columns[k].bytes.data() + i * sizeof(double), &*number, sizeof(double));
      }
    }
  }

  /// Numbers in words that fit the small type that the header states: what they range over counts.
  static void narrow(VtkArray& column, VtkType type) {
    if (type == VtkType::u8) narrow_to<std::uint8_t>(column, type);
    if (type == VtkType::u16) narrow_to<std::uint16_t>(column, type);
  }
  template <typename T>
  static void narrow_to(VtkArray& column, VtkType type) {
    VtkArray narrow{.name = column.name, .type = type, .components = 1, .bytes = {}};
    narrow.bytes.resize(column.tuples() * sizeof(T));
    for (std::size_t i = 0; i < column.tuples(); ++i) {
      const auto whole = column.whole(i);
      if (!whole || *whole > std::numeric_limits<T>::max()) return;
      const auto value = static_cast<T>(*whole);
      std::memcpy(narrow.bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    column = std::move(narrow);
  }

  void read_binary(std::vector<VtkArray>& columns) {
    const auto stride = vertices_->bytes_of_one();
    const auto start = header_.size + bytes_before_;
    if (start > file_.bytes.size() || vertices_->count > (file_.bytes.size() - start) / stride)
      refuse("its PLY vertices are cut off; copy it again");
    const std::byte* field = file_.bytes.data() + start;
    for (auto& column : columns) {
      const auto size = size_of(column.type);
      column.bytes.resize(vertices_->count * size);
      for (std::size_t i = 0; i < vertices_->count; ++i)
        std::memcpy(column.bytes.data() + i * size, field + i * stride, size);
      to_native(column.bytes, size, header_.coding == Coding::big);
      field += size;
    }
  }

  const FileView& file_;
  const Header& header_;
  const ReadOptions& options_;
  const Element* vertices_ = nullptr;
  std::size_t lines_before_ = 0, bytes_before_ = 0;
};

/// The columns x, y and z as one array of doubles.
VtkArray places(const FileView& file, std::span<const VtkArray> columns, std::size_t count) {
  VtkArray points{.name = "points", .type = VtkType::f64, .components = 3, .bytes = {}};
  points.bytes.resize(3 * count * sizeof(double));
  constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto found = std::ranges::find(columns, axes.at(axis), &VtkArray::name);
    if (found == columns.end())
      cannot_read(file.path, fmt::format("its PLY vertices have no {}", axes.at(axis)));
    for (std::size_t i = 0; i < count; ++i) {
      const double number = found->number(i);
      std::memcpy(points.bytes.data() + (3 * i + axis) * sizeof(double), &number, sizeof(double));
    }
  }
  return points;
}

bool recognizes_ply(const FileView& file) {
  const auto text = text_of(file.bytes);
  return text.starts_with("ply\n") || text.starts_with("ply\r\n");
}

std::string_view coding_name(Coding coding) {
  if (coding == Coding::ascii) return "text";
  return coding == Coding::big ? "big-endian" : "little-endian";
}

Scene read_ply(const FileView& file, const ReadOptions& options) {
  const auto header = HeaderReader(file).read();
  VertexReader reader(file, header, options);
  const auto columns = reader.columns();
  VtkSceneMaker maker(file, Rounding(options));
  maker.add_points(places(file, columns, reader.element().count));
  for (const auto& column : columns) {
    if (column.name != "x" && column.name != "y" && column.name != "z" && maker.wants(column.name))
      maker.add_data(column);
  }
  return maker.take(fmt::format("PLY, {}", coding_name(header.coding)));
}

// ---- Writing ----

/// A body as it lies in the file.
class VertexWriter {
 public:
  explicit VertexWriter(const Scene& scene)
      : scene_(scene),
        galaxies_(scene.bodies.galaxy.front() != scene.bodies.galaxy.back()),
        charges_(scene.bodies.has_charges()),
        colors_(scene.bodies.has_colors()) {}

  std::string header() const {
    return fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment {}\nelement vertex {}\n"
        "property float x\nproperty float y\nproperty float z\n{}property float mass\n{}{}{}"
        "property uchar component\nend_header\n",
        printable(scene_.title, 80), scene_.bodies.size(),
        scene_.has_velocities ? "property float vx\nproperty float vy\nproperty float vz\n" : "",
        charges_ ? "property float charge\n" : "", galaxies_ ? "property uint galaxy\n" : "",
        colors_ ? "property uchar red\nproperty uchar green\nproperty uchar blue\n" : "");
  }

  void put(std::size_t i, std::vector<std::byte>& row) const {
    const auto& bodies = scene_.bodies;
    append(bodies.position[i], row);
    if (scene_.has_velocities) append(bodies.velocity[i], row);
    append(bodies.mass[i], row);
    if (charges_) append(bodies.charge[i], row);
    if (galaxies_) append(bodies.galaxy[i], row);
    if (colors_) append(rgb_of(bodies.color[i]), row);
    append(bodies.component[i], row);
  }

 private:
  template <typename T>
  static void append(const T& value, std::vector<std::byte>& row) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    row.insert(row.end(), bytes.begin(), bytes.end());
  }

  const Scene& scene_;
  bool galaxies_, charges_, colors_;
};

void write_ply(const Scene& scene, const WriteOptions& options, FileWriter& out) {
  static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");
  const VertexWriter vertices(scene);
  out.write(vertices.header());
  std::vector<std::byte> row;
  const Ticker ticker(options.progress, scene.bodies.size());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    ticker.now_and_then(i);
    row.clear();
    vertices.put(i, row);
    out.write(row);
  }
}

}  // namespace

const SnapshotFormat ply_format{"ply",           "PLY point clouds, with colours: text and binary",
                                "ply",           false,
                                &recognizes_ply, &read_ply,
                                &write_ply,      nullptr,
                                {.colors = true}};

}  // namespace orrery::sim
