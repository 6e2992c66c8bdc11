#include "app/window/model_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/film/child_process.h"
#include "app/log.h"
#include "app/window/model_sketch.h"
#include "lab/setup/paths.h"
#include "render/error.h"
#include "sim/core/error.h"
#include "sim/core/hash.h"
#include "sim/core/thread_priority.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace {

namespace fs = std::filesystem;

/// Twice the size of a tile on a normal display.
constexpr const char* picture_size = "400x250";
constexpr glm::ivec2 sketch_size{240, 150};
/// As the simulation: below it a small machine that computes all the time would never draw them.
constexpr int niceness = 5;
constexpr unsigned most_failures = 3;
constexpr std::chrono::milliseconds poll{20};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Text of the file that says how models are drawn; empty without the program's data.
std::string recipes_text() {
  const auto data = lab::data_folder();
  return data.empty() ? std::string() : text_of(data / "model_pictures.json");
}

nlohmann::json recipe_of(std::string_view model) {
  const auto recipes = nlohmann::json::parse(recipes_text(), nullptr, false);
  if (!recipes.is_object()) return nlohmann::json::object();
  const auto found = recipes.find(std::string(model));
  return found != recipes.end() && found->is_object() ? *found : nlohmann::json::object();
}

fs::path this_program() {
  std::error_code failure;
  return fs::read_symlink("/proc/self/exe", failure);
}

/// Another one for every build of the program and other recipes.
std::string program_key() {
  std::error_code failure;
  const auto program = this_program();
  const auto changed = fs::last_write_time(program, failure).time_since_epoch().count();
  sim::Fnv1a<std::uint64_t> hash;
  hash.add(fmt::format("{} {} {} {}", ORRERY_VERSION, picture_size, changed, recipes_text()));
  return fmt::format("{:016x}", hash.value());
}

/// Those of other versions are of no use any more.
void remove_others(const fs::path& folder) {
  std::error_code failure;
  for (fs::directory_iterator each(folder.parent_path(), failure);
       !failure && each != fs::directory_iterator(); each.increment(failure)) {
    std::error_code ignored;
    if (each->path() != folder) fs::remove_all(each->path(), ignored);
  }
}

std::string_view name_of(std::size_t model) { return sim::galaxy_models()[model]->name; }

fs::path file_of(const fs::path& folder, std::size_t model) {
  return folder / fmt::format("{}.png", name_of(model));
}

std::size_t workers_for_this_machine() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency() / 4, 1, 4);
}

}  // namespace

std::vector<std::string> model_picture_command(std::string_view model, const fs::path& file) {
  const auto recipe = recipe_of(model);
  try {
    // One thread: several only wait for each other over few bodies, and the simulation goes on meanwhile.
    std::vector<std::string> words{"render",
                                   std::string(model),
                                   "--engine",
                                   "cpu",
                                   "--untuned",
                                   "--threads",
                                   "1",
                                   "--set",
                                   "legend=false",
                                   "--size",
                                   picture_size,
                                   "--steps",
                                   std::to_string(recipe.value("steps", std::uint64_t{0})),
                                   "--view",
                                   recipe.value("view", "fit"),
                                   "-o",
                                   file.string()};
    if (const auto bodies = recipe.value("bodies", std::uint64_t{0}); bodies > 0)
      words.insert(words.end(), {"--bodies", std::to_string(bodies)});
    return words;
  } catch (const nlohmann::json::exception&) {
    throw sim::Error(
        fmt::format("model_pictures.json: the entry of {} is damaged; install Orrery again", model));
  }
}

fs::path model_picture_folder() {
  const auto cache = lab::cache_folder();
  return cache.empty() ? cache : cache / "galaxies" / program_key();
}

