#include "app/run/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <vector>

#include "app/picture/picture_style.h"
#include "app/session/attribute_stream.h"
#include "render/color_maps/color_map.h"
#include "render/context/gl.h"
#include "sim/core/time_account.h"
#include "sim/cuda/options/schedule.h"
#include "sim/ranks/world.h"

namespace orrery::app {

namespace {

std::unique_ptr<InteropBuffers> interop_of(const RenderJob& job) {
  const auto& settings = job.state.configuration;
  std::string why_copied;
  auto interop =
      make_interop(settings, job.scene.bodies, job.summary, render::BodyBuffers::Storage::device, why_copied);
  if (interop) {
    fmt::print(stderr, "interop used: CUDA device {} writes the vertex buffer that it draws, no host copy\n",
               sim::cuda::named_device(settings));
  } else if (!why_copied.empty()) {
    fmt::print(stderr, "bodies are copied through main memory: {}\n", why_copied);
  }
  return interop;
}

/// The largest value of a map. CUDA may have written it, so OpenGL reads it back.
std::optional<float> largest_of(render::MapBuffers& maps) {
  if (!maps.largest()) maps.ask_largest(0);
  render::wait_until_drawn(std::chrono::seconds(10));
  return maps.largest();
}

}  // namespace

RenderStage::RenderStage(const RenderJob& job) : job_(job), summary_(job.summary) {
  const sim::TimedPhase phase("vertex buffers");
  if (sim::world().size() == 1) interop_ = interop_of(job);
  if (!interop_) {
    host_ = std::make_unique<render::BodyBuffers>(job.scene.bodies.size(),
                                                  render::BodyBuffers::Storage::host_ring);
    set_static(*host_, job.scene.bodies, job.summary);
  }
  orbits_.open(job.scene, job.summary);
}

void RenderStage::publish(sim::Engine& engine) {
  const sim::TimedPhase phase("publish");
  if (interop_)
    publish_in_place(engine);
  else
    publish_by_copy(engine);
  const auto status = engine.status();
  orbits_.take(look_.of(job_.state.configuration), buffers(), slot_, {status.time, status.steps, 0});
  buffers().mark_drawn(slot_);
  counted_ = engine.map();
}

std::vector<glm::dvec3> RenderStage::places(const std::vector<std::size_t>& indices) {
  const auto position = buffers().read_position(slot_);
  std::vector<glm::dvec3> found;
  found.reserve(indices.size());
  for (const auto i : indices) found.emplace_back(position[4 * i], position[4 * i + 1], position[4 * i + 2]);
  return found;
}

void RenderStage::look_at(const SceneSummary& now) {
  auto ranges = std::move(summary_.ranges);
  summary_ = now;
  summary_.ranges = std::move(ranges);
}

PictureInput RenderStage::picture() {
  const auto& look = look_.of(job_.state.configuration);
  find_quantity(color_mode_of(look, summary_));
  PictureInput input{buffers(), slot_, job_.state.camera, look, summary_, 0.0, true, &orbits_};
  if (maps() != nullptr)
    input.map = {
        .buffers = maps(), .place = map_place(counted_, job_.summary), .over = look.has_map_over_bodies()};
  return input;
}

/// Finds the quantity of the colour mode. The range is that of the first picture.
void RenderStage::find_quantity(const render::ColorMode& mode) {
  using Source = render::ColorMode::Source;
  if (mode.source == Source::charge) buffers().set_quantity(job_.scene.bodies.charge);
  if (mode.source == Source::file) buffers().set_quantity(packed_colors(job_.scene.bodies));
  std::vector<float> values;
  if (mode.source == Source::acceleration) values = accelerations_in(buffers().read_velocity(slot_));
  if (mode.source == Source::density) {
    values = log_density(job_.scene, buffers().read_position(slot_));
    buffers().set_quantity(values);
  }
  // Before the first step all accelerations are 0.
  const auto range = render::percentile_range(values);
  if (!values.empty() && range.first < range.second)
    summary_.ranges.try_emplace(std::string(mode.name), range);
}

void RenderStage::publish_in_place(sim::Engine& engine) {
  if (shown_) interop_->to_cuda(0);
  engine.write_vertices(interop_->targets().front());
  engine.finish();
  interop_->to_opengl(0);
  shown_ = true;
}

void RenderStage::publish_by_copy(sim::Engine& engine) {
  slot_ = (slot_ + 1) % host_->slots();
  while (!host_->is_idle(slot_)) render::wait_until_drawn(std::chrono::seconds(1));
  sim::VertexTarget target{.position = host_->mapped_position(slot_),
                           .velocity = host_->mapped_velocity(slot_),
                           .bodies = job_.scene.bodies.size()};
  publish_with_map(engine, target);
  engine.finish();
}

/// Through main memory, with the activity map if the engine counts one.
void RenderStage::publish_with_map(sim::Engine& engine, sim::VertexTarget target) {
  const auto size = engine.map().size;
  std::vector<float> map;
  if (size > 0) {
    if (host_map_ == nullptr || host_map_->size() != size)
      host_map_ = std::make_unique<render::MapBuffers>(size, 1);
    map.resize(host_map_->floats());
    target.map = map.data();
    target.map_size = size;
  }
  engine.write_vertices(target);
  if (size > 0) host_map_->upload(0, map);
}

void publish(RenderStage* stage, const RenderJob& job, sim::Engine& engine) {
  if (stage != nullptr) return stage->publish(engine);
  engine.write_vertices({.bodies = job.scene.bodies.size()});
  // All processes make the same calls.
  engine.finish();
}

LegendInfo PictureMaker::legend(const RenderJob& job, const PictureInput& picture, RenderStage& stage) const {
  LegendInfo info{job.scene.title, job.state.time, job.state.step, job.scene.units};
  if (job.snapshots > 0)
    info.snapshot =
        1 + std::min<std::uint64_t>(std::llround(static_cast<double>(job.state.step) * job.snapshots_a_step),
                                    job.snapshots - 1);
  info.problem = job.state.force_problem;
  if (picture.map.buffers != nullptr) info.map_largest = largest_of(*stage.maps());
  return info;
}

const render::PictureTarget& PictureMaker::draw(const RenderJob& job, RenderStage& stage,
                                                double film_seconds) {
  auto picture = stage.picture();
  picture.film_seconds = film_seconds;
  paint(picture);
  overlay_.draw(picture, legend(job, picture, stage), target_->framebuffer(), size_);
  return *target_;
}

void PictureMaker::paint(const PictureInput& picture) {
  if (target_ == nullptr) target_ = std::make_unique<render::PictureTarget>(size_);
  painter_.draw(picture, *target_);
}

render::Image PictureMaker::picture(const RenderJob& job, RenderStage& stage, bool transparent) {
  const auto tile = suitable_tile(size_);
  if (tile.x == 0 && !transparent) return draw(job, stage).read();
  auto picture = stage.picture();
  picture.transparent = transparent;
  if (tile.x == 0) {
    paint(picture);
    return target_->read();
  }
  if (!transparent) overlay_.write(picture, legend(job, picture, stage), size_);
  return draw_in_tiles(painter_, picture, transparent ? nullptr : &overlay_, size_, tile);
}

void PictureMaker::light(RenderStage& stage, const LightRows& take) {
  draw_light_rows(painter_, stage.picture(), size_, take);
}

}  // namespace orrery::app
