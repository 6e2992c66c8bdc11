#include "sim/options/tree_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"

namespace orrery::sim {

namespace {

constexpr std::size_t cpu_leaf = 32, gpu_leaf = 48;
constexpr std::string_view relative_word = "relative", geometric_word = "geometric";
using Reason = std::function<std::string(const Configuration&)>;

/// A warp has 32 lanes.
OptionConflict no_whole_warps(const Reason& without_tree) {
  return [=](const OptionValue& value, const Configuration& rest, const OptionContext&) -> std::string {
    const auto bodies = std::get<std::int64_t>(value);
    const bool whole = bodies == 32 || bodies == 64 || bodies == 128;
    if (whole || !is_on_gpu(rest) || !without_tree(rest).empty()) return {};
    return "on the GPU a warp walks for 32, 64 or 128 bodies; use one of these";
  };
}

/// Why the opening does nothing.
Reason other_choice(const Reason& without_tree) {
  return [=](const Configuration& c) {
    if (auto reason = without_tree(c); !reason.empty()) return reason;
    return std::string(tree_options(c).accuracy > 0.0 ? "accuracy decides: set it to 0" : "");
  };
}

/// Steps that may share a tree: after many more, bodies have left their cells.
constexpr std::size_t most_shared_steps = 16;

Option accuracy_option(const Reason& without_tree) {
  return {.name = "accuracy",
          .group = std::string(tree_options_group),
          .meaning = fmt::format(
              "Requested median error of the forces; 99 % of the bodies are held to {:g} times that. alpha "
              "is adapted to the bodies: their forces are compared with double precision before the first "
              "step, and again every 512 steps. 0: opening and order decide.",
              accurate_p99),
          .kind = OptionKind::real,
          .default_value = 0.0,
          .minimum = 0.0,
          .maximum = 0.01,
          .logarithmic = true,
          .inactive = without_tree,
          .label = "Error wanted"};
}

/// The number of a form, without a unit.
FormNumber opening_number(std::string name, double usual, double most, bool logarithmic) {
  return {.name = std::move(name),
          .default_value = usual,
          .minimum = 0.0,
          .maximum = most,
          .logarithmic = logarithmic};
}

Option opening_option(const Reason& without_tree) {
  const TreeSettings usual;
  return {
      .name = "opening",
      .group = std::string(tree_options_group),
      .meaning =
          "Which distant cells act as one body. A smaller number is more accurate and slower; 0 sums every "
          "pair.",
      .kind = OptionKind::form,
      .default_value = relative_opening(usual.alpha),
      .forms = {{.word = std::string(relative_word),
                 .numbers = {opening_number("ALPHA", usual.alpha, 1.0, true)},
                 .meaning = fmt::format("Cells whose error is at most ALPHA of the body's own acceleration: "
                                        "fewer terms at the same error. 0.01 states: {}. 0.001 states: {}",
                                        text_of(stated_error({.alpha = 0.01})),
                                        text_of(stated_error({.alpha = 0.001})))},
                {.word = std::string(geometric_word),
                 .numbers = {opening_number("THETA", usual.theta, 1.5, false)},
                 .meaning = "Cells whose size over distance is at most THETA: the rule of Barnes and Hut"}},
      .inactive = other_choice(without_tree),
      .label = "Opening of cells"};
}

/// The choices of `order`, what is usual first.
struct NamedOrder {
  std::string_view name;
  CellOrder order;
};
constexpr std::array<NamedOrder, 3> orders{{{"quadrupole", CellOrder::quadrupole},
                                            {"octupole", CellOrder::octupole},
                                            {"monopole", CellOrder::monopole}}};

std::vector<std::string> order_names() {
  std::vector<std::string> names;
  for (const auto& each : orders) names.emplace_back(each.name);
  return names;
}

Option order_option(const Reason& no_order) {
  return {
      .name = "order",
      .group = std::string(tree_options_group),
      .meaning = "Multipole order of distant cells.",
      .kind = OptionKind::choice,
      .default_value = std::string(orders.front().name),
      .choices = order_names(),
      .choice_meanings = {"Mass and second moments, which describe how the cell is stretched.",
                          "Third moments as well, which describe its asymmetry: a cell that needs them costs "
                          "nearly twice as much, but fewer are needed. Faster for errors below 1e-4.",
                          "Mass alone: cheaper, but for the same error a cell has to be much farther away."},
      .inactive = no_order,
      .label = "Order of cells"};
}

Option far_option(const Reason& no_far_cells) {
  return {.name = "far-cells",
          .group = std::string(tree_options_group),
          .meaning = "How cells act that are far from a whole group of bodies.",
          .kind = OptionKind::choice,
          .default_value = std::string("series"),
          .choices = {"series", "one-by-one"},
          .choice_meanings = {"All together by one Taylor series for the group, to fourth order.",
                              "Each cell on each body, as near cells do."},
          .inactive = no_far_cells,
          .label = "Far cells"};
}

Option group_option(const Reason& without_tree) {
  return {.name = "group-size",
          .group = std::string(tree_options_group),
          .meaning =
              "Maximum number of neighbouring bodies that share a walk of the tree. Larger groups need fewer "
              "walks, but each body meets more cells than it needs.",
          .kind = OptionKind::integer,
          .default_value = std::int64_t{64},
          .minimum = 1,
          .maximum = static_cast<double>(most_group),
          .logarithmic = true,
          .conflicts = {no_whole_warps(without_tree)},
          .inactive = without_tree,
          .label = "Bodies per group"};
}

Option rebuild_option(const Reason& without_tree) {
  return {.name = "rebuild",
          .group = std::string(tree_options_group),
          .meaning =
              "Steps (with step=block, block times) between sorting the bodies into new cells. In between, "
              "cells keep their bodies and get new centres, moments and boxes. Pays off where bodies move "
              "little. Each further step raises the stated error by a sixteenth, up to twice that of new "
              "cells (bench measures the oldest ones). Unless step=block, a run continued from a checkpoint "
              "then has other last digits. 0 means 1, or 16 with step=block.",
          .kind = OptionKind::integer,
          .default_value = std::int64_t{0},
          .minimum = 0,
          .maximum = static_cast<double>(most_shared_steps),
          .logarithmic = true,
          .inactive = without_tree,
          .label = "Steps between rebuilds"};
}

}  // namespace

void add_tree_options(OptionTable& table, bool (*uses_tree)(const Configuration&)) {
  const Reason without_tree = [uses_tree](const Configuration& c) -> std::string {
    if (uses_tree(c)) return {};
    return is_on_gpu(c) ? "only family=tree uses it" : "only kernel=tree uses it";
  };
  table.add(accuracy_option(without_tree));
  table.add(opening_option(without_tree));
  table.add(order_option(other_choice(without_tree)));
  table.add(far_option(without_tree));
  table.add(group_option(without_tree));
  table.add(rebuild_option(without_tree));
}

double alpha_for(double median_error) {
  return std::min(1.0, std::pow(median_error / relative_law.at_one, 1.0 / relative_law.power));
}

namespace {

/// Third moments pay below this median error (docs/trees.md).
constexpr double octupoles_from = 1e-4;

CellOrder order_of(const TreeOptions& options) {
  if (options.accuracy > 0.0)
    return options.accuracy <= octupoles_from ? CellOrder::octupole : CellOrder::quadrupole;
  return std::ranges::find(orders, options.order, &NamedOrder::name)->order;
}

std::size_t rebuild_of(const TreeOptions& options, bool has_block_steps) {
  if (options.rebuild > 0) return options.rebuild;
  return has_block_steps ? most_shared_steps : 1;
}

}  // namespace

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

namespace {

const ErrorLaw& law_of(const TreeSettings& settings) {
  if (settings.order == CellOrder::monopole)
    return settings.relative ? relative_law_of_masses : geometric_law_of_masses;
  return settings.relative ? relative_law : geometric_law;
}

}  // namespace

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
