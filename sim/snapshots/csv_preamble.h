#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/snapshots/csv_names.h"
#include "sim/snapshots/text_table.h"

namespace orrery::sim {

struct FileView;  // sim/core/mapped_file.h

/// A line of names, which may be in a comment.
struct NamesLine {
  std::string_view text;  ///< all of it
  Fields names;
  std::size_t number = 0;  ///< line number, from 1
  Separator separator = Separator::blanks;
};

/// Everything that precedes the first row of a text table.
struct Preamble {
  Separator separator = Separator::blanks;  ///< separator of the first row
  std::size_t row_fields = 0;               ///< number of fields in the first row
  std::vector<NamesLine> headers;           ///< lines that name positions
  std::vector<NamesLine> comment_headers;   ///< the same, in comments
  std::vector<NamesLine> words;             ///< other lines that are no numbers
  std::vector<NamesLine> remarks;           ///< other comments, of which the first are kept
  std::vector<double> numbers;              ///< a block of step, N and time
  std::optional<double> time;               ///< time from a comment or from a line "time = ..."
  std::size_t data_offset = 0, data_line = 0;
  bool has_rows = false;
};

/// Reads up to the first row. `given`: the columns that the user named, or none. `skipped` leading lines are
/// not looked at. Throws Error for a list of one number a line, and for a file that has no more lines than
/// that.
Preamble read_preamble(const FileView& file, std::string_view text, const std::vector<Column>& given,
                       std::size_t skipped);

/// The last of the lines that has that many names, or nullptr.
const NamesLine* line_of_names(const std::vector<NamesLine>& lines, std::size_t count);

/// Throws Error "cannot read 'path': line N: <what>".
[[noreturn]] void refuse_line(const FileView& file, std::size_t line, std::string_view what);

}  // namespace orrery::sim
