#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/core/counted.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/body_arrays.h"
#include "sim/snapshots/csv_layout.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/sky.h"
#include "snapshot_formats.h"

// Text tables of the sky: a header that names directions, then an object a line. docs/formats.md has the
// names.

namespace orrery::sim {

namespace {

/// Where the header is, and what follows it.
struct SkyHeader {
  std::vector<std::string> names;
  Separator separator = Separator::blanks;
  std::size_t data_offset = 0, data_line = 0;
};

/// The first line that is no comment, or the last comment before it, must name directions.
std::optional<SkyHeader> find_header(std::string_view text) {
  constexpr std::size_t most_lines = 2000;
  std::optional<SkyHeader> header;
  TextLines lines(text);
  while (lines.number() < most_lines) {
    const auto offset = lines.offset(), number = lines.number();
    std::string_view line;
    if (!lines.next(line)) break;
    const auto [content, comment] = split_comment(line);
    const auto words = content.empty() ? comment : content;
    Fields fields;
    split_names(words, separator_of(words), fields);
    const std::vector<std::string> names(fields.begin(), fields.end());
    if (is_sky_table(names))
      header = {names, separator_of(words), lines.offset(), lines.number()};
    else if (header && !content.empty())
      header = {header->names, header->separator, offset, number};
    if (!content.empty()) break;
  }
  return header;
}

/// Not a number where a table says that it has none.
std::optional<double> number_or_nothing(std::string_view field) {
  if (is_listed(",null,NULL,--,-,N/A,~", field)) return std::numeric_limits<double>::quiet_NaN();
  return parse_number(field);
}

class SkyRows {
 public:
  SkyRows(const FileView& file, std::string_view text, const SkyHeader& header, const ReadOptions& options)
      : file_(file),
        header_(header),
        lines_(text.substr(header.data_offset)),
        ticker_(options.progress, text.size(), 0.0F, 0.6F) {
    for (const auto& name : header.names) {
      const auto type = !is_sky_quantity(name)                    ? ArrayType::text
                        : plain_column_name(name).ends_with("id") ? ArrayType::u64
                                                                  : ArrayType::f64;
      columns_.push_back({.name = name, .type = type});
    }
  }

  Scene read(const ReadOptions& options) {
    std::string_view line;
    for (std::size_t rows = 0; lines_.next(line); ++rows) {
      if (rows % Ticker::interval == 0) ticker_.at(lines_.offset());
      const auto content = split_comment(line).content;
      if (!content.empty()) take_line(content);
    }
    if (rows_ == 0) cannot_read(file_.path, "its table of the sky has no rows; choose another file");
    if (const auto problem = commas_.problem(); !problem.empty()) cannot_read(file_.path, problem);
    auto scene = sky_scene(file_, columns_, options, "text table of the sky");
    if (commas_.found()) scene.notes.emplace_back("commas in numbers were taken as decimal commas");
    return scene;
  }

 private:
  const FileView& file_;
  const SkyHeader& header_;
  TextLines lines_;
  Ticker ticker_;
  std::vector<NamedArray> columns_;
  Fields fields_;
  std::size_t rows_ = 0, lines_before_rows_ = 0;
  NumberCommas commas_;

  /// As in the header if that gives as many fields: a line of decimal commas is not separated by them.
  void split(std::string_view content) {
    split_fields(content, header_.separator, fields_);
    if (fields_.size() == columns_.size()) return;
    split_fields(content, separator_of(content), fields_);
    drop_empty_end(fields_, columns_.size());
  }

  [[noreturn]] void refuse(std::string_view what) const {
    refuse_line(file_, header_.data_line + lines_.number(), what);
  }

  void take_line(std::string_view content) {
    split(content);
    if (rows_ == 0 && is_before_rows(content)) return;
    if (fields_.size() != columns_.size() && is_row_of_decimal_commas(content))
      refuse(
          "its numbers have a decimal comma, and commas separate the columns; write decimal points, or "
          "separate the columns by semicolons");
    if (fields_.size() != columns_.size())
      refuse(fmt::format("{} where {} are expected; {}", counted(fields_.size(), "field", "fields"),
                         columns_.size(),
                         fields_.size() == 2 * columns_.size() && separator_of(content) == Separator::comma
                             ? "if its numbers have decimal commas, separate the columns by semicolons"
                             : "complete the row or copy the file again"));
    for (std::size_t k = 0; k < fields_.size(); ++k) take_field(columns_[k], fields_[k]);
    ++rows_;
  }

  /// Tables of VizieR have a line of units and one of dashes between header and rows.
  bool is_before_rows(std::string_view content) {
    if (lines_before_rows_ == 2) return false;
    const bool dashes = content.find_first_not_of("-;,\t ") == std::string_view::npos;
    const bool units = fields_.size() == columns_.size() &&
                       std::ranges::none_of(fields_, [](auto field) { return is_numeric(field); });
    if (!dashes && !units) return false;
    ++lines_before_rows_;
    if (units && !dashes)
      for (std::size_t k = 0; k < fields_.size(); ++k) columns_[k].unit = fields_[k];
    return true;
  }

  void take_field(NamedArray& column, std::string_view field) {
    if (column.type == ArrayType::text) return;
    // All 64 bits of Gaia's numbers.
    if (column.type == ArrayType::u64) return column.append(number_in<std::uint64_t>(field).value_or(0));
    auto number = number_or_nothing(field);
    commas_.take(field);
    if (!number) number = parse_decimal_comma(field);
    if (number) return column.append(*number);
    const bool sexagesimal = field.find_first_of(": ") != std::string_view::npos;
    refuse(fmt::format("'{}' is {}", printable(field),
                       sexagesimal
                           ? "an angle in hours or degrees, minutes and seconds; convert it to degrees"
                           : "not a number"));
  }
};

bool recognizes_sky_table(const FileView& file) {
  if (!is_plain_text(file.bytes)) return false;
  constexpr std::size_t most = 65536;
  return find_header(text_of(file.bytes.subspan(0, std::min(most, file.bytes.size())))).has_value();
}

Scene read_sky_table(const FileView& file, const ReadOptions& options) {
  const auto text = text_of(file.bytes);
  const auto header = find_header(text);
  if (!header)
    cannot_read(file.path,
                "no line of it names directions, as ra and dec or l and b; name the columns in a first line");
  return SkyRows(file, text, *header, options).read(options);
}

}  // namespace

const SnapshotFormat sky_table_format{
    .name = "sky",
    .meaning = "tables of the sky: ra and dec or l and b, parallax or distance, motions",
    .recognizes = &recognizes_sky_table,
    .read = &read_sky_table};

}  // namespace orrery::sim
