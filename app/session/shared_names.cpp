#include "app/session/shared_names.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "app/picture/png_file.h"
#include "app/session/free_folder.h"
#include "app/session/known_datasets.h"
#include "app/session/state_file.h"
#include "lab/setup/paths.h"
#include "sim/core/json_text.h"
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

std::string state_text(const ViewState& state, const fs::path& file, int indent) {
  return sim::dump_json(shared_state(state, file), indent);
}

std::vector<render::PngText> picture_text(const ViewState& state, const fs::path& file) {
  return {{"Software", "orrery " ORRERY_VERSION}, {state_keyword, state_text(state, file)}};
}

fs::path write_picture(const fs::path& path, const render::Image& image, const ViewState& state,
                       sim::Existing existing) {
  return write_png(path, image, picture_text(state, path), existing);
}

fs::path free_picture_name(const fs::path& folder, const std::string& title, std::uint64_t step) {
  lab::make_folder(folder);
  return lab::next_free_name(folder, fmt::format("{}-step{}", lab::file_stem(title), step), ".png");
}

}  // namespace orrery::app
