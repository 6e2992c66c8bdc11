#include "sim/cuda/driver/streams.h"

#include "sim/cuda/driver/api.h"

namespace orrery::sim::cuda {

namespace {

CUstream new_stream() {
  CUstream stream = nullptr;
  check(driver()->cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "making a CUDA stream");
  return stream;
}

}  // namespace

Streams::Streams() : main_(new_stream()) {}

Streams::~Streams() {
  for (auto& worker : workers_) driver()->cuStreamDestroy(worker.stream);
  driver()->cuStreamDestroy(main_);
}

void Streams::resize(std::size_t workers) {
  if (workers == workers_.size()) return;
  join();
  while (workers_.size() > workers) {
    // Work that is queued is still done.
    driver()->cuStreamDestroy(workers_.back().stream);
    workers_.pop_back();
  }
  while (workers_.size() < workers)
    workers_.push_back({new_stream(), std::make_unique<Event>(Event::Use::order)});
}

void Streams::fork() {
  if (forked_ || workers_.empty()) return;
  forked_at_.record(main_);
  for (const auto& worker : workers_) forked_at_.hold(worker.stream);
  forked_ = true;
}

void Streams::wait() const {
  for (const auto& worker : workers_) check(driver()->cuStreamSynchronize(worker.stream), "the GPU's work");
  check(driver()->cuStreamSynchronize(main_), "the GPU's work");
}

void Streams::join() {
  if (!forked_) return;
  for (const auto& worker : workers_) {
    worker.done->record(worker.stream);
    worker.done->hold(main_);
  }
  forked_ = false;
}

}  // namespace orrery::sim::cuda
