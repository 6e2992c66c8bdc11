#include "lab/setup/watched.h"

#include <chrono>

#include "sim/core/interrupt.h"
#include "sim/core/threads.h"
#include "sim/core/time_account.h"
#include "sim/cpu/cpu_options.h"

namespace orrery::lab {

namespace {

constexpr std::chrono::milliseconds interval{50};

std::string work_on(const DatasetRequest& request) {
  if (is_file(request)) return "reading " + request.source;
  return "making " + (request.source.empty() ? "a galaxy" : request.source);
}

}  // namespace

Watch::Watch(const std::string& work)
    : line_(work),
      thread_(sim::start_thread<std::jthread>("watching " + work,
                                              [this](const std::stop_token& stop) { run(stop); })) {}

void Watch::run(const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any wake;
  while (!stop.stop_requested()) {
    wake.wait_for(lock, stop, interval, [] { return false; });
    line_.show({}, progress_.fraction);
    if (sim::interrupted()) progress_.cancel = true;
  }
}

sim::Scene load_watched(const DatasetRequest& request) {
  const sim::TimedPhase phase("dataset");
  sim::require_threads(sim::available_processors());
  Watch watch(work_on(request));
  auto scene = load_dataset(request, watch.progress());
  sim::stop_if_interrupted();
  return scene;
}

}  // namespace orrery::lab
