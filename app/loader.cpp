#include "app/loader.h"

#include <new>

#include "sim/error.h"

namespace orrery::app {

Loader::~Loader() { cancel(); }

void Loader::cancel() {
  if (!thread_.joinable()) return;
  progress_.cancel = true;
  thread_.join();
  progress_.cancel = false;
  done_ = false;
  result_.reset();
}

void Loader::open(DatasetRequest request) { start(std::move(request), std::nullopt); }

void Loader::open(ViewState state) {
  auto request = state.dataset;
  start(std::move(request), std::move(state));
}

void Loader::start(DatasetRequest request, std::optional<ViewState> state) {
  cancel();
  what_ = request.source.empty() ? "the default galaxy" : request.source;
  progress_.fraction = 0.0F;
  problem_.clear();
  thread_ = std::thread([this, request = std::move(request), state = std::move(state)]() mutable {
    load(request, std::move(state));
    done_ = true;
  });
}

void Loader::load(const DatasetRequest& request, std::optional<ViewState> state) try {
  auto scene = std::make_shared<const sim::Scene>(load_dataset(request, &progress_));
  auto summary = summarize(scene->bodies);
  auto hash = dataset_hash(scene->bodies);
  result_ = LoadedDataset{request, std::move(scene), std::move(summary), std::move(hash), std::move(state)};
} catch (const sim::Cancelled&) {
  // Nothing to say: the person who cancelled knows.
} catch (const std::bad_alloc&) {
  problem_ = "not enough memory for " + what_;
} catch (const std::exception& error) {
  problem_ = error.what();
}

std::optional<LoadedDataset> Loader::take(std::string& problem) {
  problem.clear();
  if (!done_) return std::nullopt;
  thread_.join();
  done_ = false;
  problem = std::move(problem_);
  return std::exchange(result_, std::nullopt);
}

}  // namespace orrery::app
