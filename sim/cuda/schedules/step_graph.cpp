#include "sim/cuda/schedules/step_graph.h"

#include <algorithm>

#include "sim/cuda/driver/api.h"
#include "sim/cuda/launch/launch.h"

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t most_graphs = 8;

CUgraphExec capture(CUstream stream, const std::function<void()>& queue) {
  check(driver()->cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "capturing a graph");
  CUgraph graph = nullptr;
  try {
    queue();
  } catch (...) {
    // The stream must leave the capture whatever happened.
    if (driver()->cuStreamEndCapture(stream, &graph) == CUDA_SUCCESS) driver()->cuGraphDestroy(graph);
    throw;
  }
  check(driver()->cuStreamEndCapture(stream, &graph), "capturing a graph");
  CUgraphExec executable = nullptr;
  const CUresult result = driver()->cuGraphInstantiateWithFlags(&executable, graph, 0);
  driver()->cuGraphDestroy(graph);
  check(result, "preparing a captured graph");
  // Otherwise the first launch does that, after the step has begun.
  if (const CUresult sent = driver()->cuGraphUpload(executable, stream); sent != CUDA_SUCCESS) {
    driver()->cuGraphExecDestroy(executable);
    check(sent, "sending a captured graph to the GPU");
  }
  return executable;
}

}  // namespace

CUgraphExec StepGraph::graph_of(const Key& key, CUstream stream, const std::function<void()>& queue) {
  auto entry = std::ranges::find(entries_, key, &Entry::key);
  if (entry == entries_.end()) {
    entries_.push_front({key, capture(stream, queue)});
    ++captures_;
    entry = entries_.begin();
    if (entries_.size() > most_graphs) {
      driver()->cuGraphExecDestroy(entries_.back().graph);
      entries_.pop_back();
    }
  }
  // The one that has not run for longest goes first.
  entries_.splice(entries_.begin(), entries_, entry);
  return entry->graph;
}

void StepGraph::run(const Key& key, CUstream stream, const std::function<void()>& queue, bool launches) {
  const auto graph = graph_of(key, stream, queue);
  if (!launches) return;
  count_launch();
  check(driver()->cuGraphLaunch(graph, stream), "launching a graph");
}

void StepGraph::clear() {
  for (const auto& entry : entries_) driver()->cuGraphExecDestroy(entry.graph);
  entries_.clear();
}

}  // namespace orrery::sim::cuda
