#include "lab/setup/machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "sim/cpu/cpu_options.h"
#include "sim/cpu/simd/instruction_sets.h"

namespace orrery::lab {

namespace {

/// A design of a core, by the numbers of its register MIDR_EL1.
struct Design {
  unsigned implementer, part;
  const char* name;
};

// The designs of machines that compute: their makers' reference manuals give these numbers.
constexpr std::array designs{
    Design{0x41, 0xd03, "Cortex-A53"},   Design{0x41, 0xd05, "Cortex-A55"},
    Design{0x41, 0xd07, "Cortex-A57"},   Design{0x41, 0xd08, "Cortex-A72"},
    Design{0x41, 0xd09, "Cortex-A73"},   Design{0x41, 0xd0a, "Cortex-A75"},
    Design{0x41, 0xd0b, "Cortex-A76"},   Design{0x41, 0xd0c, "Neoverse N1"},
    Design{0x41, 0xd0d, "Cortex-A77"},   Design{0x41, 0xd40, "Neoverse V1"},
    Design{0x41, 0xd41, "Cortex-A78"},   Design{0x41, 0xd42, "Cortex-A78AE"},
    Design{0x41, 0xd44, "Cortex-X1"},    Design{0x41, 0xd47, "Cortex-A710"},
    Design{0x41, 0xd48, "Cortex-X2"},    Design{0x41, 0xd49, "Neoverse N2"},
    Design{0x41, 0xd4b, "Cortex-A78C"},  Design{0x41, 0xd4d, "Cortex-A715"},
    Design{0x41, 0xd4e, "Cortex-X3"},    Design{0x41, 0xd4f, "Neoverse V2"},
    Design{0x41, 0xd81, "Cortex-A720"},  Design{0x41, 0xd82, "Cortex-X4"},
    Design{0x41, 0xd84, "Neoverse V3"},  Design{0x41, 0xd85, "Cortex-X925"},
    Design{0x41, 0xd87, "Cortex-A725"},  Design{0x41, 0xd8e, "Neoverse N3"},
    Design{0x43, 0x0af, "ThunderX2"},    Design{0x46, 0x001, "A64FX"},
    Design{0x48, 0xd01, "Kunpeng 920"},  Design{0x4e, 0x004, "NVIDIA Carmel"},
    Design{0x51, 0x001, "Snapdragon X"}, Design{0x61, 0x022, "Apple M1"},
    Design{0x61, 0x023, "Apple M1"},     Design{0x61, 0x024, "Apple M1 Pro"},
    Design{0x61, 0x025, "Apple M1 Pro"}, Design{0x61, 0x028, "Apple M1 Max"},
    Design{0x61, 0x029, "Apple M1 Max"}, Design{0x61, 0x032, "Apple M2"},
    Design{0x61, 0x033, "Apple M2"},     Design{0x61, 0x034, "Apple M2 Pro"},
    Design{0x61, 0x035, "Apple M2 Pro"}, Design{0x61, 0x038, "Apple M2 Max"},
    Design{0x61, 0x039, "Apple M2 Max"}, Design{0xc0, 0xac3, "AmpereOne"},
    Design{0xc0, 0xac4, "AmpereOne"},
};

std::string design_name(unsigned implementer, unsigned part) {
  const auto* const known = std::ranges::find_if(designs, [&](const Design& design) {
    return design.implementer == implementer && design.part == part;
  });
  return known != designs.end()
             ? known->name
             : fmt::format("ARM CPU, implementer 0x{:02x}, part 0x{:03x}", implementer, part);
}

/// The value of a line "key : value"; empty if the line has another key.
std::string value_of(const std::string& line, const std::string& key) {
  const auto colon = line.find(": ");
  return line.starts_with(key) && colon != std::string::npos ? line.substr(colon + 2) : "";
}

/// The text of a small file up to its first line end or zero.
std::string text_of(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.substr(0, text.find_first_of(std::string("\n\0", 2)));
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  return cpu_name(file, board_name());
}

std::string system_name() {
  utsname name{};
  return uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : "unknown";
}

}  // namespace

std::string cpu_name(std::istream& cpuinfo, const std::string& board) {
  std::vector<std::string> names;
  unsigned implementer = 0;
  for (std::string line; std::getline(cpuinfo, line);) {
    // NVIDIA's kernels for Jetson say "ARMv8 Processor", which is no name.
    if (auto name = value_of(line, "model name"); !name.empty() && !name.starts_with("ARMv")) return name;
    const auto number = [&](const char* key) {
      return std::strtoul(value_of(line, key).c_str(), nullptr, 16);
    };
    if (line.starts_with("CPU implementer")) implementer = static_cast<unsigned>(number("CPU implementer"));
    if (!line.starts_with("CPU part")) continue;
    auto name = design_name(implementer, static_cast<unsigned>(number("CPU part")));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  if (names.empty()) return board.empty() ? "unknown CPU" : board;
  return fmt::format("{}{}", fmt::join(names, " + "), board.empty() ? "" : " (" + board + ")");
}

std::string board_name(const std::string& root) {
  // By the firmware's identity of the chip, of maker and number. The cores are those of others, too.
  if (text_of(root + "sys/devices/soc0/soc_id") == "jep106:036b:0241") return "NVIDIA Grace";
  auto model = text_of(root + "proc/device-tree/model");
  return model == "linux,dummy-virt" ? "" : model;
}

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
