#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/text_table.h"
#include "sim/snapshots/vtk_scene.h"
#include "snapshot_formats.h"

// Legacy files of VTK (The VTK User's Guide, "VTK File Formats"): words and numbers, or words and big-endian
// binary. docs/formats.md has the rules.

namespace orrery::sim {

namespace {

constexpr std::string_view magic = "# vtk DataFile Version";
constexpr std::size_t longest_title = 256;

bool recognizes_vtk_legacy(const FileView& file) { return text_of(file.bytes).starts_with(magic); }

// ---- Reading ----

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string upper(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return result;
}

/// Names are written with %20 for a blank and the like.
std::string decoded(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    unsigned char code = 0;
    const auto* const digits = name.data() + i + 1;
    const bool is_code = name[i] == '%' && i + 2 < name.size() &&
                         std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2;
    result += is_code ? static_cast<char>(code) : name[i];
    if (is_code) i += 2;
  }
  return result;
}

class LegacyReader {
 public:
  LegacyReader(const FileView& file, const ReadOptions& options)
      : file_(file),
        progress_(options.progress),
        text_(text_of(file.bytes)),
        maker_(file, Rounding(options)) {}

  Scene read() {
    read_head();
    const Ticker ticker(progress_, text_.size(), 0.0F, 0.8F);
    for (auto word = next_word(); !word.empty(); word = next_word()) {
      ticker.at(at_);
      read_section(upper(word));
    }
    if (points_ == 0) refuse("it holds no POINTS; choose another file");
    return maker_.take(fmt::format("VTK legacy {}, {}", kind_, binary_ ? "binary" : "text"));
  }

 private:
  enum class Owner { file, points, cells };

  [[noreturn]] void refuse(std::string_view what) const { cannot_read(file_.path, what); }

  // ---- Words ----

  std::string_view line() {
    const auto end = std::min(text_.find('\n', at_), text_.size());
    const auto found = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    return trimmed(found.ends_with('\r') ? found.substr(0, found.size() - 1) : found);
  }
  std::string_view next_word() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    const auto begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string_view peek_word() {
    const auto before = at_;
    const auto word = next_word();
    at_ = before;
    return word;
  }
  std::size_t count(std::string_view what) {
    const auto word = next_word();
    std::size_t number = 0;
    const auto result = std::from_chars(word.data(), word.data() + word.size(), number);
    if (result.ec != std::errc() || result.ptr != word.data() + word.size())
      refuse(fmt::format("'{}' is no count of {}; copy it again", printable(word), what));
    return number;
  }

  // ---- Sections ----

  void read_head() {
    line();
    const auto title = line();
    if (title.size() > longest_title) refuse("its title is longer than 256 characters; it is damaged");
    const auto coding = upper(next_word());
    if (coding != "ASCII" && coding != "BINARY")
      refuse(fmt::format("it is '{}', neither ASCII nor BINARY; copy it again", printable(coding)));
    binary_ = coding == "BINARY";
  }

  void read_section(const std::string& word) {
    if (word == "DATASET") return read_kind();
    if (word == "POINTS") return read_points();
    if (word == "FIELD") return read_field();
    if (word == "METADATA") return skip_metadata();
    if (word == "POINT_DATA" || word == "CELL_DATA") return begin_data(word);
    if (word == "CELL_TYPES") return skip(count("cells"), VtkType::i32, word);
    constexpr std::array cells{"VERTICES", "LINES", "POLYGONS", "TRIANGLE_STRIPS", "CELLS"};
    if (std::ranges::find(cells, word) != cells.end()) return skip_cells(word);
    read_attribute(word);
  }

  void read_kind() {
    kind_ = upper(next_word());
    if (kind_ == "POLYDATA" || kind_ == "UNSTRUCTURED_GRID") return;
    refuse(fmt::format("it holds {}, and bodies are points: POLYDATA or UNSTRUCTURED_GRID",
                       kind_.empty() ? "no data set" : printable(kind_)));
  }

