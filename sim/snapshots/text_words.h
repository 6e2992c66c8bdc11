#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/core/mapped_file.h"

namespace orrery::sim {

/// Walks through the words of a text, which blanks and ends of lines separate.
class TextWords {
 public:
  /// `file` for messages; both are borrowed.
  TextWords(const FileView& file, std::string_view text) : file_(file), text_(text) {}

  /// The next word; empty at the end of the text.
  std::string_view next();
  /// The same, which must be a finite number; `what` names it for the message of the Error: "the masses".
  double number(std::string_view what);
  /// The same, which must be a whole number that is not negative.
  std::uint64_t count(std::string_view what);
  std::size_t line() const { return line_; }  ///< line of the word returned last, from 1

 private:
  const FileView& file_;
  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace orrery::sim
