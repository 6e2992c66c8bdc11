#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/error.h"
#include "sim/core/vec3.h"
#include "sim/snapshots/csv_names.h"

namespace orrery::sim {

/// The question which columns a table has, if they have no names and several layouts fit.
struct ColumnQuestion {
  /// A way to read the table.
  struct Proposal {
    std::string columns;  ///< as ReadOptions::columns has them
    std::string gives;    ///< "mass 2.1e+30, within 1.6e+11": of the rows that were looked at
  };
  static constexpr std::size_t most_rows = 200, most_columns = 64, most_proposals = 3;
  std::vector<std::vector<std::string>> rows;  ///< the first ones, cut into columns
  std::vector<Proposal> proposals;             ///< the likeliest first, three at most
};

/// The exception with such a question. Its text is one line.
class UnclearColumns : public UsageError {
 public:
  UnclearColumns(const std::string& text, ColumnQuestion question)
      : UsageError(text), question_(std::move(question)) {}
  const ColumnQuestion& question() const { return question_; }

 private:
  ColumnQuestion question_;
};

/// The question whether the columns of these rows are one of these; of no rows, it has no proposals.
ColumnQuestion question_of(std::vector<std::vector<std::string>> rows,
                           std::span<const std::vector<Column>> layouts);
/// The positions of the rows if their columns were these. A row without three numbers there is left out.
std::vector<DVec3> places_of(const ColumnQuestion& question, const std::vector<Column>& columns);
/// The outcome of reading the rows so: "mass 2.1e+30, within 1.6e+11".
std::string outcome_of(const ColumnQuestion& question, const std::vector<Column>& columns);
/// The first three rows under the numbers of their columns, and a line for each proposal.
std::string text_of(const ColumnQuestion& question);

}  // namespace orrery::sim
