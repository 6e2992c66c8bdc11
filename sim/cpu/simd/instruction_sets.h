#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace orrery::sim {

/// A set of vector instructions that kernels are compiled for.
struct InstructionSet {
  std::string_view name;     ///< as in --set instructions=NAME
  std::string_view meaning;  ///< one line for the panel and the help
  std::int64_t targets;      ///< Highway's bits, one of which runs; 0: not compiled for this kind of CPU
};

/// All of them, the widest first, the one without vectors last.
std::span<const InstructionSet> instruction_sets();
/// Why this CPU (or this build) cannot run it; empty if it can.
std::string why_not_here(const InstructionSet& set);
/// The set of that name; "auto" or one that cannot run here: the widest that can.
const InstructionSet& instruction_set(std::string_view name);

/// The place of a set's function in the table that Highway's HWY_EXPORT makes, of `size` entries.
std::size_t dispatch_index(const InstructionSet& set, std::size_t size);

/// The function of that set out of the table of HWY_EXPORT.
template <typename Function, std::size_t size>
Function* compiled_for(const InstructionSet& set, Function* const (&table)[size]) {
  return table[dispatch_index(set, size)];
}

}  // namespace orrery::sim
