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

constexpr std::size_t deepest = 64;
constexpr std::size_t most_fields = 10'000;
constexpr std::size_t most_cell = 65'536;

/// A column of the table, as its FIELD says.
struct Field {
  VtkArray array;
  bool is_wanted = false;
};

bool is_number(std::string_view datatype) {
  constexpr std::array<std::string_view, 6> numbers{"double", "float", "long",
                                                    "int",    "short", "unsignedByte"};
  return std::ranges::find(numbers, datatype) != numbers.end();
}

/// Follows expat through the file up to the end of the first table that has places. Nothing may be thrown
/// through expat: it is kept and thrown afterwards.
class TableReader {
 public:
  TableReader(const FileView& file, const ReadOptions& options)
      : file_(file), options_(options), xml_(file, this) {
    XML_SetElementHandler(
        xml_.parser(),
        [](void* self, const XML_Char* name, const XML_Char** pairs) {
          guarded(self, [&](TableReader& reader) { reader.begin(local_name(name), pairs); });
        },
        [](void* self, const XML_Char* name) {
          guarded(self, [&](TableReader& reader) { reader.end(local_name(name)); });
        });
    XML_SetCharacterDataHandler(xml_.parser(), [](void* self, const XML_Char* text, int size) {
      guarded(self, [&](TableReader& reader) { reader.add_text({text, static_cast<std::size_t>(size)}); });
    });
    // Old files name a document type; nothing of it is read, and entities of its own are refused.
    XML_SetEntityDeclHandler(
        xml_.parser(), [](void* self, const XML_Char*, int, const XML_Char*, int, const XML_Char*,
                          const XML_Char*, const XML_Char*, const XML_Char*) {
          guarded(self, [](TableReader& reader) {
            cannot_read(reader.file_.path, "its XML declares entities, which VOTables do not; remove them");
          });
        });
  }

  std::vector<VtkArray> read() {
    xml_.read(options_.progress, 0.6F);
    if (!has_places_) refuse_without_places();
    std::vector<VtkArray> arrays;
    for (auto& field : fields_) arrays.push_back(std::move(field.array));
    return arrays;
  }

 private:
  const FileView& file_;
  const ReadOptions& options_;
  XmlFile xml_;
  std::vector<Field> fields_;
  std::string cell_;
  std::size_t depth_ = 0, column_ = 0, rows_ = 0;
  bool in_cell_ = false, has_places_ = false, has_tables_ = false;

  template <typename Action>
  static void guarded(void* self, const Action& action) {
    auto& reader = *static_cast<TableReader*>(self);
    reader.xml_.guarded([&] { action(reader); });
  }

  static std::string_view local_name(std::string_view name) {
    return name.substr(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
  }
  static std::string attribute(const XML_Char** pairs, std::string_view name) {
    for (const auto* pair = pairs; *pair != nullptr; pair += 2)
      if (name == pair[0]) return pair[1];
    return {};
  }

  void begin(std::string_view name, const XML_Char** pairs) {
    if (++depth_ > deepest) cannot_read(file_.path, "its XML is nested too deeply; write it again");
    if (name == "TABLE") fields_.clear();
    if (name == "FIELD") add_field(pairs);
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
    --depth_;
    if (!has_places_) return;
    if (name == "TD") end_cell();
    if (name == "TR") end_row();
    if (name == "TABLE") xml_.stop();
  }
  void add_text(std::string_view text) {
    if (in_cell_ && cell_.size() < most_cell) cell_ += text;
  }

  void add_field(const XML_Char** pairs) {
    if (fields_.size() == most_fields)
      cannot_read(file_.path, "its table has too many columns; leave some out");
    auto name = attribute(pairs, "name");
    if (name.empty()) name = attribute(pairs, "ID");
    const auto datatype = attribute(pairs, "datatype"), size = attribute(pairs, "arraysize");
    const bool usable = is_number(datatype) && (size.empty() || size == "1");
    const auto type = !usable ? VtkType::text : datatype == "long" ? VtkType::i64 : VtkType::f64;
    VtkArray array{.name = std::move(name), .type = type, .components = 1, .bytes = {}};
    array.unit = attribute(pairs, "unit");
    fields_.push_back({std::move(array)});
  }
  void begin_data() {
    has_tables_ = true;
    std::vector<std::string> names;
    for (const auto& field : fields_) names.push_back(field.array.name);
    has_places_ = names_places(names);
    for (auto& field : fields_)
      field.is_wanted = field.array.type != VtkType::text && needs_array(field.array.name, names);
    for (auto& field : fields_)
      if (!field.is_wanted) field.array.type = VtkType::text;
  }

  void end_cell() {
    in_cell_ = false;
    if (column_ >= fields_.size()) refuse_row();
    auto& field = fields_[column_++];
    if (!field.is_wanted) return;
    const auto text = trimmed(cell_);
    if (field.array.type == VtkType::i64) return put(field.array, whole(text));
    const auto number =
        text.empty() ? std::optional(std::numeric_limits<double>::quiet_NaN()) : parse_number(text);
    if (!number) refuse_cell(text);
    put(field.array, *number);
  }
  std::int64_t whole(std::string_view text) const {
    std::int64_t value = 0;
    if (text.empty()) return value;
    const auto* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end) refuse_cell(text);
    return value;
  }
  template <typename T>
  static void put(VtkArray& array, T value) {
    array.bytes.resize(array.bytes.size() + sizeof(T));
    std::memcpy(array.bytes.data() + array.bytes.size() - sizeof(T), &value, sizeof(T));
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
