#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/core/letters.h"
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

/// Reads up to the end of the first table that has places.
class TableReader {
 public:
  TableReader(const FileView& file, const ReadOptions& options)
      : file_(file), options_(options), xml_(file, handlers_) {}

  std::vector<NamedArray> read() {
    xml_.read(options_.progress, 0.6F);
    if (!has_places_)
      cannot_read(
          file_.path,
          has_tables_
              ? "none of its tables has columns ra, dec and parallax, or x, y and z; rename the columns"
              : "it is a VOTable without a table; choose another file");
    return std::move(columns_);
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
  std::vector<NamedArray> columns_;
  std::string cell_;
  std::size_t column_ = 0, rows_ = 0;
  bool in_cell_ = false, has_places_ = false, has_tables_ = false;

  static std::string_view local_name(std::string_view name) { return name.substr(name.find(':') + 1); }

  void begin(std::string_view name, const XmlAttributes& attributes) {
    if (name == "TABLE") columns_.clear();
    if (name == "FIELD") add_field(attributes);
    if (name == "DATA") begin_data();
    if (!has_places_) return;
    if (is_listed("BINARY,BINARY2,FITS", name))
      cannot_read(
          file_.path,
          fmt::format("the rows of its VOTable are coded ({}); save it with TABLEDATA, as FITS or CSV, "
                      "for example with astropy or TOPCAT",
                      name));
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
    if (columns_.size() == most_fields)
      cannot_read(file_.path, "its table has too many columns; leave some out");
    auto name = attributes.text("name");
    if (name.empty()) name = attributes.text("ID");
    const auto datatype = attributes.text("datatype"), size = attributes.text("arraysize");
    const bool usable =
        is_listed("double,float,long,int,short,unsignedByte", datatype) && (size.empty() || size == "1");
    const auto type = !usable ? ArrayType::text : datatype == "long" ? ArrayType::i64 : ArrayType::f64;
    columns_.push_back({.name = std::move(name), .type = type, .unit = attributes.text("unit")});
  }
  void begin_data() {
    has_tables_ = true;
    std::vector<std::string> names;
    for (const auto& column : columns_) names.push_back(column.name);
    has_places_ = names_places(names);
    for (auto& column : columns_)
      if (!needs_array(column.name, names)) column.type = ArrayType::text;
  }

  void end_cell() {
    in_cell_ = false;
    if (column_ >= columns_.size()) refuse_row();
    auto& column = columns_[column_++];
    const auto text = trimmed(cell_);
    if (column.type == ArrayType::text) return;
    if (column.type == ArrayType::i64) return add(column, text, std::int64_t{0}, number_in<std::int64_t>);
    add(column, text, std::numeric_limits<double>::quiet_NaN(), parse_number);
  }
  template <typename Number, typename Parse>
  void add(NamedArray& column, std::string_view text, Number missing, const Parse& parse) const {
    const auto number = text.empty() ? std::optional(missing) : parse(text);
    if (number) return column.append(*number);
    cannot_read(file_.path, fmt::format("'{}' in row {} of its VOTable is no number; correct it",
                                        printable(text), rows_ + 1));
  }
  void end_row() {
    if (column_ != columns_.size()) refuse_row();
    ++rows_;
  }

  [[noreturn]] void refuse_row() const {
    cannot_read(
        file_.path,
        fmt::format("row {} of its VOTable has another number of cells than the {} columns; copy it again",
                    rows_ + 1, columns_.size()));
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

const SnapshotFormat votable_format{
    .name = "votable",
    .meaning = "VOTables with rows in XML (TABLEDATA): objects on the sky, or bodies",
    .recognizes = &recognizes_votable,
    .read = &read_votable};

}  // namespace orrery::sim
