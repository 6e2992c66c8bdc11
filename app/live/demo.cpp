#include "app/live/demo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "app/session/dataset_search.h"
#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"
#include "sim/core/text_file.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace fs = std::filesystem;

namespace {

// Keeps the order of the file: options are set in it.
using Json = nlohmann::ordered_json;
using Keys = std::span<const std::string_view>;

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw sim::Error(sim::message_lines(fmt::format("{}: {}", where, what)));
}

/// A misspelt key would otherwise be left out silently.
void allow(const Json& json, const std::string& where, Keys keys) {
  if (!json.is_object()) fail(where, "must be an object {...}");
  const std::vector<std::string> known(keys.begin(), keys.end());
  for (const auto& [key, value] : json.items()) {
    if (std::ranges::find(keys, key) == keys.end())
      fail(where, fmt::format("'{}' is not known here; these are: {}{}", key, fmt::join(keys, ", "),
                              sim::did_you_mean(key, known)));
  }
}

const Json& at(const Json& json, const char* key, const std::string& where) {
  if (!json.contains(key)) fail(where, fmt::format("'{}' is missing", key));
  return json.at(key);
}

/// A text that may have several lines.
std::string lines(const Json& json, const char* key, const std::string& where) {
  const auto& value = at(json, key, where);
  if (!value.is_string() || value.get<std::string>().empty())
    fail(where, fmt::format("'{}' must be a text", key));
  return value.get<std::string>();
}

std::string text(const Json& json, const char* key, const std::string& where) {
  return sim::one_line(lines(json, key, where));
}

double number(const Json& json, const char* key, const std::string& where, double low, double high) {
  const auto& value = at(json, key, where);
  const double given = value.is_number() ? value.get<double>() : NAN;
  if (!(given >= low && given <= high))
    fail(where,
         fmt::format("'{}' must be a number from {} to {}, not {}", key, low, high, sim::json_text(value)));
  return given;
}

std::uint64_t whole(const Json& json, const char* key, const std::string& where, double low) {
  const double given = number(json, key, where, low, 4294967295.0);
  if (given != std::floor(given)) fail(where, fmt::format("'{}' must be a whole number", key));
  return static_cast<std::uint64_t>(given);
}

void read_settings(const sim::OptionTable& table, const Json& json, DemoStep& step) {
  const auto where = step.where + ", 'set'";
  if (!json.is_object()) fail(where, "must be an object {\"option\": value, ...}");
  for (const auto& [name, value] : json.items()) {
    try {
      const auto& option = table.at(name);
      const auto text =
          value.is_null() ? sim::to_string(option.default_value) : sim::one_line(sim::setting_text(value));
      table.parse(option, text);
      step.settings.emplace_back(option.name, text);
    } catch (const sim::UsageError& error) {
      fail(where, error.what());
    }
  }
}

/// One of some words, which a message lists as `listed`.
template <typename Value>
Value word(const Json& json, const char* key, const std::string& where, const char* listed,
           std::initializer_list<std::pair<std::string_view, Value>> words) {
  const auto name = text(json, key, where);
  for (const auto& [known, value] : words)
    if (known == name) return value;
  fail(where, fmt::format("'{}' must be {}, not '{}'", key, listed, name));
}

DemoCamera read_camera(const Json& json, const std::string& where) {
  constexpr std::array<std::string_view, 4> keys{"view", "zoom", "turn", "holds"};
  allow(json, where, keys);
  DemoCamera camera;
  using Preset = render::Camera::Preset;
  if (json.contains("view"))
    camera.view = word<Preset>(
        json, "view", where, "face-on, edge-on or oblique",
        {{"face-on", Preset::face_on}, {"edge-on", Preset::edge_on}, {"oblique", Preset::oblique}});
  if (json.contains("zoom")) camera.zoom = number(json, "zoom", where, 0.01, 1e4);
  if (json.contains("turn")) camera.turn = number(json, "turn", where, -360.0, 360.0);
  if (json.contains("holds")) camera.holds = number(json, "holds", where, 0.0, 1.0);
  return camera;
}

std::string step_name(const Json& json, const std::string& where) {
  auto name = text(json, "name", where);
  if (!sim::is_step_name(name))
    fail(where, fmt::format("'name' must be lower case letters, digits and hyphens, not '{}'", name));
  return name;
}

void read_rung(const Json& json, DemoStep& step) {
  if (json.contains("ladder")) step.ladder = text(json, "ladder", step.where);
  if (json.contains("rungs")) {
    const auto& names = json.at("rungs");
    const auto is_text = [](const Json& each) { return each.is_string(); };
    if (step.ladder.empty() || !names.is_array() || names.empty() || !std::ranges::all_of(names, is_text))
      fail(step.where, "'rungs' must be a list of names beside 'ladder'");
    for (const auto& each : names) step.rungs.push_back(sim::one_line(each.get<std::string>()));
  }
  if (!json.contains("rung")) return;
  if (!step.ladder.empty()) fail(step.where, "'rung' and 'ladder' exclude each other; give one");
  const auto both = text(json, "rung", step.where);
  const auto slash = both.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == both.size())
    fail(step.where, fmt::format("'rung' must be LADDER/RUNG, such as best/tiled, not '{}'", both));
  step.ladder = both.substr(0, slash);
  step.rung = both.substr(slash + 1);
}

