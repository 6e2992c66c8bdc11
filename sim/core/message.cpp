#include "sim/core/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "sim/core/error.h"

namespace orrery::sim {

std::string printable(std::string_view text, std::size_t limit) {
  std::string shown(text.substr(0, limit));
  std::ranges::replace_if(
      shown, [](char c) { return c < ' ' || c > '~'; }, '?');
  if (text.size() > limit) shown += "...";
  return shown;
}

std::string quoted(const std::filesystem::path& path) {
  constexpr std::size_t limit = 80;
  const std::string name = path.string();
  if (name.size() <= limit) return '\'' + printable(name, limit) + '\'';
  return "'..." + printable(std::string_view(name).substr(name.size() - limit), limit) + '\'';
}

void cannot_read(const std::filesystem::path& path, std::string_view what) {
  throw Error(fmt::format("cannot read {}: {}", quoted(path), what));
}

void cannot_write(const std::filesystem::path& path, std::string_view what) {
  throw Error(fmt::format("cannot write {}: {}", quoted(path), what));
}

std::string reason_of(int error_number) { return std::generic_category().message(error_number); }

}  // namespace orrery::sim
