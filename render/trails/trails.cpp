#include "render/trails/trails.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render/error.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

constexpr std::size_t bytes_per_point = sizeof(glm::vec4);

static_assert(static_cast<int>(TrailOrigin::dataset) == shared::origin_dataset);
static_assert(static_cast<int>(TrailOrigin::body) == shared::origin_body);
static_assert(static_cast<int>(TrailOrigin::center_of_mass) == shared::origin_center);

std::size_t points_of(const TrailPlan& plan) { return (plan.bodies.size() + 1) * plan.rows; }

void check_size(const TrailPlan& plan) {
  GLint texels = 0;
  GLint64 block = 0;
  glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &texels);
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block);
  const auto most =
      std::min(static_cast<std::size_t>(texels), static_cast<std::size_t>(block) / bytes_per_point);
  if (points_of(plan) > most)
    throw Error(
        fmt::format("trails of {} bodies with {} places are more than this OpenGL's {} in all: follow "
                    "fewer bodies, or keep fewer places",
                    plan.bodies.size(), plan.rows, most));
}

Buffer allocate_points(std::size_t bytes, const void* data) {
  return make_storage(bytes, data, GL_DYNAMIC_STORAGE_BIT,
                      "{:.1f} MB of trails: follow fewer bodies, or keep fewer places");
}

void wait_for_writes() { glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT); }

}  // namespace

Trails::Trails()
    : append_({.name = "trails, appending", .compute = {shaders::trail_append_comp}},
              [this](UniformTable& uniforms) {
                row_ = uniforms.find<glm::uvec2>("row");
                time_ = uniforms.find<float>("time");
              }),
      origin_({.name = "trails, origin", .compute = {shaders::trail_origin_comp}},
              [this](UniformTable& uniforms) {
                origin_place_ = uniforms.find<glm::uint>("place");
                origin_frame_ = uniforms.find<glm::uvec3>("frame");
              }) {}

void Trails::follow(TrailPlan plan) {
  if (plan == plan_) return;
  auto same = plan_;
  same.rows = plan.rows;
  const bool longer_or_shorter = same == plan && used_ > 0;
  const auto old = std::move(points_);
  const auto old_rows = plan_.rows, old_newest = newest_;
  plan_ = {};
  const auto kept = std::exchange(used_, 0);
  if (plan.bodies.empty()) return;
  allocate(plan);
  plan_ = std::move(plan);
  if (!longer_or_shorter) return;
  used_ = std::min(kept, plan_.rows);
  keep_rows(old, old_rows, old_newest);
}

void Trails::allocate(const TrailPlan& plan) {
  check_size(plan);
  points_ = allocate_points(points_of(plan) * bytes_per_point, nullptr);
  followed_ = allocate_points(plan.bodies.size() * sizeof(std::uint32_t), plan.bodies.data());
  texture_ = make_texture(GL_TEXTURE_BUFFER);
  glTextureBuffer(texture_.name(), GL_RGBA32F, points_.name());
  newest_ = plan.rows - 1;
}

/// The newest ones of another ring, to the end of this one.
void Trails::keep_rows(const Buffer& old, std::size_t old_rows, std::size_t old_newest) {
  const auto bytes = static_cast<GLsizeiptr>(stride() * bytes_per_point);
  for (std::size_t age = 0; age < used_; ++age) {
    const auto from = static_cast<GLintptr>((old_newest + old_rows - age) % old_rows);
    const auto to = static_cast<GLintptr>(newest_ - age);
    glCopyNamedBufferSubData(old.name(), points_.name(), from * bytes, to * bytes, bytes);
  }
}

void Trails::append_origin(const BodyBuffers& buffers, std::size_t place) const {
  origin_place_.set(static_cast<glm::uint>(place));
  origin_frame_.set(
      {static_cast<glm::uint>(plan_.origin), plan_.origin_body, static_cast<glm::uint>(buffers.bodies())});
  origin_.use();
  glDispatchCompute(1, 1, 1);
}

void Trails::append(const BodyBuffers& buffers, int slot, double time) {
  if (bodies() == 0) return;
  if (used_ == 0) start_ = time;
  newest_ = (newest_ + 1) % plan_.rows;
  used_ = std::min(used_ + 1, plan_.rows);
  const auto first = newest_ * stride();
  bind_storage(shared::position_place, buffers.position_buffer(slot));
  bind_storage(shared::followed_place, followed_.name());
  bind_storage(shared::trail_place, points_.name());
  row_.set({static_cast<glm::uint>(first), static_cast<glm::uint>(bodies())});
  time_.set(static_cast<float>(time - start_));
  append_.use();
  glDispatchCompute(groups_of(bodies(), shared::trail_group), 1, 1);
  append_origin(buffers, first + bodies());
  wait_for_writes();
}

void Trails::fill(std::span<const glm::vec4> points) {
  if (bodies() == 0 || points.size() != bodies() * plan_.rows)
    throw Error(fmt::format("{} points do not fit {} trails of {}", points.size(), bodies(), plan_.rows));
  std::vector<glm::vec4> all;
  all.reserve(points_of(plan_));
  for (std::size_t row = 0; row < plan_.rows; ++row) {
    const auto of_row = points.subspan(row * bodies(), bodies());
    all.insert(all.end(), of_row.begin(), of_row.end());
    all.emplace_back(0.0F);
  }
  glNamedBufferSubData(points_.name(), 0, static_cast<GLsizeiptr>(all.size() * bytes_per_point), all.data());
  used_ = plan_.rows;
  newest_ = plan_.rows - 1;
}

std::vector<glm::vec4> Trails::read() const {
  std::vector<glm::vec4> rows(used_ * stride());
  const auto bytes = stride() * bytes_per_point;
  for (std::size_t age = 0; age < used_; ++age) {
    const auto row = (newest_ + plan_.rows - age) % plan_.rows;
    glGetNamedBufferSubData(points_.name(), static_cast<GLintptr>(row * bytes),
                            static_cast<GLsizeiptr>(bytes), &rows[(used_ - 1 - age) * stride()]);
  }
  return rows;
}

}  // namespace orrery::render
