#include "sim/core/pattern.h"

#include "sim/core/error.h"

namespace orrery::sim {

Pattern::Pattern(const char* expression)
    : compiled_(new regex_t(), [](regex_t* compiled) {
        regfree(compiled);
        delete compiled;
      }) {
  if (regcomp(compiled_.get(), expression, REG_EXTENDED) != 0)
    throw Error("not a regular expression: " + std::string(expression));
}

std::vector<std::string_view> Pattern::find(std::string_view text) const { return find_behind(text, 0); }

/// Text before the start counts for \b.
std::vector<std::string_view> Pattern::find_behind(std::string_view text, std::size_t start) const {
  std::vector<regmatch_t> places(compiled_->re_nsub + 1);
  places[0] = {static_cast<regoff_t>(start), static_cast<regoff_t>(text.size())};
  if (regexec(compiled_.get(), text.data(), places.size(), places.data(), REG_STARTEND) != 0) return {};
  std::vector<std::string_view> groups;
  for (const auto& [begin, end] : places)
    groups.push_back(begin < 0 ? std::string_view() : text.substr(begin, end - begin));
  return groups;
}

std::string Pattern::replaced(
    std::string_view text,
    const std::function<std::string(const std::vector<std::string_view>& match)>& change) const {
  std::string result;
  std::size_t at = 0;
  for (auto match = find_behind(text, at); !match.empty() && !match[0].empty();
       match = find_behind(text, at)) {
    const std::size_t begin = match[0].data() - text.data();
    result.append(text, at, begin - at).append(change(match));
    at = begin + match[0].size();
  }
  return result.append(text.substr(at));
}

}  // namespace orrery::sim
