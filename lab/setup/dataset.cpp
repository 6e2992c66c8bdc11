#include "lab/setup/dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/free_memory.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"
#include "sim/engines/checkpoint_file.h"
#include "sim/galaxies/model.h"
#include "sim/scene/suggest.h"
#include "sim/snapshots/reader_process.h"

namespace orrery::lab {

namespace fs = std::filesystem;

sim::ReadOptions read_options(const DatasetRequest& request) {
  sim::ReadOptions options{.columns = request.columns};
  options.format = request.format;
  options.skip = static_cast<std::size_t>(request.skip);
  options.components = {request.only, request.without};
  options.filter = request.filter;
  options.units = request.units;
  options.recentre = request.recentre;
  options.group = request.group;
  return options;
}

namespace {

/// Neither a file nor a built-in galaxy.
[[noreturn]] void refuse_unknown(const std::string& source) {
  auto names = sim::listed_names(sim::galaxy_models());
  if (const auto file = sim::nearest_file(source); !file.empty()) names.push_back(file.string());
  const auto meant = sim::did_you_mean(source, names);
  if (!meant.empty())
    throw sim::UsageError(
        fmt::format("there is no file or built-in galaxy {}{}", sim::quoted(source), meant));
  constexpr std::size_t told = 4;
  throw sim::UsageError(fmt::format(
      "there is no file {}, and no built-in galaxy of that name ({} and {} more: `orrery make --list`)",
      sim::quoted(source), fmt::join(std::span(names).first(told), ", "), names.size() - told));
}

[[noreturn]] void refuse_missing(const std::string& source) {
  const bool looks_like_path = source.find_first_of("/.") != std::string::npos;
  if (!looks_like_path) refuse_unknown(source);
  const auto near = sim::nearest_file(source);
  throw sim::UsageError(fmt::format("there is no file {}; {}", sim::quoted(source),
                                    near.empty() ? std::string("check the name and the folder")
                                                 : "did you mean " + sim::quoted(near) + "?"));
}

/// The bodies in main memory, one copy while they are put together, and what engine and picture keep.
constexpr double bytes_per_body = 150.0;

void check_memory(std::size_t bodies, std::uint32_t galaxies) {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  const double needed = bytes_per_body * static_cast<double>(bodies) * static_cast<double>(galaxies);
  const double free = sim::free_memory();
  if (needed <= free) return;
  throw sim::UsageError(
      fmt::format("{} x {} bodies need about {:.1f} GiB of memory, and {:.1f} GiB are free; ask for fewer",
                  galaxies, bodies, needed / gibibyte, free / gibibyte));
}

void copy_galaxies(sim::Scene& scene, std::uint32_t copies) {
  if (copies <= 1) return;
  check_memory(scene.bodies.size(), copies);
  scene.bodies = sim::repeat_galaxies(scene.bodies, copies);
  sim::repeat(scene.names, copies);
  sim::repeat(scene.radii, copies);
  scene.notes.push_back(fmt::format("{} independent copies of the same bodies", copies));
}

/// Keeps the requested components of a built-in galaxy; its physics stays.
void keep_wanted(sim::Scene& scene, const sim::ComponentSet& wanted) {
  const auto there = sim::component_names(scene.bodies);
  sim::keep_components(scene, wanted);
  if (scene.bodies.empty())
    throw sim::UsageError(
        fmt::format("no body of '{}' is of a component asked for; it has {}", scene.title, there));
}

/// The snapshots that a request names. The content of a single file is inspected only if one of its snapshots
/// is named.
std::vector<sim::SnapshotPlace> places_of(const DatasetRequest& request) {
  if (!request.snapshot && !sim::names_many_files(request.source)) return {{request.source}};
  return sim::list_snapshots(request.source, read_options(request));
}

const sim::SnapshotPlace& wanted_place(const std::vector<sim::SnapshotPlace>& places,
                                       const DatasetRequest& request) {
  const auto n = request.snapshot.value_or(0);
  if (n < places.size()) return places[n];
  throw sim::UsageError(fmt::format("{} has {}, so there is no snapshot {}", sim::quoted(request.source),
                                    sim::counted(places.size(), "snapshot", "snapshots"), n + 1));
}

/// Names and remarks of a file are shown on terminals.
void clean_texts(sim::Scene& scene) {
  scene.title = sim::one_line(scene.title);
  scene.source = sim::one_line(scene.source);
  for (auto& name : scene.names) name = sim::one_line(name);
  for (auto& note : scene.notes) note = sim::one_line(note);
}

/// Adds what the file names of a series tell.
void note_series(sim::Scene& scene, const std::vector<sim::SnapshotPlace>& places) {
  if (places.size() < 2) return;
  const auto gaps = sim::describe_gaps(places);
  scene.notes.push_back(sim::one_line(fmt::format(
      "a series of {} snapshots, {} to {}{}", places.size(), places.front().file.filename().string(),
      places.back().file.filename().string(), gaps.empty() ? std::string() : "; " + gaps)));
}

/// Without `suggest` a file that states no physics has none.
sim::Scene load_file(const DatasetRequest& request, sim::LoadProgress* progress, bool suggest) {
  if (request.bodies) {
    throw sim::UsageError(
        fmt::format("--bodies is for built-in galaxies; '{}' has its own number", request.source));
  }
  auto options = read_options(request);
  options.progress = progress;
  options.suggest = suggest;
  const auto places = places_of(request);
  const auto& place = wanted_place(places, request);
  options.snapshot = place.number;
  auto scene = sim::read_snapshot_apart(place.file, options);
  clean_texts(scene);
  if (sim::names_many_files(request.source)) note_series(scene, places);
  if (!request.columns.empty() && !scene.source.starts_with("text table"))
    scene.notes.emplace_back("columns is for text files; ignored");
  if (request.skip > 0 && !scene.source.starts_with("text table"))
    scene.notes.emplace_back("skip is for text files; ignored");
  if (!request.group.empty() && !scene.source.starts_with("HDF5") && !scene.source.starts_with("FITS"))
    scene.notes.emplace_back("group is for HDF5 and FITS; ignored");
  copy_galaxies(scene, request.galaxies);
  return scene;
}

/// Bodies that nobody feels after the others, where forces leave them out. The readers of files name them.
sim::Scene with_tracers_last(sim::Scene scene) {
  sim::put_tracers_last(scene);
  return scene;
}

bool can_be_series(const DatasetRequest& request) {
  return is_file(request) && !request.snapshot && request.with.empty() && request.galaxies <= 1;
}

sim::Scene make_built_in(const DatasetRequest& request, sim::LoadProgress* progress) {
  const auto* model = built_in_model(request);
  const auto name = model->name;
  const auto bodies = request.bodies.value_or(model->default_bodies);
  if (bodies <= model->maximum_bodies) check_memory(bodies, request.galaxies);
  const sim::ComponentSet wanted(request.only, request.without);
  if (request.recentre && request.with.empty())
    throw sim::UsageError(fmt::format("recentre is for files: '{}' has no periodic box", name));
  if (!request.units.empty() && request.with.empty())
    throw sim::UsageError(fmt::format("--units is for files: '{}' states its own", name));
  auto scene = sim::make_galaxies(
      name, {.bodies = request.bodies.value_or(0), .seed = request.seed, .progress = progress},
      request.galaxies);
  keep_wanted(scene, wanted);
  sim::apply_filter(scene, request.filter);
  return scene;
}

void refuse_checkpoint(const std::string& source) {
  if (!sim::looks_like_checkpoint(source)) return;
  throw sim::Error(
      fmt::format("{0} is a checkpoint: orrery render --resume {0} goes on with it, and --write-state FILE "
                  "writes its bodies",
                  sim::quoted(source)));
}

/// One of several. In `with` a bare name of a built-in galaxy is never a file: what a state names must not
/// depend on the folder where it is opened.
DatasetRequest part_of(DatasetRequest request, std::size_t n) {
  if (n > 0) {
    request.source = request.with[n - 1];
    request.built_in = sim::find_galaxy_model(request.source) != nullptr;
    request.seed += n;
  }
  request.galaxies = 1;
  return request;
}

sim::Scene load_part(DatasetRequest request, sim::LoadProgress* progress) {
  require_dataset(request);
  if (!is_file(request)) {
    auto scene = make_built_in(request, progress);
    scene.states_physics = true;
    return scene;
  }
  request.bodies.reset();
  return load_file(request, progress, false);
}

/// Why these parts cannot be one scene; empty if they can.
std::string parts_problem(const DatasetRequest& request) {
  constexpr std::size_t most_parts = 64;
  const auto parts = request.with.size() + 1;
  if (parts > most_parts)
    return fmt::format("{} datasets in one scene are too many; at most {} can be", parts, most_parts);
  const bool placed = request.offsets.size() == parts || (parts == 1 && request.offsets.empty());
  return placed ? std::string() : "as many offsets as datasets are needed";
}

/// All built-in galaxies together, before the first is made: each may fit alone.
void check_memory_of_parts(const DatasetRequest& request) {
  std::size_t bodies = 0;
  for (std::size_t n = 0; n <= request.with.size(); ++n)
    if (const auto* model = built_in_model(part_of(request, n)))
      bodies += std::min(request.bodies.value_or(model->default_bodies), model->maximum_bodies);
  check_memory(bodies, request.galaxies);
}

/// The first one's physics is that of all, where it says it.
sim::Scene load_together(const DatasetRequest& request, sim::LoadProgress* progress) {
  if (const auto problem = parts_problem(request); !problem.empty()) throw sim::UsageError(problem);
  check_memory_of_parts(request);
  std::vector<sim::Scene> parts;
  for (std::size_t n = 0; n < request.offsets.size(); ++n)
    parts.push_back(load_part(part_of(request, n), progress));
  sim::share_scale(parts);
  auto scene = std::move(parts.front());
  sim::place(scene, request.offsets.front());
  for (std::size_t n = 1; n < request.offsets.size(); ++n) {
    auto next = std::move(parts[n]);
    const auto& offset = request.offsets[n];
    // Offsets are in the units of the scene.
    sim::match_units(scene, next);
    if (offset.thrown) sim::place(next, sim::thrown_at(scene, next));
    sim::place(next, offset);
    sim::join(scene, std::move(next));
  }
  if (!scene.states_physics) sim::suggest_parameters(scene);
  copy_galaxies(scene, request.galaxies);
  return scene;
}

/// With a slash: without one it could be a built-in galaxy.
std::string kept_name(const std::string& source, const FileName& name) {
  if (sim::find_galaxy_model(source) != nullptr) return source;
  const auto kept = name(source);
  return kept.find('/') == std::string::npos ? "./" + kept : kept;
}

nlohmann::json to_json(const sim::BodyFilter& filter) {
  auto json = nlohmann::json::object();
  if (filter.box) json["box"] = *filter.box;
  if (filter.radius) json["radius"] = *filter.radius;
  if (filter.nearest > 0) json["nearest"] = filter.nearest;
  if (filter.centre) json["centre"] = {filter.centre->x, filter.centre->y, filter.centre->z};
  if (filter.every_nth > 1) json["every-nth"] = filter.every_nth;
  return json;
}

void add_places(nlohmann::json& json, const DatasetRequest& request, const FileName& name) {
  if (request.snapshot) json["snapshot"] = *request.snapshot;
  if (!request.filter.takes_all()) json["filter"] = to_json(request.filter);
  for (const auto& source : request.with) json["with"].push_back(kept_name(source, name));
  for (const auto& offset : request.offsets) json["offsets"].push_back(sim::to_string(offset));
}

/// A whole number of a state; JSON would turn -1 into a very large one.
std::uint64_t whole(const nlohmann::json& json, const char* name, std::uint64_t otherwise,
                    std::uint64_t most) {
  if (!json.contains(name)) return otherwise;
  const auto& value = json.at(name);
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= most) return value.get<std::uint64_t>();
  throw sim::Error(fmt::format("the state's '{}' must be a whole number up to {}, not {}", name, most,
                               sim::json_text(value)));
}

sim::BodyFilter filter_from_json(const nlohmann::json& json) {
  sim::BodyFilter filter;
  if (json.contains("box")) filter.box = json.at("box").get<std::array<double, 6>>();
  if (json.contains("radius")) filter.radius = json.at("radius").get<double>();
  if (json.contains("centre")) {
    const auto centre = json.at("centre").get<std::array<double, 3>>();
    filter.centre = {centre[0], centre[1], centre[2]};
  }
  filter.nearest = whole(json, "nearest", 0, std::numeric_limits<std::uint64_t>::max());
  filter.every_nth =
      std::max<std::uint64_t>(whole(json, "every-nth", 1, std::numeric_limits<std::uint64_t>::max()), 1);
  return filter;
}

void read_places(const nlohmann::json& json, DatasetRequest& request) {
  if (json.contains("snapshot"))
    request.snapshot = whole(json, "snapshot", 0, std::numeric_limits<std::uint32_t>::max());
  if (json.contains("filter")) request.filter = filter_from_json(json.at("filter"));
  if (json.contains("with")) request.with = json.at("with").get<std::vector<std::string>>();
  for (const auto& offset : json.value("offsets", std::vector<std::string>()))
    request.offsets.push_back(sim::parse_placement(offset));
}

}  // namespace

