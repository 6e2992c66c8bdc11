#pragma once

#include <array>
#include <string>
#include <vector>

#include "lab/setup/dataset.h"
#include "sim/options/configuration.h"
#include "sim/scene/scene.h"

// How the program chooses values of options that nobody chose.
namespace orrery::lab {

/// True if the engine has a tree and steps this scene faster with it than with direct sums, as was measured
/// (sim::fewest_for_tree).
bool tree_is_faster(const sim::Configuration& configuration, const sim::Scene& scene);

/// Chooses the tree where that is faster, and "auto" where the assignments ask for an accuracy, unless
/// `assignments` choose a kernel (or family, on a GPU) or `configuration` has another than the default of
/// `table`. Returns a line that says what was chosen, the errors that it states and how to choose otherwise;
/// empty: nothing changed.
std::string choose_kernel_for_many(const sim::OptionTable& table, sim::Configuration& configuration,
                                   const sim::Scene& scene, const std::vector<std::string>& assignments);

/// The configuration that a built-in galaxy will probably be computed with, before it is made: the
/// assignments, and a kernel as choose_kernel_for_many takes it. For a file, whose bodies nobody has counted,
/// the assignments alone. Throws sim::UsageError for assignments that are refused.
sim::Configuration probable_configuration(const sim::OptionTable& table, const DatasetRequest& request,
                                          const std::vector<std::string>& assignments);

/// The options that choose_double_precision() sets.
inline constexpr std::array<const char*, 4> precision_options{"kernel", "precision", "state-precision",
                                                              "threads"};

/// Chooses double precision, on the CPU and on GPUs, where the scene wants it, and one thread: for so few
/// bodies a team costs more than it saves, most of all on a busy machine. Options that `assignments` or
/// a person set stay, and so does what double precision would be refused with. Returns a line that says what
/// was chosen; empty: nothing changed.
std::string choose_double_precision(const sim::OptionTable& table, sim::Configuration& configuration,
                                    const sim::Scene& scene, const std::vector<std::string>& assignments);

/// The value of a choice.
struct ChosenValue {
  std::string option;
  sim::OptionValue value;
};

/// True if the option has its default in `configuration` and is in none of the assignments.
bool is_free(const sim::OptionTable& table, const sim::Configuration& configuration,
             const std::string& option, const std::vector<std::string>& assignments);
/// Sets the value unless something is refused with it that was not before: some integrators need what trees
/// do not sum. True if it was set.
bool take(const sim::OptionTable& table, sim::Configuration& configuration, const sim::OptionContext& context,
          const ChosenValue& chosen);

}  // namespace orrery::lab
