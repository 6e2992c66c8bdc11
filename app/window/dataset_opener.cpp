#include "app/window/dataset_opener.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <utility>

#include "app/log.h"
#include "app/panels/dataset_parts.h"
#include "app/picture/persistent_options.h"
#include "app/session/dataset_search.h"
#include "app/window/file_browser.h"
#include "app/window/last_session.h"
#include "app/window/question.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/engines/checkpoint_file.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace {

const std::string& name_of_source(const lab::DatasetRequest& request) {
  static const std::string usual(sim::galaxy_models().front()->name);
  return request.source.empty() ? usual : request.source;
}

/// The same galaxy, of another size or seed.
bool is_alike(const lab::DatasetRequest& a, const lab::DatasetRequest& b) {
  return !lab::is_file(a) && !lab::is_file(b) && name_of_source(a) == name_of_source(b) &&
         a.galaxies == b.galaxies;
}

void warn_of_state(const LoadedDataset& loaded) {
  if (!loaded.state) return;
  if (!loaded.state->dataset_hash.empty() && loaded.state->dataset_hash != loaded.hash)
    log_warning("the dataset is not the one that the picture was taken of");
  if (!loaded.state->exact_replay)
    log_warning("options were switched before that picture: repeating its steps gives a similar state");
}

}  // namespace

DatasetOpener::DatasetOpener(Place place, const RunOptions& run, std::optional<bool> paused,
                             Loader::Complete complete)
    : place_(place),
      playlist_(run.data, run.dataset),
      asked_checkpoints_(run.checkpoint),
      asked_paused_(paused),
      root_(run.root) {
  loader_.complete_with(std::move(complete));
}

void DatasetOpener::open_first(const RunOptions& run, bool of_demo) {
  const auto& first = of_demo ? run.dataset : playlist_.all().front();
  if (run.checkpoint.resume) {
    open_checkpoint(*run.checkpoint.resume, first);
  } else if (!run.state.empty()) {
    open_state(run.state, first);
  } else if (lab::is_file(first) && sim::looks_like_checkpoint(first.source)) {
    open_checkpoint(first.source);
  } else if (names_state(first)) {
    require_plain_dataset(first);
    open_state(first.source);
  } else {
    loader_.open(first);
  }
}

void DatasetOpener::browse() {
  std::error_code failure;
  auto folder = std::filesystem::current_path(failure);
  if (!place_.settings.recent.empty()) {
    const auto last = std::filesystem::path(place_.settings.recent.front()).parent_path();
    if (std::filesystem::is_directory(last, failure)) folder = last;
  }
  if (!may_open(folder, root_)) folder = root_;
  const auto take = [this](const std::filesystem::path& file) {
    // As a dropped file: it joins the playlist.
    drop({file});
  };
  place_.chooser.show(file_list(folder, take, root_));
}

bool DatasetOpener::is_idle() const {
  return !place_.session.has_dataset() && !loader_.busy() && !asked_look_;
}

void DatasetOpener::update() {
  take_loaded();
  answer_question();
}

void DatasetOpener::take_loaded() {
  std::string problem;
  auto loaded = loader_.take(problem);
  if (!problem.empty()) {
    // The program was started for this dataset: without any other to show there is nothing to stay for.
    if (!place_.session.has_dataset() && playlist_.all().size() == 1) throw sim::Error(problem);
    place_.messages.show_problem(problem);
  }
  if (loaded) show(std::move(*loaded));
}

void DatasetOpener::show(LoadedDataset loaded) try {
  show_or_throw(std::move(loaded));
} catch (const std::exception& error) {
  // The dataset before it, if there is one, goes on.
  if (!place_.session.has_dataset()) throw;
  place_.messages.show_problem(dynamic_cast<const std::bad_alloc*>(&error) != nullptr
                                   ? "not enough memory to show this dataset; the one before it goes on"
                                   : error.what());
}

void DatasetOpener::show_or_throw(LoadedDataset loaded) {
  auto& session = place_.session;
  const bool restored = loaded.state.has_value();
  warn_of_state(loaded);
  for (const auto& note : loaded.scene->notes) log_info(note);
  if (session.has_dataset()) place_.laboratory.leave(session, restored);
  place_.options.note();
  const auto file = opening_state_.empty() && lab::is_file(loaded.request) ? loaded.request.source
                                                                           : opening_state_.string();
  // Another size or seed of the same galaxy is looked at from where the person is.
  const bool alike =
      session.has_dataset() && !restored && is_alike(loaded.request, session.dataset().request);
  const auto camera = session.camera;
  // A state and a session that goes on wait or run as they were kept.
  const bool kept = restored || loaded.resumed != nullptr;
  auto paused = kept ? std::nullopt : asked_paused_;
  if (alike) paused = session.paused;
  session.open(std::move(loaded), paused);
  place_.options.accept();
  if (alike)
    session.camera = camera;
  else
    place_.camera.start(restored);
  opening_state_.clear();
  if (!file.empty()) {
    note_recent(place_.settings, file);
    keep_settings(place_.settings);
  }
  place_.pictures.expire();
  place_.messages.problem().clear();
  log_info(
      fmt::format("{}: {}", session.scene().title, sim::counted(session.summary().bodies, "body", "bodies")));
  place_.files.start_asked_series();
  start_asked_checkpoints();
}

