#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::sim {

/// The fields of a line; they belong to the text of the file.
using Fields = std::vector<std::string_view>;

/// The lines of a text, without their ends (LF or CRLF); the last one may lack its end.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : text_(text) {}
  /// False at the end of the text.
  bool next(std::string_view& line);
  /// As next(), but a record whose quoted field spans lines comes whole (RFC 4180).
  bool next_record(std::string_view& record);
  /// As next_record(), without comments and without records that are nothing else.
  bool next_row(std::string_view& content);
  std::size_t number() const { return number_; }  ///< number of the line returned last, from 1
  std::size_t offset() const { return offset_; }  ///< byte offset of the next line

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t number_ = 0;
};

/// The separator of two fields. Blanks (and tabs among them) leave no field empty; the others may.
enum class Separator : std::uint8_t { comma, semicolon, tab, blanks };

/// Without blanks, tabs and double quotes around it.
std::string_view trimmed(std::string_view text);

/// A line cut in two where a comment (#, % or //) begins that is not in quotes; without blanks around both,
/// and the comment without its mark.
struct CommentedLine {
  std::string_view content, comment;
};
CommentedLine split_comment(std::string_view line);

/// Semicolon before comma before blanks: the first that occurs in the line outside of quotes. A tab, where
/// what is between tabs has words that blanks would cut.
Separator separator_of(std::string_view line);

/// Fills `fields` with the trimmed fields of `line` (which holds no comment). Quotes around a field hold it
/// together; quotes that are doubled in it stay so (unquoted() makes one of two).
void split_fields(std::string_view line, Separator separator, Fields& fields);

/// These fields, without empty ones at the end.
Fields fields_of(std::string_view line, Separator separator);

/// Empty fields at the end come from trailing separators: takes them away, but leaves so many fields.
void drop_empty_end(Fields& fields, std::size_t fewest = 0);

/// As split_fields(), for a line of names: units in brackets belong to the name before them ("x [10 kpc] y").
void split_names(std::string_view line, Separator separator, Fields& fields);

/// A field as text: one quote for two.
std::string unquoted(std::string_view field);

/// The number that `text` is with a decimal comma ("-0,5", "1,5e3"); empty if it has no comma, several, or a
/// point.
std::optional<double> parse_decimal_comma(std::string_view text);

/// The commas in the numbers of a table: decimal ones, or ones of thousands.
class NumberCommas {
 public:
  void take(std::string_view field);
  bool found() const { return !with_comma_.empty(); }
  /// Why they cannot be taken as decimal commas; empty: they can.
  std::string problem() const;

 private:
  std::string_view with_comma_, with_point_;
  bool decimal_ = false;  ///< some comma is none of thousands
};

/// True if all words between blanks are numbers, some with a decimal comma: "0,1 2 0,71", "0,1, 0,67".
bool is_row_of_decimal_commas(std::string_view line);

/// The whole of `text` as a decimal number; empty if it is none. Fortran's D exponents and a leading plus are
/// understood, nan and inf are numbers here. The same in every locale.
std::optional<double> parse_number(std::string_view text);

/// True if all fields are such numbers.
bool are_numbers(const Fields& fields);

/// A number with a decimal point or comma.
bool is_numeric(std::string_view field);

}  // namespace orrery::sim
