#include "lab/setup/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#include "lab/setup/cpu_name.h"
#include "sim/cpu/cpu_options.h"
#include "sim/cpu/simd/instruction_sets.h"

namespace orrery::lab {

namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  return cpu_name(file, board_name());
}

std::string system_name() {
  utsname name{};
  return uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : "unknown";
}

}  // namespace

Machine this_machine() {
  const auto pages = sysconf(_SC_PHYS_PAGES);
  const auto page = sysconf(_SC_PAGESIZE);
  return {.cpu = cpu_model(),
          .processors = sim::available_processors(),
          .memory = pages > 0 && page > 0
                        ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
                        : 0,
          .system = system_name(),
          .instructions = std::string(sim::instruction_set("auto").name)};
}

}  // namespace orrery::lab
