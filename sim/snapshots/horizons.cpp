#include <fmt/format.h>

#include <array>
#include <cmath>

#include "sim/core/message.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/foreign.h"
#include "sim/snapshots/rounding.h"
#include "sim/snapshots/text_table.h"
#include "snapshot_formats.h"

// Tables of state vectors of one body from JPL Horizons. docs/formats.md has the rules.

namespace orrery::sim {

namespace {

constexpr std::string_view begin_mark = "$$SOE", end_mark = "$$EOE";

bool recognizes_horizons(const FileView& file) {
  // What is known of the body stands before the table, some kilobytes.
  constexpr std::size_t most_before = 65536;
  return is_plain_text(file.bytes) &&
         text_of(file.bytes).substr(0, most_before).find(begin_mark) != std::string_view::npos;
}

/// The lines between the marks.
std::string_view table_of(const FileView& file) {
  const auto text = text_of(file.bytes);
  const auto begin = text.find(begin_mark);
  if (begin == std::string_view::npos) cannot_read(file.path, "it has no table of Horizons ($$SOE)");
  const auto rest = text.substr(begin + begin_mark.size());
  const auto end = rest.find(end_mark);
  if (end == std::string_view::npos)
    cannot_read(file.path, "its table of Horizons has no end ($$EOE); copy it again");
  return rest.substr(0, end);
}

/// "Target body name: Earth (399)" without the number.
std::string target_of(std::string_view text) {
  constexpr std::string_view label = "Target body name:";
  const auto at = text.find(label);
  if (at == std::string_view::npos) return {};
  const auto rest = text.substr(at + label.size());
  return std::string(trimmed(rest.substr(0, rest.find_first_of("({\n"))));
}

/// Day, date, then six numbers, each followed by a comma.
std::optional<std::array<double, 7>> numbers_of(std::string_view line) {
  Fields fields;
  split_fields(line, Separator::comma, fields);
  std::array<double, 7> numbers{};
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto value = fields.size() < 8 ? std::nullopt : parse_number(fields[k == 0 ? 0 : k + 1]);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    numbers.at(k) = *value;
  }
  return numbers;
}

Scene read_horizons(const FileView& file, const ReadOptions& options) {
  TextLines lines(table_of(file));
  std::array<double, 7> numbers{};
  std::size_t rows = 0;
  for (std::string_view line; lines.next(line);) {
    if (trimmed(line).empty()) continue;
    const auto row = numbers_of(line);
    if (!row)
      cannot_read(
          file.path,
          "its table of Horizons is no list of vectors in CSV (type 2); ask for it with csv_format=YES");
    if (rows++ == 0) numbers = *row;
  }
  if (rows == 0) cannot_read(file.path, "its table of Horizons is empty");
  Scene scene;
  auto& bodies = scene.bodies;
  bodies.resize(1);
  const Rounding rounding(options);
  bodies.origin = rounding.origin();
  bodies.position[0] = rounding.place({numbers[1], numbers[2], numbers[3]});
  bodies.velocity[0] = rounding.velocity({numbers[4], numbers[5], numbers[6]});
  assume_equal_masses(scene);
  if (auto name = target_of(text_of(file.bytes)); !name.empty()) {
    scene.title = readable(name, 80);
    scene.names = {readable(name, 80)};
    scene.radii = {0.0};
  }
  scene.notes.push_back(fmt::format("one body at Julian day {:.1f}, in the table's own units", numbers[0]));
  if (rows > 1) scene.notes.push_back(fmt::format("the table has {} times: the first is shown", rows));
  scene.source = "Horizons vectors";
  return scene;
}

}  // namespace

const SnapshotFormat horizons_format{.name = "horizons",
                                     .meaning = "state vectors of one body from JPL Horizons",
                                     .recognizes = &recognizes_horizons,
                                     .read = &read_horizons};

}  // namespace orrery::sim
