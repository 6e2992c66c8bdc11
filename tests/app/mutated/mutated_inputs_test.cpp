// Files of strangers, damaged in two thousand ways, given to the program itself: it reads or refuses each in
// plain words. Under sanitizers, whatever they find fails as well. ORRERY_MUTATION_SEED=2 damages other
// bytes, ORRERY_MUTATION_CASES says how many files of each kind.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <typeinfo>
#include <vector>

#include "app/commands/command_line.h"
#include "app/picture/display_options.h"
#include "app/picture/persistent_options.h"
#include "app/picture/png_file.h"
#include "app/run/process_group.h"
#include "app/session/shared_names.h"
#include "app/session/state.h"
#include "app/session/state_file.h"
#include "app/window/settings.h"
#include "render/error.h"
#include "sim/core/byte_order.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/hash.h"
#include "sim/engines/checkpoint_file.h"
#include "tests/app/mutated/child.h"
#include "tests/app/mutated/mutation.h"
#include "tests/temporary_folder.h"

namespace orrery::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Words = std::vector<std::string>;

std::uint64_t number_in_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

bool is_own(const std::exception& failure) {
  return dynamic_cast<const sim::Error*>(&failure) != nullptr ||
         dynamic_cast<const render::Error*>(&failure) != nullptr;
}

/// The program with these words, as main runs it; what is thrown must be meant for people.
int orrery(const Words& words) {
  auto copies = words;
  std::string program = "orrery";
  std::vector<char*> arguments{program.data()};
  for (auto& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  try {
    return app::run_or_throw(static_cast<int>(words.size()) + 1, arguments.data());
  } catch (const std::exception& failure) {
    if (!is_own(failure)) std::fprintf(stderr, "FOREIGN EXCEPTION %s\n", typeid(failure).name());
    return app::report_failure(failure);
  }
}

/// Why the run is a fault; empty if it is none.
std::string fault_of(const ChildResult& result) {
  if (result.signal == SIGXCPU || result.signal == SIGKILL) return "it does not end";
  if (result.signal != 0 && result.signal != SIGTERM)
    return "it ended by signal " + std::to_string(result.signal);
  for (const char* text :
       {"Sanitizer", "runtime error:", "FOREIGN EXCEPTION", "json.exception", "std::", "basic_string",
        "vector::", "map::at", "\nstoi", "filesystem error", "terminate called", "Assertion"})
    if (result.output.find(text) != std::string::npos) return std::string("its output has ") + text;
  for (std::size_t k = 0; k < result.output.size(); ++k) {
    const auto c = static_cast<unsigned char>(result.output[k]);
    const auto next = k + 1 < result.output.size() ? static_cast<unsigned char>(result.output[k + 1]) : 0U;
    if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7F || (c == 0xC2 && next >= 0x80 && next < 0xA0))
      return "its output has the control character " + std::to_string(c);
  }
  // JSON and CSV have the texts of files in full.
  constexpr std::size_t longest = 2500;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("orrery: ") && line.size() > longest) return "a message is of no sensible length";
  constexpr int by_signal = 128;
  const bool known = (result.status >= 0 && result.status <= 3) || result.status == by_signal + SIGXCPU ||
                     result.status == by_signal + SIGTERM;
  if (result.signal == 0 && !known) return "its exit status is " + std::to_string(result.status);
  return {};
}

class MutatedInputs : public testing::Test {
 protected:
  static constexpr std::size_t cases = 400;