  void read_points() {
    if (kind_.empty() || points_ > 0) refuse("its POINTS stand in the wrong place; copy it again");
    points_ = count("points");
    if (points_ == 0) refuse("it holds no points; choose another file");
    maker_.add_points(array("POINTS", next_word(), 3, points_));
  }

  void begin_data(const std::string& word) {
    owner_ = word == "POINT_DATA" ? Owner::points : Owner::cells;
    owned_ = count("tuples");
    if (owner_ == Owner::points && owned_ != points_)
      refuse(fmt::format("it has data of {} points, and {} points; copy it again", owned_, points_));
  }

  /// The last blank line ends it.
  void skip_metadata() {
    line();
    while (at_ < text_.size() && !line().empty()) {
    }
  }

  /// Before version 5 a count and the size of all numbers, since then two arrays with their types.
  void skip_cells(const std::string& word) {
    const auto first = count("cells"), second = count("numbers");
    if (upper(peek_word()) != "OFFSETS") return skip(second, VtkType::i32, word);
    next_word();
    skip(first, type_of(next_word(), word), word);
    next_word();
    skip(second, type_of(next_word(), word), word);
  }

  void read_field() {
    next_word();
    const auto arrays = count("arrays");
    for (std::size_t k = 0; k < arrays; ++k) {
      if (upper(peek_word()) == "METADATA") {
        next_word();
        skip_metadata();
      }
      const auto name = decoded(next_word());
      const auto components = count("components"), tuples = count("tuples");
      take(name, next_word(), components, tuples);
    }
  }

  void read_attribute(const std::string& word) {
    const auto name = decoded(next_word());
    if (word == "SCALARS") return read_scalars(name);
    if (word == "VECTORS" || word == "NORMALS") return take(name, next_word(), 3, owned_);
    if (word == "GLOBAL_IDS" || word == "PEDIGREE_IDS") return take(name, next_word(), 1, owned_);
    if (word == "TENSORS") return take(name, next_word(), 9, owned_);
    if (word == "TEXTURE_COORDINATES") {
      const auto components = count("components");
      return take(name, next_word(), components, owned_);
    }
    // Colours are bytes in binary files and fractions in text.
    if (word == "COLOR_SCALARS") {
      const auto components = count("components");
      const bool is_color = components == 3 || components == 4;
      return take(is_color ? "rgb" : name, binary_ ? "unsigned_char" : "float", components, owned_);
    }
    if (word == "LOOKUP_TABLE") return take(name, binary_ ? "unsigned_char" : "float", 4, count("colours"));
    refuse(fmt::format("'{}' in it is no part of a VTK file; copy it again", printable(word)));
  }

  /// The number of components stands behind the type, or not at all.
  void read_scalars(const std::string& name) {
    const auto type = next_word();
    const auto rest = trimmed(line());
    std::size_t components = 1;
    const auto result = std::from_chars(rest.data(), rest.data() + rest.size(), components);
    if (!rest.empty() && result.ptr != rest.data() + rest.size())
      refuse(fmt::format("'{}' is no count of components; copy it again", printable(rest)));
    if (upper(peek_word()) == "LOOKUP_TABLE") {
      next_word();
      next_word();
      line();
    }
    begun_ = true;
    take(name, type, components, owned_);
    begun_ = false;
  }

  // ---- Arrays ----

  VtkType type_of(std::string_view word, std::string_view name) const {
    if (const auto type = vtk_type_of_legacy(word)) return *type;
    refuse(fmt::format("its array '{}' is of the type '{}'; save it without that array", printable(name),
                       printable(word)));
  }

  /// An array that may be of use.
  void take(const std::string& name, std::string_view type, std::size_t components, std::size_t tuples) {
    if (upper(type) == "STRING") return take_texts(name, product(components, tuples, name));
    if (owner_ == Owner::points && maker_.wants(name))
      return maker_.add_data(array(name, type, components, tuples));
    const bool is_field = owner_ == Owner::file && components == 1 && tuples == 1;
    if (is_field) return maker_.add_field(array(name, type, 1, 1));
    skip(product(components, tuples, name), type_of(type, name), name);
  }

