#include "render/trails/trail_drawer.h"

#include <fmt/format.h>

#include <algorithm>

#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

constexpr const char* float_atomics_extension = "GL_NV_shader_atomic_float";
/// Pieces that a curve between two rows is drawn with, at most; and how many there may be in all for that.
constexpr std::size_t most_pieces = 8;
constexpr std::size_t pieces_of_gpu = 2'000'000;
constexpr std::size_t pieces_of_software = 60'000;
/// Where there are more ways from row to row, several are drawn as one.
constexpr std::size_t ways_of_gpu = 650'000;
constexpr std::size_t ways_of_software = 250'000;
/// Narrower lines would fall between the middles of pixels.
constexpr float smallest_half_width = 0.7F;

ShaderSources triangle_sources() {
  return {.name = "trails",
          .vertex = {shaders::trail_glsl, shaders::trail_vert},
          .fragment = {shaders::trail_glsl, shaders::trail_frag}};
}

ShaderSources splat_sources() {
  const bool float_atomics = has_extension(float_atomics_extension);
  return {.name = "trails, splatting",
          .compute = {shaders::trail_glsl, shaders::trail_splat_comp},
          .directives = float_atomics ? fmt::format("#extension {} : require\n#define FLOAT_ATOMICS\n",
                                                    float_atomics_extension)
                                      : std::string()};
}

constexpr std::size_t bytes_per_body = 2 * sizeof(glm::vec4);

BodyProgram make_look_program(const BodyText& text) {
  const ShaderSources sources{
      .name = fmt::format("trail look, {}", text.name),
      .compute = {shaders::body_glsl, text.glsl, shaders::stored_bodies_glsl, shaders::trail_look_comp}};
  return {sources, text, find_work};
}

}  // namespace

void TrailDrawer::Uniforms::find(UniformTable& table) {
  view = table.find<glm::mat4>("view");
  projection = table.find<glm::mat4>("projection");
  picture = table.find<glm::vec2>("picture");
  ring = table.find<glm::uvec4>("ring");
  pieces = table.find<glm::uint>("pieces");
  joined = table.find<glm::uint>("joined");
  line = table.find<glm::vec4>("line");
}

TrailDrawer::TrailProgram::TrailProgram(const ShaderSources& sources, bool splats)
    : program(sources, [&](UniformTable& table) {
        uniforms.find(table);
        if (splats) uniforms.work = table.find<glm::uvec2>("work");
      }) {}

TrailLooks::TrailLooks() : look_(make_look_program) {}

void TrailLooks::resize(std::size_t bodies) {
  if (bodies == bodies_) return;
  looks_ = make_buffer();
  glNamedBufferStorage(looks_.name(), static_cast<GLsizeiptr>(bodies * bytes_per_body), nullptr, 0);
  texture_ = make_texture(GL_TEXTURE_BUFFER);
  glTextureBuffer(texture_.name(), GL_RGBA32F, looks_.name());
  bodies_ = bodies;
}

void TrailLooks::update(const Trails& trails, const BodyBuffers& buffers, int slot, const BodyView& from,
                        const BodyStyle& style) {
  resize(trails.bodies());
  const BodyProgram& program = look_.use(from, 0, style);
  program.work.set({static_cast<glm::uint>(trails.bodies()), 0U});
  for (const int place : {shared::position_place, shared::velocity_place, shared::component_place,
                          shared::galaxy_place, shared::quantity_place})
    bind_storage(place, buffers.buffer(place, slot));
  bind_storage(shared::followed_place, trails.followed());
  bind_storage(shared::trail_place, looks_.name());
  glDispatchCompute(groups_of(bodies_, shared::trail_group), 1, 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

TrailDrawer::TrailDrawer() : no_vertices_(make_vertex_array()), software_(gl_info().software) {}

void TrailDrawer::draw(const Trails& trails, const BodyBuffers& buffers, int slot, const glm::mat4& view,
                       const glm::mat4& projection, Accumulation& light, const BodyStyle& bodies,
                       const TrailStyle& style, DrawMethod method) {
  if (trails.bodies() == 0 || trails.rows() < 2 || !(style.light > 0.0F)) return;
  looks_.update(trails, buffers, slot, {view, projection, light.size()}, bodies);
  auto& chosen = method == DrawMethod::compute ? splats_ : triangles_;
  if (!chosen) {
    const bool splats = method == DrawMethod::compute;
    chosen.emplace(splats ? splat_sources() : triangle_sources(), splats);
  }
  const std::size_t all = trails.bodies() * (trails.rows() - 1);
  const std::size_t able = software_ ? ways_of_software : ways_of_gpu;
  const std::size_t most = style.most_ways > 0 ? style.most_ways : able;
  const auto joined = std::clamp<std::size_t>((all + most - 1) / most, 1, trails.rows() - 1);
  const std::size_t intervals = trails.bodies() * ((trails.rows() - 2 + joined) / joined);
  const auto room = (software_ ? pieces_of_software : pieces_of_gpu) / intervals;
  const auto pieces = style.smooth && joined == 1 ? std::clamp<std::size_t>(room, 1, most_pieces) : 1;
  const float scale = bodies.pixel_scale;
  const float half_width =
      std::max(0.5F * style.width_px * scale / shared::half_maximum, smallest_half_width);
  const Uniforms& to = chosen->uniforms;
  to.view.set(view);
  to.projection.set(projection);
  to.picture.set(glm::vec2(light.size()));
  to.ring.set({trails.plan().rows, trails.newest_row(), trails.rows(), trails.bodies()});
  to.pieces.set(static_cast<glm::uint>(pieces));
  to.joined.set(static_cast<glm::uint>(joined));
  // The light of bodies grows with the area of the picture's pixels; that of a length with their width.
  to.line.set({half_width, style.light / scale, style.fading, style.fade_time});
  glBindTextureUnit(shared::points_unit, trails.texture());
  glBindTextureUnit(shared::looks_unit, looks_.texture());
  chosen->program.use();
  if (method == DrawMethod::compute)
    splat(intervals * pieces, light, half_width);
  else
    draw_triangles(intervals * pieces, light.size());
}

void TrailDrawer::draw_triangles(std::size_t pieces, glm::ivec2 size) {
  add_light();
  glViewport(0, 0, size.x, size.y);
  glBindVertexArray(no_vertices_.name());
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(6 * pieces));
  glBindVertexArray(0);
  glDisable(GL_BLEND);
}

void TrailDrawer::splat(std::size_t pieces, Accumulation& light, float half_width) {
  const glm::uint team = half_width > 1.5F ? 32 : 16;
  sums_.resize(light.size());
  sums_.bind();
  splats_->uniforms.work.set({static_cast<glm::uint>(pieces), team});
  dispatch_groups(groups_of(pieces, shared::splat_group));
  sums_.add_to(light);
}

}  // namespace orrery::render