  MutatedInputs() {
    ::setenv("HOME", folder_.path().c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
    ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    // What a GPU computes is judged elsewhere.
    ::setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "XDG_PICTURES_DIR"}) ::unsetenv(name);
  }

  /// Makes an input for the mutations.
  void make(const std::function<int()>& work) {
    const auto result = in_child(work);
    ASSERT_EQ(result.status, 0) << result.output;
  }

  /// Otherwise the mutations begin with what is refused anyway.
  static void expect_read(const ChildResult& whole) { EXPECT_EQ(whole.status, 0) << whole.output; }

  /// `run` makes and tries case number k with a mutator of its own, and says how it went.
  template <typename Run>
  void try_all(const std::string& kind, const Run& run) {
    const auto seed = number_in_environment("ORRERY_MUTATION_SEED", 1);
    const auto count = number_in_environment("ORRERY_MUTATION_CASES", cases);
    std::size_t read = 0;
    double seconds = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      fs::remove_all(out_);
      fs::create_directories(out_);
      Mutator mutator(seed * 1'000'003 + k);
      const auto result = run(mutator, k);
      seconds += result.seconds;
      read += result.status == 0 ? 1 : 0;
      const auto fault = fault_of(result);
      if (fault.empty()) continue;
      const auto kept = fs::temp_directory_path() / ("orrery-mutated-" + kind + "-" + std::to_string(k));
      fs::copy_file(input_, kept, fs::copy_options::overwrite_existing);
      ADD_FAILURE() << kind << " " << k << " of seed " << seed << " (" << kept << "): " << fault << "\n"
                    << result.output.substr(0, 6000);
    }
    RecordProperty("read", std::to_string(read));
    std::printf("%zu of %zu damaged %s were read, %.1f s of CPU time\n", read,
                static_cast<std::size_t>(count), kind.c_str(), seconds);
    EXPECT_LT(read, count);
  }

  ChildResult run(const Words& words, std::chrono::milliseconds patience = {}) const {
    return in_child([&] { return orrery(words); }, 4, patience);
  }
  Words computing(Words words) const {
    for (const char* word : {"--engine", "cpu", "--set", "threads=1"}) words.emplace_back(word);
    return words;
  }

  const TemporaryFolder folder_;
  const fs::path out_ = folder_ / "out";  ///< of one case
  fs::path input_ = folder_ / "input";    ///< of one case
};

/// False where a reader would rightly make so many bodies that a sanitizer takes long.
bool asks_for_little(const std::string& text) {
  const auto root = json::parse(text, nullptr, false);
  const auto* dataset = &root;
  if (root.is_object() && root.contains("dataset")) dataset = &root.at("dataset");
  if (!dataset->is_object()) return true;
  const auto within = [&](const char* key, double most, bool may_be_missing) {
    const auto at = dataset->find(key);
    if (at == dataset->end()) return may_be_missing;
    return !at->is_number() || at->get<double>() <= most;
  };
  return within("bodies", 500.0, false) && within("galaxies", 4.0, true);
}

/// A state with all that one can hold, of a small dataset.
int write_state(const fs::path& path) {
  app::ViewState state{.configuration = app::all_options().defaults()};
  state.dataset.source = "plummer";
  state.dataset.bodies = 24;
  state.configuration.set("engine", std::string("cpu"));
  state.path.set({.time = 0.0, .camera = state.camera});
  state.path.set({.time = 1.0, .camera = state.camera});
  state.bookmarks[0] = state.camera;
  state.force_problem = "none that matters";
  write(path, app::state_text(state, path, 2));
  return 0;
}

class MutatedStates : public MutatedInputs {
 protected:
  /// The same state, half of the time in a picture.
  void write_input(Mutator& mutator, std::size_t k, const std::string& text) {
    input_ = folder_ / (k % 2 == 0 ? "input.json" : "input.png");
    if (k % 2 == 0) return write(input_, text);
    fs::remove(input_);
    const render::Image image{2, 2, std::vector<std::uint8_t>(16, 255)};
    app::write_png(input_, image, std::vector<render::PngText>{{app::state_keyword, text}});
    if (k % 8 == 1) write(input_, mutator.damaged_bytes(bytes_of(input_)));
  }
  /// The ways by which a state comes into the program.
  Words command_for(std::size_t k, const std::string& text) const {
    const auto input = input_.string();
    const auto series = (out_ / "series").string();
    const auto picture = (out_ / "picture.png").string();
    const bool little = asks_for_little(text);
    if (k % 16 == 2) return {"info", input};
    if (k % 16 == 3)
      return {"render", "plummer", "--bodies", "24", "--steps", "0", "--view", input, "--series", series};
    if (k % 16 == 4)
      return {"render",   "plummer", "--bodies", "24", "--path", input,
              "--record", series,    "--frames", "1",  "--size", "32x32"};
    if (k % 16 == 5 && little)
      return {"render", "--state", input, "--steps", "1", "-o", picture, "--size", "32x32"};
    if (k % 16 == 6)
      return {"render",  "plummer", "--bodies", "24",    "--state", input,
              "--steps", "1",       "-o",       picture, "--size",  "32x32"};
    if (k % 4 == 3 && little) return {"render", input, "--steps", "1", "--series", series};
    return {"render", "plummer", "--bodies", "24", "--state", input, "--steps", "1", "--series", series};
  }
};

TEST_F(MutatedStates, AreReadOrRefused) {
  const auto whole = folder_ / "state.json";
  make([&] { return write_state(whole); });
  const auto text = bytes_of(whole);
  input_ = whole;
  expect_read(run(computing(command_for(0, text))));
  try_all("states", [&](Mutator& mutator, std::size_t k) {
    const auto damaged = k % 8 == 1 ? text : mutator.damaged_json(text);
    write_input(mutator, k, damaged);
    auto words = command_for(k, damaged);
    return run(words.front() == "info" ? words : computing(words));
  });
}

