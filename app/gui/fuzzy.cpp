#include "app/gui/fuzzy.h"

#include <algorithm>
#include <string>

#include "sim/core/letters.h"

namespace orrery::app {

namespace {

bool in_word(char letter) {
  return sim::is_small_or_digit(letter) || static_cast<unsigned char>(letter) >= 0x80;
}

bool begins_word(std::string_view text, std::size_t at) { return at == 0 || !in_word(text[at - 1]); }

bool ends_word(std::string_view text, std::size_t end) { return end == text.size() || !in_word(text[end]); }

constexpr double whole_word = 100.0;
constexpr double word_start = 80.0;
constexpr double inside_word = 40.0;
constexpr double scattered = 30.0;

/// The word in one piece, at its best place.
std::optional<double> in_one_piece(std::string_view word, std::string_view text) {
  std::optional<double> best;
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    double score = begins_word(text, at) ? word_start : inside_word;
    if (score == word_start && ends_word(text, at + word.size())) score = whole_word;
    // What stands first says what it is.
    score -= 10.0 * static_cast<double>(at) / static_cast<double>(text.size());
    best = std::max(best.value_or(score), score);
  }
  return best;
}

/// The letters in their order from `start` on: the fewer are passed over, the better.
std::optional<double> letters_from(std::string_view word, std::string_view text, std::size_t start) {
  auto at = start;
  for (const char letter : word) {
    at = text.find(letter, at);
    if (at == std::string_view::npos) return std::nullopt;
    ++at;
  }
  const auto gaps = static_cast<double>(at - start - word.size());
  // With more gaps than letters nearly every long text would fit.
  if (gaps > 2.0 * static_cast<double>(word.size())) return std::nullopt;
  return scattered - gaps;
}

std::optional<double> word_score(std::string_view word, std::string_view text) {
  if (auto whole = in_one_piece(word, text)) return whole;
  std::optional<double> best;
  if (word.size() < 2) return best;
  for (auto at = text.find(word.front()); at != std::string_view::npos;
       at = text.find(word.front(), at + 1)) {
    if (!begins_word(text, at)) continue;
    if (const auto score = letters_from(word, text, at)) best = std::max(best.value_or(*score), *score);
  }
  return best;
}

}  // namespace

std::optional<double> fuzzy_score(std::string_view query, std::string_view text) {
  const auto wanted = sim::lower_case(query), all = sim::lower_case(text);
  double sum = 0.0;
  for (std::size_t at = 0; (at = wanted.find_first_not_of(' ', at)) != std::string::npos;) {
    const auto end = std::min(wanted.find(' ', at), wanted.size());
    const auto score = word_score(std::string_view(wanted).substr(at, end - at), all);
    if (!score) return std::nullopt;
    sum += *score;
    at = end;
  }
  return sum - 0.05 * static_cast<double>(all.size());
}

}  // namespace orrery::app
