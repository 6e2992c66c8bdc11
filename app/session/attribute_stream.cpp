#include "app/session/attribute_stream.h"

#include <algorithm>
#include <cmath>

#include "render/color_maps/color_map.h"
#include "render/context/shader_constants.h"
#include "sim/core/error.h"
#include "sim/core/threads.h"
#include "sim/physics/diagnostics/local_density.h"

namespace orrery::app {

namespace {
using Source = render::ColorMode::Source;
/// The thread rests for this many times as long as it worked, so that it leaves the cores to others.
constexpr int rest_factor = 2;
constexpr std::chrono::milliseconds shortest_rest{300};
}  // namespace

std::vector<float> log_density(const sim::Scene& scene, std::span<const float> position,
                               const std::atomic<bool>* stop) {
  std::vector<sim::Vec3> places;
  places.reserve(scene.bodies.size());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    places.push_back({position[4 * i], position[4 * i + 1], position[4 * i + 2]});
  constexpr std::size_t neighbours = 16;
  auto density = sim::local_density(places, scene.bodies.mass, scene.bodies.galaxies(), neighbours, stop);
  for (float& each : density) each = std::log10(each);
  return density;
}

std::vector<float> packed_colors(const sim::Bodies& bodies) {
  std::vector<float> colors(bodies.size(), -1.0F);
  for (std::size_t i = 0; i < bodies.color.size(); ++i)
    if (bodies.color[i] != sim::no_color) colors[i] = static_cast<float>(bodies.color[i]);
  return colors;
}

std::vector<float> accelerations_in(std::span<const float> velocity) {
  constexpr std::size_t most = 100'000;
  const std::size_t bodies = velocity.size() / 4, stride = std::max<std::size_t>(1, bodies / most);
  std::vector<float> accelerations;
  for (std::size_t i = 0; i < bodies; i += stride) accelerations.push_back(std::sqrt(velocity[4 * i + 3]));
  return accelerations;
}

void AttributeStream::cancel() {
  if (job_ != nullptr) job_->stop = true;
  job_.reset();
}

void AttributeStream::open(std::shared_ptr<const sim::Scene> scene) {
  cancel();
  reader_.cancel();
  scene_ = std::move(scene);
  density_.clear();
  asked_step_.reset();
  density_range_.reset();
  acceleration_range_.reset();
  filled_ = nullptr;
  next_ = {};
}

void AttributeStream::start_job(std::span<const float> position) {
  job_ = std::make_shared<Job>();
  job_->scene = scene_;
  job_->position.assign(position.begin(), position.end());
  started_ = Clock::now();
  const auto work = [job = job_] {
    constexpr int background = 10;
    sim::lower_thread_priority(background);
    job->result = log_density(*job->scene, job->position, &job->stop);
    job->done = true;
  };
  try {
    sim::start_thread("the local density", work).detach();
  } catch (const sim::Error&) {
    job_ = nullptr;  // a later state may get a thread
  }
}

void AttributeStream::take_result() {
  const auto now = Clock::now();
  const auto job = std::exchange(job_, nullptr);
  next_ = now + std::max<Clock::duration>(rest_factor * (now - started_), shortest_rest);
  density_ = std::move(job->result);
  ++density_revision_;
  density_range_ = render::percentile_range(density_);
}

void AttributeStream::look_after_density(render::BodyBuffers& buffers, int slot, std::uint64_t step) {
  if (job_ != nullptr) {
    if (job_->done) take_result();
  } else if (const auto position = reader_.take()) {
    start_job(*position);
  } else if (!reader_.busy() && asked_step_ != step && Clock::now() >= next_) {
    read(buffers, slot, render::shared::position_place);
    asked_step_ = step;
  }
}

bool AttributeStream::fill(Source wanted, render::BodyBuffers& buffers) {
  const bool density = wanted == Source::density;
  if (density && density_.empty()) return false;
  const auto revision = density ? density_revision_ : 0;
  if (filled_ == &buffers && filled_with_ == wanted && filled_revision_ == revision) return false;
  if (wanted == Source::file)
    buffers.set_quantity(packed_colors(scene_->bodies));
  else
    buffers.set_quantity(density ? density_ : scene_->bodies.charge);
  filled_ = &buffers;
  filled_with_ = wanted;
  filled_revision_ = revision;
  return true;
}

void AttributeStream::read(render::BodyBuffers& buffers, int slot, int place) {
  reader_.begin(buffers, slot, place);
  buffers.mark_drawn(slot);
}

/// The vertex buffers have it; only its range has to be found, once a step was made.
bool AttributeStream::look_after_acceleration(render::BodyBuffers& buffers, int slot, std::uint64_t step) {
  if (acceleration_range_ || step == 0) return false;
  if (const auto velocity = reader_.take()) {
    acceleration_range_ = render::percentile_range(accelerations_in(*velocity));
    return true;
  }
  if (!reader_.busy()) read(buffers, slot, render::shared::velocity_place);
  return false;
}

std::optional<std::pair<float, float>> AttributeStream::range() const {
  if (wanted_ == Source::density) return density_range_;
  return wanted_ == Source::acceleration ? acceleration_range_ : std::nullopt;
}

bool AttributeStream::update(Source wanted, render::BodyBuffers& buffers, int slot, std::uint64_t step) {
  if (std::exchange(wanted_, wanted) != wanted) {
    reader_.cancel();
    asked_step_.reset();
  }
  if (scene_ == nullptr || wanted == Source::state) return false;
  if (wanted == Source::acceleration) return look_after_acceleration(buffers, slot, step);
  if (wanted == Source::density) look_after_density(buffers, slot, step);
  return fill(wanted, buffers);
}

}  // namespace orrery::app