  void take_texts(const std::string& name, std::size_t texts) {
    line();
    for (std::size_t k = 0; k < texts; ++k) {
      if (at_ == text_.size()) refuse(cut_off(name));
      const auto text = binary_ ? counted_text(name) : decoded(line());
      if (owner_ != Owner::file || texts != 1) continue;
      VtkArray field{.name = name, .type = VtkType::text};
      for (const char c : text) field.bytes.push_back(static_cast<std::byte>(c));
      maker_.add_field(field);
    }
  }

  /// The two highest bits say in how many bytes the length stands.
  std::string counted_text(std::string_view name) {
    const auto first = static_cast<unsigned char>(text_[at_]);
    const std::size_t size = std::size_t{8} >> (first >> 6);
    if (size > text_.size() - at_) refuse(cut_off(name));
    std::uint64_t length = first & 0x3fU;
    for (std::size_t k = 1; k < size; ++k)
      length = (length << 8) | static_cast<unsigned char>(text_[at_ + k]);
    at_ += size;
    if (length > text_.size() - at_) refuse(cut_off(name));
    at_ += length;
    return std::string(text_.substr(at_ - length, length));
  }

  /// No file holds as much as could overflow.
  std::size_t product(std::size_t components, std::size_t tuples, std::string_view name) const {
    constexpr std::size_t most = std::size_t{1} << 48;
    if (components <= 64 && tuples <= most) return components * tuples;
    refuse(fmt::format("its array '{}' cannot have {} tuples of {} components; copy it again",
                       printable(name), tuples, components));
  }

  VtkArray array(const std::string& name, std::string_view type, std::size_t components, std::size_t tuples) {
    VtkArray result{.name = name, .type = type_of(type, name), .components = components};
    if (components == 0)
      refuse(fmt::format("its array '{}' has no components; copy it again", printable(name)));
    const auto values = product(components, tuples, name);
    if (!binary_) {
      at_ += read_ascii(file_, text_.substr(at_), values, result);
      return result;
    }
    const auto raw = bytes(values * size_of(result.type), name);
    const auto all = std::as_bytes(std::span(raw));
    result.bytes.assign(all.begin(), all.end());
    to_native(result.bytes, size_of(result.type), true);
    return result;
  }

  void skip(std::size_t values, VtkType type, std::string_view name) {
    const auto most = std::numeric_limits<std::size_t>::max() / 8;
    if (binary_) {
      bytes(std::min(values, most) * size_of(type), name);
      return;
    }
    for (std::size_t i = 0; i < values; ++i) {
      if (next_word().empty()) refuse(cut_off(name));
    }
  }

  std::string cut_off(std::string_view name) const {
    return fmt::format("its array '{}' is cut off; copy it again", printable(name));
  }

  /// Binary data begin behind the end of the line, which may have been read already.
  std::string_view bytes(std::size_t size, std::string_view name) {
    if (!begun_) line();
    if (size > text_.size() - at_) refuse(cut_off(name));
    const auto found = text_.substr(at_, size);
    at_ += size;
    return found;
  }

