#include "sim/cpu/cpu_options.h"

#include <fmt/format.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <thread>

#include "sim/core/vec3.h"
#include "sim/cpu/kernel.h"
#include "sim/cpu/simd/instruction_sets.h"
#include "sim/cpu/thread_binding.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/physics/laws/force_law.h"
#include "sim/ranks/launch.h"
#include "sim/ranks/split.h"

namespace orrery::sim {

namespace {

constexpr std::int64_t most_threads = 1024;

/// One buffer of accelerations a thread must leave half of the memory to everything else.
std::string buffers_too_large(const OptionValue& value, const Configuration& rest,
                              const OptionContext& context) {
  if (std::get<std::string>(value) != "pair-symmetric" || context.host_memory == 0) return {};
  const auto bytes =
      static_cast<double>(cpu_options(rest).threads) * static_cast<double>(context.bodies) * sizeof(Vec3);
  if (bytes <= static_cast<double>(context.host_memory) / 2.0) return {};
  return fmt::format(
      "its buffers, 12 bytes per body for every thread, need {:.1f} GiB, more than half of this machine's "
      "memory; use fewer threads or omp-bodies",
      bytes / (1024.0 * 1024.0 * 1024.0));
}

/// Some kernels exploit what only gravity has.
std::string another_law(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const auto* kernel = find_cpu_kernel(std::get<std::string>(value));
  const bool possible = !is_on_cpu(rest) || physics_of(rest).law == &gravity_law || kernel == nullptr ||
                        kernel->gravity_only.empty();
  if (possible) return {};
  const auto* law = physics_of(rest).law;
  return fmt::format("it cannot compute force-law={}: {}; use omp-bodies", law->name,
                     law->uses_charges ? kernel->gravity_only : plummer_only);
}

std::string shared_galaxy(const OptionValue& value, const Configuration& rest, const OptionContext& context) {
  const auto* kernel = find_cpu_kernel(std::get<std::string>(value));
  if (context.ranks <= 1 || !is_on_cpu(rest) || kernel == nullptr) return {};
  const auto split = split_of(rest, context.galaxies, context.ranks);
  if (split == Split::domains) return std::string(domains_are_for_gpus);
  return std::string(kernel->takes_targets || split == Split::galaxies ? std::string_view()
                                                                       : shares_no_galaxy);
}

/// One a core; processes of one machine divide it.
int default_threads() {
  const auto here = std::max(1, launch().local_size);
  const auto all = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return here == 1 ? available_processors() : std::min(available_processors(), std::max(1, all / here));
}

/// Powers of two up to the default, and that: more threads than cores only take turns.
std::vector<OptionValue> numbers_of_threads() {
  const std::int64_t usual = default_threads();
  std::vector<OptionValue> values;
  constexpr std::int64_t few = 8;  // then all of them
  for (std::int64_t value = 1; value < usual; value = usual <= few ? value + 1 : 2 * value)
    values.emplace_back(value);
  values.emplace_back(usual);
  return values;
}

Option kernel_option() {
  Option option{.name = "kernel",
                .group = "cpu",
                .meaning = "How the CPU computes the forces. Same physics; the last digits may differ.",
                .kind = OptionKind::choice,
                .default_value = std::string("simd")};
  for (const auto* kernel : cpu_kernels()) {
    option.choices.emplace_back(kernel->name);
    option.choice_meanings.emplace_back(kernel->meaning);
    option.usual_rates.push_back(kernel->usual_rate);
  }
  option.conflicts.emplace_back(buffers_too_large);
  option.conflicts.emplace_back(another_law);
  option.conflicts.emplace_back(shared_galaxy);
  option.inactive = [](const Configuration& configuration) {
    return is_on_cpu(configuration) ? std::string() : "only the CPU engine uses it";
  };
  option.tuning_rank = 1;
  return option;
}

/// A set of instructions that this CPU lacks would end the program.
std::string lacks_instructions(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const auto sets = instruction_sets();
  const auto set = std::ranges::find(sets, std::get<std::string>(value), &InstructionSet::name);
  return set == sets.end() || !is_on_cpu(rest) ? std::string() : why_not_here(*set);
}

Option instructions_option() {
  Option option{.name = "instructions",
                .group = "cpu",
                .meaning = "Vector instruction set. Results differ in the last bits.",
                .kind = OptionKind::choice,
                .default_value = std::string("auto"),
                .choices = {"auto"},
                .choice_meanings = {"The widest set that this CPU has."}};
  for (const auto& set : instruction_sets()) {
    option.choices.emplace_back(set.name);
    option.choice_meanings.emplace_back(set.meaning);
  }
  option.conflicts.emplace_back(lacks_instructions);
  option.inactive = [](const Configuration& configuration) -> std::string {
    if (!is_on_cpu(configuration)) return "only the CPU engine uses it";
    const auto* kernel = find_cpu_kernel(cpu_options(configuration).kernel);
    return kernel->vectors ? std::string() : fmt::format("{} is compiled once, for every CPU", kernel->name);
  };
  option.tuning_rank = 3;
  return option;
}

std::string threads_inactive(const Configuration& configuration) {
  if (!is_on_cpu(configuration)) return "only the CPU engine uses it";
  const auto* kernel = find_cpu_kernel(cpu_options(configuration).kernel);
  return kernel->threaded ? std::string() : fmt::format("{} runs on one thread", kernel->name);
}

std::string binding_inactive(const Configuration& configuration) {
  if (auto reason = threads_inactive(configuration); !reason.empty()) return reason;
  static const auto here = processors();
  if (here.size() < 2) return "there is only one core";
  return environment_binds() ? "OMP_PROC_BIND or OMP_PLACES is set: OpenMP binds the threads" : std::string();
}

Option binding_option() {
  return {.name = "binding",
          .group = "cpu",
          .meaning =
              "Binds each thread to one core, which is faster on machines with several memory nodes (NUMA). "
              "Free threads can make way for drawing and other programs.",
          .kind = OptionKind::choice,
          .default_value = std::string("none"),
          .choices = {"none", "cores", "spread"},
          .choice_meanings = {"The system moves threads as it likes.",
                              "Core by core; one memory node is filled before the next.",
                              "Alternating between the memory nodes; with one node the same as cores."},
          .inactive = binding_inactive,
          .label = "Thread binding",
          .scope = OptionScope::speed,
          .tuning_rank = 4};
}

}  // namespace

int available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::clamp(CPU_COUNT(&set), 1, std::max(1, omp_get_max_threads()));
}

void add_cpu_options(OptionTable& table) {
  table.add(kernel_option());
  table.add(instructions_option());
  table.add({.name = "threads",
             .group = "cpu",
             .meaning = "Threads per process for the CPU kernels. Default: one per core, or OMP_NUM_THREADS.",
             .kind = OptionKind::integer,
             .default_value = static_cast<std::int64_t>(default_threads()),
             .minimum = 1,
             .maximum = static_cast<double>(most_threads),
             .logarithmic = true,
             .inactive = threads_inactive,
             .scope = OptionScope::machine,
             .tuning_rank = 2,
             .trial_values = numbers_of_threads()});
  table.add(binding_option());
}

}  // namespace orrery::sim
