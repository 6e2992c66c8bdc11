#include "sim/cuda/compiler/instruction.h"

#include <cstdint>
#include <cstring>

namespace orrery::sim::cuda {

namespace {

/// The 128 bits of an instruction.
struct Word {
  std::uint64_t low = 0, high = 0;
  /// Without the bits that say where the operands come from.
  unsigned operation() const { return low & 0x1ff; }
  /// 4: the second operand is a number in the instruction.
  unsigned form() const { return low >> 9 & 7; }
  std::uint32_t literal() const { return static_cast<std::uint32_t>(low >> 32); }
  bool predicated() const { return (low >> 12 & 15) != 7; }
};

enum Operation : unsigned {
  FSETP = 0x00b,
  ISETP = 0x00c,
  FMUL = 0x020,
  FADD = 0x021,
  FFMA = 0x023,
  IADD3 = 0x010,
  DMUL = 0x028,
  DADD = 0x029,
  DSETP = 0x02a,
  DFMA = 0x02b,
  IADD = 0x035,
  VIADD = 0x036,
  MOVM = 0x03a,
  HMMA = 0x03c,
  UISETP = 0x08c,
  MUFU = 0x108,
  CALL_ABS = 0x143,
  CALL_REL = 0x144,
  BRA = 0x147,
  BRX = 0x149,
  JMP = 0x14a,
  JMX = 0x14c,
  EXIT = 0x14d,
  RET = 0x150,
  BRXU = 0x158,
  JMXU = 0x159,
  LDG = 0x181,
  LDS = 0x184
};

Unit unit_of(unsigned operation) {
  switch (operation) {
    case FMUL:
    case FADD:
    case FFMA:
      return Unit::fp32;
    case DMUL:
    case DADD:
    case DSETP:
    case DFMA:
      return Unit::fp64;
    case HMMA:
      return Unit::matrix;
    case MUFU:
      return Unit::special;
    case LDG:
      return Unit::global_load;
    case LDS:
      return Unit::shared_load;
    default:
      return Unit::other;
  }
}

Flow flow_of(unsigned operation) {
  switch (operation) {
    case BRA:
      return Flow::branch;
    case CALL_ABS:
    case CALL_REL:
      return Flow::call;
    case BRX:
    case JMP:
    case JMX:
    case EXIT:
    case RET:
    case BRXU:
    case JMXU:
      return Flow::leave;
    default:
      return Flow::on;
  }
}

/// Root functions of the special-function unit: EX2, RSQ, RSQ64H, SQRT.
bool is_root(unsigned function) { return function == 2 || function == 5 || function == 7 || function == 8; }

/// The constant of a reciprocal square root's first guess from the bits of the number.
bool is_guess(const Word& word) {
  const auto operation = word.operation();
  const bool adds = operation == IADD3 || operation == IADD || operation == VIADD;
  return adds && word.form() == 4 && word.literal() >> 16 == 0x5f33;
}

/// Instructions from the next one on. Up to compute capability 8.9 the distance is in bytes, later in words
/// of 4 whose lowest 8 bits have a place of their own.
std::int64_t distance(const Word& word, int architecture) {
  const std::uint64_t bits = word.low >> 34 | word.high << 30;
  const auto above = static_cast<std::int64_t>(bits << 16) >> 16;  // 48 bits with a sign
  return architecture < 90 ? above / 4 : (above * 256 + static_cast<std::int64_t>(word.low >> 16 & 255)) / 4;
}

void read_branch(Instruction& branch, const Word& word, std::size_t index, int architecture) {
  // BRA.U and BRA.DIV have conditions of their own.
  const bool plain = (word.low & 0xfff) == 0x947 && (word.high >> 18 & 0x3fff) == 0xe0;
  branch.uniform = !plain && !word.predicated();
  if (branch.uniform) branch.predicate = static_cast<int>(word.low >> 24 & 7);
  branch.conditional = word.predicated() || !plain;
  branch.target = index + 1 + static_cast<std::size_t>(distance(word, architecture));
}

void read_comparison(Instruction& comparison, const Word& word) {
  comparison.sets_predicate = static_cast<int>(word.high >> 17 & 7);
  comparison.uniform = word.operation() == UISETP;
  comparison.constant = word.operation() != FSETP && word.form() == 4 && word.literal() != 0;
}

Instruction decode_one(const Word& word, std::size_t index, int architecture) {
  const auto operation = word.operation();
  Instruction result{
      .unit = unit_of(operation), .flow = flow_of(operation), .conditional = word.predicated()};
  if (word.predicated()) result.predicate = static_cast<int>(word.low >> 12 & 7);
  result.negated = word.predicated() && (word.low >> 15 & 1) != 0;
  if (operation == MUFU) result.root = is_root(word.high >> 10 & 15);
  if (is_guess(word)) result.root = true;
  result.transposes = operation == MOVM;
  if (operation == HMMA) result.half_product = (word.high >> 8 & 0xfff) == 0x018;
  if (operation == ISETP || operation == UISETP || operation == FSETP) read_comparison(result, word);
  if (operation == BRA) read_branch(result, word, index, architecture);
  return result;
}

}  // namespace

std::vector<Instruction> decode(const MachineCode& machine_code) {
  std::vector<Instruction> all(machine_code.code.size() / MachineCode::instruction_bytes);
  for (std::size_t k = 0; k < all.size(); ++k) {
    Word word;
    const char* bytes = machine_code.code.data() + k * MachineCode::instruction_bytes;
    std::memcpy(&word.low, bytes, 8);
    std::memcpy(&word.high, bytes + 8, 8);
    all[k] = decode_one(word, k, machine_code.architecture);
  }
  return all;
}

}  // namespace orrery::sim::cuda
