// Options, ladders, and what tuning remembered.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "app/picture/display_options.h"
#include "lab/bench/tuned.h"
#include "lab/ladders/ladder.h"
#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/temporary_folder.h"

namespace orrery::fuzz {

namespace {

const sim::OptionTable& known_options() {
  static const auto table = app::all_options();
  return table;
}

std::string_view text_of(std::span<const std::byte> input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

void read_ladder_file(std::span<const std::byte> input) {
  const InputFile file(input);
  read_or_refuse<sim::Error>([&] {
    const auto ladder = lab::read_ladder(known_options(), file.path());
    for (const auto& rung : ladder.rungs)
      lab::rung_configuration(known_options(), ladder, rung, known_options().defaults());
  });
}

/// Lines as --set takes them, then the whole as a state's options.
void read_options(std::span<const std::byte> input) {
  const auto& table = known_options();
  auto configuration = table.defaults();
  std::istringstream lines{std::string(text_of(input))};
  for (std::string line; std::getline(lines, line);)
    read_or_refuse<sim::Error>([&] { table.assign(configuration, line); });
  const auto json = nlohmann::json::parse(text_of(input), nullptr, false);
  if (!json.is_discarded()) {
    read_or_refuse<sim::Error>([&] {
      for (const auto& note : table.assign_json(configuration, json)) require_one_line(note);
    });
  }
  read_or_refuse<sim::Error>([&] { table.check(configuration, {.bodies = 1000, .galaxies = 1}); });
}

/// tuned.json lies in the configuration folder, here one of its own.
void read_tuned_results(std::span<const std::byte> input) {
  static const test::TemporaryFolder folder;
  ::setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
  std::filesystem::create_directories(lab::settings_folder());
  sim::write_file(lab::settings_folder() / "tuned.json", text_of(input));
  std::string problem;
  const auto results = lab::read_tuned(problem);
  if (!problem.empty()) require_one_line(problem);
  auto configuration = known_options().defaults();
  read_or_refuse<sim::Error>([&] {
    lab::apply_tuned(known_options(), configuration, results, {.bodies = 1000, .galaxies = 1}, {});
  });
}

}  // namespace

void add_setup_targets(std::vector<Target>& all) {
  all.push_back({"ladder", "a ladder of rungs", read_ladder_file});
  all.push_back({"options", "assignments and a state's options", read_options});
  all.push_back({"tuned", "what tuning remembered", read_tuned_results});
}

}  // namespace orrery::fuzz
