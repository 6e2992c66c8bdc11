#include "sim/cuda/emulator/emulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "sim/core/error.h"
#include "sim/core/pattern.h"

namespace orrery::sim::cuda::emulator {

namespace {

using Text = std::string_view;

/// The parts of `asm(...)` between colons: text, outputs, inputs, what else it changes. `at` is behind the
/// opening parenthesis, and afterwards behind the closing one.
std::vector<Text> parts_of_asm(Text code, std::size_t& at) {
  std::vector<Text> parts;
  std::size_t begin = at;
  int depth = 0;
  bool in_text = false;
  for (; at < code.size(); ++at) {
    const char c = code[at];
    if (in_text && c == '\\') ++at;
    if (c == '"') in_text = !in_text;
    if (in_text) continue;
    if (c == '(' || c == '[') ++depth;
    const bool ends = c == ')' && depth == 0;
    if (ends || (c == ':' && depth == 0)) {
      parts.push_back(code.substr(begin, at - begin));
      begin = at + 1;
    }
    if (ends) {
      ++at;
      return parts;
    }
    if (c == ')' || c == ']') --depth;
  }
  throw Error("error: an asm( does not end");
}

/// What is between quotation marks.
std::string quoted(Text text) {
  std::string result;
  bool inside = false;
  for (const char c : text) {
    if (c == '"')
      inside = !inside;
    else if (inside)
      result += c;
  }
  return result;
}

/// The first instruction of a text in PTX, as a name in C++: declarations begin with a point, registers do
/// not matter.
std::string name_of(const std::string& ptx) {
  static const Pattern statement(R"(^\s*\{?\s*(\.[^;]*;\s*)*([a-z][[:alnum:]_.]*))");
  const auto match = statement.find(ptx);
  if (match.empty()) return "unknown";
  std::string name(match[2]);
  std::ranges::replace(name, '.', '_');
  return name;
}

/// The expressions of `"=f"(a), "r"(f(b, c))`: what is between the outermost parentheses.
void add_operands(Text part, std::vector<std::string>& operands) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < part.size(); ++k) {
    if (part[k] == '(' && depth++ == 0) begin = k + 1;
    if (part[k] == ')' && --depth == 0) operands.emplace_back(part.substr(begin, k - begin));
  }
}

/// A call in place of `asm(...)`, of as many lines.
std::string call_of(Text statement, const std::vector<Text>& parts) {
  std::vector<std::string> operands;
  for (std::size_t k = 1; k < std::min<std::size_t>(parts.size(), 3); ++k) add_operands(parts[k], operands);
  std::string call = "ptx::" + name_of(quoted(parts.front())) + '(';
  for (std::size_t k = 0; k < operands.size(); ++k) call += (k > 0 ? ", " : "") + operands[k];
  const auto missing = std::ranges::count(statement, '\n') - std::ranges::count(call, '\n');
  return call + ')' + std::string(static_cast<std::size_t>(std::max<std::ptrdiff_t>(missing, 0)), '\n');
}

std::string with_calls_for_ptx(const std::string& code) {
  static const Pattern begins(R"(\basm\s*(volatile\s*)?\()");
  std::string result;
  Text rest = code;
  for (auto match = begins.find(rest); !match.empty(); match = begins.find(rest)) {
    const std::size_t first = match[0].data() - rest.data();
    std::size_t end = first + match[0].size();
    const auto parts = parts_of_asm(rest, end);
    result.append(rest.substr(0, first)).append(call_of(rest.substr(first, end - first), parts));
    rest.remove_prefix(end);
  }
  return result.append(rest);
}

/// Names of kernels and constants, with the lines in front of which they are marked.
struct Names {
  std::set<std::string> kernels, constants;
};