TEST_F(MutatedInputs, DemosAreReadOrRefused) {
  input_ = folder_ / "config/orrery/demos/mine.json";
  const std::string text = R"({
  "title": "Mine", "meaning": "three steps", "dataset": {"source": "plummer", "bodies": 24, "galaxies": 1, "seed": 3},
  "steps": [
    {"name": "one", "caption": "A\nB", "set": {"kernel": "simd", "color-mode": "speed"},
     "camera": {"view": "face-on", "zoom": 1.5, "turn": 2}, "seconds": 0},
    {"name": "two", "caption": "C", "rung": "precision/cpu-single", "seconds": 0, "measure": true, "needs": "no-gpu"},
    {"name": "three", "caption": "D", "ladder": "precision", "rungs": ["gpu-double"], "needs": "gpu", "seconds": 0}]})";
  write(input_, text);
  expect_read(run({"demo", "--list"}));
  try_all("demos", [&](Mutator& mutator, std::size_t k) {
    const auto damaged = mutator.damaged_json(text);
    write(input_, damaged);
    if (k % 4 == 0 || !asks_for_little(damaged)) return run({"demo", "--list"});
    return run(
        {"demo", k % 4 == 1 ? input_.string() : "mine", "--table", "-", "--bodies", "24", "--size", "32x32"},
        std::chrono::seconds(2));
  });
}

TEST_F(MutatedInputs, LaddersAreReadOrRefused) {
  input_ = folder_ / "ladders/mine.json";
  const std::string text = R"({
  "title": "Mine", "source": "me, 2026", "model": "plummer", "bodies": 24, "galaxies": 1, "steps": 1,
  "position-tolerance": 0.001, "hardware": "a machine", "base": {"softening": "0.05", "engine": "cpu"},
  "rungs": [
    {"name": "first", "text": "one core", "set": {"kernel": "sequential"},
     "published": [{"bodies": 24, "galaxies": 1, "seconds": 0.5, "gips": 1.5, "speedup": 1, "remark": "told"}]},
    {"name": "second", "text": "vectors", "set": {"kernel": "simd", "threads": 1}},
    {"name": "third", "text": "from the first", "from": "base", "set": {"engine": "cpu"}, "hardware": "another"},
    {"name": "fourth", "text": "not here", "unavailable": "it needs more"}]})";
  const auto folder = (folder_ / "ladders").string();
  const Words climb{"ladder",     "mine", "--ladders", folder,      "--bodies", "24",
                    "--galaxies", "1",    "--set",     "gravity=1", "--steps",  "1"};
  write(input_, text);
  expect_read(run(climb));
  try_all("ladders", [&](Mutator& mutator, std::size_t k) {
    write(input_, mutator.damaged_json(text));
    if (k % 8 == 0) return run({"ladder", "--ladders", folder});
    auto words = climb;
    if (k % 4 == 1) words.insert(words.end(), {"--json", "-"});
    if (k % 4 == 2) words.insert(words.end(), {"--csv", (out_ / "ladder.csv").string()});
    return run(words);
  });
}

TEST_F(MutatedInputs, FaultsAreNoticed) {
  EXPECT_EQ(fault_of(in_child([] { return 2; })), "");
  EXPECT_NE(fault_of(in_child([] { return 7; })), "");
  for (const int signal : {SIGABRT, SIGSEGV, SIGXCPU})
    EXPECT_NE(fault_of(in_child([=] {
                std::signal(signal, SIG_DFL);
                return std::raise(signal);
              })),
              "")
        << signal;
  for (const char* text : {"[json.exception.out_of_range.406]", "\x1b[2J", "\xc2\x9b",
                           "vector::_M_range_check", "FOREIGN EXCEPTION"})
    EXPECT_NE(fault_of(in_child([=] { return std::puts(text) < 0 ? 1 : 0; })), "") << text;
}

