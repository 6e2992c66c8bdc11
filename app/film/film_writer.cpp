#include "app/film/film_writer.h"

#include <chrono>
#include <utility>

#include "app/film/child_process.h"
#include "sim/core/threads.h"

namespace orrery::app {

namespace {

constexpr std::chrono::milliseconds glance{1};

}  // namespace

FilmWriter::FilmWriter(const FilmPlan& plan) : plan_(plan), ring_(plan.size), sink_(open_film(plan)) {
  thread_ = sim::start_thread("writing the film", [this] { run(); });
}

FilmWriter::~FilmWriter() {
  finish();
  thread_.join();
}

void FilmWriter::add(const render::PictureTarget& picture) {
  ring_.start(picture);
  ++added_;
}

void FilmWriter::update() {
  while (const auto frame = ring_.take()) {
    const std::scoped_lock lock(mutex_);
    arrived_.push_back(*frame);
    wake_.notify_one();
  }
  if (!ending_ || ring_.is_waiting()) return;
  const std::scoped_lock lock(mutex_);
  no_more_ = true;
  wake_.notify_one();
}

void FilmWriter::wait_for_room() {
  update();
  std::unique_lock lock(mutex_);
  if (!ring_.has_room()) room_.wait_for(lock, glance);
}

bool FilmWriter::has_failed() const {
  const std::scoped_lock lock(mutex_);
  return failed_;
}

void FilmWriter::end() {
  ending_ = true;
  update();
}

std::optional<FilmResult> FilmWriter::result() const {
  const std::scoped_lock lock(mutex_);
  return result_;
}

FilmResult FilmWriter::finish() {
  end();
  std::unique_lock lock(mutex_);
  while (!result_) {
    room_.wait_for(lock, glance);
    lock.unlock();
    update();
    lock.lock();
  }
  return *result_;
}

/// The next frame to write; none: there will be no more.
std::optional<render::ArrivedFrame> FilmWriter::next() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return !arrived_.empty() || no_more_; });
  if (arrived_.empty()) return std::nullopt;
  const auto frame = arrived_.front();
  arrived_.pop_front();
  return frame;
}

void FilmWriter::run() {
  block_broken_pipes();
  bool writes = true;
  while (const auto frame = next()) {
    writes = writes && sink_->write(frame->rgba);
    ring_.give_back(frame->slot);
    const std::scoped_lock lock(mutex_);
    failed_ = !writes;
    room_.notify_one();
  }
  FilmResult result;
  try {
    result = sink_->finish();
  } catch (const std::exception& error) {
    result.problem = error.what();
  }
  const std::scoped_lock lock(mutex_);
  result_ = std::move(result);
  room_.notify_one();
}

}  // namespace orrery::app