void DatasetOpener::open(const lab::DatasetRequest& request) try {
  if (names_state(request)) return open_state(request.source);
  if (lab::is_file(request) && sim::looks_like_checkpoint(request.source))
    return open_checkpoint(request.source);
  opening_state_.clear();
  loader_.open(request);
} catch (const sim::Error& error) {
  place_.messages.show_problem(error.what());
}

void DatasetOpener::open_next(int direction) {
  if (playlist_.all().size() > 1) open(playlist_.step(direction));
}

/// `given`: the dataset's file, where a person named it; without a source the state says it.
void DatasetOpener::open_state(const std::filesystem::path& path, const lab::DatasetRequest& given) {
  auto state = read_view_state(place_.session.table(), path);
  for (const auto& note : state.notes) log_warning(note);
  if (!given.source.empty()) {
    state.dataset = given_instead(state.dataset, given);
    return load_state(path, std::move(state));
  }
  const auto search = search_dataset(state.dataset, state.dataset_hash, path);
  if (!search.missing.empty()) require_complete(search, path, "--state");
  state.dataset = search.request;
  if (!search.elsewhere.empty()) return ask_for_files(path, state, search.elsewhere);
  load_state(path, std::move(state));
}

void DatasetOpener::load_state(const std::filesystem::path& path, ViewState state) {
  opening_state_ = path;
  loader_.open(std::move(state));
}

/// A stranger's picture must not open any file of this machine. Closing the list is a no.
void DatasetOpener::ask_for_files(const std::filesystem::path& path, const ViewState& state,
                                  const std::vector<std::filesystem::path>& files) {
  for (const auto& file : files)
    if (!may_open(file, root_))
      return place_.messages.show_problem(
          fmt::format("{} shows {}, which is not in the folder that files may be opened from ({}); open that "
                      "file too, or "
                      "start the program with --root",
                      path.filename().string(), file.string(), root_.string()));
  auto list = question_list(path, files, [this, path, state] {
    asked_look_.reset();
    load_state(path, state);
  });
  asked_look_ = state.configuration;
  place_.chooser.show(std::move(list));
}

/// Once a frame: nothing but a yes leaves the list with a look that is still waited for.
void DatasetOpener::answer_question() {
  if (!asked_look_ || place_.chooser.shows(question_name)) return;
  take_look(*std::exchange(asked_look_, std::nullopt));
}

/// Adopts the display options that apply to the present bodies.
void DatasetOpener::take_look(const sim::Configuration& configuration) {
  auto& session = place_.session;
  app::take_look(session.table(), configuration, session.context(), session.configuration);
  if (!session.has_dataset() && !loader_.busy()) loader_.open(lab::DatasetRequest{});
  place_.messages.say("the file was not opened; the picture's look was taken");
}

void DatasetOpener::open_checkpoint(const std::filesystem::path& path, const lab::DatasetRequest& given) {
  // The last session is no file that a person opened.
  opening_state_ = path == last_session_file() ? std::filesystem::path() : path;
  resumed_ = path;
  loader_.open_checkpoint(path, given);
}

void DatasetOpener::continue_last_session() {
  std::error_code failure;
  const auto file = last_session_file();
  if (file.empty() || !std::filesystem::exists(file, failure))
    return place_.messages.say("no session was kept yet: the next one is, when the window is closed");
  open_checkpoint(file);
}

void DatasetOpener::start_asked_checkpoints() try {
  const auto request = std::exchange(asked_checkpoints_, {});
  if (!request.file.empty()) place_.session.keep_checkpoints(request, resumed_);
} catch (const sim::Error& error) {
  place_.messages.show_problem(error.what());
}

/// One clear line where that fails: the window closes in any case.
void DatasetOpener::finish(bool keeps) try {
  place_.session.finish_checkpoints();
  if (!keeps) return;
  if (const auto last = place_.session.checkpoint()) write_last_session(*last);
} catch (const std::exception& error) {
  log_warning(error.what());
}

void DatasetOpener::drop(const std::vector<std::filesystem::path>& files) {
  for (const auto& path : files) {
    if (looks_like_state(path) || sim::looks_like_checkpoint(path)) return open({.source = path.string()});
    playlist_.add({.source = path.string()});
  }
  if (files.empty()) return;
  const auto& first = playlist_.play(playlist_.all().size() - files.size());
  if (files.size() < 2 && !shift_is_down()) return open(first);
  if (shift_is_down()) return open_together(files);
  place_.messages.say(fmt::format(
      "{} files: N shows the next; dropped with Shift held they meet in one scene", files.size()));
  open(first);
}

bool DatasetOpener::shift_is_down() const {
  return place_.window.key_down(GLFW_KEY_LEFT_SHIFT) || place_.window.key_down(GLFW_KEY_RIGHT_SHIFT);
}

/// Several files meet each other, a single one what is shown.
void DatasetOpener::open_together(const std::vector<std::filesystem::path>& files) {
  const auto& session = place_.session;
  std::vector<lab::DatasetRequest> requests;
  if (files.size() == 1 && session.has_dataset()) requests.push_back(session.dataset().request);
  for (const auto& path : files) requests.push_back({.source = path.string()});
  if (requests.size() == 1 || requests.front().with.empty()) return open(thrown_together(requests));
  auto all = requests.front();
  all.with.push_back(files.front().string());
  all.offsets.push_back({.thrown = true});
  open(all);
}

}  // namespace orrery::app
