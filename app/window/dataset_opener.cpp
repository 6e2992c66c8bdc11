#include "app/window/dataset_opener.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <new>
#include <system_error>

#include "app/gui/chooser.h"
#include "app/live/laboratory.h"
#include "app/log.h"
#include "app/panels/dataset_parts.h"
#include "app/picture/persistent_options.h"
#include "app/session/checkpoint.h"
#include "app/session/dataset_search.h"
#include "app/session/session.h"
#include "app/session/state_file.h"
#include "app/window/camera_operator.h"
#include "app/window/column_sheet.h"
#include "app/window/file_browser.h"
#include "app/window/messages.h"
#include "app/window/option_keeper.h"
#include "app/window/question.h"
#include "app/window/saved_files.h"
#include "app/window/settings.h"
#include "app/window/window.h"
#include "app/window/window_pictures.h"
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

/// The system's own words name no cause that a person could act on.
std::string words_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "not enough memory to open this";
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  if (system == nullptr || dynamic_cast<const std::filesystem::filesystem_error*>(&error) != nullptr)
    return error.what();
  return fmt::format("no thread can be started to open this: {}; `ulimit -u` and `ulimit -v` show the limits",
                     system->code().message());
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
      asked_paused_(paused) {
  loader_.complete_with(std::move(complete));
  if (run.uploads.empty()) return;
  openable_ = OpenableFiles(run.uploads, run.root);
  for (const auto& request : playlist_.all()) openable_.allow(request);
  openable_.allow(run.dataset);
  openable_.allow(run.state);
  openable_.allow(run.checkpoint.resume.value_or(""));
}

/// Whatever a person opens, the window goes on.
void DatasetOpener::attempt(const std::function<void()>& act) try {
  act();
} catch (const std::exception& error) {
  place_.messages.show_problem(words_of(error));
  // A dataset that is being loaded shows soon.
  keeps_problem_ = loader_.busy();
}

/// The loader, for another dataset than the one that it may be loading.
Loader& DatasetOpener::next_load() {
  place_.sheet.close();
  if (first_ == First::loading) first_ = loader_.busy() ? First::interrupted : First::over;
  keeps_problem_ = false;
  return loader_;
}

void DatasetOpener::open_first(const RunOptions& run, bool of_demo) {
  open_first_ = [this, first = of_demo ? run.dataset : playlist_.all().front(), state = run.state,
                 resume = run.checkpoint.resume] {
    const OpenableFiles every_file;
    if (resume) return open_checkpoint(*resume, first, every_file);
    if (!state.empty()) return open_state(state, first, every_file);
    if (names_state(first)) require_plain_dataset(first);
    open_any(first, every_file);
  };
  open_first_();
  first_ = First::loading;
}

void DatasetOpener::return_to_first() {
  first_ = First::over;
  attempt(open_first_);
  keeps_problem_ = true;
}

std::vector<std::string> DatasetOpener::recent_files() const {
  auto files = place_.settings.recent;
  std::erase_if(files, [this](const std::string& file) { return !openable_.allows(file); });
  return files;
}

void DatasetOpener::browse() {
  attempt([this] {
    std::error_code failure;
    auto folder = std::filesystem::current_path(failure);
    if (const auto recent = recent_files(); !recent.empty()) {
      const auto last = std::filesystem::path(recent.front()).parent_path();
      if (std::filesystem::is_directory(last, failure)) folder = last;
    }
    if (!openable_.holds(folder)) folder = openable_.first_folder();
    // As a dropped file: it joins the playlist.
    const auto take = [this](const std::filesystem::path& file) { drop({file}); };
    place_.chooser.show(file_list(folder, take, openable_));
  });
}

bool DatasetOpener::is_idle() const {
  return !place_.session.has_dataset() && !loader_.busy() && !asked_look_ && !place_.sheet.is_open();
}

void DatasetOpener::update() {
  take_loaded();
  attempt([this] { answer_question(); });
}

void DatasetOpener::take_loaded() {
  std::string problem;
  auto loaded = loader_.take(problem);
  if (auto unclear = loader_.take_unclear()) return attempt([&] { place_.sheet.ask(std::move(*unclear)); });
  if (problem.empty()) problem = place_.sheet.take_problem();
  // The program was started for this dataset: without any other to show there is nothing to stay for.
  if (!problem.empty() && first_ == First::loading && playlist_.all().size() == 1) throw sim::Error(problem);
  if (!problem.empty()) fail(problem);
  if (loaded) show(std::move(*loaded));
}

