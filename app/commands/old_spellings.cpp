#include "app/commands/old_spellings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "sim/core/error.h"

namespace orrery::app {

namespace {

/// A flag of `bench` that became a command; its value became the first argument.
struct OldFlag {
  std::string_view flag, command, value;
};

constexpr std::array<OldFlag, 3> old_flags{{{"--ladder", "ladder", "NAME|all"},
                                            {"--sweep", "sweep", "A[=V:V..][,B[=V:V..]]"},
                                            {"--pipeline", "pipeline", "SCHEDULES|all"}}};

const OldFlag* old_flag(const std::string& argument) {
  const auto name = std::string_view(argument).substr(0, argument.find('='));
  const auto* const found = std::ranges::find(old_flags, name, &OldFlag::flag);
  return found == old_flags.end() ? nullptr : found;
}

std::string renewal(const OldFlag& old, std::string_view value) {
  return fmt::format("orrery bench {} {} is now: orrery {} {}", old.flag, value, old.command, value);
}

using Position = std::vector<std::string>::iterator;

/// Removes the flag at `at` with its value, which is returned.
std::string take_value(std::vector<std::string>& arguments, Position at, const OldFlag& old) {
  if (const auto equals = at->find('='); equals != std::string::npos) {
    auto value = at->substr(equals + 1);
    arguments.erase(at);
    return value;
  }
  const auto next = at + 1;
  if (next == arguments.end() || next->starts_with("-"))
    throw sim::UsageError(
        fmt::format("{}: 1 required {} missing; {}", old.flag, old.value, renewal(old, old.value)));
  auto value = *next;
  arguments.erase(at, next + 1);
  return value;
}

}  // namespace

std::string renew_old_spelling(std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front() != "bench") return {};
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const auto at =
      std::find_if(arguments.begin(), end, [](const auto& each) { return old_flag(each) != nullptr; });
  if (at == end) return {};
  const auto& old = *old_flag(*at);
  const auto value = take_value(arguments, at, old);
  arguments.front() = old.command;
  arguments.insert(arguments.begin() + 1, value);
  return renewal(old, value);
}

}  // namespace orrery::app
