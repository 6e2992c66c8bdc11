#include "app/session/state.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/session/camera_file.h"
#include "app/session/state_file.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"

namespace orrery::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int state_version = 1;
/// {"1": {...}, "4": {...}}
json bookmarks_json(const Bookmarks& bookmarks) {
  auto entry = json::object();
  for (std::size_t i = 0; i < bookmarks.size(); ++i)
    if (bookmarks[i]) entry[std::to_string(i + 1)] = to_json(*bookmarks[i]);
  return entry;
}

Bookmarks bookmarks_from_json(const json& entry) {
  Bookmarks bookmarks;
  for (std::size_t i = 0; i < bookmarks.size(); ++i)
    if (const auto found = entry.find(std::to_string(i + 1)); found != entry.end())
      bookmarks[i] = camera_from_json(*found);
  return bookmarks;
}

/// A state from a stranger can have hundreds of thousands of unknown options: a line for each would flood the
/// log.
std::vector<std::string> first_few(std::vector<std::string> notes) {
  constexpr std::size_t most = 20;
  if (notes.size() <= most) return notes;
  const auto more = notes.size() - most;
  notes.resize(most);
  notes.push_back(fmt::format("{} more options of the state were left out", more));
  return notes;
}

/// The version that wrote a state, as far as it says so.
std::string written_by(const json& entry) {
  const auto version = entry.find("version");
  return version != entry.end() && version->is_string() ? version->get<std::string>() : "unknown";
}

}  // namespace

json to_json(const ViewState& state, const lab::FileName& name) {
  auto dataset = to_json(state.dataset, name);
  dataset["hash"] = state.dataset_hash;
  json entry = {{"program", "orrery"},
                {"version", ORRERY_VERSION},
                {"state_version", state_version},
                {"dataset", std::move(dataset)},
                {"time", state.time},
                {"step", state.step},
                {"exact_replay", state.exact_replay},
                {"camera", to_json(state.camera)},
                {"options", sim::to_json(state.configuration)}};
  if (!state.path.empty()) entry["path"] = to_json(state.path);
  if (state.bookmarks != Bookmarks{}) entry["bookmarks"] = bookmarks_json(state.bookmarks);
  if (!state.force_problem.empty()) entry["force_problem"] = state.force_problem;
  return entry;
}

ViewState view_state_from_json(const sim::OptionTable& table, const json& entry) try {
  if (entry.contains("step") && !entry.at("step").is_number_unsigned())
    throw sim::Error("the state's step must be a whole number");
  // Compared as it is: any number may stand there.
  if (!entry.contains("state_version") || entry.at("state_version") != state_version) {
    throw sim::Error(
        fmt::format("the state is of another version of the program ({}; this is {}); open it with that one",
                    sim::printable(written_by(entry), 40), ORRERY_VERSION));
  }
  ViewState state{.dataset = lab::dataset_request_from_json(entry.at("dataset")),
                  .dataset_hash = entry.at("dataset").value("hash", std::string()),
                  .time = entry.value("time", 0.0),
                  .step = entry.value("step", std::uint64_t{0}),
                  .exact_replay = entry.value("exact_replay", true),
                  .camera = camera_from_json(entry.at("camera")),
                  .configuration = table.defaults()};
  if (entry.contains("path")) state.path = path_from_json(entry.at("path"));
  if (entry.contains("bookmarks")) state.bookmarks = bookmarks_from_json(entry.at("bookmarks"));
  state.notes = first_few(table.assign_json(state.configuration, entry.at("options")));
  state.force_problem = entry.value("force_problem", std::string());
  if (!state.force_problem.empty())
    state.notes.push_back(
        fmt::format("the run of this state says: {}", sim::printable(state.force_problem, 400)));
  for (auto& note : state.notes) note = sim::one_line(note);
  return state;
} catch (const json::exception& error) {
  throw sim::Error(
      fmt::format("the state is damaged ({}); use another picture or state file", sim::json_problem(error)));
}

ViewState read_view_state(const sim::OptionTable& table, const fs::path& path) try {
  const auto entry = sim::json_in(read_state_text(path));
  if (!entry.is_object()) throw sim::Error("it is neither a picture made by orrery nor a state file");
  return view_state_from_json(table, entry);
} catch (const sim::UsageError&) {
  throw;
} catch (const std::runtime_error& error) {
  throw sim::Error(fmt::format("cannot use the state '{}': {}", path.string(), error.what()));
}

bool names_state(const lab::DatasetRequest& request) {
  return request.format.empty() && lab::is_file(request) && looks_like_state(request.source);
}

void require_plain_dataset(const lab::DatasetRequest& request) {
  if (request == lab::DatasetRequest{.source = request.source}) return;
  throw sim::UsageError(
      fmt::format("{} is a state: it says its dataset; leave out --bodies, --galaxies, --seed, --offset and "
                  "what --set says "
                  "of the file (columns, units, only, ...)",
                  sim::quoted(request.source)));
}

}  // namespace orrery::app
