#include "app/commands/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "app/run/options.h"
#include "sim/core/error.h"
#include "sim/core/letters.h"
#include "sim/core/spelling.h"
#include "sim/scene/body_filter.h"
#include "sim/scene/unit_systems.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t whole_number(const char* name, const std::string& text, std::uint64_t low,
                           std::uint64_t high = no_limit) {
  const auto number = sim::number_in<std::uint64_t>(text);
  if (number && *number >= low && *number <= high) return *number;
  const auto most = high == no_limit ? std::string() : fmt::format(" to {}", high);
  throw sim::UsageError(fmt::format("{} takes a whole number from {}{}, not '{}'", name, low, most, text));
}

double positive_number(const char* name, const std::string& text) {
  const auto number = sim::number_in<double>(text);
  if (number && std::isfinite(*number) && *number > 0.0) return *number;
  throw sim::UsageError(fmt::format("{} takes a finite number above 0, not '{}'", name, text));
}

bool on_or_off(const char* name, const std::string& text) {
  if (text != "on" && text != "off")
    throw sim::UsageError(fmt::format("{} is on or off, not '{}'", name, text));
  return text == "on";
}

const std::string& not_empty(const char* name, const std::string& text) {
  if (text.empty()) throw sim::UsageError(fmt::format("{} has no value", name));
  return text;
}

/// A text that the dataset keeps as it is.
Setting text_setting(const char* name, const char* values, std::string meaning, std::string& to,
                     std::vector<std::string> words = {}) {
  return {.name = name,
          .values = values,
          .meaning = std::move(meaning),
          .take = [name, &to](const std::string& text) { to = not_empty(name, text); },
          .words = std::move(words)};
}

template <typename Number>
Setting whole_setting(const char* name, const char* meaning, Number& to, std::uint64_t low,
                      std::uint64_t high = no_limit) {
  const auto take = [=, &to](const std::string& text) {
    to = static_cast<Number>(whole_number(name, text, low, high));
  };
  return {.name = name, .values = "N", .meaning = meaning, .take = take};
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const auto& system : sim::unit_systems()) names.emplace_back(system.name);
  return names;
}

std::string units_meaning() {
  std::string text = "Units of a file that states none";
  const char* between = ": ";
  for (const auto& system : sim::unit_systems()) {
    text += fmt::format("{}{} ({})", between, system.name, system.meaning);
    between = "; ";
  }
  return text;
}

/// How a file is read.
SettingList file_settings(lab::DatasetRequest& dataset) {
  return {
      text_setting("format", "FORMAT", "Format of the file (default: recognized by its content)",
                   dataset.format, sim::listed_names(sim::snapshot_formats())),
      text_setting("columns", "LIST",
                   "Columns of a text table in order, e.g. mass,x,y,z,vx,vy,vz; - skips one",
                   dataset.columns),
      whole_setting("skip", "Lines to skip at the beginning of a text table", dataset.skip, 0),
      text_setting("units", "NAME", units_meaning(), dataset.units, unit_names()),
      text_setting("group", "NAME",
                   "Group, AMUSE set or table to read from an HDF5 or FITS file that holds several",
                   dataset.group),
      {.name = "snapshot",
       .values = "N",
       .meaning = "Snapshot to start with, from 1, in a series (folder, pattern, or file with several)",
       .take =
           [&dataset](const std::string& text) {
             dataset.snapshot =
                 whole_number("snapshot", text, 1, std::numeric_limits<std::uint32_t>::max()) - 1;
           }},
      {.name = "recentre",
       .values = "on|off",
       .meaning = "In a periodic box, shift the bodies so that the densest region is whole and at the origin",
       .take = [&dataset](const std::string& text) { dataset.recentre = on_or_off("recentre", text); },
       .words = {"on", "off"}},
  };
}

/// The bodies that are taken.
SettingList body_settings(lab::DatasetRequest& dataset) {
  auto& filter = dataset.filter;
  const auto place = [&filter](const char* name, void (*set)(sim::BodyFilter&, std::string_view),
                               const char* values, const char* meaning) {
    return Setting{
        .name = name, .values = values, .meaning = meaning, .take = [&filter, set](const std::string& text) {
          set(filter, text);
        }};
  };
  const std::vector<std::string> components{"gas", "halo", "dark", "disk", "bulge", "star", "other"};
  return {
      text_setting("only", "LIST",
                   "Keep only these components: gas, halo (dark), disk, bulge, star(s), other", dataset.only,
                   components),
      text_setting("without", "LIST", "Leave these components out, e.g. gas,dark", dataset.without,
                   components),
      place("in-box", sim::set_box, "X,Y,Z,X,Y,Z", "Keep the bodies in the box between these two corners"),
      place("in-sphere", sim::set_sphere, "[X,Y,Z,]R",
            "Keep the bodies within R of this point (default: the median position)"),
      place("nearest", sim::set_nearest, "N[,X,Y,Z]",
            "Keep the N bodies nearest to this point (default: the median position)"),
      whole_setting("every-nth",
                    "Keep every N-th body of each component; masses rise so that its total mass stays",
                    filter.every_nth, 1),
  };
}

}  // namespace

SettingList reading_settings(lab::DatasetRequest& dataset) {
  auto settings = file_settings(dataset);
  auto bodies = body_settings(dataset);
  std::ranges::move(bodies, std::back_inserter(settings));
  return settings;
}

SettingList film_settings(FilmOptions& film) {
  return {
      whole_setting("fps", "Frames per second (default 60)", film.plan.rate, 1, 1000),
      {.name = "codec",
       .values = "NAME[:THREADS]",
       .meaning =
           "x264, av1, vp9 or ffv1 (lossless, .mkv); default: x264, av1 in .webm. Encoder threads (default "
           "8): the encoded bytes depend on their number",
       .take =
           [&film](const std::string& text) {
             const auto colon = text.find(':');
             film.plan.codec = not_empty("codec", text.substr(0, colon));
             film.plan.threads = colon == std::string::npos
                                     ? FilmPlan().threads
                                     : static_cast<int>(whole_number("codec", text.substr(colon + 1), 1, 64));
           },
       .words = {"x264", "av1", "vp9", "ffv1"}},
      whole_setting("steps-per-frame",
                    "Simulation steps per frame (default: from the option speed); 0: time stands still",
                    film.steps_per_frame, 0),
      {.name = "snapshot-rate",
       .values = "NUMBER",
       .meaning =
           "Snapshots per second when a series (folder, pattern, file with several) plays (default 10)",
       .take =
           [&film](const std::string& text) { film.snapshot_rate = positive_number("snapshot-rate", text); }},
  };
}

const Setting* find_setting(const SettingList& settings, const std::string& name) {
  const auto found = std::ranges::find(settings, name, &Setting::name);
  return found == settings.end() ? nullptr : &*found;
}

std::vector<SettingKind> described_settings() {
  const auto described = [](std::string title, SettingList settings) {
    for (auto& setting : settings) setting.take = nullptr;
    return SettingKind{std::move(title), std::move(settings)};
  };
  lab::DatasetRequest dataset;
  FilmOptions film;
  return {described("Files and the bodies in them", reading_settings(dataset)),
          described("Films (render --record)", film_settings(film))};
}

}  // namespace orrery::app
