#include "sim/cuda/compiler/instruction.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

namespace orrery::sim::cuda {

namespace {

struct Damaged {};

/// Bytes [offset, offset + size). Throws Damaged where they do not exist.
std::string_view part(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) throw Damaged{};
  return bytes.substr(offset, size);
}

/// Little-endian, as the hosts that CUDA runs on.
template <typename Number>
Number number_at(std::string_view bytes, std::uint64_t offset) {
  Number value = 0;
  std::memcpy(&value, part(bytes, offset, sizeof value).data(), sizeof value);
  return value;
}

/// The content of a section; `header` is its entry of the section header table.
std::string_view content(std::string_view file, std::string_view header) {
  return part(file, number_at<std::uint64_t>(header, 24), number_at<std::uint64_t>(header, 32));
}

/// Entry `index` of the section header table.
std::string_view section_header(std::string_view file, std::uint64_t index) {
  const auto table = number_at<std::uint64_t>(file, 40);
  const std::uint64_t size = number_at<std::uint16_t>(file, 58);
  if (table > file.size()) throw Damaged{};
  return part(file, table + index * size, 64);
}

std::string_view text_at(std::string_view strings, std::uint64_t offset) {
  const auto rest = part(strings, offset, 0).data();
  const std::string_view text(rest, strings.size() - offset);
  const auto end = text.find('\0');
  if (end == std::string_view::npos) throw Damaged{};
  return text.substr(0, end);
}

/// In the second version of the file format the architecture moved up a byte.
int architecture_of(std::string_view file) {
  const auto flags = number_at<std::uint32_t>(file, 48);
  const bool second = number_at<std::uint8_t>(file, 8) >= 8;
  return static_cast<int>((second ? flags >> 8 : flags) & 0xff);
}

bool is_cubin(std::string_view file) {
  constexpr std::string_view magic("\177ELF\2\1", 6);  // 64 bits, little-endian
  constexpr std::uint16_t machine = 190;               // EM_CUDA
  return file.starts_with(magic) && number_at<std::uint16_t>(file, 18) == machine;
}

std::optional<MachineCode> search(std::string_view file, std::string_view kernel) {
  if (!is_cubin(file)) return std::nullopt;
  const MachineCode found{.architecture = architecture_of(file), .code = {}};
  const auto wanted = ".text." + std::string(kernel);
  const auto names = content(file, section_header(file, number_at<std::uint16_t>(file, 62)));
  const auto sections = number_at<std::uint16_t>(file, 60);
  for (std::uint64_t k = 0; k < sections; ++k) {
    const auto header = section_header(file, k);
    if (text_at(names, number_at<std::uint32_t>(header, 0)) != wanted) continue;
    const auto code = content(file, header);
    if (found.architecture < 70 || code.size() % MachineCode::instruction_bytes != 0) return std::nullopt;
    return MachineCode{.architecture = found.architecture, .code = code};
  }
  return std::nullopt;
}

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

bool is_one_of(unsigned operation, std::initializer_list<unsigned> these) {
  return std::ranges::find(these, operation) != these.end();
}

Unit unit_of(unsigned operation) {
  if (is_one_of(operation, {FMUL, FADD, FFMA})) return Unit::fp32;
  if (is_one_of(operation, {DMUL, DADD, DSETP, DFMA})) return Unit::fp64;
  if (operation == HMMA) return Unit::matrix;
  if (operation == MUFU) return Unit::special;
  if (operation == LDG) return Unit::global_load;
  return operation == LDS ? Unit::shared_load : Unit::other;
}

Flow flow_of(unsigned operation) {
  if (operation == BRA) return Flow::branch;
  if (is_one_of(operation, {CALL_ABS, CALL_REL})) return Flow::call;
  return is_one_of(operation, {BRX, JMP, JMX, EXIT, RET, BRXU, JMXU}) ? Flow::leave : Flow::on;
}

/// Root functions of the special-function unit: EX2, RSQ, RSQ64H, SQRT.
bool is_root(unsigned function) { return function == 2 || function == 5 || function == 7 || function == 8; }

/// The constant of a reciprocal square root's first guess from the bits of the number.
bool is_guess(const Word& word) {
  return is_one_of(word.operation(), {IADD3, IADD, VIADD}) && word.form() == 4 &&
         word.literal() >> 16 == 0x5f33;
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
  if (is_one_of(operation, {ISETP, UISETP, FSETP})) read_comparison(result, word);
  if (operation == BRA) read_branch(result, word, index, architecture);
  return result;
}

}  // namespace

std::optional<MachineCode> find_machine_code(std::string_view cubin, std::string_view kernel) {
  try {
    return search(cubin, kernel);
  } catch (const Damaged&) {
    return std::nullopt;
  }
}

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
