#include "sim/cuda/compiler/cubin.h"

#include <cstdint>
#include <cstring>
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

}  // namespace

std::optional<MachineCode> find_machine_code(std::string_view cubin, std::string_view kernel) {
  try {
    return search(cubin, kernel);
  } catch (const Damaged&) {
    return std::nullopt;
  }
}

}  // namespace orrery::sim::cuda
