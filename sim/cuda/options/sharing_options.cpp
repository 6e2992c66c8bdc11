// Options of several galaxies on one GPU, and of one dataset on several GPUs.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/cuda/families/family.h"
#include "sim/cuda/options/cuda_options.h"
#include "sim/cuda/options/option_helpers.h"
#include "sim/cuda/options/schedule.h"
#include "sim/ranks/launch.h"

namespace orrery::sim {

namespace {

std::string schedule_refusal(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  const auto& name = std::get<std::string>(value);
  if (name == "batched") return cuda::batched_refusal(rest);
  const bool forks = name == "streams" || name == "phased" || name == "graph";
  const auto& family = cuda::family_of(rest);
  return forks && family.limits.no_streams != nullptr ? family.limits.no_streams(rest) : std::string();
}

std::string works_in_one_stream(const Configuration& c) {
  if (!is_on_gpu(c)) return needs_cuda(c);
  const auto chosen = gpu_options(c);
  return chosen.forks() ? std::string() : fmt::format("schedule={} works in one stream", chosen.schedule);
}

constexpr std::size_t most_domains = 32;  ///< tree::most_domains
constexpr int most_listed = 16;           ///< GPUs that `devices` can name

bool has_several_devices(const Configuration& c) { return cuda::devices_of(c).size() > 1; }

std::string needs_several_devices(const Configuration& c) {
  if (!is_on_gpu(c)) return needs_cuda(c);
  if (has_several_devices(c)) return {};
  return launch().size > 1 ? "each process has one GPU; 'ranks-split' says what processes share"
                           : "one GPU does all the work; choose more with 'devices'";
}

std::string domain_refusal(const Configuration& rest, std::size_t galaxies, std::size_t devices) {
  if (!cuda::family_of(rest).domains)
    return fmt::format("domains need the tree of family=tree, not {}; use split-by=bodies",
                       cuda::family_of(rest).name);
  if (galaxies > 1)
    return fmt::format("domains are cut through one galaxy, and there are {}; use split-by=galaxies",
                       galaxies);
  if (devices > most_domains)
    return fmt::format("a galaxy has at most {} domains; use fewer GPUs", most_domains);
  if (gpu_options(rest).schedule == "graph")
    return "how much goes from GPU to GPU is known in each step only, and a graph repeats its launches; use "
           "schedule=serial";
  return {};
}

std::string split_refusal(const OptionValue& value, const Configuration& rest, const OptionContext& context) {
  if (!has_several_devices(rest)) return {};
  auto asked = rest;
  asked.set("split-by", value);
  // Not known yet: asked again with the dataset.
  if (context.galaxies == 0 && std::get<std::string>(value) == "auto") return {};
  const auto galaxies = static_cast<std::size_t>(std::max<std::uint64_t>(context.galaxies, 1));
  if (cuda::splits_domains(asked, cuda::devices_of(rest).size(), galaxies))
    return domain_refusal(rest, galaxies, cuda::devices_of(rest).size());
  if (!cuda::splits_bodies(asked, cuda::devices_of(rest).size(), galaxies)) return {};
  return std::string(cuda::family_of(rest).limits.no_sharing);
}

std::string no_such_devices(const OptionValue& value, const Configuration& rest, const OptionContext&) {
  auto asked = rest;
  asked.set("devices", value);
  if (std::get<std::string>(value) == "all" && !has_several_devices(asked))
    return "several GPUs were requested, and this machine has one";
  if (has_several_devices(asked) && !gpu_options(rest).is_resident())
    return "a round trip every step uses one GPU; use transfers=resident";
  return cuda::absent_device(cuda::devices_of(asked));
}

Description devices_option() {
  std::vector<std::string> ordinals;
  for (int ordinal = 0; ordinal < most_listed; ++ordinal) ordinals.push_back(std::to_string(ordinal));
  auto devices = cuda_option("devices",
                             "GPUs that share the work, by number; the first one draws. auto: the GPU that "
                             "draws, else the machine's first.")
                     .listed(std::move(ordinals))
                     .initially("auto")
                     .labelled("GPUs")
                     .in_scope(OptionScope::machine)
                     .refused(on_cuda(no_such_devices));
  devices.no_choice = "auto";
  devices.ordered = true;
  return devices;
}

std::string one_process(const Configuration& c) {
  if (!is_on_gpu(c)) return needs_cuda(c);
  return launch().size > 1 ? "" : "one process runs; `mpirun -n N` with bench or render starts more";
}

}  // namespace

void add_galaxy_options(OptionRows<GpuOptions>& rows) {
  rows.insert(
      rows.end(),
      {{&GpuOptions::schedule,
        choice("schedule", "How the work on several galaxies is queued.", "auto",
               {"auto", "serial", "streams", "phased", "batched", "graph"},
               {"batched for several galaxies where the kernel has that form, else serial",
                "one galaxy after the other in one stream",
                "each galaxy on one of several streams: forces, update, then the next galaxy (ECE415 2025)",
                "as streams, but first the forces of all galaxies, then all updates (ECE415 2025)",
                "one launch for all galaxies; every block finds its galaxy in a table, the largest first",
                "as streams, but captured once as a CUDA graph and replayed: one launch per step"})
            .in_scope(OptionScope::speed)
            .tuned(11)
            .refused(on_cuda(schedule_refusal))},
       {&GpuOptions::streams, integer("streams", "How many CUDA streams the galaxies use.", 32, 1, 64)
                                  .in_scope(OptionScope::speed)
                                  .tuned(12)
                                  .unless(works_in_one_stream)}});
}

void add_device_options(OptionRows<GpuOptions>& rows) {
  rows.insert(
      rows.end(),
      {{&GpuOptions::devices, devices_option()},
       {&GpuOptions::split_by,
        choice("split-by", "What several GPUs share.", "auto", {"auto", "galaxies", "bodies", "domains"},
               {"whole galaxies if there are enough; else one galaxy, in domains with family=tree, or by "
                "bodies",
                "whole galaxies; the first GPUs get the remainder (ECE415 2025)",
                "the bodies of each galaxy; GPUs exchange positions in every step",
                "sections of one galaxy along the Hilbert curve, of equal work; with family=tree, GPUs "
                "exchange in every step the cells and bodies that each needs"})
            .unless(needs_several_devices)
            .refused(on_cuda(split_refusal))},
       {&GpuOptions::balance,
        choice("balance", "Share of the work for each GPU.", "weighted", {"equal", "weighted"},
               {"the same", "by its speed in single precision: for unequal GPUs"})
            .unless(needs_several_devices)},
       {&GpuOptions::ranks_transfer,
        choice("ranks-transfer",
               "How bodies and cells travel between the GPUs of several processes (mpirun).", "auto",
               {"auto", "host", "direct"},
               {"direct if MPI reports that it is CUDA-aware, else host",
                "through page-locked host memory, which MPI sends",
                "MPI gets addresses in GPU memory; refused if nothing reports that it is CUDA-aware"})
            .unless(one_process)
            .in_scope(OptionScope::machine)}});
}

}  // namespace orrery::sim
