#include <fmt/format.h>
#include <fmt/ranges.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "app/commands/argument_groups.h"
#include "app/commands/catalogue.h"
#include "app/run/kernel_folder.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/cpu/cpu_options.h"
#include "sim/cuda/compiler/known_kernels.h"
#include "sim/cuda/driver/api.h"
#include "sim/cuda/options/cuda_options.h"
#include "sim/simulation/covering_set.h"

namespace orrery::app {

namespace {

struct KernelsOptions {
  bool compile_all = false;
  bool in_turn = false;                    ///< each kernel for one of the architectures
  bool skip_known = false;                 ///< not those that compiled before
  std::vector<std::string> architectures;  ///< "sm_90", ...; empty: all that must compile
  std::filesystem::path kernel_folder;     ///< sources to compile; empty: the embedded ones
  std::filesystem::path write_sources;     ///< folder to write the embedded sources to; empty: none
};

using sim::cuda::KernelConfiguration;

struct Job {
  KernelConfiguration configuration;
  std::string architecture;
};

std::vector<Job> jobs_for(const std::vector<std::string>& architectures) {
  std::vector<Job> jobs;
  for (const auto& architecture : architectures) {
    for (const auto& configuration : sim::cuda::covering_set())
      if (sim::cuda::exists_on(configuration, architecture)) jobs.push_back({configuration, architecture});
  }
  return jobs;
}

/// Sets an option that has its usual value.
void make_smaller(KernelConfiguration& configuration, const std::string& name, int number) {
  const auto usual = std::get<std::int64_t>(sim::cuda_options().at(name).default_value);
  const auto found = configuration.code.find(name);
  if (found != configuration.code.end() && found->second == usual) found->second = number;
}

/// The inner loop unrolled twice instead of as usual: the same lines of source in less machine code. Other
/// numbers are what a kernel is there for.
KernelConfiguration with_short_loops(KernelConfiguration configuration) {
  make_smaller(configuration, "unroll", 2);
  return configuration;
}

/// Each kernel for one architecture. Kernels of one family follow each other, so that every family is
/// compiled for every architecture.
std::vector<Job> jobs_in_turn(const std::vector<std::string>& architectures) {
  std::vector<Job> jobs;
  std::size_t turn = 0;
  for (const auto& configuration : sim::cuda::covering_set()) {
    for (std::size_t tried = 0; tried < architectures.size(); ++tried) {
      const auto& architecture = architectures[turn++ % architectures.size()];
      if (!sim::cuda::exists_on(configuration, architecture)) continue;
      jobs.push_back({with_short_loops(configuration), architecture});
      break;
    }
  }
  return jobs;
}

std::string describe(const Job& job) {
  return fmt::format("{} for {}", sim::cuda::describe(job.configuration), job.architecture);
}

struct Compiled {
  std::atomic<int> now{0}, known{0}, failed{0};
  std::string unknown;  ///< an architecture that the compiler does not know: nothing else was compiled then
};

/// Compiles all jobs on all cores.
void compile_all(const std::vector<Job>& jobs, sim::cuda::KnownKernels& known, Compiled& compiled) {
  std::atomic<std::size_t> next{0};
  std::mutex printing;
  const auto files = sim::cuda::kernel_files();
  const auto work = [&] {
    for (std::size_t k = next++; k < jobs.size(); k = next++) {
      try {
        const bool now = known.compile(jobs[k].configuration, jobs[k].architecture, *files);
        ++(now ? compiled.now : compiled.known);
      } catch (const sim::Error& error) {
        ++compiled.failed;
        const std::lock_guard lock(printing);
        if (std::string_view(error.what()).find("--gpu-architecture") != std::string_view::npos) {
          compiled.unknown = jobs[k].architecture;
          next = jobs.size();
          continue;
        }
        fmt::print("{}: {}\n", describe(jobs[k]), error.what());
      }
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(sim::available_processors()));
  try {
    for (int k = 1; k < sim::available_processors(); ++k) threads.emplace_back(work);
  } catch (const std::system_error&) {
    // Fewer threads compile.
  }
  work();
  for (auto& thread : threads) thread.join();
}

/// Compiles them and says so; returns how many failed.
int report_compiled(const std::vector<Job>& jobs, const std::filesystem::path& remembered) {
  sim::cuda::KnownKernels known(remembered);
  Compiled compiled;
  compile_all(jobs, known, compiled);
  known.save();
  if (!compiled.unknown.empty())
    throw sim::UsageError(fmt::format("--architecture: the compiler knows no '{}'; usual ones are {}",
                                      compiled.unknown, fmt::join(sim::cuda::covered_architectures(), ", ")));
  const auto from_before = compiled.known > 0 ? fmt::format(", known {}", compiled.known.load()) : "";
  fmt::print("compiled {}{}, failed {}\n", compiled.now.load(), from_before, compiled.failed.load());
  return compiled.failed;
}

/// Before anything is compiled.
void check_kernels(const KernelsOptions& options) {
  const bool compiles = options.compile_all || options.in_turn;
  if (!compiles && (options.skip_known || !options.architectures.empty()))
    throw sim::UsageError(
        "--architecture and --skip-known go with --compile-all or --in-turn, which is missing");
}

int kernels(const KernelsOptions& options) {
  check_kernels(options);
  if (!options.write_sources.empty()) {
    sim::cuda::write_kernel_folder(options.write_sources);
    fmt::print("kernel sources: {}\n", sim::one_line(options.write_sources.string()));
    return 0;
  }
  read_kernels_from(options.kernel_folder);
  const auto architectures =
      options.architectures.empty() ? sim::cuda::covered_architectures() : options.architectures;
  if (!options.compile_all && !options.in_turn) {
    for (const auto& configuration : sim::cuda::covering_set())
      fmt::print("{}\n", describe({configuration, "any"}));
    return 0;
  }
  if (sim::cuda::nvrtc() == nullptr)
    throw sim::Error("CUDA kernels cannot be compiled: " + sim::cuda::nvrtc_problem());
  const auto jobs = options.in_turn ? jobs_in_turn(architectures) : jobs_for(architectures);
  fmt::print(stderr, "compiling {} for {}\n", sim::counted(jobs.size(), "kernel", "kernels"),
             sim::counted(architectures.size(), "architecture", "architectures"));
  const auto remembered = options.skip_known ? sim::cuda::known_kernels_file() : std::filesystem::path();
  return report_compiled(jobs, remembered) == 0 ? 0 : 1;
}

Action declare_kernels(Arguments& arguments) {
  const auto options = std::make_shared<KernelsOptions>();
  arguments.flag("--compile-all", options->compile_all,
                 "Compile every one for every architecture; needs no GPU");
  arguments.flag(
      "--in-turn", options->in_turn,
      "Compile each kernel for one architecture only, the next one each time, with shorter loops: the "
      "quickest look");
  arguments.flag("--skip-known", options->skip_known,
                 "Leave out those that compiled before: same text, options and compiler (~/.cache/orrery)");
  arguments.value("--architecture", options->architectures, "Only these, e.g. sm_90").shown_as("SM");
  add_kernel_folder(arguments, options->kernel_folder, "Compile the sources of this folder");
  arguments
      .value("--write-sources", options->write_sources,
             "Write the CUDA sources to a folder, to edit them (see --watch-kernels); never overwrites")
      .shown_as("DIR")
      .not_empty()
      .names_file(FileRole::filled);
  return [options] { return kernels(*options); };
}

}  // namespace

extern const Command kernels_command{
    .name = "kernels",
    .meaning = "List the CUDA kernels that cover all device code, or compile them",
    .declare = declare_kernels};

}  // namespace orrery::app