bool is_file(const DatasetRequest& request) {
  // A path with a slash is always meant as a file; a bare name prefers the file, if there is one.
  if (request.source.empty() || request.built_in) return false;
  if (request.source.find('/') != std::string::npos) return true;
  if (sim::find_galaxy_model(request.source) == nullptr) return true;
  std::error_code failure;
  const auto status = fs::status(request.source, failure);
  return fs::exists(status) && !fs::is_directory(status);
}

std::vector<sim::SnapshotPlace> series_of(const DatasetRequest& request, const sim::Scene& loaded) {
  if (!can_be_series(request)) return {};
  if (sim::names_many_files(request.source)) return series_of(request);
  std::vector<sim::SnapshotPlace> places;
  for (std::size_t n = 0; loaded.snapshots > 1 && n < loaded.snapshots; ++n)
    places.push_back({request.source, n});
  return places;
}

std::vector<sim::SnapshotPlace> series_of(const DatasetRequest& request) {
  if (!can_be_series(request)) return {};
  auto places = sim::list_snapshots(request.source, read_options(request));
  if (places.size() < 2) places.clear();
  return places;
}

const sim::GalaxyModel* built_in_model(const DatasetRequest& request) {
  if (is_file(request)) return nullptr;
  return request.source.empty() ? sim::galaxy_models().front() : sim::find_galaxy_model(request.source);
}

