#include "app/commands/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <string_view>

#include "app/run/options.h"
#include "sim/core/error.h"
#include "sim/scene/body_filter.h"
#include "sim/scene/unit_systems.h"
#include "sim/snapshots/format.h"

namespace orrery::app {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t whole_number(const char* name, const std::string& text, std::uint64_t low,
                           std::uint64_t high = no_limit) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = failure == std::errc() && end == text.data() + text.size();
  if (whole && number >= low && number <= high) return number;
  const auto most = high == no_limit ? std::string() : fmt::format(" to {}", high);
  throw sim::UsageError(fmt::format("{} takes a whole number from {}{}, not '{}'", name, low, most, text));
}

double positive_number(const char* name, const std::string& text) {
  double number = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = failure == std::errc() && end == text.data() + text.size();
  if (whole && std::isfinite(number) && number > 0.0) return number;
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

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const auto& system : sim::unit_systems()) names.emplace_back(system.name);
  return names;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto* format : sim::snapshot_formats()) names.emplace_back(format->name);
  return names;
}

std::string units_meaning() {
  std::string text = "Files that do not state their units: what the numbers are";
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
      text_setting("format", "FORMAT", "Read as this format instead of recognizing the content",
                   dataset.format, format_names()),
      text_setting("columns", "LIST",
                   "Text tables: order of the columns, e.g. mass,x,y,z,vx,vy,vz; - skips one",
                   dataset.columns),
      {.name = "skip",
       .values = "N",
       .meaning = "Text tables: lines to skip at the beginning",
       .take = [&dataset](const std::string& text) { dataset.skip = whole_number("skip", text, 0); }},
      text_setting("units", "NAME", units_meaning(), dataset.units, unit_names()),
      text_setting("group", "NAME",
                   "HDF5 and FITS with several groups of bodies, sets of AMUSE or tables: the one to read",
                   dataset.group),
      {.name = "snapshot",
       .values = "N",
       .meaning = "Of a series (a folder, a pattern or a file with several) start with this snapshot, from 1",
       .take =
           [&dataset](const std::string& text) {
             dataset.snapshot =
                 whole_number("snapshot", text, 1, std::numeric_limits<std::uint32_t>::max()) - 1;
           }},
      {.name = "recentre",
       .values = "on|off",
       .meaning = "Files with a periodic box: move the bodies so that no edge cuts the densest region, which "
                  "becomes the origin",
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
      text_setting("only", "LIST", "Keep these components: gas, halo (dark), disk, bulge, star(s), other",
                   dataset.only, components),
      text_setting("without", "LIST", "Leave these components out, e.g. gas,dark", dataset.without,
                   components),
      place("in-box", sim::set_box, "X,Y,Z,X,Y,Z", "Take the bodies between these two corners"),
      place("in-sphere", sim::set_sphere, "[X,Y,Z,]R",
            "Take the bodies within R of this point, or of the centre (the median of the positions)"),
      place("nearest", sim::set_nearest, "N[,X,Y,Z]",
            "Take the N bodies nearest to this point, or to the centre"),
      {.name = "every-nth",
       .values = "N",
       .meaning = "Take one of N bodies of each component; masses rise so that its mass stays",
       .take = [&filter](const std::string& text) { filter.every_nth = whole_number("every-nth", text, 1); }},
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
      {.name = "fps",
       .values = "N",
       .meaning = "Frames per second (default 60)",
       .take =
           [&film](const std::string& text) {
             film.plan.rate = static_cast<int>(whole_number("fps", text, 1, 1000));
           }},
      text_setting("codec", "NAME", "x264, av1, vp9 or ffv1 (lossless, .mkv); default: x264, av1 in .webm",
                   film.plan.codec, {"x264", "av1", "vp9", "ffv1"}),
      {.name = "encoder-threads",
       .values = "N",
       .meaning = "Threads of ffmpeg (default 8); films of other numbers have other bytes",
       .take =
           [&film](const std::string& text) {
             film.plan.threads = static_cast<int>(whole_number("encoder-threads", text, 1, 64));
           }},
      {.name = "steps-per-frame",
       .values = "N",
       .meaning = "Steps from frame to frame (default: as the option speed says); 0: time stands still",
       .take =
           [&film](const std::string& text) {
             film.steps_per_frame = whole_number("steps-per-frame", text, 0);
           }},
      {.name = "snapshot-rate",
       .values = "NUMBER",
       .meaning =
           "Snapshots per second of a series (folder, pattern, file with several) that plays (default 10)",
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
  return {described("Of files, and of the bodies in them", reading_settings(dataset)),
          described("Of films (render --record)", film_settings(film))};
}

}  // namespace orrery::app
