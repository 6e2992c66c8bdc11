#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/body_arrays.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/text_table.h"
#include "sim/snapshots/xml_file.h"
#include "snapshot_formats.h"

// VOTable (IVOA Recommendation 1.4): tables whose rows are written in XML (TABLEDATA). Columns are found by
// their names. docs/formats.md has the rules.

namespace orrery::sim {

namespace {

constexpr std::size_t most_fields = 10'000;
constexpr std::size_t most_cell = 65'536;

/// A column of the table, as its FIELD says.
struct Field {
  NamedArray array;
  bool is_wanted = false;
};

bool is_number(std::string_view datatype) {
  constexpr std::array<std::string_view, 6> numbers{"double", "float", "long",
                                                    "int",    "short", "unsignedByte"};
  return std::ranges::find(numbers, datatype) != numbers.end();
}

/// Reads up to the end of the first table that has places.
class TableReader {
 public:
  TableReader(const FileView& file, const ReadOptions& options)
      : file_(file), options_(options), xml_(file, handlers_) {}

  std::vector<NamedArray> read() {
    xml_.read(options_.progress, 0.6F);
    if (!has_places_) refuse_without_places();
    std::vector<NamedArray> arrays;
    for (auto& field : fields_) arrays.push_back(std::move(field.array));
    return arrays;
  }

 private:
  const FileView& file_;
  const ReadOptions& options_;
  // Old files name a document type; nothing of it is read, and entities of its own are refused.
  XmlHandlers handlers_{
      .begin = [this](std::string_view name, const XmlAttributes& of) { begin(local_name(name), of); },
      .end = [this](std::string_view name) { end(local_name(name)); },
      .text = [this](std::string_view text) { add_text(text); },
      .entity =
          [this] {
            cannot_read(file_.path, "its XML declares entities, which VOTables do not; remove them");
          }};
  XmlFile xml_;
  std::vector<Field> fields_;
  std::string cell_;
  std::size_t column_ = 0, rows_ = 0;
  bool in_cell_ = false, has_places_ = false, has_tables_ = false;

  static std::string_view local_name(std::string_view name) {
    return name.substr(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
  }

  void begin(std::string_view name, const XmlAttributes& attributes) {
    if (name == "TABLE") fields_.clear();
    if (name == "FIELD") add_field(attributes);
    if (name == "DATA") begin_data();
    if (has_places_) begin_in_table(name);
  }
  void begin_in_table(std::string_view name) {
    if (name == "BINARY" || name == "BINARY2" || name == "FITS") refuse_coded(name);
    if (name == "TR") column_ = 0;
    in_cell_ = name == "TD";
    if (in_cell_) cell_.clear();
  }
  void end(std::string_view name) {
    if (!has_places_) return;
    if (name == "TD") end_cell();
    if (name == "TR") end_row();
    if (name == "TABLE") xml_.stop();
  }
  void add_text(std::string_view text) {
    if (in_cell_ && cell_.size() < most_cell) cell_ += text;
  }

  void add_field(const XmlAttributes& attributes) {
    if (fields_.size() == most_fields)
      cannot_read(file_.path, "its table has too many columns; leave some out");
    auto name = attributes.text("name");
    if (name.empty()) name = attributes.text("ID");
    const auto datatype = attributes.text("datatype"), size = attributes.text("arraysize");
    const bool usable = is_number(datatype) && (size.empty() || size == "1");
    const auto type = !usable ? ArrayType::text : datatype == "long" ? ArrayType::i64 : ArrayType::f64;
    NamedArray array{.name = std::move(name), .type = type, .components = 1};
    array.unit = attributes.text("unit");
    fields_.push_back({std::move(array)});
  }
  void begin_data() {
    has_tables_ = true;
    std::vector<std::string> names;
    for (const auto& field : fields_) names.push_back(field.array.name);
    has_places_ = names_places(names);
    for (auto& field : fields_)
      field.is_wanted = field.array.type != ArrayType::text && needs_array(field.array.name, names);
    for (auto& field : fields_)
      if (!field.is_wanted) field.array.type = ArrayType::text;
  }

  void end_cell() {
    in_cell_ = false;
    if (column_ >= fields_.size()) refuse_row();
    auto& field = fields_[column_++];
    if (!field.is_wanted) return;
    const auto text = trimmed(cell_);
    if (field.array.type == ArrayType::i64) return field.array.append(whole(text));
    const auto number =
        text.empty() ? std::optional(std::numeric_limits<double>::quiet_NaN()) : parse_number(text);
    if (!number) refuse_cell(text);
    field.array.append(*number);
  }
  std::int64_t whole(std::string_view text) const {
    std::int64_t value = 0;
    if (text.empty()) return value;
    const auto* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end) refuse_cell(text);
    return value;
  }
  void end_row() {
    if (column_ != fields_.size()) refuse_row();
    ++rows_;
  }

  [[noreturn]] void refuse_cell(std::string_view text) const {
    cannot_read(file_.path, fmt::format("'{}' in row {} of its VOTable is no number; correct it",
                                        printable(text), rows_ + 1));
  }
  [[noreturn]] void refuse_row() const {
    cannot_read(
        file_.path,
        fmt::format("row {} of its VOTable has another number of cells than the {} columns; copy it again",
                    rows_ + 1, fields_.size()));
  }
  [[noreturn]] void refuse_coded(std::string_view name) const {
    cannot_read(file_.path,
                fmt::format("the rows of its VOTable are coded ({}); save it with TABLEDATA, as FITS or CSV, "
                            "for example with astropy or TOPCAT",
                            name));
  }
  [[noreturn]] void refuse_without_places() const {
    cannot_read(file_.path,
                has_tables_
                    ? "none of its tables has columns ra, dec and parallax, or x, y and z; rename the columns"
                    : "it is a VOTable without a table; choose another file");
  }
};

/// The element VOTABLE begins within the first kilobytes.
bool recognizes_votable(const FileView& file) {
  constexpr std::size_t most = 4096;
  const auto text = trimmed(text_of(file.bytes.subspan(0, std::min(most, file.bytes.size()))));
  if (!text.starts_with('<')) return false;
  return text.find("<VOTABLE") != std::string_view::npos || text.find(":VOTABLE") != std::string_view::npos;
}

Scene read_votable(const FileView& file, const ReadOptions& options) {
  return scene_of_arrays(file, TableReader(file, options).read(), options, "VOTable");
}

}  // namespace

const SnapshotFormat votable_format{"votable",
                                    "VOTables with rows in XML (TABLEDATA): objects on the sky, or bodies",
                                    "",
                                    false,
                                    &recognizes_votable,
                                    &read_votable,
                                    nullptr};

}  // namespace orrery::sim