class MutatedCheckpoints : public MutatedInputs {
 protected:
  static constexpr std::size_t word = 8;
  static std::uint64_t word_at(const std::string& bytes, std::size_t at) {
    return sim::load<std::uint64_t>(reinterpret_cast<const std::byte*>(bytes.data()) + at, false);
  }
  static void set_word(std::string& bytes, std::size_t at, std::uint64_t value) {
    sim::store(value, false, reinterpret_cast<std::byte*>(bytes.data()) + at);
  }
  /// With the checksum of what it holds: damage that only those who look at the content can notice.
  static std::string with_checksum(std::string bytes) {
    bytes.resize(std::max((bytes.size() + word - 1) / word * word, 2 * word));
    sim::Fnv1a<std::uint64_t> hash;
    for (std::size_t at = 0; at + word < bytes.size(); at += word) hash.add_word(word_at(bytes, at));
    set_word(bytes, bytes.size() - word, hash.value());
    return bytes;
  }
  static std::string with_header(const std::string& bytes, std::string header) {
    constexpr std::size_t header_at = 3 * word;
    const auto arrays_at = header_at + (word_at(bytes, 2 * word) + word - 1) / word * word;
    auto changed = bytes.substr(0, header_at);
    set_word(changed, 2 * word, header.size());
    header.resize((header.size() + word - 1) / word * word, ' ');
    return with_checksum(changed + header + bytes.substr(arrays_at));
  }
  static std::string header_of(const std::string& bytes) {
    return bytes.substr(3 * word, word_at(bytes, 2 * word));
  }

  static std::string damaged(Mutator& mutator, std::size_t k, const std::string& bytes) {
    if (k % 4 == 0) return mutator.damaged_bytes(bytes);
    if (k % 4 == 1) return with_checksum(mutator.damaged_bytes(bytes));
    const auto header = header_of(bytes);
    if (k % 4 == 2) return with_header(bytes, mutator.damaged_json(header));
    auto content = json::parse(header);
    content["about"] = mutator.damaged_json(content.at("about"));
    return with_header(bytes, content.dump(-1, ' ', false, json::error_handler_t::replace));
  }
};

TEST_F(MutatedCheckpoints, AreReadOrRefused) {
  const auto whole = folder_ / "whole.bin";
  make([&] {
    return orrery(computing({"render", "plummer", "--bodies", "24", "--steps", "2", "--checkpoint",
                             whole.string(), "--series", (folder_ / "first").string()}));
  });
  const auto bytes = bytes_of(whole);
  ASSERT_EQ(with_header(bytes, header_of(bytes)), bytes);
  input_ = folder_ / "input.bin";
  try_all("checkpoints", [&](Mutator& mutator, std::size_t k) {
    write(input_, damaged(mutator, k, bytes));
    Words words{"render", "--resume", input_.string(), "--series", (out_ / "series").string()};
    if (k % 16 == 6)
      words = {"render", "--resume", input_.string(), "--size", "32x32", "-o", (out_ / "a.png").string()};
    if (k % 8 != 7) words.insert(words.end(), {"--steps", "3"});
    return run(computing(words));
  });
}

/// Reads and writes the settings as the window does, before it opens and when it closes.
int use_settings() {
  std::string problem;
  auto settings = app::read_settings(problem);
  std::fprintf(stderr, "%s\n", problem.c_str());
  const auto table = app::all_options();
  auto configuration = table.defaults();
  for (const auto& each : app::apply_kept(table, settings.display, configuration))
    std::fprintf(stderr, "%s\n", each.c_str());
  app::note_recent(settings, "a file");
  std::fprintf(stderr, "%s\n", app::write_settings(settings).c_str());
  return problem.empty() ? 0 : 1;
}

TEST_F(MutatedInputs, SettingsAreReadOrReplaced) {
  const auto settings = folder_ / "config/orrery/settings.json";
  const auto tuned = folder_ / "config/orrery/tuned.json";
  make([&] {
    app::Settings usual;
    usual.recent = {"/data/a.bin", "b"};
    usual.display = {{"glow", "0.4"}, {"legend", "off"}};
    usual.panel.sections = {{"Engine", false}};
    std::fprintf(stderr, "%s", app::write_settings(usual).c_str());
    return fs::exists(settings) ? 0 : 1;
  });
  const auto text = bytes_of(settings);
  const std::string results = R"({"results": [{"device": "cpu", "engine": "cpu", "bodies": 24, "galaxies": 1,
  "precision": "float", "force_law": "gravity", "settings": {"kernel": "simd", "threads": "1"}, "gips_kernel": 1.5,
  "gips_kernel_of_defaults": 1.0}]})";
  try_all("settings", [&](Mutator& mutator, std::size_t k) {
    input_ = k % 2 == 0 ? settings : tuned;
    write(input_, mutator.damaged_json(k % 2 == 0 ? text : results));
    if (k % 2 == 0) return in_child(use_settings);
    return run(
        {"render", "plummer", "--bodies", "24", "--steps", "1", "--series", (out_ / "series").string()});
  });
}

}  // namespace
}  // namespace orrery::test
