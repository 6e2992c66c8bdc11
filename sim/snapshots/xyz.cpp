#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/core/counted.h"
#include "sim/core/message.h"
#include "sim/core/progress.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/csv_preamble.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/rounding.h"
#include "sim/snapshots/text_table.h"
#include "snapshot_formats.h"

// XYZ, as molecular viewers write it: a count, a comment, then "Element x y z [vx vy vz]". docs/formats.md
// has the rules.

namespace orrery::sim {

namespace {

std::optional<std::size_t> count_in(std::string_view line) {
  const auto word = trimmed(line);
  std::size_t count = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), count);
  if (word.empty() || result.ec != std::errc{} || result.ptr != word.data() + word.size())
    return std::nullopt;
  return count;
}

bool is_body(const std::vector<std::string_view>& fields) {
  return fields.size() >= 4 && !parse_number(fields[0]) &&
         std::all_of(fields.begin() + 1, fields.begin() + 4,
                     [](auto f) { return parse_number(f).has_value(); });
}

bool recognizes_xyz(const FileView& file) {
  const auto text = text_of(file.bytes);
  TextLines lines(text.substr(0, std::min<std::size_t>(text.size(), 4096)));
  std::string_view count, comment, body;
  if (!lines.next(count) || !lines.next(comment) || !lines.next(body)) return false;
  std::vector<std::string_view> fields;
  split_fields(body, Separator::blanks, fields);
  return count_in(count) && is_body(fields);
}

double number(const FileView& file, std::string_view field, std::size_t body) {
  const auto value = parse_number(field);
  if (!value)
    cannot_read(file.path, fmt::format("body {} has '{}' for a number", body + 1, printable(field)));
  return *value;
}

DVec3 vector(const FileView& file, const std::vector<std::string_view>& fields, std::size_t first,
             std::size_t body) {
  return {number(file, fields[first], body), number(file, fields[first + 1], body),
          number(file, fields[first + 2], body)};
}

/// The bodies of the first frame. True if all have velocities.
bool take_bodies(const FileView& file, TextLines& lines, const ReadOptions& options, Bodies& bodies) {
  const Rounding rounding(options);
  bodies.origin = rounding.origin();
  const Ticker ticker(options.progress, bodies.size(), 0.0F, 0.8F);
  std::string_view line;
  std::vector<std::string_view> fields;
  std::size_t moving = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ticker.now_and_then(i);
    if (!lines.next(line))
      cannot_read(file.path, fmt::format("it ends after {} of {} bodies; copy it again", i, bodies.size()));
    split_fields(line, Separator::blanks, fields);
    if (!is_body(fields))
      cannot_read(file.path,
                  fmt::format("line {} is no body; 'Element x y z' belongs there", lines.number()));
    bodies.position[i] = rounding.place(vector(file, fields, 1, i));
    if (fields.size() < 7) continue;
    bodies.velocity[i] = rounding.velocity(vector(file, fields, 4, i));
    ++moving;
  }
  return moving == bodies.size();
}

/// False if no whole frame is left.
bool skip_frame(TextLines& lines) {
  std::string_view line;
  if (!lines.next(line)) return false;
  const auto count = count_in(line);
  if (!count || *count == 0 || !lines.next(line)) return false;
  for (std::size_t i = 0; i < *count; ++i)
    if (!lines.next(line)) return false;
  return true;
}

std::size_t count_xyz(const FileView& file, const ReadOptions& /*options*/) {
  TextLines lines(text_of(file.bytes));
  std::size_t frames = 0;
  while (skip_frame(lines)) ++frames;
  return frames;
}

Scene read_xyz(const FileView& file, const ReadOptions& options) {
  TextLines lines(text_of(file.bytes));
  if (options.snapshot > 0 && options.snapshot >= count_xyz(file, options))
    cannot_read(file.path,
                fmt::format("it has {} only", counted(count_xyz(file, options), "snapshot", "snapshots")));
  for (std::size_t k = 0; k < options.snapshot; ++k) skip_frame(lines);
  std::string_view first, comment;
  lines.next(first);
  lines.next(comment);
  const auto stated = count_in(first);
  if (!stated || *stated == 0)
    cannot_read(file.path, "its first line is no count of the bodies that follow; copy it again");
  // "X 0 0 0" is the shortest line.
  if (*stated > file.bytes.size() / 7)
    cannot_read(file.path,
                fmt::format("it says {} bodies and is too short for them; copy it again", *stated));
  Scene scene;
  scene.bodies.resize(*stated);
  if (!take_bodies(file, lines, options, scene.bodies)) {
    std::ranges::fill(scene.bodies.velocity, Vec3{});
    assume_no_velocities(scene);
  }
  assume_equal_masses(scene);
  settle_ids(scene, false, false);
  if (const auto words = trimmed(comment); !words.empty())
    scene.notes.push_back(fmt::format("comment: {}", printable(words, 100)));
  scene.time = time_in(comment).value_or(static_cast<double>(options.snapshot));
  scene.source = "XYZ";
  return scene;
}

}  // namespace

const SnapshotFormat xyz_format{
    "xyz",     "XYZ: element, place and perhaps velocity", "", false, &recognizes_xyz, &read_xyz, nullptr,
    &count_xyz};

}  // namespace orrery::sim
