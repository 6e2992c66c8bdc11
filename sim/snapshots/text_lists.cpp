#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/rounding.h"
#include "sim/snapshots/text_table.h"
#include "sim/snapshots/text_words.h"
#include "snapshot_formats.h"

// Texts that list one quantity after the other: NEMO's atos/stoa (as Barnes' treecode reads it) and Tipsy's
// own (bin2ascii). docs/formats.md has both.

namespace orrery::sim {

namespace {

/// The content of the first three lines.
struct Head {
  bool tipsy = false;  ///< three counts in the first line
  std::uint64_t bodies = 0, gas = 0, stars = 0;
  std::uint64_t dimensions = 3;
  double time = 0.0;
};

std::optional<std::uint64_t> whole(std::string_view word) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || result.ec != std::errc{} || result.ptr != word.data() + word.size())
    return std::nullopt;
  return value;
}

std::vector<std::string_view> fields_of_next(TextLines& lines) {
  std::string_view line;
  std::vector<std::string_view> fields;
  if (lines.next(line)) split_fields(line, Separator::blanks, fields);
  return fields;
}

/// The head of such a text; nothing if the content is none: a table has more fields in its rows.
std::optional<Head> head_of(std::string_view text) {
  TextLines lines(text);
  const auto counts = fields_of_next(lines), dimensions = fields_of_next(lines), time = fields_of_next(lines);
  if ((counts.size() != 1 && counts.size() != 3) || dimensions.size() != 1 || time.size() != 1)
    return std::nullopt;
  const auto bodies = whole(counts[0]), axes = whole(dimensions[0]);
  const auto seconds = parse_number(time[0]);
  if (!bodies || *bodies == 0 || !axes || *axes < 2 || *axes > 3 || !seconds) return std::nullopt;
  Head head{.tipsy = counts.size() == 3, .bodies = *bodies, .dimensions = *axes, .time = *seconds};
  if (head.tipsy) {
    const auto gas = whole(counts[1]), stars = whole(counts[2]);
    if (!gas || !stars || *gas > *bodies || *stars > *bodies - *gas) return std::nullopt;
    head.gas = *gas;
    head.stars = *stars;
  }
  // Both have the first mass alone in its line.
  const auto mass = fields_of_next(lines);
  if (mass.size() != 1 || !parse_number(mass[0])) return std::nullopt;
  return head;
}

bool recognizes_text_lists(const FileView& file) {
  return is_plain_text(file.bytes) && head_of(text_of(file.bytes)).has_value();
}

/// NEMO's: all coordinates of a body, then the next body.
void take_vectors(TextWords& words, std::string_view what, std::vector<DVec3>& values, std::size_t dimensions,
                  const Ticker& ticker) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    ticker.now_and_then(i);
    values[i].x = words.number(what);
    values[i].y = words.number(what);
    if (dimensions == 3) values[i].z = words.number(what);
  }
}

/// Tipsy's: one coordinate of all bodies, then the next one.
void take_columns(TextWords& words, std::string_view what, std::vector<DVec3>& values, std::size_t dimensions,
                  const Ticker& ticker) {
  constexpr std::array<double DVec3::*, 3> members{&DVec3::x, &DVec3::y, &DVec3::z};
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      ticker.now_and_then(i);
      values[i].*members.at(axis) = words.number(what);
    }
  }
}

void set_components(const Head& head, Bodies& bodies) {
  if (!head.tipsy) return;
  std::ranges::fill(bodies.component, Component::halo);
  std::fill_n(bodies.component.begin(), head.gas, Component::gas);
  std::fill_n(bodies.component.rbegin(), head.stars, Component::star);
}

Scene read_text_lists(const FileView& file, const ReadOptions& options) {
  const auto text = text_of(file.bytes);
  const auto head = head_of(text);
  if (!head)
    cannot_read(file.path,
                "it is no list of a count, dimensions, time and masses; leave the format to be recognized");
  // A digit and a blank a number are the least.
  if (head->bodies > text.size() / (2 + 4 * head->dimensions))
    cannot_read(file.path,
                fmt::format("it says {} bodies and is too short for them; copy it again", head->bodies));
  Scene scene;
  auto& bodies = scene.bodies;
  bodies.resize(static_cast<std::size_t>(head->bodies));
  TextWords words(file, text);
  for (int k = 0; k < (head->tipsy ? 5 : 3); ++k) words.next();
  const Ticker ticker(options.progress, bodies.size(), 0.0F, 0.8F);
  const Rounding rounding(options);
  for (auto& mass : bodies.mass) mass = rounding.mass(words.number("the masses"));
  const auto take = head->tipsy ? &take_columns : &take_vectors;
  std::vector<DVec3> vectors(bodies.size());
  take(words, "the places", vectors, static_cast<std::size_t>(head->dimensions), ticker);
  bodies.origin = rounding.origin();
  std::ranges::transform(vectors, bodies.position.begin(), [&](const DVec3& x) { return rounding.place(x); });
  take(words, "the velocities", vectors, static_cast<std::size_t>(head->dimensions), ticker);
  std::ranges::transform(vectors, bodies.velocity.begin(),
                         [&](const DVec3& v) { return rounding.velocity(v); });
  set_components(*head, bodies);
  settle_ids(scene, false, false);
  scene.time = head->time;
  scene.source = head->tipsy ? "Tipsy text" : "NEMO text (atos)";
  if (!words.next().empty()) scene.notes.emplace_back("what follows the velocities was left out");
  return scene;
}

}  // namespace

const SnapshotFormat text_lists_format{
    "lists",
    "texts of NEMO (atos) and Tipsy: all masses, then all places, then all velocities",
    "",
    false,
    &recognizes_text_lists,
    &read_text_lists,
    nullptr};

}  // namespace orrery::sim
