#include "lab/setup/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#include "sim/cpu/cpu_options.h"
#include "sim/cpu/simd/instruction_sets.h"

namespace orrery::lab {

namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
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
