// The readers of snapshots, each by its name so that no other one takes the bytes.
#include <cstdlib>
#include <utility>

#include "sim/core/error.h"
#include "sim/snapshots/format.h"
#include "tests/fuzz/fuzz_target.h"

namespace orrery::fuzz {

namespace {

/// The promises of every reader for files that it accepts.
void require_sense(const sim::Scene& scene) {
  if (scene.bodies.empty() || scene.bodies.mass.size() != scene.bodies.size()) std::abort();
  if (scene.bodies.galaxies().empty()) std::abort();
}

void read_as(std::string_view format, std::span<const std::byte> input) {
  if (input.empty()) return;
  const InputFile file(input);
  read_or_refuse<sim::Error>(
      [&] { require_sense(sim::read_snapshot(file.path(), {.format = std::string(format)})); });
}

/// One of all formats; a template, because a target is a plain function.
template <std::size_t K>
void read_format(std::span<const std::byte> input) {
  read_as(sim::snapshot_formats()[K]->name, input);
}

/// Whatever it is: by content, packed or not, one of several, with named columns.
void read_any(std::span<const std::byte> input) {
  if (input.empty()) return;
  const InputFile file(input);
  const auto snapshots = sim::count_snapshots(file.path());
  read_or_refuse<sim::Error>(
      [&] { require_sense(sim::read_snapshot(file.path(), {.snapshot = snapshots - 1})); });
  read_or_refuse<sim::Error>(
      [&] { require_sense(sim::read_snapshot(file.path(), {.columns = "mass,x,y,z,-,vx"})); });
}

template <std::size_t... K>
void add_formats(std::vector<Target>& all, std::index_sequence<K...>) {
  const auto formats = sim::snapshot_formats();
  const auto add = [&](std::size_t k, void (*run)(std::span<const std::byte>)) {
    if (k < formats.size()) all.push_back({formats[k]->name, formats[k]->meaning, run});
  };
  (add(K, read_format<K>), ...);
}

}  // namespace

void add_snapshot_targets(std::vector<Target>& all) {
  constexpr std::size_t most = 32;
  if (sim::snapshot_formats().size() > most) std::abort();
  add_formats(all, std::make_index_sequence<most>());
  all.push_back({"snapshot", "a snapshot of any kind, by its content", read_any});
}

}  // namespace orrery::fuzz
