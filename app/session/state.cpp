#include "app/session/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/picture/png_file.h"
#include "app/session/camera_file.h"
#include "app/session/path_file.h"
#include "app/session/shared_names.h"
#include "lab/setup/paths.h"
#include "render/error.h"
#include "render/picture/light_file.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"
#include "sim/core/plain_text.h"
#include "sim/core/spelling.h"
#include "sim/core/text_file.h"

namespace orrery::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int state_version = 1;
/// Ours have some kilobytes. The window stands still while one is read.
constexpr std::size_t largest_state = std::size_t{4} << 20U;
constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";
constexpr std::string_view exr_signature = "\x76\x2f\x31\x01";

std::string first_bytes(const fs::path& path, std::size_t count) {
  std::error_code failure;
  // A pipe would be waited for.
  if (!fs::is_regular_file(path, failure)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return bytes;
}

/// A name that is not there is a mistake in the command, as that of a dataset is.
void require_file(const fs::path& path) {
  std::error_code failure;
  if (fs::exists(path, failure) || failure) return;
  const auto near = sim::nearest_file(path);
  throw sim::UsageError(fmt::format("there is no file {}; {}", sim::quoted(path),
                                    near.empty() ? std::string("check the name and the folder")
                                                 : "did you mean " + sim::quoted(near) + "?"));
}

}  // namespace

namespace {

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

std::string state_text(const ViewState& state, const fs::path& file, int indent) {
  return sim::dump_json(shared_state(state, file), indent);
}

namespace {

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

namespace {

[[noreturn]] void refuse_large() {
  throw sim::Error("the state is larger than 4 MiB; orrery writes none of this size");
}

std::string text_in(const fs::path& path) {
  if (first_bytes(path, png_signature.size()) == png_signature) {
    if (auto text = render::read_png_text(path, state_keyword, largest_state)) return *std::move(text);
    throw sim::Error("the picture was not made by orrery and carries no state");
  }
  if (first_bytes(path, exr_signature.size()) == exr_signature) {
    for (auto& entry : render::read_light_file_text(path)) {
      if (entry.keyword == state_keyword) return std::move(entry.text);
    }
    throw sim::Error("the picture was not made by orrery and carries no state");
  }
  std::error_code failure;
  if (fs::file_size(path, failure) > largest_state && !failure) refuse_large();
  return sim::read_text_file(path);
}

}  // namespace

std::string read_state_text(const fs::path& path) {
  require_file(path);
  auto text = text_in(path);
  if (text.size() > largest_state) refuse_large();
  sim::require_shallow_json(text);
  return text;
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

namespace {

/// An object of JSON is text, and goes on with a name or ends. A number in a binary file may begin with '{'
/// too: the time 0.01 of a Tipsy file does.
bool begins_like_object(std::string_view bytes) {
  constexpr std::string_view blanks = " \t\r\n";
  const bool is_text = std::ranges::none_of(
      bytes, [&](char c) { return static_cast<unsigned char>(c) < ' ' && blanks.find(c) == blanks.npos; });
  const auto brace = bytes.find_first_not_of(blanks);
  if (!is_text || brace == std::string_view::npos || bytes[brace] != '{') return false;
  const auto next = bytes.find_first_not_of(blanks, brace + 1);
  return next == std::string_view::npos || bytes[next] == '"' || bytes[next] == '}';
}

}  // namespace

bool looks_like_state(const fs::path& path) {
  const auto bytes = first_bytes(path, 64);
  return bytes.starts_with(png_signature) || bytes.starts_with(exr_signature) || begins_like_object(bytes);
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
