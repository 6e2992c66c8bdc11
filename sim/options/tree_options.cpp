#include "sim/options/tree_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"

namespace orrery::sim {

namespace {

constexpr std::size_t cpu_leaf = 32, gpu_leaf = 48;
constexpr std::string_view relative_word = "relative", geometric_word = "geometric";

/// A warp has 32 lanes.
std::string no_whole_warps(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const auto bodies = std::get<std::int64_t>(value);
  if (!is_on_gpu(rest) || bodies == 32 || bodies == 64 || bodies == 128) return {};
  return "on the GPU a warp walks for 32, 64 or 128 bodies; use one of these";
}

std::string accuracy_decides(const Configuration& c) {
  return tree_options(c).accuracy > 0.0 ? "accuracy decides: set it to 0" : "";
}

/// Steps that may share a tree: after many more, bodies have left their cells.
constexpr std::size_t most_shared_steps = 16;

Description tree_option(std::string name, std::string label, std::string meaning) {
  return described(std::move(name), std::string(tree_options_group), std::move(label), std::move(meaning));
}

std::vector<OptionForm> openings() {
  const TreeSettings usual;
  return {{.word = std::string(relative_word),
           .numbers = {scaled_number("ALPHA", usual.alpha, 0.0, 1.0)},
           .meaning =
               fmt::format("Cells whose error is at most ALPHA of the body's own acceleration: "
                           "fewer terms at the same error. 0.01 states: {}. 0.001 states: {}",
                           text_of(stated_error({.alpha = 0.01})), text_of(stated_error({.alpha = 0.001})))},
          {.word = std::string(geometric_word),
           .numbers = {number("THETA", usual.theta, 0.0, 1.5)},
           .meaning = "Cells whose size over distance is at most THETA: the rule of Barnes and Hut"}};
}

/// The choices of `order`, what is usual first.
struct NamedOrder {
  const char* name;
  CellOrder order;
  const char* meaning;
};
constexpr std::array<NamedOrder, 3> orders{
    {{"quadrupole", CellOrder::quadrupole,
      "Mass and second moments, which describe how the cell is stretched."},
     {"octupole", CellOrder::octupole,
      "Third moments as well, which describe its asymmetry: a cell that needs them costs nearly twice as "
      "much, but fewer are needed. Faster for errors below 1e-4."},
     {"monopole", CellOrder::monopole,
      "Mass alone: cheaper, but for the same error a cell has to be much farther away."}}};

/// Third moments pay below this median error (docs/trees.md).
constexpr double octupoles_from = 1e-4;

CellOrder order_of(const TreeOptions& options) {
  if (options.accuracy > 0.0)
    return options.accuracy <= octupoles_from ? CellOrder::octupole : CellOrder::quadrupole;
  return std::ranges::find(orders, std::string_view(options.order), &NamedOrder::name)->order;
}

std::size_t rebuild_of(const TreeOptions& options, bool has_block_steps) {
  if (options.rebuild > 0) return options.rebuild;
  return has_block_steps ? most_shared_steps : 1;
}

const ErrorLaw& law_of(const TreeSettings& settings) {
  if (settings.order == CellOrder::monopole)
    return settings.relative ? relative_law_of_masses : geometric_law_of_masses;
  return settings.relative ? relative_law : geometric_law;
}

}  // namespace

OptionRows<TreeOptions> TreeOptions::rows() {
  std::array<const NamedOrder*, orders.size()> all_orders;
  std::ranges::transform(orders, all_orders.begin(), [](const NamedOrder& order) { return &order; });
  return {
      {&TreeOptions::accuracy,
       tree_option(
           "accuracy", "Error wanted",
           fmt::format(
               "Requested median error of the forces; 99 % of the bodies are held to {:g} times that. alpha "
               "is adapted to the bodies: their forces are compared with double precision before the first "
               "step, and again every 512 steps. 0: opening and order decide.",
               accurate_p99))
           .scaled(0.0, 0.01)},
      {&TreeOptions::opening,
       tree_option(
           "opening", "Opening of cells",
           "Which distant cells act as one body. A smaller number is more accurate and slower; 0 sums every "
           "pair.")
           .formed(openings())
           .unless(accuracy_decides)},
      {&TreeOptions::order, tree_option("order", "Order of cells", "Multipole order of distant cells.")
                                .chosen_from(all_orders)
                                .unless(accuracy_decides)},
      {&TreeOptions::far_cells,
       tree_option("far-cells", "Far cells", "How cells act that are far from a whole group of bodies.")
           .chosen({"series", "one-by-one"},
                   {"All together by one Taylor series for the group, to fourth order.",
                    "Each cell on each body, as near cells do."})},
      {&TreeOptions::group_size,
       tree_option(
           "group-size", "Bodies per group",
           "Maximum number of neighbouring bodies that share a walk of the tree. Larger groups need fewer "
           "walks, but each body meets more cells than it needs.")
           .scaled(1.0, most_group)
           .refused(no_whole_warps)},
      {&TreeOptions::rebuild,
       tree_option(
           "rebuild", "Steps between rebuilds",
           "Steps (with step=block, block times) between sorting the bodies into new cells. In between, "
           "cells keep their bodies and get new centres, moments and boxes. Pays off where bodies move "
           "little. Each further step raises the stated error by a sixteenth, up to twice that of new "
           "cells (bench measures the oldest ones). Unless step=block, a run continued from a checkpoint "
           "then has other last digits. 0 means 1, or 16 with step=block.")
           .scaled(0.0, most_shared_steps)}};
}

void add_tree_options(OptionTable& table, bool (*uses_tree)(const Configuration&)) {
  for (auto [option, member] : rows_of<TreeOptions>()) {
    option.inactive = [uses_tree, own = option.inactive](const Configuration& c) -> std::string {
      if (uses_tree(c)) return own ? own(c) : std::string();
      return is_on_gpu(c) ? "only family=tree uses it" : "only kernel=tree uses it";
    };
    for (auto& conflict : option.conflicts)
      conflict = [uses_tree, own = conflict](const auto& value, const auto& rest, const auto& context) {
        return uses_tree(rest) ? own(value, rest, context) : std::string();
      };
    table.add(std::move(option));
  }
}

double alpha_for(double median_error) {
  return std::min(1.0, std::pow(median_error / relative_law.at_one, 1.0 / relative_law.power));
}

std::string name_of(CellOrder order) {
  return std::string(std::ranges::find(orders, order, &NamedOrder::order)->name);
}

std::string relative_opening(double alpha) {
  return form_text({.word = std::string(relative_word), .numbers = {alpha}});
}

std::string geometric_opening(double theta) {
  return form_text({.word = std::string(geometric_word), .numbers = {theta}});
}

TreeSettings tree_settings(const Configuration& configuration) {
  const auto options = tree_options(configuration);
  const bool has_block_steps = physics_of(configuration).step->parts == StepParts::own;
  TreeSettings settings{.order = order_of(options),
                        .far_series = options.far_cells == "series",
                        .leaf_size = is_on_gpu(configuration) ? gpu_leaf : cpu_leaf,
                        .group_size = options.group_size,
                        .rebuild = rebuild_of(options, has_block_steps),
                        .within_a_step = has_block_steps};
  settings.relative = options.accuracy > 0.0 || options.opening.word == relative_word;
  if (options.accuracy > 0.0)
    settings.alpha = alpha_for(options.accuracy);
  else
    (settings.relative ? settings.alpha : settings.theta) = options.opening.number(0);
  return settings;
}

double median_error(const TreeSettings& settings) {
  const auto& law = law_of(settings);
  return law.at_one * std::pow(settings.relative ? settings.alpha : settings.theta, law.power);
}

StatedError stated_error(const TreeSettings& settings) {
  constexpr StatedError rounding{.median = 1e-5, .p99 = 1e-4};
  // Most bodies of a group are farther from a cell than the nearest one, which decides. In a small group few
  // are.
  constexpr double usual_group = 16.0, small_group_power = 0.6;
  const double group = static_cast<double>(std::max<std::size_t>(settings.group_size, 1));
  const double small = std::pow(std::max(1.0, usual_group / group), small_group_power);
  const auto age = static_cast<double>(settings.within_a_step ? 0 : settings.rebuild - 1);
  const double old = 1.0 + age / static_cast<double>(most_shared_steps);
  const double typical = small * old * median_error(settings);
  return {.median = stated_median * typical + rounding.median, .p99 = stated_p99 * typical + rounding.p99};
}

std::string text_of(const StatedError& stated) {
  return fmt::format("median below {:.1e}, 99 % of the bodies below {:.1e}", stated.median, stated.p99);
}

bool is_of_engine(const Option& option, const Configuration& configuration) {
  return option.group == engine_group(configuration) || option.group == tree_options_group;
}

}  // namespace orrery::sim
