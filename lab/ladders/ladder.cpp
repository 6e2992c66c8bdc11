#include "lab/ladders/ladder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/letters.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"
#include "sim/core/text_file.h"
#include "sim/cuda/options/schedule.h"
#include "sim/galaxies/model.h"

namespace orrery::lab {

namespace fs = std::filesystem;

namespace {

// Keeps the order of the file: settings are applied and shown in it.
using Json = nlohmann::ordered_json;
using Settings = std::vector<std::pair<std::string, std::string>>;

constexpr double most_bodies = 4294967295.0;

/// A part of the file and the words that lead to it.
class Entry {
 public:
  Entry(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) fail("must be an object {...}");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw sim::Error(sim::message_lines(fmt::format("{}: {}", where_, what)));
  }
  bool has(const char* key) const { return json_.contains(key); }
  const std::string& where() const { return where_; }

  /// A misspelt key would otherwise be a setting that is silently left out.
  void allow(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, value] : json_.items())
      if (std::ranges::find(keys, key) == keys.end())
        fail(fmt::format("'{}' is not known here; these are: {}", key, fmt::join(keys, ", ")));
  }

  std::string text(const char* key) const {
    const auto& value = at(key);
    if (!value.is_string() || value.get<std::string>().empty())
      fail(fmt::format("'{}' must be a text, not {}", key, sim::json_text(value)));
    return value.get<std::string>();
  }
  std::string text(const char* key, const std::string& otherwise) const {
    return has(key) ? text(key) : otherwise;
  }
  double number(const char* key, double low, double high) const {
    const auto& value = at(key);
    const bool good = value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= low &&
                      value.get<double>() <= high;
    if (!good)
      fail(fmt::format("'{}' must be a number from {} to {}, not {}", key, low, high, sim::json_text(value)));
    return value.get<double>();
  }
  double number(const char* key, double otherwise, double low, double high) const {
    return has(key) ? number(key, low, high) : otherwise;
  }
  std::size_t whole(const char* key, double low) const { return whole_between(key, low, most_bodies); }
  std::size_t whole_between(const char* key, double low, double high) const {
    const double value = number(key, low, high);
    if (value != std::floor(value)) fail(fmt::format("'{}' must be a whole number, not {}", key, value));
    return static_cast<std::size_t>(value);
  }
  std::size_t whole(const char* key, std::size_t otherwise, double low) const {
    return has(key) ? whole(key, low) : otherwise;
  }
  bool flag(const char* key) const {
    if (!at(key).is_boolean()) fail(fmt::format("'{}' must be true or false", key));
    return at(key).get<bool>();
  }
  const Json& list(const char* key) const {
    if (!at(key).is_array()) fail(fmt::format("'{}' must be a list [...]", key));
    return at(key);
  }
  const Json& at(const char* key) const {
    if (!has(key)) fail(fmt::format("'{}' is missing", key));
    return json_.at(key);
  }

 private:
  const Json& json_;
  std::string where_;
};

/// JSON takes the last of two equal keys without a word.
Json parse_without_doubles(const std::string& text) {
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
      throw sim::Error(fmt::format("'{}' occurs twice in one object", parsed.get<std::string>()));
    return true;
  };
  auto parsed = Json::parse(text, watch);
  sim::clean_texts(parsed);
  return parsed;
}

void put(Settings& settings, const std::string& name, const std::string& value) {
  const auto found = std::ranges::find(settings, name, &Settings::value_type::first);
  if (found == settings.end())
    settings.emplace_back(name, value);
  else
    found->second = value;
}

/// Adds the options of `object`; every name and value is checked against the table.
void put_all(const sim::OptionTable& table, const Json& object, const Entry& entry, Settings& settings) {
  if (!object.is_object()) entry.fail("options must be an object {\"name\": value, ...}");
  for (const auto& [name, written] : object.items()) {
    const auto text = sim::setting_text(written);
    try {
      const auto& option = table.at(name);
      if (!sim::decides_result(option))
        entry.fail(fmt::format("option '{}' has no effect on a result", name));
      table.parse(option, text);
    } catch (const sim::UsageError& error) {
      entry.fail(error.what());
    }
    put(settings, name, text);
  }
}

PublishedFigure read_figure(const Json& json, const std::string& where, const Ladder& ladder) {
  const Entry entry(json, where);
  entry.allow({"bodies", "galaxies", "map", "seconds", "gips", "speedup", "memory-mb", "with", "remark"});
  constexpr double largest = std::numeric_limits<double>::max();
  PublishedFigure figure{.bodies = entry.whole("bodies", ladder.bodies, 1.0),
                         .galaxies = entry.whole("galaxies", ladder.galaxies, 1.0),
                         .map = entry.whole("map", 0, 0.0),
                         .seconds = entry.number("seconds", 0.0, 0.0, largest),
                         .gips = entry.number("gips", 0.0, 0.0, largest),
                         .speedup = entry.number("speedup", 0.0, 0.0, largest),
                         .memory_mb = entry.number("memory-mb", 0.0, 0.0, largest),
                         .with = entry.text("with", std::string()),
                         .remark = entry.text("remark", std::string())};
  const double said = figure.seconds + figure.gips + figure.speedup + figure.memory_mb;
  if (said == 0.0 && figure.remark.empty())
    entry.fail("says nothing: give seconds, gips, speedup, memory-mb or a remark");
  return figure;
}

