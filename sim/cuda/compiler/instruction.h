#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

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

/// The unit of a multiprocessor that an instruction keeps busy besides its issue slot.
enum class Unit { other, fp32, fp64, special, matrix, shared_load, global_load };

/// The instruction that follows in the control flow.
enum class Flow {
  on,      ///< the next instruction in the code
  branch,  ///< `target`, or where `conditional` perhaps the one that follows
  call,    ///< code elsewhere
  leave,   ///< none: the thread ends, or goes where this code does not say
};

/// The decoded fields of a machine instruction of compute capability 7.0 and later. The encoding is not
/// documented; it was read off NVIDIA's disassembler, and test_instruction_count compares both.
struct Instruction {
  Unit unit = Unit::other;
  Flow flow = Flow::on;
  bool conditional = false;  ///< has a predicate
  bool negated = false;      ///< executed where the predicate is false
  std::size_t target = 0;    ///< branch target, as an instruction index
  int predicate = -1;        ///< predicate that it depends on; -1: none
  int sets_predicate = -1;   ///< predicate that a comparison sets
  bool uniform = false;      ///< the predicate of a branch or a comparison is of a warp, not of a thread
  bool constant = false;     ///< compares with a number other than 0
  /// Begins a power -1/2 or -3/2: MUFU.RSQ, .RSQ64H, .SQRT, .EX2 of powf, or the first guess 0x5f33.... -
  /// bits / 2.
  bool root = false;
  bool transposes = false;    ///< MOVM: a matrix in registers
  bool half_product = false;  ///< HMMA of 16x8x16 half-precision numbers
};

/// Decodes all instructions. Those that are not known have Unit::other.
std::vector<Instruction> decode(const MachineCode& machine_code);

}  // namespace orrery::sim::cuda