void require_dataset(const DatasetRequest& request) {
  if (is_file(request)) {
    if (sim::names_many_files(request.source)) {
      sim::list_snapshots(request.source);
      return;
    }
    // Where the system cannot tell (a folder without permission), the reader says why.
    std::error_code failure;
    if (!fs::exists(request.source, failure) && !failure) refuse_missing(request.source);
  } else if (built_in_model(request) == nullptr) {
    refuse_unknown(request.source);
  }
}

sim::Scene load_dataset(const DatasetRequest& request, sim::LoadProgress* progress) {
  if (is_file(request)) refuse_checkpoint(request.source);
  if (!request.with.empty()) return with_tracers_last(load_together(request, progress));
  require_dataset(request);
  return is_file(request) ? with_tracers_last(load_file(request, progress, true))
                          : make_built_in(request, progress);
}

std::string full_name(const std::string& source) { return fs::absolute(source).lexically_normal().string(); }

nlohmann::json to_json(const DatasetRequest& request, const FileName& name) {
  nlohmann::json json{{"galaxies", request.galaxies}};
  add_places(json, request, name);
  if (!request.only.empty()) json["only"] = request.only;
  if (!request.without.empty()) json["without"] = request.without;
  if (is_file(request)) {
    json["file"] = name(request.source);
    if (!request.columns.empty()) json["columns"] = request.columns;
    if (request.skip > 0) json["skip"] = request.skip;
    if (request.recentre) json["recentre"] = true;
    if (!request.group.empty()) json["group"] = request.group;
    if (!request.format.empty()) json["format"] = request.format;
    if (!request.units.empty()) json["units"] = request.units;
    return json;
  }
  json["model"] = request.source.empty() ? std::string(sim::galaxy_models().front()->name) : request.source;
  json["seed"] = request.seed;
  if (request.bodies) json["bodies"] = *request.bodies;
  return json;
}