std::vector<PublishedFigure> read_figures(const Entry& rung, const Ladder& ladder) {
  std::vector<PublishedFigure> figures;
  if (!rung.has("published")) return figures;
  for (const auto& each : rung.list("published"))
    figures.push_back(read_figure(each, rung.where() + ", published", ladder));
  return figures;
}

/// The ladder's problem must be one that the model can make.
void check_model(const Entry& entry, const Ladder& ladder) {
  const auto* model = sim::find_galaxy_model(ladder.model);
  if (model == nullptr)
    entry.fail(fmt::format("there is no built-in galaxy '{}'; choose one of {}", ladder.model,
                           fmt::join(sim::listed_names(sim::galaxy_models()), ", ")));
  if (ladder.bodies < model->minimum_bodies || ladder.bodies > model->maximum_bodies)
    entry.fail(fmt::format("the galaxy '{}' takes {} to {} bodies, not {}", ladder.model,
                           model->minimum_bodies, model->maximum_bodies, ladder.bodies));
}

std::string rung_name(const Entry& entry) {
  auto name = entry.text("name");
  if (!sim::is_step_name(name))
    entry.fail(fmt::format("the name '{}' must be lower case letters, digits and hyphens", name));
  return name;
}

/// The settings that the rung starts from: those of the one before, an earlier one or none.
Settings inherited(const Entry& entry, const std::vector<Rung>& before) {
  const auto from = entry.text("from", before.empty() ? "base" : before.back().name);
  if (from == "base") return {};
  const auto found = std::ranges::find(before, from, &Rung::name);
  if (found == before.end())
    entry.fail(fmt::format("'from' names '{}', which is no earlier rung; name one, or \"base\"", from));
  return found->settings;
}

Rung read_rung(const sim::OptionTable& table, const Json& json, const Ladder& ladder, const std::string& file,
               const std::string& hardware) {
  const auto place = fmt::format("{}, rung {}", file, ladder.rungs.size() + 1);
  const auto name = rung_name(Entry(json, place));
  const Entry entry(json, fmt::format("{}, rung '{}'", file, name));
  entry.allow({"name", "text", "from", "set", "unavailable", "hardware", "published"});
  if (name == "base" || std::ranges::find(ladder.rungs, name, &Rung::name) != ladder.rungs.end())
    entry.fail("the name is taken; every rung has its own");
  Rung rung{.name = name, .text = entry.text("text"), .settings = inherited(entry, ladder.rungs)};
  if (entry.has("set")) put_all(table, entry.at("set"), entry, rung.settings);
  rung.unavailable = entry.text("unavailable", std::string());
  rung.hardware = entry.text("hardware", hardware);
  rung.published = read_figures(entry, ladder);
  return rung;
}

Ladder ladder_of(const sim::OptionTable& table, const Json& json, const std::string& name,
                 const std::string& file) {
  const Entry entry(json, file);
  entry.allow({"title", "source", "model", "bodies", "galaxies", "steps", "position-tolerance", "base",
               "hardware", "rungs", "pipeline"});
  Ladder ladder{.name = name,
                .title = entry.text("title"),
                .source = entry.text("source"),
                .model = entry.text("model"),
                .bodies = entry.whole("bodies", 1.0),
                .galaxies = entry.whole("galaxies", 1, 1.0),
                .steps = static_cast<int>(entry.whole_between("steps", 1.0, 1e6)),
                .position_tolerance = entry.number("position-tolerance", 1e-3, 0.0, 1e30)};
  if (entry.has("pipeline")) ladder.pipeline = entry.flag("pipeline");
  check_model(entry, ladder);
  if (entry.has("base")) {
    const Entry base(json, file + ", base");
    put_all(table, entry.at("base"), base, ladder.base);
  }
  const auto hardware = entry.text("hardware", std::string());
  for (const auto& rung : entry.list("rungs"))
    ladder.rungs.push_back(read_rung(table, rung, ladder, file, hardware));
  if (ladder.rungs.empty()) entry.fail("'rungs' is empty; a ladder has at least one");
  return ladder;
}

}  // namespace

Ladder read_ladder(const sim::OptionTable& table, const fs::path& file) {
  const auto where = fmt::format("ladder '{}'", file.string());
  const auto text = sim::read_text_file(file);
  try {
    sim::require_shallow_json(text);
    return ladder_of(table, parse_without_doubles(text), sim::one_line(file.stem().string()), where);
  } catch (const Json::parse_error& error) {
    throw sim::Error(fmt::format("{}: is no JSON (byte {}); repair it", where, error.byte));
  } catch (const Json::out_of_range&) {
    throw sim::Error(where + ": is no JSON that can be read: a number in it is too large; repair it");
  } catch (const sim::Error& error) {
    const std::string problem = error.what();
    throw sim::Error(problem.starts_with(where) ? problem : where + ": " + problem);
  }
}

sim::Configuration rung_configuration(const sim::OptionTable& table, const Ladder& ladder, const Rung& rung,
                                      const sim::Configuration& start) {
  auto configuration = start;
  for (const auto& option : table.options())
    if (sim::decides_engine(option) && !sim::belongs_to_machine(option))
      configuration.set(option.name, option.default_value);
  // Several GPUs are a rung of their own.
  if (const int gpu = sim::cuda::named_device(start); gpu >= 0)
    configuration.set("devices", std::to_string(gpu));
  else
    configuration.set("devices", table.at("devices").default_value);
  for (const auto* settings : {&ladder.base, &rung.settings})
    for (const auto& [name, value] : *settings) configuration.set(name, table.parse(table.at(name), value));
  return configuration;
}

}  // namespace orrery::lab
