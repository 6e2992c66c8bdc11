#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/commands/small_program.h"
#include "bench/cpu_limit.h"
#include "sim/core/error.h"
#include "sim/cpu/cpu_options.h"
#include "sim/cpu/kernel.h"
#include "sim/cpu/simd/instruction_sets.h"

// bench_cpu_limit: the command line, and what it prints.
namespace {

using namespace orrery;

struct Arguments {
  std::size_t bodies = 16384;
  int threads = sim::available_processors();
  std::string kernel = "simd", instructions = "auto";
};

void expect_one_of(const std::vector<std::string>& known, const std::string& text) {
  if (std::ranges::find(known, text) == known.end())
    throw sim::UsageError(fmt::format("'{}' is none of {}", text, fmt::join(known, ", ")));
}

void declare(app::Arguments& program, Arguments& arguments) {
  std::vector<std::string> kernels, sets{"auto"};
  for (const auto* kernel : sim::cpu_kernels()) kernels.emplace_back(kernel->name);
  for (const auto& set : sim::instruction_sets()) {
    if (sim::why_not_here(set).empty()) sets.emplace_back(set.name);
  }
  program.value("bodies", arguments.bodies, "Number of bodies (default 16384)")
      .whole_number(1, std::numeric_limits<std::uint32_t>::max());
  program.value("threads", arguments.threads, "Threads (default: one per core)").whole_number(1, 1024);
  const auto one_of = [](const std::vector<std::string>& known, std::string& to) {
    return [known, &to](const std::string& text) {
      expect_one_of(known, text);
      to = text;
    };
  };
  program.text("kernel", one_of(kernels, arguments.kernel), "CPU kernel (default simd)");
  program.text("instructions", one_of(sets, arguments.instructions),
               "Vector instructions (default: the widest)");
}

nlohmann::json report(const Arguments& arguments) {
  const auto& set = sim::instruction_set(arguments.instructions);
  const auto found =
      bench::measure_cpu_limit(set, arguments.bodies, arguments.threads, arguments.kernel.c_str());
  const auto& rates = found.rates;
  return {{"instructions", set.name},
          {"kernel", arguments.kernel},
          {"bodies", arguments.bodies},
          {"threads", arguments.threads},
          {"clock_ghz", found.clock_ghz},
          {"lanes", found.lanes},
          {"cycles_subtraction", found.subtraction},
          {"cycles_product", found.product},
          {"cycles_fused_product", found.fused_product},
          {"cycles_estimate", found.estimate},
          {"cycles_interaction_vector", found.interaction_vector},
          {"limit_gips", rates.limit},
          {"limit_gips_per_thread", rates.limit / arguments.threads},
          {"kernel_gips", rates.kernel},
          {"percent_of_limit", 100.0 * rates.kernel / rates.limit},
          {"omp_bodies_gips", rates.reference},
          {"times_omp_bodies", rates.kernel / rates.reference}};
}

}  // namespace

int main(int count, char** words) {
  Arguments arguments;
  return app::run({.name = "bench_cpu_limit",
                   .meaning = "How near a CPU kernel comes to what the CPU could do. Prints one JSON object.",
                   .declare = [&](app::Arguments& program) { declare(program, arguments); },
                   .work = [&] { fmt::print("{}\n", report(arguments).dump(2)); }},
                  count, words);
}