DatasetRequest dataset_request_from_json(const nlohmann::json& json) try {
  DatasetRequest request{.source = json.contains("file") ? json.at("file").get<std::string>()
                                                         : json.at("model").get<std::string>(),
                         .seed = whole(json, "seed", 1, std::numeric_limits<std::uint64_t>::max()),
                         .galaxies = static_cast<std::uint32_t>(whole(json, "galaxies", 1, most_galaxies)),
                         .columns = json.value("columns", std::string()),
                         .format = json.value("format", std::string()),
                         .units = json.value("units", std::string()),
                         .built_in = !json.contains("file"),
                         .only = json.value("only", std::string()),
                         .without = json.value("without", std::string())};
  request.recentre = json.value("recentre", false);
  request.group = json.value("group", std::string());
  if (json.contains("bodies"))
    request.bodies = whole(json, "bodies", 0, std::numeric_limits<std::uint32_t>::max());
  request.skip = whole(json, "skip", 0, std::numeric_limits<std::uint32_t>::max());
  read_places(json, request);
  if (const auto problem = parts_problem(request); !problem.empty())
    throw sim::Error("the state's dataset cannot be opened: " + problem);
  return request;
} catch (const nlohmann::json::exception&) {
  throw sim::Error(
      "the state's dataset entry is damaged: it needs 'file' or 'model'; use another state file");
}

}  // namespace orrery::lab
