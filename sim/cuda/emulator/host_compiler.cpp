#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "emulator_sources.h"
#include "sim/core/child_processes.h"
#include "sim/core/hash.h"
#include "sim/core/interrupt.h"
#include "sim/core/letters.h"
#include "sim/core/pattern.h"
#include "sim/core/temporary_file.h"
#include "sim/cuda/emulator/emulator.h"

namespace orrery::sim::cuda {

namespace fs = std::filesystem;

/// A program of the run-time compiler.
struct NvrtcProgram {
  std::string source, log, module;
};

namespace emulator {

namespace {

constexpr auto failed = static_cast<nvrtcResult>(6);  // NVRTC_ERROR_COMPILATION

std::string from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : "";
}

/// The path of a program, searched as a shell does; empty if there is none.
std::string found_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : std::string();
  const auto path = from_environment("PATH");
  for (const auto folder : split_text(path, ':')) {
    auto file = fs::path(folder) / name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

std::string compiler_path() {
  const auto named = from_environment("ORRERY_DEVICE_CXX");
  if (!named.empty()) return found_program(named);
  for (const char* name : {"c++", "g++", "clang++"}) {
    if (auto path = found_program(name); !path.empty()) return path;
  }
  return {};
}

/// The files of one build.
class BuildFolder {
 public:
  void write(const fs::path& name, std::string_view text) const {
    fs::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
  }
  std::string read(const char* name) const {
    std::ifstream file(folder_.path() / name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  std::string path_of(const char* name) const { return folder_.path() / name; }

 private:
  TemporaryFolder folder_{"orrery-device", "the C++ compiler"};
};

/// Runs a command whose output goes to a file that is there; its exit status, or -1 where it did not end by
/// itself.
int run_command(const std::vector<std::string>& command, const std::string& output) {
  SpawnSettings settings;
  settings.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  settings.open(STDOUT_FILENO, output.c_str(), O_WRONLY | O_APPEND);
  settings.pass(STDOUT_FILENO, STDERR_FILENO);
  pid_t child = -1;
  if (settings.start(command, child) != 0) return -1;
  while (!child_ends_within(child, std::chrono::milliseconds(100))) {
    if (!interrupted()) continue;
    ::kill(-child, SIGTERM);  // it leads a group: what compiles is a process of its own
    end_child(child);
    return -1;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Rounding is that of single operations, so that the bits do not depend on the machine. GCC 12.2 takes
/// rounded vectors for the exact ones where it joins their numbers (-fno-tree-slp-vectorize).
std::vector<std::string> usual_options() {
  std::vector<std::string> options{"-x",
                                   "c++",
                                   "-std=c++20",
                                   "-O1",
                                   "-w",
                                   "-fPIC",
                                   "-shared",
                                   "-pipe",
                                   "-fvisibility=hidden",
                                   "-fno-strict-aliasing",
                                   "-fno-math-errno",
                                   "-ffp-contract=off",
                                   "-fno-tree-slp-vectorize",
                                   "-DORRERY_EMULATED=1"};
  const auto more = from_environment("ORRERY_DEVICE_CXXFLAGS");
  for (const auto option : split_text(more, ' ')) {
    if (!option.empty()) options.emplace_back(option);
  }
  return options;
}

/// What the compiled code depends on besides its source and its macros.
std::uint64_t key_of_compiler() {
  const auto compiler = compiler_path();
  Fnv1a<std::uint64_t> hash;
  hash.add(compiler);
  hash.add_word(version_of_host_source);
  std::error_code ignored;
  const auto target = fs::canonical(compiler, ignored);
  hash.add(fmt::format("{} {}", fs::file_size(target, ignored),
                       fs::last_write_time(target, ignored).time_since_epoch().count()));
  for (const auto& option : usual_options()) hash.add(option);
  for (const auto& file : sources::embedded_files) hash.add(file.text);
  hash.add(host_source(""));
  return hash.value();
}

/// Errors in the form of NVRTC, "tiled.cu(12): error: ...", which messages and tests expect.
std::string in_form_of_nvrtc(const std::string& log) {
  static const Pattern place("([^:\n]*):([0-9]+)(:[0-9]+)?: (fatal )?error:");
  return place.replaced(log,
                        [](const auto& match) { return fmt::format("{}({}): error:", match[1], match[2]); });
}

/// Macros and the architecture count; the rest of the options is about GPUs.
void compile(NvrtcProgram& program, int count, const char* const* options) {
  const BuildFolder folder;
  for (const auto& file : sources::embedded_files)
    folder.write(fs::path("sim/cuda/emulator") / file.name, file.text);
  folder.write("orrery.cpp", host_source(program.source));
  // Messages are read by people and by us: in one language.
  std::vector<std::string> command{"env", "LC_ALL=C", compiler_path()};
  for (auto& option : usual_options()) command.push_back(std::move(option));
  constexpr std::string_view architecture = "--gpu-architecture=sm_";
  for (int k = 0; k < count; ++k) {
    const std::string_view option = options[k];
    if (option.starts_with("-D")) command.emplace_back(option);
    if (option.starts_with(architecture))
      command.push_back(fmt::format("-D__CUDA_ARCH__={}0", option.substr(architecture.size())));
  }
  command.insert(command.end(),
                 {"-I" + folder.path_of(""), "-o", folder.path_of("module"), folder.path_of("orrery.cpp")});
  folder.write("log", "");
  const int status = run_command(command, folder.path_of("log"));
  program.log = in_form_of_nvrtc(folder.read("log"));
  if (status == 0) program.module = folder.read("module");
  if (program.module.empty() && program.log.empty())
    program.log = fmt::format("error: {} does not run", compiler_path());
}

nvrtcResult version(int* major, int* minor) {
  *major = 0;
  *minor = static_cast<int>(key_of_compiler() & 0x7fffffffU);
  return NVRTC_SUCCESS;
}

nvrtcResult create(nvrtcProgram* program, const char* source, const char* /*name*/, int /*headers*/,
                   const char* const* /*texts*/, const char* const* /*names*/) {
  *program = new NvrtcProgram{.source = source, .log = {}, .module = {}};
  return NVRTC_SUCCESS;
}

nvrtcResult destroy(nvrtcProgram* program) {
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult compile_program(nvrtcProgram program, int count, const char* const* options) {
  try {
    compile(*program, count, options);
  } catch (const std::exception& error) {
    program->log = error.what();
  }
  return program->module.empty() ? failed : NVRTC_SUCCESS;
}

nvrtcResult module_size(nvrtcProgram program, std::size_t* bytes) {
  *bytes = program->module.size() + sizeof(std::uint64_t);
  return NVRTC_SUCCESS;
}

/// Its size in front: the driver is given an address only.
nvrtcResult module_of(nvrtcProgram program, char* bytes) {
  const std::uint64_t size = program->module.size();
  std::memcpy(bytes, &size, sizeof size);
  std::memcpy(bytes + sizeof size, program->module.data(), program->module.size());
  return NVRTC_SUCCESS;
}

nvrtcResult log_size(nvrtcProgram program, std::size_t* bytes) {
  *bytes = program->log.size() + 1;
  return NVRTC_SUCCESS;
}

nvrtcResult log_of(nvrtcProgram program, char* text) {
  std::memcpy(text, program->log.c_str(), program->log.size() + 1);
  return NVRTC_SUCCESS;
}

}  // namespace

std::string compiler_problem() {
  if (!compiler_path().empty()) return {};
  const auto named = from_environment("ORRERY_DEVICE_CXX");
  return named.empty() ? "no C++ compiler (c++, g++ or clang++), which compiles the kernels; install g++"
                       : fmt::format("ORRERY_DEVICE_CXX names no program that can be run: {}", named);
}

Nvrtc host_compiler() {
  return {.nvrtcVersion = version,
          .nvrtcGetErrorString = [](nvrtcResult) { return "the C++ compiler failed"; },
          .nvrtcCreateProgram = create,
          .nvrtcDestroyProgram = destroy,
          .nvrtcCompileProgram = compile_program,
          .nvrtcGetCUBINSize = module_size,
          .nvrtcGetCUBIN = module_of,
          .nvrtcGetProgramLogSize = log_size,
          .nvrtcGetProgramLog = log_of};
}

}  // namespace emulator
}  // namespace orrery::sim::cuda