void ModelPictures::start() {
  // They have ended long ago, or do so at once.
  workers_.clear();
  const auto models = sim::galaxy_models().size();
  done_.resize(models);
  sketched_.resize(models);
  unread_ = missing_ = unsketched_ = {};
  for (std::size_t k = 0; k < models; ++k)
    if (!done_[k]) unread_.push(k);
  if (unread_.empty()) return;
  folder_ = model_picture_folder();
  failures_ = 0;
  for (std::size_t k = 0; k < workers_for_this_machine(); ++k)
    workers_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

void ModelPictures::stop() {
  for (auto& worker : workers_) worker.request_stop();
}

std::optional<ModelPictures::Made> ModelPictures::take() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || made_.empty()) return std::nullopt;
  auto made = std::move(made_.front());
  made_.pop();
  return made;
}

std::string ModelPictures::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

std::optional<std::size_t> ModelPictures::next(std::queue<std::size_t>& models, const std::stop_token& stop) {
  const std::lock_guard lock(mutex_);
  if (models.empty() || stop.stop_requested() || failures_ >= most_failures) return std::nullopt;
  const auto model = models.front();
  models.pop();
  return model;
}

void ModelPictures::fail(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  problem_ = problem;
  ++failures_;
}

/// What is there already shows at once.
void ModelPictures::read_kept(const std::stop_token& stop) {
  while (const auto model = next(unread_, stop)) {
    if (take_kept(*model)) continue;
    const std::lock_guard lock(mutex_);
    missing_.push(*model);
    if (!sketched_[*model]) unsketched_.push(*model);
  }
}

/// A picture may be drawn although its sketch fails.
void ModelPictures::sketch(std::size_t model) try {
  const auto view = view_from_name(recipe_of(name_of(model)).value("view", "fit"));
  Made made{model, model_sketch(*sim::galaxy_models()[model], view, sketch_size), true};
  const std::lock_guard lock(mutex_);
  made_.push(std::move(made));
  sketched_[model] = true;
} catch (const std::exception& error) {
  log_error(fmt::format("no sketch of '{}': {}", name_of(model), error.what()));
  const std::lock_guard lock(mutex_);
  sketched_[model] = true;
}

void ModelPictures::work(const std::stop_token& stop) try {
  // What it starts inherits that.
  sim::lower_thread_priority(niceness);
  read_kept(stop);
  while (const auto model = next(unsketched_, stop)) sketch(*model);
  if (folder_.empty()) return fail("there is no folder to keep them: HOME is not set");
  lab::make_folder(folder_);
  remove_others(folder_);
  while (const auto model = next(missing_, stop)) draw(*model, stop);
} catch (const std::exception& error) {
  fail(error.what());
}

bool ModelPictures::take_kept(std::size_t model) try {
  std::error_code failure;
  const auto file = file_of(folder_, model);
  if (folder_.empty() || !std::filesystem::exists(file, failure)) return false;
  Made made{model, render::read_png(file)};
  const std::lock_guard lock(mutex_);
  made_.push(std::move(made));
  done_[model] = true;
  return true;
} catch (const render::Error&) {
  // Whatever it is, it is no picture of ours: it is drawn anew.
  std::error_code ignored;
  std::filesystem::remove(file_of(folder_, model), ignored);
  return false;
}

void ModelPictures::draw(std::size_t model, const std::stop_token& stop) {
  const auto file = file_of(folder_, model);
  std::vector<std::string> command{this_program().string()};
  std::ranges::copy(model_picture_command(name_of(model), file), std::back_inserter(command));
  ChildProcess child(command);
  while (!child.ended() && !stop.stop_requested()) std::this_thread::sleep_for(poll);
  const bool given_up = !child.ended();
  if (given_up) child.interrupt();
  const auto& ending = child.finish();
  if (ending.succeeded && !given_up && take_kept(model)) return;
  // It may have drawn what there was when it was stopped.
  std::error_code ignored;
  fs::remove(file, ignored);
  if (!given_up) fail(fmt::format("{} cannot be drawn: {}", name_of(model), ending.problem));
}

}  // namespace orrery::app
