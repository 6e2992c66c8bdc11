#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/setup/dataset.h"
#include "render/picture/camera.h"
#include "render/picture/camera_path.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// Views that a person keeps under the keys 1 to 9.
using Bookmarks = std::array<std::optional<render::Camera>, 9>;

/// Everything needed to come back to a picture: kept in PNG text under the keyword "orrery" and in state
/// files.
struct ViewState {
  lab::DatasetRequest dataset;
  std::string dataset_hash;  ///< hash of the initial bodies
  double time = 0.0;         ///< simulated
  std::uint64_t step = 0;    ///< steps since the initial state; coming back repeats them
  /// False if options that can change a bit of the result were switched on the way: repeating the steps with
  /// the last options then gives a similar state, not the same.
  bool exact_replay = true;
  render::Camera camera;
  sim::Configuration configuration;
  render::CameraPath path;  ///< empty: none
  Bookmarks bookmarks;
  /// Not empty: the forces of the run exceeded what their kernel states, and what was done (sim::ErrorWatch).
  std::string force_problem;
  std::vector<std::string> notes;  ///< after reading: what was left out, and what the picture says of itself
};

/// All of a state, with the names that `name` gives to the files of its dataset.
nlohmann::json to_json(const ViewState& state, const lab::FileName& name = lab::full_name);
/// Options that the table does not know, or of wrong value, are left out with a note. Throws sim::Error.
ViewState view_state_from_json(const sim::OptionTable& table, const nlohmann::json& json);

/// Reads a state from a PNG made by this program or from a JSON file. The files of its dataset have the names
/// that the state gives them: dataset_search.h finds them. Throws sim::Error with one line, sim::UsageError
/// if there is no such file.
ViewState read_view_state(const sim::OptionTable& table, const std::filesystem::path& path);
/// True if the file that a request names looks like a state. False if the request gives a dataset's format.
bool names_state(const lab::DatasetRequest& request);
/// Throws sim::UsageError if the request of a state by its file's name asks for more: number of bodies,
/// galaxies, seed, columns, format. A state says these itself.
void require_plain_dataset(const lab::DatasetRequest& request);

}  // namespace orrery::app