/// "omp-bodies" for people.
std::string label_of(std::string name) {
  std::ranges::replace(name, '-', ' ');
  return name;
}

bool flag(const Json& json, const char* key, const std::string& where) {
  if (!json.contains(key)) return false;
  if (!json.at(key).is_boolean()) fail(where, fmt::format("'{}' must be true or false", key));
  return json.at(key).get<bool>();
}

DemoStep read_step(const sim::OptionTable& table, const Json& json, std::size_t number_of,
                   const std::string& file) {
  constexpr std::array<std::string_view, 14> keys{"name",   "label",   "caption", "set",   "rung",
                                                  "ladder", "rungs",   "camera",  "until", "seconds",
                                                  "reset",  "measure", "plot",    "needs"};
  DemoStep step{.where = fmt::format("{}, step {}", file, number_of)};
  allow(json, step.where, keys);
  step.name = step_name(json, step.where);
  step.where += fmt::format(" '{}'", step.name);
  step.label = json.contains("label") ? text(json, "label", step.where) : label_of(step.name);
  step.caption = lines(json, "caption", step.where);
  read_rung(json, step);
  if (json.contains("set")) read_settings(table, json.at("set"), step);
  if (json.contains("camera")) step.camera = read_camera(json.at("camera"), step.where + ", 'camera'");
  if (json.contains("seconds")) step.seconds = number(json, "seconds", step.where, 0.0, 3600.0);
  if (json.contains("until")) step.until = number(json, "until", step.where, 0.0, 1e12);
  step.reset = flag(json, "reset", step.where);
  step.measured = flag(json, "measure", step.where);
  if (json.contains("plot"))
    step.plot = word<DemoPlot>(json, "plot", step.where, "rates, accuracy-speed, energy or none",
                               {{"rates", DemoPlot::rates},
                                {"accuracy-speed", DemoPlot::board},
                                {"energy", DemoPlot::energy},
                                {"none", DemoPlot::none}});
  if (json.contains("needs"))
    step.needs = word<DemoNeeds>(json, "needs", step.where, "gpu or no-gpu",
                                 {{"gpu", DemoNeeds::gpu}, {"no-gpu", DemoNeeds::no_gpu}});
  return step;
}

lab::DatasetRequest read_dataset(const Json& json, const std::string& where) {
  constexpr std::array<std::string_view, 5> keys{"source", "bodies", "bodies-without-gpu", "galaxies",
                                                 "seed"};
  allow(json, where, keys);
  lab::DatasetRequest request{.source = text(json, "source", where)};
  // What a demonstration shows must not depend on the files of the current folder.
  request.built_in = sim::find_galaxy_model(request.source) != nullptr;
  if (json.contains("bodies")) request.bodies = whole(json, "bodies", where, 1.0);
  if (json.contains("galaxies"))
    request.galaxies = static_cast<std::uint32_t>(whole(json, "galaxies", where, 1.0));
  if (json.contains("seed")) request.seed = whole(json, "seed", where, 0.0);
  return request;
}

Demo demo_of(const sim::OptionTable& table, const Json& json, const fs::path& file,
             const std::string& where) {
  constexpr std::array<std::string_view, 4> keys{"title", "meaning", "dataset", "steps"};
  allow(json, where, keys);
  Demo demo{.name = sim::one_line(file.stem().string()),
            .title = text(json, "title", where),
            .meaning = text(json, "meaning", where),
            .dataset = read_dataset(at(json, "dataset", where), where + ", 'dataset'")};
  constexpr auto few = "bodies-without-gpu";
  if (json.at("dataset").contains(few))
    demo.bodies_without_gpu = whole(json.at("dataset"), few, where + ", 'dataset'", 1.0);
  const auto& steps = at(json, "steps", where);
  if (!steps.is_array() || steps.empty()) fail(where, "'steps' must be a list [...] with at least one step");
  for (const auto& step : steps) demo.steps.push_back(read_step(table, step, demo.steps.size() + 1, where));
  return demo;
}

/// The user's first.
std::map<std::string, fs::path> demo_files() {
  std::map<std::string, fs::path> files;
  for (const auto& root : {lab::settings_folder(), lab::data_folder()}) {
    std::error_code failure;
    if (root.empty()) continue;
    for (fs::directory_iterator each(root / "demos", failure); !failure && each != fs::directory_iterator();
         each.increment(failure)) {
      if (each->path().extension() == ".json") files.emplace(each->path().stem().string(), each->path());
    }
  }
  return files;
}

bool suits(const DemoStep& step, bool gpu) {
  if (step.needs == DemoNeeds::nothing) return true;
  return (step.needs == DemoNeeds::gpu) == gpu;
}

/// The ladder or rung of that name. `problem`: there is none.
template <typename Named>
const Named& named(const std::vector<Named>& all, const std::string& name, const DemoStep& step,
                   const std::string& problem) {
  const auto found = std::ranges::find(all, name, &Named::name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const auto& each : all) names.push_back(each.name);
  fail(step.where, fmt::format("{} '{}'{}", problem, name, sim::did_you_mean(name, names)));
}

