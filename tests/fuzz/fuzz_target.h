#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

// Everything that reads what people give it, fed with bytes of any kind. The same targets run in two
// programs: a fuzzer (clang's libFuzzer, `tools/fuzz`) looks for bytes that end the program, and
// test_fuzz_corpus reads again what was found and kept in corpus/.
namespace orrery::fuzz {

/// One reader.
struct Target {
  std::string_view name;  ///< also of its folder in corpus/
  std::string_view meaning;
  /// Reads. Refusals of bad input, one line each, are caught here; what else is thrown is a mistake of the
  /// reader.
  void (*run)(std::span<const std::byte> input);
};

/// All of the program (all_targets.cpp or reader_targets.cpp), by name.
const std::vector<Target>& targets();
/// The target of that name, or nullptr.
const Target* find_target(std::string_view name);

/// Bytes as a regular file that is in memory only, for readers that take a path.
class InputFile {
 public:
  explicit InputFile(std::span<const std::byte> bytes);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();
  const std::filesystem::path& path() const { return path_; }

 private:
  int descriptor_;
  std::filesystem::path path_;
};

/// Ends the program if `message`, which a person would read, is not one line of a sensible length.
void require_one_line(std::string_view message);

/// Calls read(), which may refuse its input with a message of one line.
template <typename Refusal, typename Read>
void read_or_refuse(const Read& read) try {
  read();
} catch (const Refusal& refusal) {
  require_one_line(refusal.what());
}

/// The targets of each file, for the list.
void add_snapshot_targets(std::vector<Target>& all);
void add_state_targets(std::vector<Target>& all);
void add_setup_targets(std::vector<Target>& all);
void add_serve_targets(std::vector<Target>& all);

}  // namespace orrery::fuzz