/// The dataset before it, if there is one, goes on, and the one of the command line is loaded again if it had
/// to give way.
void DatasetOpener::fail(const std::string& problem) {
  place_.messages.show_problem(problem);
  if (first_ == First::loading) first_ = First::over;
  if (!place_.session.has_dataset() && first_ == First::interrupted) return_to_first();
}

void DatasetOpener::show(LoadedDataset loaded) try {
  show_or_throw(std::move(loaded));
} catch (const std::exception& error) {
  if (first_ == First::loading) throw;
  fail(words_of(error));
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
  if (!loaded.openable.limited()) openable_.allow(loaded.request);
  session.open(std::move(loaded), paused);
  first_ = First::over;
  place_.options.accept();
  if (alike)
    session.camera = camera;
  else
    place_.camera.start(restored);
  opening_state_.clear();
  // The list is of the person at the display, and not of who drives a server.
  if (!file.empty() && !openable_.limited()) {
    note_recent(place_.settings, file);
    keep_settings(place_.settings);
  }
  place_.pictures.expire();
  if (!std::exchange(keeps_problem_, false)) place_.messages.problem().clear();
  log_info(
      fmt::format("{}: {}", session.scene().title, sim::counted(session.summary().bodies, "body", "bodies")));
  place_.files.start_asked_series();
  start_asked_checkpoints();
}

void DatasetOpener::open(const lab::DatasetRequest& request) {
  attempt([&] { open_any(openable_.checked(request), openable_.rule_for(request)); });
}

void DatasetOpener::open_any(const lab::DatasetRequest& request, const OpenableFiles& openable) {
  if (names_state(request)) return open_state(request.source, {}, openable);
  if (lab::is_file(request) && sim::looks_like_checkpoint(request.source))
    return open_checkpoint(request.source, {}, openable);
  opening_state_.clear();
  next_load().open(request, openable);
}

void DatasetOpener::open_next(int direction) {
  if (playlist_.all().size() > 1) open(playlist_.step(direction));
}

/// `given`: the dataset's file, where a person named it; without a source the state says it.
void DatasetOpener::open_state(const std::filesystem::path& path, const lab::DatasetRequest& given,
                               const OpenableFiles& openable) {
  // Who drives a server is asked nothing, and no frame waits for what a stranger has sent.
  if (openable.limited() && given.source.empty()) {
    opening_state_ = path;
    return next_load().open_state(path, openable);
  }
  auto state = read_view_state(place_.session.table(), openable.checked(path));
  for (const auto& note : state.notes) log_warning(note);
  if (!given.source.empty()) {
    state.dataset = given_instead(state.dataset, given);
    return load_state(path, std::move(state), openable);
  }
  const auto search = search_dataset(state.dataset, state.dataset_hash, path, openable);
  // Who drives a server is not asked about files of the person who started it.
  if (!search.missing.empty() || openable_.limited()) require_complete(search, path, "--state");
  state.dataset = search.request;
  if (!search.elsewhere.empty()) return ask_for_files(path, state, search.elsewhere);
  load_state(path, std::move(state), openable);
}

void DatasetOpener::load_state(const std::filesystem::path& path, ViewState state,
                               const OpenableFiles& openable) {
  opening_state_ = path;
  next_load().open(std::move(state), openable);
}

/// A stranger's picture must not open any file of this machine. Closing the list is a no.
void DatasetOpener::ask_for_files(const std::filesystem::path& path, const ViewState& state,
                                  const std::vector<std::filesystem::path>& files) {
  auto list = question_list(path, files, [this, path, state] {
    asked_look_.reset();
    attempt([&] { load_state(path, state, openable_); });
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
  if (!session.has_dataset() && !loader_.busy()) next_load().open(lab::DatasetRequest{}, openable_);
  place_.messages.say("the file was not opened; the picture's look was taken");
}

void DatasetOpener::open_checkpoint(const std::filesystem::path& path, const lab::DatasetRequest& given,
                                    const OpenableFiles& openable) {
  // The last session is no file that a person opened.
  opening_state_ = path == last_session_file() ? std::filesystem::path() : path;
  resumed_ = path;
  next_load().open_checkpoint(path, given, openable);
}

void DatasetOpener::continue_last_session() {
  std::error_code failure;
  const auto file = last_session_file();
  if (file.empty() || !std::filesystem::exists(file, failure))
    return place_.messages.say("no session was kept yet: the next one is, when the window is closed");
  attempt([&] { open_checkpoint(file, {}, openable_); });
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
  attempt([&] {
    for (const auto& path : files) {
      static_cast<void>(openable_.checked(path));
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
  });
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
