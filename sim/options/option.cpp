#include "sim/options/option.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "sim/bodies/bodies.h"

namespace orrery::sim {

std::vector<AlikeGalaxies> galaxy_sizes(std::span<const GalaxyRange> galaxies) {
  std::map<std::size_t, std::size_t, std::greater<>> count;
  for (const auto& galaxy : galaxies) ++count[galaxy.size()];
  std::vector<AlikeGalaxies> sizes;
  sizes.reserve(count.size());
  for (const auto& [bodies, alike] : count) sizes.push_back({bodies, alike});
  return sizes;
}

std::size_t OptionContext::largest_galaxy() const {
  const auto all = all_sizes();
  return all.empty() ? 0 : all.front().bodies;
}

std::vector<AlikeGalaxies> OptionContext::all_sizes() const {
  if (!sizes.empty() || galaxies == 0) return sizes;
  // The remainder goes to the first ones.
  return {{(bodies + galaxies - 1) / galaxies, galaxies}};
}

std::string to_string(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "on" : "off";
  if (const auto* name = std::get_if<std::string>(&value)) return *name;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  return fmt::format("{}", std::get<double>(value));
}

std::string label_of(const Option& option) {
  if (!option.label.empty()) return option.label;
  auto label = option.name;
  std::ranges::replace(label, '-', ' ');
  // Names are lower case ASCII.
  if (!label.empty() && label[0] >= 'a' && label[0] <= 'z')
    label[0] = static_cast<char>(label[0] - 'a' + 'A');
  return label;
}

std::string why_inactive(const Option& option, const Configuration& configuration) {
  return option.inactive ? option.inactive(configuration) : std::string();
}

bool applies(const Option& option, const Configuration& configuration) {
  return why_inactive(option, configuration).empty();
}

bool decides_result(const Option& option) { return option.scope != OptionScope::display; }

bool decides_engine(const Option& option) { return decides_result(option) && option.group != "physics"; }

bool decides_bits(const Option& option) {
  return option.scope == OptionScope::result || option.scope == OptionScope::machine;
}

bool belongs_to_machine(const Option& option) { return option.scope == OptionScope::machine; }

}  // namespace orrery::sim