const lab::Ladder& ladder_of(const DemoStep& step, const std::vector<lab::Ladder>& ladders) {
  return named(ladders, step.ladder, step, "there is no ladder");
}

const lab::Rung& rung_of(const DemoStep& step, const lab::Ladder& ladder, const std::string& name) {
  return named(ladder.rungs, name, step, fmt::format("the ladder '{}' has no rung", ladder.name));
}

/// A step for each rung that runs here, with the rung's own words below the caption.
void write_out(const sim::OptionTable& table, const DemoStep& step, const lab::Ladder& ladder,
               const sim::Configuration& start, const sim::OptionContext& context,
               std::vector<ReadyStep>& steps) {
  for (const auto& name : step.rungs) rung_of(step, ladder, name);
  for (const auto& rung : ladder.rungs) {
    const bool chosen = step.rungs.empty() || std::ranges::find(step.rungs, rung.name) != step.rungs.end();
    if (!chosen || !rung.unavailable.empty()) continue;
    const auto configuration = lab::rung_configuration(table, ladder, rung, start);
    if (!sim::refusal_of(table, configuration, context).empty()) continue;
    auto each = step;
    each.name = step.name + "-" + rung.name;
    each.label = rung.name;
    each.caption = fmt::format("{}\n{}: {}", step.caption, rung.name, rung.text);
    // Only the first one moves the camera.
    if (!steps.empty() && steps.back().step.where == step.where && each.camera) each.camera->view.reset();
    steps.push_back({.step = std::move(each), .rung = rung, .ladder = ladder});
  }
}

/// The last slide: the results, beside the bodies.
DemoStep closing_slide(const Demo& demo) {
  DemoStep step{.name = "closing", .label = "closing", .caption = demo.title};
  step.camera = DemoCamera{.turn = 3.0};
  step.seconds = 8.0;
  step.closing = true;
  return step;
}

}  // namespace

bool compares(const std::vector<ReadyStep>& steps) {
  return std::ranges::count_if(steps, [](const ReadyStep& each) { return each.step.measured; }) > 1;
}

lab::DatasetRequest Demo::dataset_for(bool gpu) const {
  auto request = dataset;
  if (!gpu && bodies_without_gpu) request.bodies = bodies_without_gpu;
  return request;
}

bool gpu_computes(const sim::OptionTable& table) {
  return table.refusal(table.at("engine"), std::string("cuda"), table.defaults()).empty();
}

Demo read_demo(const sim::OptionTable& table, const fs::path& file) {
  const auto where = fmt::format("demo '{}'", file.string());
  const auto content = sim::read_text_file(file);
  Json json;
  try {
    json = sim::parse_ordered_lines(content);
  } catch (const sim::Error& error) {
    fail(where, error.what());
  }
  try {
    return demo_of(table, json, file, where);
  } catch (const Json::exception& error) {
    fail(where, fmt::format("cannot be read: {}; repair it", sim::json_problem(error)));
  }
}

std::vector<Demo> all_demos(const sim::OptionTable& table, std::vector<std::string>& problems) {
  std::vector<Demo> demos;
  for (const auto& [name, file] : demo_files()) {
    try {
      demos.push_back(read_demo(table, file));
    } catch (const sim::Error& error) {
      problems.emplace_back(error.what());
    }
  }
  return demos;
}

Demo find_demo(const sim::OptionTable& table, const std::string& name) {
  const auto files = demo_files();
  if (const auto found = files.find(name); found != files.end()) return read_demo(table, found->second);
  std::error_code failure;
  if (fs::is_regular_file(name, failure)) {
    auto demo = read_demo(table, name);
    if (lab::is_file(demo.dataset)) demo.dataset = find_dataset(demo.dataset, {}, name, {});
    return demo;
  }
  std::vector<std::string> names;
  for (const auto& [each, file] : files) names.push_back(each);
  throw sim::UsageError(fmt::format("there is no demo '{}', nor such a file (choose one of {}){}",
                                    sim::printable(name, 60), fmt::join(names, ", "),
                                    sim::did_you_mean(name, names)));
}

std::vector<ReadyStep> complete_steps(const sim::OptionTable& table, const Demo& demo,
                                      const std::vector<lab::Ladder>& ladders, bool gpu,
                                      const sim::Configuration& start, const sim::OptionContext& context) {
  std::vector<ReadyStep> steps;
  for (const auto& step : demo.steps) {
    if (!suits(step, gpu)) continue;
    if (step.ladder.empty()) {
      steps.push_back({.step = step});
    } else if (step.rung.empty()) {
      write_out(table, step, ladder_of(step, ladders), start, context, steps);
    } else {
      const auto& ladder = ladder_of(step, ladders);
      steps.push_back({.step = step, .rung = rung_of(step, ladder, step.rung), .ladder = ladder});
    }
  }
  if (compares(steps)) steps.push_back({.step = closing_slide(demo)});
  return steps;
}

}  // namespace orrery::app
