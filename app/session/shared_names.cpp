#include "app/session/shared_names.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "app/session/free_folder.h"
#include "app/session/known_datasets.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace fs = std::filesystem;

std::string shared_name(const fs::path& file, const fs::path& folder) {
  const auto target = real_path(file);
  const auto here = folder.empty() ? fs::path() : real_path(folder);
  if (is_within(target, here) || (!here.empty() && is_within(here, target.parent_path())))
    return target.lexically_relative(here).string();
  return target.filename().string();
}

std::string name_in_scene(const lab::DatasetRequest& request) {
  const bool like_galaxy = sim::find_galaxy_model(request.source) != nullptr;
  return like_galaxy && lab::is_file(request) ? "./" + request.source : request.source;
}

namespace {

std::vector<std::string> files_of(const lab::DatasetRequest& request) {
  std::vector<std::string> files;
  if (lab::is_file(request)) files.push_back(request.source);
  for (const auto& other : request.with)
    if (sim::find_galaxy_model(other) == nullptr) files.push_back(other);
  return files;
}

}  // namespace

void remember_files(const ViewState& state) {
  // Those beside the picture too: it may be moved without them.
  if (const auto files = files_of(state.dataset); !files.empty()) remember_dataset(state.dataset_hash, files);
}

nlohmann::json shared_state(const ViewState& state, const fs::path& file) {
  remember_files(state);
  const auto folder = file.empty() ? fs::path() : folder_of(file);
  return to_json(state, [&](const std::string& each) { return shared_name(each, folder); });
}

}  // namespace orrery::app
