// States, pictures that hold one, camera paths, demonstrations.
#include <nlohmann/json.hpp>
#include <vector>

#include "app/live/demo.h"
#include "app/picture/display_options.h"
#include "app/session/camera_file.h"
#include "app/session/checkpoint.h"
#include "app/session/dataset_search.h"
#include "app/session/state.h"
#include "app/session/state_file.h"
#include "render/error.h"
#include "render/picture/image.h"
#include "render/picture/light_file.h"
#include "sim/core/byte_order.h"
#include "sim/core/error.h"
#include "sim/core/hash.h"
#include "tests/fuzz/fuzz_target.h"

namespace orrery::fuzz {

namespace {

const sim::OptionTable& option_table() {
  static const auto table = app::all_options();
  return table;
}

void read_state(std::span<const std::byte> input) {
  const InputFile file(input);
  app::looks_like_state(file.path());
  read_or_refuse<sim::Error>([&] {
    const auto state = app::read_view_state(option_table(), file.path());
    for (const auto& note : state.notes) require_one_line(note);
    app::to_json(state).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    app::search_dataset(state.dataset, state.dataset_hash, file.path());
  });
}

void read_camera_path(std::span<const std::byte> input) {
  const InputFile file(input);
  read_or_refuse<sim::Error>([&] { app::read_path(file.path()); });
}

/// The input with the checksum that it needs to be looked at.
void read_a_checkpoint(std::span<const std::byte> input) {
  std::vector<std::byte> bytes(input.begin(), input.end());
  bytes.resize(bytes.size() / sizeof(std::uint64_t) * sizeof(std::uint64_t));
  sim::Fnv1a<std::uint64_t> hash;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t))
    hash.add_word(sim::load<std::uint64_t>(bytes.data() + at, false));
  bytes.resize(bytes.size() + sizeof(std::uint64_t));
  sim::store(hash.value(), false, bytes.data() + bytes.size() - sizeof(std::uint64_t));
  const InputFile file(bytes);
  read_or_refuse<sim::Error>([&] { app::read_checkpoint(option_table(), file.path()); });
}

void read_demonstration(std::span<const std::byte> input) {
  const InputFile file(input);
  read_or_refuse<sim::Error>([&] { app::read_demo(option_table(), file.path()); });
}

void read_png(std::span<const std::byte> input) {
  const InputFile file(input);
  read_or_refuse<render::Error>([&] { render::read_png_text(file.path(), "orrery", std::size_t{4} << 20U); });
}

void read_light(std::span<const std::byte> input) {
  const InputFile file(input);
  read_or_refuse<render::Error>([&] { render::read_light_file_text(file.path()); });
}

}  // namespace

void add_state_targets(std::vector<Target>& all) {
  all.push_back({"state", "a state file, or a picture with a state", read_state});
  all.push_back({"camera-path", "a camera path of a JSON file", read_camera_path});
  all.push_back({"checkpoint", "a checkpoint without its checksum", read_a_checkpoint});
  all.push_back({"demo", "a demonstration", read_demonstration});
  all.push_back({"png-text", "the texts of a PNG", read_png});
  all.push_back({"light-text", "the texts of a picture of linear light (OpenEXR)", read_light});
}

}  // namespace orrery::fuzz
