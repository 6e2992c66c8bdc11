#include "app/session/loader.h"

#include <new>
#include <thread>
#include <utility>

#include "sim/core/error.h"

namespace orrery::app {

void Loader::cancel() {
  if (job_ != nullptr) job_->progress.cancel = true;
  job_.reset();
}

void Loader::open(lab::DatasetRequest request) { start(std::move(request), std::nullopt); }

void Loader::open(ViewState state) {
  auto request = state.dataset;
  start(std::move(request), std::move(state));
}

void Loader::start(lab::DatasetRequest request, std::optional<ViewState> state) {
  cancel();
  what_ = request.source.empty() ? "the default galaxy" : request.source;
  job_ = std::make_shared<Job>();
  // Detached: the thread owns all that it touches, and the window need not wait for it to close.
  std::thread([job = job_, complete = state ? Complete() : complete_, request = std::move(request),
               state = std::move(state)]() mutable {
    work(*job, std::move(request), complete, std::move(state));
    job->done = true;
  }).detach();
}

void Loader::work(Job& job, lab::DatasetRequest request, const Complete& complete,
                  std::optional<ViewState> state) try {
  if (complete) complete(request);
  auto scene = std::make_shared<const sim::Scene>(lab::load_dataset(request, &job.progress));
  if (job.progress.cancel) return;
  auto summary = summarize(scene->bodies);
  auto hash = lab::dataset_hash(scene->bodies);
  auto series = state ? std::vector<sim::SnapshotPlace>() : lab::series_of(request, *scene);
  job.result = LoadedDataset{std::move(request), std::move(scene), std::move(summary),
                             std::move(hash),    std::move(state), std::move(series)};
} catch (const sim::Cancelled&) {
  // Nothing to say: the person who cancelled knows.
} catch (const std::bad_alloc&) {
  job.problem = "not enough memory for " + request.source;
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
