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

constexpr double most_threads = 1024.0;

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

std::string no_cpu(const Configuration& configuration) {
  return is_on_cpu(configuration) ? "" : "only the CPU engine uses it";
}

Description cpu_option(std::string name, std::string label, std::string meaning) {
  return described(std::move(name), "cpu", std::move(label), std::move(meaning));
}

Description kernel_option() {
  auto option =
      cpu_option("kernel", "", "How the CPU computes the forces. Same physics; the last digits may differ.")
          .chosen_from(cpu_kernels())
          .initially("simd")
          .refused(buffers_too_large)
          .refused(another_law)
          .refused(shared_galaxy)
          .unless(no_cpu)
          .tuned(1);
  for (const auto* kernel : cpu_kernels()) option.usual_rates.push_back(kernel->usual_rate);
  return option;
}

/// A set of instructions that this CPU lacks would end the program.
std::string lacks_instructions(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const auto sets = instruction_sets();
  const auto set = std::ranges::find(sets, std::get<std::string>(value), &InstructionSet::name);
  return set == sets.end() || !is_on_cpu(rest) ? std::string() : why_not_here(*set);
}

std::string compiled_once(const Configuration& configuration) {
  if (auto reason = no_cpu(configuration); !reason.empty()) return reason;
  const auto* kernel = find_cpu_kernel(cpu_options(configuration).kernel);
  return kernel->vectors ? std::string() : fmt::format("{} is compiled once, for every CPU", kernel->name);
}

Description instructions_option() {
  std::vector<std::string> names{"auto"}, meanings{"The widest set that this CPU has."};
  for (const auto& set : instruction_sets()) {
    names.emplace_back(set.name);
    meanings.emplace_back(set.meaning);
  }
  return cpu_option("instructions", "", "Vector instruction set. Results differ in the last bits.")
      .chosen(std::move(names), std::move(meanings))
      .refused(lacks_instructions)
      .unless(compiled_once)
      .tuned(3);
}

std::string threads_inactive(const Configuration& configuration) {
  if (auto reason = no_cpu(configuration); !reason.empty()) return reason;
  const auto* kernel = find_cpu_kernel(cpu_options(configuration).kernel);
  return kernel->threaded ? std::string() : fmt::format("{} runs on one thread", kernel->name);
}

std::string binding_inactive(const Configuration& configuration) {
  if (auto reason = threads_inactive(configuration); !reason.empty()) return reason;
  static const auto here = processors();
  if (here.size() < 2) return "there is only one core";
  return environment_binds() ? "OMP_PROC_BIND or OMP_PLACES is set: OpenMP binds the threads" : std::string();
}

}  // namespace

int available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::clamp(CPU_COUNT(&set), 1, std::max(1, omp_get_max_threads()));
}

OptionRows<CpuOptions> CpuOptions::rows() {
  return {{&CpuOptions::kernel, kernel_option()},
          {&CpuOptions::instructions, instructions_option()},
          {&CpuOptions::threads,
           cpu_option("threads", "",
                      "Threads per process for the CPU kernels. Default: one per core, or OMP_NUM_THREADS.")
               .scaled(1.0, most_threads)
               .initially(std::int64_t{default_threads()})
               .unless(threads_inactive)
               .in_scope(OptionScope::machine)
               .tuned(2)
               .tried(numbers_of_threads())},
          {&CpuOptions::binding,
           cpu_option(
               "binding", "Thread binding",
               "Binds each thread to one core, which is faster on machines with several memory nodes (NUMA). "
               "Free threads can make way for drawing and other programs.")
               .chosen({"none", "cores", "spread"},
                       {"The system moves threads as it likes.",
                        "Core by core; one memory node is filled before the next.",
                        "Alternating between the memory nodes; with one node the same as cores."})
               .unless(binding_inactive)
               .in_scope(OptionScope::speed)
               .tuned(4)}};
}

}  // namespace orrery::sim
