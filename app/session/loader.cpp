#include "app/session/loader.h"

#include <new>
#include <thread>
#include <utility>

#include "app/picture/display_options.h"
#include "app/session/dataset_search.h"
#include "lab/setup/dataset_hash.h"
#include "sim/core/error.h"
#include "sim/core/thread_supply.h"

namespace orrery::app {

void Loader::cancel() {
  if (job_ != nullptr) job_->progress.cancel = true;
  job_.reset();
}

namespace {

std::string name_of(const lab::DatasetRequest& request) {
  return request.source.empty() ? "the default galaxy" : request.source;
}

}  // namespace

void Loader::open(lab::DatasetRequest request) {
  auto what = name_of(request);
  start({.request = std::move(request)}, std::move(what));
}

void Loader::open(ViewState state) {
  auto request = state.dataset;
  auto what = name_of(request);
  start({.request = std::move(request), .state = std::move(state)}, std::move(what));
}

void Loader::open_checkpoint(const std::filesystem::path& file, lab::DatasetRequest given) {
  start({.request = std::move(given), .state = {}, .checkpoint = file}, file.filename().string());
}

void Loader::start(Order order, std::string what) {
  cancel();
  what_ = std::move(what);
  job_ = std::make_shared<Job>();
  const bool as_it_was = order.state || !order.checkpoint.empty();
  // Detached: the thread owns all that it touches, and the window need not wait for it to close.
  auto load = [job = job_, complete = as_it_was ? Complete() : complete_,
               order = std::move(order)]() mutable {
    work(*job, order, complete);
    job->done = true;
  };
  try {
    sim::start_thread("loading " + what_, std::move(load)).detach();
  } catch (const sim::Error& error) {
    job_->problem = error.what();
    job_->done = true;
  }
}

void Loader::work(Job& job, Order& order, const Complete& complete) try {
  auto& [request, state, checkpoint] = order;
  std::shared_ptr<Checkpoint> resumed;
  if (!checkpoint.empty()) {
    resumed = std::make_shared<Checkpoint>(read_checkpoint(all_options(), checkpoint));
    auto& view = resumed->view;
    view.dataset = request.source.empty()
                       ? find_dataset(view.dataset, view.dataset_hash, checkpoint, "--resume")
                       : given_instead(view.dataset, request);
    request = view.dataset;
    state = view;
  }
  if (complete) complete(request);
  auto scene = std::make_shared<const sim::Scene>(lab::load_dataset(request, &job.progress));
  if (job.progress.cancel) return;
  auto hashed = lab::begin_dataset_hash(scene->bodies);
  auto summary = summarize(scene->bodies);
  auto hash = hashed.get();
  if (resumed) require_same_dataset(*resumed, hash);
  auto series = state ? std::vector<sim::SnapshotPlace>() : lab::series_of(request, *scene);
  job.result = LoadedDataset{std::move(request), std::move(scene),  std::move(summary), std::move(hash),
                             std::move(state),   std::move(series), std::move(resumed)};
} catch (const sim::Cancelled&) {
  // Nothing to say: the person who cancelled knows.
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
  return std::move(job->result);
}

}  // namespace orrery::app
