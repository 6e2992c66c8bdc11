#include "sim/cuda/memory/force_sampler.h"

#include <cstring>
#include <utility>
#include <vector>

#include "sim/core/large_array.h"
#include "sim/engines/packed_bodies.h"

namespace orrery::sim::cuda {

namespace {

using Order = std::vector<std::uint32_t>;

std::vector<Vec3> unpack(const float* four_a_body, std::size_t bodies, const Order* order) {
  std::vector<Vec3> values;
  reserve_large(values, bodies);
  values.resize(bodies);
#pragma omp parallel for schedule(static) if (bodies > worth_threads)
  for (std::size_t k = 0; k < bodies; ++k)
    values[order == nullptr ? k : (*order)[k]] = {four_a_body[4 * k], four_a_body[4 * k + 1],
                                                  four_a_body[4 * k + 2]};
  return values;
}

/// Where each body is.
Order places_of(const Order& order) {
  Order places(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) places[order[k]] = static_cast<std::uint32_t>(k);
  return places;
}

/// The i-th vector of an array of three reals each.
template <typename Vector>
Vec3 vector_at(const std::byte* array, std::size_t i) {
  Vector value;
  std::memcpy(&value, array + i * sizeof value, sizeof value);
  return Vec3(value);
}

}  // namespace

void* ForceSampler::memory(std::size_t bodies, bool velocities, std::size_t real_bytes) {
  bodies_ = bodies;
  velocities_ = velocities;
  real_bytes_ = real_bytes;
  const std::size_t state = (velocities ? 2 : 1) * 4 * sizeof(float) * bodies;
  memory_.resize(state + 3 * real_bytes * bodies, true);
  return memory_.data();
}

void ForceSampler::queued_in(CUstream stream) {
  done_.push_back(std::make_unique<Event>(Event::Use::order));
  done_.back()->record(stream);
}

void ForceSampler::queued(ForceSample sample, std::shared_ptr<const std::vector<std::uint32_t>> order) {
  order_ = std::move(order);
  const auto wanted = std::exchange(wanted_, {});
  sample.plan = wanted.plan;
  sample.index = sampled_bodies(sample, bodies_, wanted.forces, wanted.seed);
  sample_ = std::move(sample);
}

std::optional<ForceSample> ForceSampler::take() {
  if (done_.empty() || !sample_) return std::nullopt;
  for (const auto& each : done_) {
    if (!each->passed()) return std::nullopt;
  }
  done_.clear();
  auto sample = std::exchange(sample_, std::nullopt);
  const auto* at = static_cast<const float*>(memory_.data());
  sample->position = unpack(at, bodies_, order_.get());
  at += 4 * bodies_;
  if (velocities_) {
    sample->velocity = unpack(at, bodies_, order_.get());
    at += 4 * bodies_;
  }
  const auto* accelerations = reinterpret_cast<const std::byte*>(at);
  const Order places = order_ == nullptr ? Order() : places_of(*order_);
  for (const auto body : sample->index) {
    const std::size_t i = places.empty() ? body : places[body];
    sample->acceleration.push_back(real_bytes_ == 4 ? vector_at<Vec3>(accelerations, i)
                                                    : vector_at<DVec3>(accelerations, i));
  }
  return sample;
}

void ForceSampler::drop() {
  done_.clear();
  sample_.reset();
}

}  // namespace orrery::sim::cuda
