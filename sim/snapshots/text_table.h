#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace orrery::sim {

/// The lines of a text, without their ends (LF or CRLF); the last one may lack its end.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : text_(text) {}
  /// False at the end of the text.
  bool next(std::string_view& line);
  std::size_t number() const { return number_; }  ///< of the line given last, from 1
  std::size_t offset() const { return offset_; }  ///< where the next line begins

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t number_ = 0;
};

/// What stands between two fields. Commas and semicolons may leave a field empty, blanks (and tabs) may not.
enum class Separator : std::uint8_t { comma, semicolon, blanks };

/// Without blanks, tabs and double quotes around it.
std::string_view trimmed(std::string_view text);

/// A line cut in two where a comment (#, % or //) begins; both trimmed, the comment without its mark.
struct CommentedLine {
  std::string_view content, comment;
};
CommentedLine split_comment(std::string_view line);

/// Semicolon before comma before blanks: the first that occurs in the line.
Separator separator_of(std::string_view line);

/// Fills `fields` with the trimmed fields of `line` (which holds no comment).
void split_fields(std::string_view line, Separator separator, std::vector<std::string_view>& fields);

/// The whole of `text` as a decimal number; empty if it is none. Fortran's D exponents and a leading plus are
/// understood, nan and inf are numbers here. The same in every locale.
std::optional<double> parse_number(std::string_view text);

}  // namespace orrery::sim
