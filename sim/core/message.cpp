#include "sim/core/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/plain_text.h"

namespace orrery::sim {

std::string printable(std::string_view text, std::size_t limit) {
  std::string shown(text.substr(0, limit));
  std::ranges::replace_if(
      shown, [](char c) { return c < ' ' || c > '~'; }, '?');
  if (text.size() > limit) shown += "...";
  return shown;
}

std::string readable(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return one_line(text);
  auto end = limit;
  while (end > 0 && limit - end < 3 && is_inside_character(text[end])) --end;
  return one_line(text.substr(0, end)) + "...";
}

std::string quoted(const std::filesystem::path& path) {
  constexpr std::size_t limit = 80;
  auto name = path.string();
  // A line end in a name is no blank.
  std::ranges::replace_if(
      name, [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
  if (name.size() <= limit) return '\'' + readable(name, limit) + '\'';
  auto begin = name.size() - limit;
  while (begin < name.size() && is_inside_character(name[begin])) ++begin;
  return "'..." + readable(std::string_view(name).substr(begin), limit) + '\'';
}

void cannot_read(const std::filesystem::path& path, std::string_view what) {
  throw Error(fmt::format("cannot read {}: {}", quoted(path), what));
}

void cannot_write(const std::filesystem::path& path, std::string_view what) {
  throw Error(fmt::format("cannot write {}: {}", quoted(path), what));
}

std::string reason_of(int error_number) {
  const auto reason = std::generic_category().message(error_number);
  if (error_number == EMFILE) return reason + " (raise `ulimit -n`)";
  if (error_number == EAGAIN)
    return "the system gives no more processes or memory now (`ulimit -u`, `ulimit -v`)";
  return reason;
}

}  // namespace orrery::sim