/// Marks what a line declares. Under #if the mark is under it too.
std::string with_marks(const std::string& code, Names& names) {
  static const std::string bounds = "(__launch_bounds__\\s*\\([^\n{;]*\\)\\s*)?";
  static const Pattern kernel(("^__global__\\s+" + bounds + "void\\s+" + bounds + "(\\w+)\\s*\\(").c_str());
  static const Pattern constant(R"(^__constant__\s[^;=([]*\b(\w+)\s*[[;=])");
  static const Pattern line_directive("^#line ([0-9]+)");
  std::string result;
  int number = 1;
  for (std::size_t at = 0; at < code.size();) {
    const auto end = std::min(code.find('\n', at), code.size());
    const auto line = code.substr(at, end - at);
    const auto mark = [&](const Pattern& pattern, const char* word, std::set<std::string>& list) {
      // A declaration may go on for some lines.
      const auto column = line.find(word);
      if (column == std::string::npos || line.rfind("//", column) != std::string::npos) return;
      const auto match = pattern.find(Text(code).substr(at + column, 1000));
      if (match.empty()) return;
      const std::string name(match.back());
      list.insert(name);
      result += fmt::format("#define ORRERY_HAS_{} 1\n#line {}\n", name, number);
    };
    mark(kernel, "__global__", names.kernels);
    mark(constant, "__constant__", names.constants);
    const auto directive = line_directive.find(line);
    number = directive.empty() ? number + 1 : std::stoi(std::string(directive[1]));
    result += line + '\n';
    at = end + 1;
  }
  return result;
}

/// Shared memory whose size the launch states.
std::string with_dynamic_shared(const std::string& code) {
  static const Pattern array(R"(extern\s+__shared__\s+([[:alnum:]_ ]+)\b(\w+)\s*\[\s*\])");
  return array.replaced(code, [](const auto& match) {
    return fmt::format("{0}* const {1} = ({0}*)ORRERY_MACHINE.dynamic_shared", match[1], match[2]);
  });
}

constexpr Text calls = R"(
template <typename T>
T argument(void* from) {
  alignas(T) unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, from, sizeof(T));
  return *reinterpret_cast<T*>(bytes);
}
template <typename... T>
struct Sizes {
  static constexpr unsigned bytes[] = {sizeof(T)..., 0};
};
template <typename... T, unsigned... k>
void call_with(void (*kernel)(T...), void** arguments, std::integer_sequence<unsigned, k...>) {
  kernel(argument<T>(arguments[k])...);
}
template <typename... T>
constexpr const unsigned* sizes_of(void (*)(T...)) {
  return Sizes<T...>::bytes;
}
template <auto kernel, typename... T>
void call_kernel(void (*)(T...), void** arguments) {
  call_with(kernel, arguments, std::make_integer_sequence<unsigned, sizeof...(T)>());
}
template <auto kernel>
void call(void** arguments) {
  call_kernel<kernel>(kernel, arguments);
}
)";

std::string table_of(const Names& names) {
  std::string table = "const emulator::KernelEntry kernels[] = {\n";
  for (const auto& name : names.kernels)
    table += fmt::format("#ifdef ORRERY_HAS_{0}\n{{\"{0}\", call<&{0}>, sizes_of(&{0})}},\n#endif\n", name);
  table += "{nullptr, nullptr, nullptr}};\nconst emulator::ConstantEntry constants[] = {\n";
  for (const auto& name : names.constants)
    table += fmt::format("#ifdef ORRERY_HAS_{0}\n{{\"{0}\", &{0}, sizeof({0})}},\n#endif\n", name);
  return table + "{nullptr, nullptr, 0}};\nconst emulator::CompiledModule whole = {kernels, constants};\n";
}

}  // namespace

std::string host_source(std::string_view device_code) {
  Names names;
  const auto code = with_marks(with_dynamic_shared(with_calls_for_ptx(std::string(device_code))), names);
  return fmt::format(
      "#include \"sim/cuda/emulator/device_language.h\"\n"
      "namespace orrery::sim::cuda::device {{\nnamespace {{\n{}\n#line 1 \"emulator\"{}{}}}\n}}\n"
      "extern \"C\" __attribute__((visibility(\"default\")))\n"
      "const orrery::sim::cuda::emulator::CompiledModule* orrery_module(void* machine) {{\n"
      "  namespace emulator = orrery::sim::cuda::emulator;\n"
      "  emulator::connected = static_cast<emulator::Machine*>(machine);\n"
      "  return &orrery::sim::cuda::device::whole;\n}}\n",
      code, calls, table_of(names));
}

}  // namespace orrery::sim::cuda::emulator
