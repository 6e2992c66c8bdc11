#include "app/session/shared_names.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/picture/png_file.h"
#include "app/session/free_folder.h"
#include "app/session/state_file.h"
#include "lab/setup/paths.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/text_file.h"
#include "sim/galaxies/model.h"
#include "sim/series/snapshot_list.h"

namespace orrery::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t most_datasets = 500;

struct KnownDataset {
  std::string hash;                ///< empty: of a series
  std::vector<std::string> files;  ///< full paths

  friend bool operator==(const KnownDataset&, const KnownDataset&) = default;
};

fs::path list_file() {
  const auto folder = lab::settings_folder();
  return folder.empty() ? folder : folder / "datasets.json";
}

/// A list that cannot be read is begun anew.
std::vector<KnownDataset> read_list() try {
  std::error_code failure;
  if (list_file().empty() || !fs::exists(list_file(), failure)) return {};
  const auto content = sim::json_in(sim::read_text_file(list_file()));
  std::vector<KnownDataset> list;
  for (const auto& entry : content.at("datasets"))
    list.push_back({entry.at("hash").get<std::string>(), entry.at("files").get<std::vector<std::string>>()});
  return list;
} catch (const json::exception&) {
  return {};
} catch (const sim::Error&) {
  return {};
}

void write_list(const std::vector<KnownDataset>& list) {
  auto entries = json::array();
  for (const auto& known : list) entries.push_back({{"hash", known.hash}, {"files", known.files}});
  lab::make_folder(list_file().parent_path());
  // A name that is no UTF-8 is not found again.
  sim::write_file(list_file(), sim::dump_json(json{{"datasets", entries}}, 1) + "\n");
}

fs::path newest(const fs::path& name, const std::function<bool(const KnownDataset&)>& fits) {
  for (const auto& known : read_list()) {
    if (!fits(known)) continue;
    for (const fs::path file : known.files)
      if (file.is_absolute() && file.filename() == name && is_there(file)) return file;
  }
  return {};
}

std::vector<std::string> files_of(const lab::DatasetRequest& request) {
  std::vector<std::string> files;
  if (lab::is_file(request)) files.push_back(request.source);
  for (const auto& other : request.with)
    if (sim::find_galaxy_model(other) == nullptr) files.push_back(other);
  return files;
}

}  // namespace

bool is_there(const fs::path& file) {
  std::error_code failure;
  const auto status = fs::status(file, failure);
  return fs::is_regular_file(status) || fs::is_directory(status) ||
         (!fs::exists(status) && sim::names_many_files(file));
}

bool can_remember_datasets() {
  std::error_code failure;
  auto folder = lab::settings_folder();
  while (folder.has_relative_path() && !fs::exists(folder, failure)) folder = folder.parent_path();
  return fs::is_directory(folder, failure) && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

void remember_dataset(const std::string& hash, const std::vector<std::string>& files) try {
  if (list_file().empty()) return;
  KnownDataset dataset{.hash = hash, .files = {}};
  for (const auto& file : files) {
    std::error_code failure;
    const auto given = plain_path(fs::absolute(file, failure));
    dataset.files.push_back(given.string());
    if (const auto real = real_path(file); real != given) dataset.files.push_back(real.string());
  }
  lab::make_folder(list_file().parent_path());
  const lab::FolderLock lock(list_file().parent_path());
  auto list = read_list();
  if (!list.empty() && list.front() == dataset) return;
  std::erase(list, dataset);
  list.insert(list.begin(), std::move(dataset));
  list.resize(std::min(list.size(), most_datasets));
  write_list(list);
} catch (const sim::Error&) {
  // Without the list the file has to be named when the picture is opened from elsewhere.
}

fs::path known_file(const std::string& hash, const fs::path& name) {
  if (hash.empty()) return {};
  return newest(name, [&](const KnownDataset& known) { return known.hash == hash; });
}

fs::path known_file(const fs::path& name) {
  return newest(name, [](const KnownDataset&) { return true; });
}

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
