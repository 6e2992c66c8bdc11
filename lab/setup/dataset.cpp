#include "lab/setup/dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "lab/setup/machine.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/hash.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"
#include "sim/galaxies/model.h"
#include "sim/physics/sources.h"

namespace orrery::lab {

namespace fs = std::filesystem;

namespace {

/// Words instead of bytes: four times faster, as good for telling files apart.
template <typename T>
void add_words(sim::Fnv1a<std::uint64_t>& hash, const std::vector<T>& values) {
  static_assert(sizeof(T) % 4 == 0);
  const auto bytes = std::as_bytes(std::span(values));
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + i, 4);
    hash.add_word(word);
  }
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto* model : sim::galaxy_models()) names.emplace_back(model->name);
  return names;
}

/// Neither a file nor a built-in galaxy.
[[noreturn]] void refuse_unknown(const std::string& source) {
  auto names = model_names();
  if (const auto file = sim::nearest_file(source); !file.empty()) names.push_back(file.string());
  const auto meant = sim::did_you_mean(source, names);
  if (!meant.empty())
    throw sim::UsageError(
        fmt::format("there is no file or built-in galaxy {}{}", sim::quoted(source), meant));
  throw sim::UsageError(fmt::format("there is no file {}, and no built-in galaxy of that name (these are {})",
                                    sim::quoted(source), fmt::join(names, ", ")));
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
  const auto memory = static_cast<double>(this_machine().memory);
  if (memory == 0.0 || needed <= memory) return;
  throw sim::UsageError(fmt::format(
      "{} x {} bodies need about {:.0f} GiB of memory, and this machine has {:.1f}; ask for fewer", galaxies,
      bodies, needed / gibibyte, memory / gibibyte));
}

void copy_galaxies(sim::Scene& scene, std::uint32_t copies) {
  if (copies <= 1) return;
  check_memory(scene.bodies.size(), copies);
  scene.bodies = sim::repeat_galaxies(scene.bodies, copies);
  scene.notes.push_back(fmt::format("{} independent copies of the same bodies", copies));
}

/// Of a built-in galaxy, whose physics stays.
void keep_wanted(sim::Scene& scene, const sim::ComponentSet& wanted) {
  const auto before = scene.bodies.size();
  const auto there = sim::component_names(scene.bodies);
  sim::keep_components(scene.bodies, wanted);
  if (scene.bodies.empty())
    throw sim::UsageError(
        fmt::format("no body of '{}' is of a component asked for; it has {}", scene.title, there));
  if (scene.bodies.size() < before)
    scene.notes.push_back(fmt::format("{} of other components left out",
                                      sim::counted(before - scene.bodies.size(), "body is", "bodies are")));
}

sim::Scene load_file(const DatasetRequest& request, sim::LoadProgress* progress) {
  if (request.bodies) {
    throw sim::UsageError(
        fmt::format("--bodies is for built-in galaxies; '{}' has its own number", request.source));
  }
  sim::ReadOptions options{.columns = request.columns, .progress = progress};
  options.format = request.format;
  options.components = {request.only, request.without};
  auto scene = sim::read_snapshot(request.source, options);
  if (!request.columns.empty() && !scene.source.starts_with("text table"))
    scene.notes.emplace_back("--columns is for text files; ignored");
  copy_galaxies(scene, request.galaxies);
  return scene;
}

/// Bodies that nobody feels behind the others, where forces leave them out.
sim::Scene with_tracers_last(sim::Scene scene) {
  if (const auto tracers = sim::put_tracers_last(scene.bodies); tracers > 0)
    scene.notes.push_back(
        fmt::format("{} without mass: moved, but not summed", sim::counted(tracers, "body", "bodies")));
  return scene;
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

void require_dataset(const DatasetRequest& request) {
  if (is_file(request)) {
    // Where the system cannot tell (a folder without permission), the reader says why.
    std::error_code failure;
    if (!fs::exists(request.source, failure) && !failure) refuse_missing(request.source);
  } else if (!request.source.empty() && sim::find_galaxy_model(request.source) == nullptr) {
    refuse_unknown(request.source);
  }
}

sim::Scene load_dataset(const DatasetRequest& request, sim::LoadProgress* progress) {
  require_dataset(request);
  if (is_file(request)) return with_tracers_last(load_file(request, progress));
  const auto name =
      request.source.empty() ? sim::galaxy_models().front()->name : std::string_view(request.source);
  const auto* model = sim::find_galaxy_model(name);
  const auto bodies = request.bodies.value_or(model->default_bodies);
  if (bodies <= model->maximum_bodies) check_memory(bodies, request.galaxies);
  const sim::ComponentSet wanted(request.only, request.without);
  auto scene = sim::make_galaxies(
      name, {.bodies = request.bodies.value_or(0), .seed = request.seed, .progress = progress},
      request.galaxies);
  keep_wanted(scene, wanted);
  return scene;
}

std::string dataset_hash(const sim::Bodies& bodies) {
  sim::Fnv1a<std::uint64_t> hash;
  add_words(hash, bodies.position);
  add_words(hash, bodies.velocity);
  add_words(hash, bodies.mass);
  return fmt::format("{:016x}", hash.value());
}

nlohmann::json to_json(const DatasetRequest& request) {
  nlohmann::json json{{"galaxies", request.galaxies}};
  if (!request.only.empty()) json["only"] = request.only;
  if (!request.without.empty()) json["without"] = request.without;
  if (is_file(request)) {
    json["file"] = fs::absolute(request.source).lexically_normal().string();
    if (!request.columns.empty()) json["columns"] = request.columns;
    if (!request.format.empty()) json["format"] = request.format;
    return json;
  }
  json["model"] = request.source.empty() ? std::string(sim::galaxy_models().front()->name) : request.source;
  json["seed"] = request.seed;
  if (request.bodies) json["bodies"] = *request.bodies;
  return json;
}

namespace {

/// A whole number of a state; JSON would turn -1 into a very large one.
std::uint64_t whole(const nlohmann::json& json, const char* name, std::uint64_t otherwise,
                    std::uint64_t most) {
  if (!json.contains(name)) return otherwise;
  const auto& value = json.at(name);
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= most) return value.get<std::uint64_t>();
  throw sim::Error(fmt::format("the state's '{}' must be a whole number up to {}, not {}", name, most,
                               sim::json_text(value)));
}

}  // namespace

DatasetRequest dataset_request_from_json(const nlohmann::json& json) try {
  DatasetRequest request{.source = json.contains("file") ? json.at("file").get<std::string>()
                                                         : json.at("model").get<std::string>(),
                         .seed = whole(json, "seed", 1, std::numeric_limits<std::uint64_t>::max()),
                         .galaxies = static_cast<std::uint32_t>(whole(json, "galaxies", 1, most_galaxies)),
                         .columns = json.value("columns", std::string()),
                         .format = json.value("format", std::string()),
                         .built_in = !json.contains("file"),
                         .only = json.value("only", std::string()),
                         .without = json.value("without", std::string())};
  if (json.contains("bodies"))
    request.bodies = whole(json, "bodies", 0, std::numeric_limits<std::uint32_t>::max());
  return request;
} catch (const nlohmann::json::exception&) {
  throw sim::Error(
      "the state's dataset entry is damaged: it needs 'file' or 'model'; use another state file");
}

}  // namespace orrery::lab
