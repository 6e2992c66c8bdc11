#pragma once

#include <regex.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::sim {

/// An extended regular expression of POSIX, with \w, \s and \b besides; of several matches at a place the
/// longest one counts. The C library reads it: each file that uses std::regex takes seconds longer to
/// compile.
class Pattern {
 public:
  explicit Pattern(const char* expression);

  /// The first match and its groups, which point into the text; empty where there is none.
  std::vector<std::string_view> find(std::string_view text) const;

  /// The text with what `change` makes of each match and its groups in place of the match.
  std::string replaced(
      std::string_view text,
      const std::function<std::string(const std::vector<std::string_view>& match)>& change) const;

 private:
  std::vector<std::string_view> find_behind(std::string_view text, std::size_t start) const;

  std::shared_ptr<regex_t> compiled_;
};

}  // namespace orrery::sim
