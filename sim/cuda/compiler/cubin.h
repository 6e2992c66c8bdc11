#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace orrery::sim::cuda {

/// The machine code of one kernel of a compiled module.
struct MachineCode {
  int architecture = 0;   ///< 90 for sm_90
  std::string_view code;  ///< part of the module's bytes
  /// Bytes per instruction on every architecture from 7.0 on.
  static constexpr std::size_t instruction_bytes = 16;
};

/// Finds section ".text.<kernel>" of a cubin, an ELF file of 64 bits. `cubin` must outlive the result. Empty
/// if the bytes are no such file, are cut short, have no such kernel or code of before compute capability
/// 7.0.
std::optional<MachineCode> find_machine_code(std::string_view cubin, std::string_view kernel);

}  // namespace orrery::sim::cuda
