#include "app/session/loader.h"

#include <filesystem>
#include <map>
#include <new>
#include <utility>

#include "app/log.h"
#include "app/picture/display_options.h"
#include "app/session/dataset_search.h"
#include "lab/setup/dataset_hash.h"
#include "sim/core/error.h"
#include "sim/core/progress.h"
#include "sim/core/threads.h"

namespace orrery::app {

void Loader::cancel() {
  if (job_ != nullptr) job_->progress.cancel = true;
  job_.reset();
}

namespace {

std::string name_of(const lab::DatasetRequest& request) {
  return request.source.empty() ? "the default galaxy" : request.source;
}

/// A file may have a million snapshots.
void resolve_places(std::vector<sim::SnapshotPlace>& series, const OpenableFiles& openable,
                    const sim::Progress& progress) {
  std::map<std::filesystem::path, std::filesystem::path> checked;
  for (auto& place : series) {
    if (progress.cancel) throw sim::Cancelled();
    const auto [found, is_new] = checked.try_emplace(place.file);
    if (is_new) found->second = openable.checked(place.file);
    place.file = found->second;
  }
}

}  // namespace

void Loader::open(lab::DatasetRequest request, const OpenableFiles& openable) {
  auto what = name_of(request);
  start({.request = std::move(request), .openable = openable}, std::move(what));
}

void Loader::open(ViewState state, const OpenableFiles& openable) {
  auto request = state.dataset;
  auto what = name_of(request);
  start({.request = std::move(request), .state = std::move(state), .openable = openable}, std::move(what));
}

void Loader::open_checkpoint(const std::filesystem::path& file, lab::DatasetRequest given,
                             const OpenableFiles& openable) {
  start({.request = std::move(given), .state = {}, .checkpoint = file, .openable = openable},
        file.filename().string());
}

void Loader::open_state(const std::filesystem::path& file, const OpenableFiles& openable) {
  start({.request = {}, .state_file = file, .openable = openable}, file.filename().string());
}

void Loader::start(Order order, std::string what) {
  cancel();
  what_ = std::move(what);
  const bool as_it_was = order.state || !order.checkpoint.empty() || !order.state_file.empty();
  auto job = std::make_shared<Job>();
  // Detached: the thread owns all that it touches, and the window need not wait for it to close.
  auto load = [job, complete = as_it_was ? Complete() : complete_, order = std::move(order)]() mutable {
    work(*job, order, complete);
    job->done = true;
  };
  sim::start_thread("loading " + what_, std::move(load)).detach();
  // Only now: where no thread could be started nothing is waited for.
  job_ = std::move(job);
}

/// The checkpoint of the order, which then says dataset and state.
std::shared_ptr<Checkpoint> Loader::read(Order& order) {
  const auto& file = order.checkpoint;
  auto resumed = std::make_shared<Checkpoint>(read_checkpoint(all_options(), order.openable.checked(file)));
  auto& view = resumed->view;
  view.dataset = order.request.source.empty()
                     ? find_dataset(view.dataset, view.dataset_hash, file, "--resume", order.openable)
                     : given_instead(view.dataset, order.request);
  order.request = view.dataset;
  order.state = view;
  return resumed;
}

void Loader::read_state(Order& order) {
  const auto& file = order.state_file;
  auto state = read_view_state(all_options(), order.openable.checked(file));
  for (const auto& note : state.notes) log_warning(note);
  state.dataset = find_dataset(state.dataset, state.dataset_hash, file, "--state", order.openable);
  order.request = state.dataset;
  order.state = std::move(state);
}

void Loader::work(Job& job, Order& order, const Complete& complete) try {
  auto& [request, state, checkpoint, state_file, openable] = order;
  if (!state_file.empty()) read_state(order);
  const auto resumed = checkpoint.empty() ? nullptr : read(order);
  if (complete) complete(request);
  request = openable.checked(request);
  auto scene = std::make_shared<const sim::Scene>(lab::load_dataset(request, &job.progress));
  if (job.progress.cancel) return;
  auto hashed = lab::begin_dataset_hash(scene->bodies);
  auto summary = summarize(scene->bodies);
  auto hash = hashed.get();
  if (resumed) require_same_dataset(*resumed, hash);
  auto series = state ? std::vector<sim::SnapshotPlace>() : lab::series_of(request, *scene);
  const auto rule = openable.rule_for(request);
  resolve_places(series, rule, job.progress);
  if (openable.checked(request) != request) openable.refuse(request.source);
  job.result = LoadedDataset{std::move(request),
                             std::move(scene),
                             std::move(summary),
                             std::move(hash),
                             std::move(state),
                             std::move(series),
                             resumed,
                             rule};
} catch (const sim::Cancelled&) {
  // Nothing to say: the person who cancelled knows.
} catch (const sim::UnclearColumns& unclear) {
  job.problem = unclear.what();
  // Of several files it is not known whose columns they are; a state says what its own are.
  if (!order.state && order.request.with.empty())
    job.unclear = UnclearTable{order.request, unclear.what(), unclear.question()};
} catch (const std::bad_alloc&) {
  job.problem = "not enough memory for " + order.request.source;
} catch (const std::exception& error) {
  job.problem = error.what();
}

std::optional<LoadedDataset> Loader::take(std::string& problem) {
  problem.clear();
  if (job_ == nullptr || !job_->done) return std::nullopt;
  const auto job = std::exchange(job_, nullptr);
  problem = std::move(job->problem);
  unclear_ = std::move(job->unclear);
  return std::move(job->result);
}

}  // namespace orrery::app