  const FileView& file_;
  Progress* progress_;
  std::string_view text_;
  VtkSceneMaker maker_;
  std::size_t at_ = 0;
  bool binary_ = false;
  std::string kind_;
  std::size_t points_ = 0;
  Owner owner_ = Owner::file;
  std::size_t owned_ = 0;  ///< tuples of the arrays that follow
  bool begun_ = false;     ///< the line before an array's data was read
};

Scene read_vtk_legacy(const FileView& file, const ReadOptions& options) {
  return LegacyReader(file, options).read();
}

// ---- Writing ----

std::string_view legacy_name(VtkType type) {
  switch (type) {
    case VtkType::u8:
      return "unsigned_char";
    case VtkType::u32:
      return "unsigned_int";
    case VtkType::i32:
      return "int";
    case VtkType::u64:
      return "vtktypeuint64";
    case VtkType::f64:
      return "double";
    default:
      return "float";
  }
}

void write_big(const VtkColumn& column, const WriteOptions& options, FileWriter& out) {
  static_assert(std::endian::native == std::endian::little, "legacy files are big-endian");
  std::vector<std::byte> turned;
  column.write([&](std::span<const std::byte> bytes) {
    if (options.progress != nullptr && options.progress->cancel) throw Cancelled();
    turned.assign(bytes.begin(), bytes.end());
    to_native(turned, size_of(column.type), true);
    out.write(turned);
  });
}

/// A length of 14 bits with their number before it, then the text.
void write_text(std::string_view text, FileWriter& out) {
  const std::array<unsigned char, 2> length{static_cast<unsigned char>(0x80U | (text.size() >> 8)),
                                            static_cast<unsigned char>(text.size() & 0xffU)};
  out.write(std::as_bytes(std::span(length)));
  out.write(text);
}

/// The parameters, before the points.
void write_fields(const Scene& scene, const WriteOptions& options, FileWriter& out) {
  const auto fields = vtk_fields(scene, options);
  out.write(fmt::format("FIELD FieldData {}\n", fields.size()));
  for (const auto& field : fields) {
    const bool is_text = !field.text.empty();
    out.write(fmt::format("{} 1 1 {}\n", field.name == "TimeValue" ? "TIME" : field.name,
                          is_text ? "string" : "double"));
    if (is_text) write_text(field.text, out);
    if (!is_text) {
      auto bits = std::bit_cast<std::array<std::byte, sizeof(double)>>(field.number);
      to_native(bits, sizeof(double), true);
      out.write(bits);
    }
    out.write("\n");
  }
}

/// Each point is a cell of its own: 1 and its number.
void write_cells(std::size_t count, FileWriter& out) {
  out.write(fmt::format("VERTICES {} {}\n", count, 2 * count));
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::uint32_t, 2> cell{1, static_cast<std::uint32_t>(i)};
    const auto bytes = std::as_writable_bytes(std::span(cell));
    to_native(bytes, sizeof(std::uint32_t), true);
    out.write(bytes);
  }
  out.write("\n");
}

void write_vtk_legacy(const Scene& scene, const WriteOptions& options, FileWriter& out) {
  const auto count = scene.bodies.size();
  if (count > std::size_t{0x7fffffff})
    throw Error("legacy VTK files hold at most 2147483647 points; write a .vtp");
  out.write(fmt::format("{} 3.0\n{}\nBINARY\nDATASET POLYDATA\n", magic,
                        scene.title.empty() ? "bodies" : printable(scene.title, 80)));
  write_fields(scene, options, out);
  out.write(fmt::format("POINTS {} float\n", count));
  write_big(vtk_points(scene), options, out);
  out.write("\n");
  write_cells(count, out);
  const auto columns = vtk_columns(scene, options);
  out.write(fmt::format("POINT_DATA {}\nFIELD FieldData {}", count, columns.size()));
  for (const auto& column : columns) {
    // Nothing ends the file but its last number: a shorter one is seen to be cut off.
    out.write(
        fmt::format("\n{} {} {} {}\n", column.name, column.components, count, legacy_name(column.type)));
    write_big(column, options, out);
  }
}

}  // namespace

const SnapshotFormat vtk_legacy_format{"vtk-legacy",
                                       "VTK points (legacy, binary): for programs that do not read .vtp",
                                       "vtk",
                                       false,
                                       &recognizes_vtk_legacy,
                                       &read_vtk_legacy,
                                       &write_vtk_legacy,
                                       nullptr,
                                       vtk_parts};

}  // namespace orrery::sim
