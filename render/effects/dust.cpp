#include "render/effects/dust.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/bodies/body_buffers.h"
#include "render/bodies/body_look.h"
#include "render/bodies/lot.h"
#include "render/color_modes/color_mode.h"
#include "render/context/gl.h"
#include "render/context/shader_constants.h"
#include "render_shaders.h"

namespace orrery::render {
namespace {

/// Along the longer side of the picture.
constexpr float cells_of_side = 384.0F;
/// Cells around it, for bodies whose light reaches into it.
constexpr int cells_around = 8;
constexpr int rows_of_slices = shared::dust_slices / shared::dust_columns;
static_assert(rows_of_slices * shared::dust_columns == shared::dust_slices);
/// More clouds cost more than they smooth; in rough pictures there are fewer.
constexpr std::size_t most_clouds = 500'000, most_rough_clouds = 100'000;
constexpr std::size_t most_clouds_of_body = 32;

/// One body in `stride` has clouds, so many each.
struct Clouds {
  std::size_t stride = 1, each = 1;
  Clouds(std::size_t bodies, std::size_t most)
      : stride(std::max<std::size_t>((bodies + most - 1) / most, 1)),
        each(std::clamp<std::size_t>(most / std::max<std::size_t>(bodies, 1), 1, most_clouds_of_body)) {}
  /// The optical depth of a cloud over a cell at distance 1.
  float amount(const DustStyle& dust, const BodyView& from, float cells_of_pixel) const {
    const float pixel = 2.0F / (from.projection[1][1] * static_cast<float>(from.size_px.y));
    const float side = pixel / cells_of_pixel;  // of a cell at distance 1
    return dust.cross_section * static_cast<float>(stride) / static_cast<float>(each) / (side * side);
  }
};

/// The dust of a body, moved down to the layer and along it by lot: as in shaders/dust.comp.
class Layer {
 public:
  explicit Layer(const DustStyle& dust) : dust_(dust), axes_(axes_across(dust.normal)) {}
  glm::vec3 cloud(const glm::vec3& place, std::uint32_t number) const {
    const std::uint32_t first = lot(number), second = lot(first);
    const float radius = dust_.spread * std::sqrt(-2.0F * std::log(part_of_lot(first)));
    const float angle = 2.0F * std::numbers::pi_v<float> * part_of_lot(second);
    const float height = glm::dot(place - dust_.middle, dust_.normal);
    return place - (1.0F - dust_.height) * height * dust_.normal +
           radius * (std::cos(angle) * axes_[0] + std::sin(angle) * axes_[1]);
  }

 private:
  const DustStyle& dust_;
  glm::mat2x3 axes_;
};

Texture make_slices(glm::ivec2 size) {
  Texture texture = make_texture(GL_TEXTURE_2D);
  glTextureStorage2D(texture.name(), 1, GL_R32F, size.x, size.y);
  set_sampling(texture, GL_LINEAR, GL_LINEAR, false);
  return texture;
}

/// The distance at which a cloud counts shared::cloud_units: that of the layer, or its radius where the eye
/// is in it.
float usual_distance(const BodyView& from, const DustStyle& dust) {
  const float middle = (from.projection * (from.view * glm::vec4(dust.middle, 1.0F))).w;
  const float usual = std::max(middle, std::abs(from.projection[2][3]) * dust.radius);
  return std::isfinite(usual) && usual > 0.0F ? usual : 1.0F;
}

/// The direction in which slices follow each other. Any that all lines of sight go along puts them in order
/// from the eye. The more it is across the layer, the more slices a line of sight has where there is dust:
/// along the lines themselves, a layer that is seen at a slant would have but one.
glm::vec3 way_through(const BodyView& from, glm::vec3 normal) {
  constexpr float least_advance = 0.1F;
  constexpr float mostly_across = 20.0F;
  const auto& view = from.view;
  const glm::vec3 right(view[0][0], view[1][0], view[2][0]), up(view[0][1], view[1][1], view[2][1]);
  const glm::vec3 forward = -glm::vec3(view[0][2], view[1][2], view[2][2]);
  if (glm::dot(forward, normal) < 0.0F) normal = -normal;
  // Tangents of the picture's edges; a picture can be off its axis.
  const float wide = (1.0F + std::abs(from.projection[2][0])) / from.projection[0][0];
  const float high = 1.0F / from.projection[1][1];
  // By how much the line of sight that is least across advances across the layer.
  const float least = glm::dot(forward, normal) - wide * std::abs(glm::dot(right, normal)) -
                      high * std::abs(glm::dot(up, normal));
  if (least > least_advance) return normal;
  const float share = least < 0.0F ? (1.0F - least_advance) / -least : mostly_across;
  return forward + std::min(share, mostly_across) * normal;
}

}  // namespace

struct Dust::State {
  Uniform<glm::vec4> layer_middle, layer_normal;
  Uniform<glm::uvec3> clouds;
  Uniform<float> usual, carried, unit;
  Setter set_own;
  BodyLook look;
  ShaderProgram sum;
  Texture slices;
  glm::ivec2 size{0, 0};

  explicit State(Dust& dust)
      : look([this, &dust](const BodyText& text) { return make_program(dust, text); }),
        sum({.name = "sums of dust", .compute = {shaders::dust_sum_comp}},
            [this](UniformTable& uniforms) { unit = uniforms.find<float>("unit"); }) {}

  BodyProgram make_program(Dust& dust, const BodyText& text) {
    const ShaderSources sources{.name = "dust",
                                .compute = {shaders::body_glsl, text.glsl, shaders::dust_glsl,
                                            shaders::stored_bodies_glsl, shaders::dust_comp}};
    return {sources, text, [this, &dust](BodyProgram& /*made*/, UniformTable& uniforms) {
              set_own = dust.find_uniforms(uniforms);
              layer_middle = uniforms.find<glm::vec4>("layer_middle");
              layer_normal = uniforms.find<glm::vec4>("layer_normal");
              clouds = uniforms.find<glm::uvec3>("clouds");
              usual = uniforms.find<float>("usual");
              carried = uniforms.find<float>("carried", shared::body_components);
            }};
  }

  void resize(glm::ivec2 cells) {
    const glm::ivec2 wanted = cells * glm::ivec2(shared::dust_columns, rows_of_slices);
    if (wanted != size) slices = make_slices(wanted);
    size = wanted;
  }

  void set_uniforms(const DustStyle& dust, std::size_t bodies, const Clouds& of_bodies,
                    float distance) const {
    layer_middle.set({dust.middle, dust.height});
    layer_normal.set({dust.normal, dust.spread});
    clouds.set({bodies, of_bodies.stride, of_bodies.each});
    usual.set(distance);
    std::array<float, shared::body_components> carriers{};
    std::ranges::transform(dust.carried, carriers.begin(), [](bool has) { return has ? 1.0F : 0.0F; });
    carried.set(std::span<const float>(carriers));
  }

  /// As whole numbers, in the bits of the float texture.
  void count(const BodyScene& scene, const Clouds& of_bodies) const {
    constexpr GLfloat none = 0.0F;
    glClearTexImage(slices.name(), 0, GL_RED, GL_FLOAT, &none);
    for (const int place : {shared::position_place, shared::component_place, shared::galaxy_place})
      bind_storage(place, scene.buffers.buffer(place, scene.slot));
    glBindImageTexture(shared::result_image, slices.name(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    const auto having = (scene.buffers.bodies() + of_bodies.stride - 1) / of_bodies.stride;
    dispatch_groups(groups_of(having * of_bodies.each, shared::splat_group));
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
  }

  void add_up(glm::ivec2 cells, float depth_of_unit) const {
    unit.set(depth_of_unit);
    sum.use();
    const auto columns = static_cast<std::size_t>(cells.x) * static_cast<std::size_t>(cells.y);
    dispatch_groups(groups_of(columns, shared::splat_group));
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  }

  void upload(const DustColumns& columns) const {
    glTextureSubImage2D(slices.name(), 0, 0, 0, size.x, size.y, GL_RED, GL_FLOAT, columns.texels().data());
  }
};

Dust::Dust() = default;

Dust::~Dust() = default;

BodyEffect::Code Dust::code() const { return {.glsl = shaders::dust_glsl, .passes = "dust_passes"}; }

BodyEffect::Setter Dust::find_uniforms(UniformTable& uniforms) {
  const auto dust = uniforms.find<glm::vec4>("dust");
  const auto grid = uniforms.find<glm::vec4>("dust_grid");
  return [this, dust, grid](const BodyStyle& /*style*/) {
    dust.set(absorption_);
    grid.set(grid_);
    glBindTextureUnit(shared::dust_unit, state_->slices.name());
  };
}

/// Slices from one end of the layer to the other, as the eye passes them.
void Dust::arrange(const BodyView& from) {
  const glm::vec2 size(from.size_px);
  const float cells_of_pixel = cells_of_side / std::max(size.x, size.y);
  cells_ = glm::ivec2(glm::ceil(size * cells_of_pixel)) + 2 * cells_around;
  absorption_ = {style.reddening, cells_of_pixel};
  const auto way = way_through(from, style.normal);
  const float across = glm::dot(way, style.normal);
  const float along = glm::length(way - across * style.normal);
  // A disk without any thickness is seen through too.
  const float least = 1e-3F * style.radius;
  const float half = std::max(style.radius * along + style.thickness * std::abs(across), least);
  const float slices_of_length = 0.5F * static_cast<float>(shared::dust_slices) / half;
  grid_ = slices_of_length * glm::vec4(way, half - glm::dot(way, style.middle));
}

void Dust::prepare(const BodyScene& scene) {
  if (!state_) state_ = std::make_unique<State>(*this);
  const bool in_memory = counted_in_memory(scene);
  if (in_memory)
    prepare_in_memory(scene);
  else
    arrange(scene.from);
  state_->resize(cells_);
  if (in_memory)
    state_->upload(columns_);
  else
    count_on_device(scene);
}

void Dust::count_on_device(const BodyScene& scene) {
  const Clouds clouds(scene.buffers.bodies(), most_clouds);
  // Colours do not count: one program.
  BodyStyle plain = scene.style;
  plain.color_mode = color_modes().front()->name;
  state_->look.use(scene.from, 0, plain);
  state_->set_own(plain);
  const float distance = usual_distance(scene.from, style);
  state_->set_uniforms(style, scene.buffers.bodies(), clouds, distance);
  state_->count(scene, clouds);
  const double amount = clouds.amount(style, scene.from, absorption_.w), square = double{distance} * distance;
  state_->add_up(cells_, static_cast<float>(amount / (square * double{shared::cloud_units})));
}

void Dust::prepare_in_memory(const BodyScene& scene) {
  arrange(scene.from);
  columns_.begin({.matrix = scene.from.projection * scene.from.view,
                  .size_px = glm::vec2(scene.from.size_px),
                  .cells = cells_,
                  .cells_of_pixel = absorption_.w,
                  .slice_of = grid_});
  add_clouds(scene);
  columns_.add_up();
}

void Dust::add_clouds(const BodyScene& scene) {
  const auto components = scene.buffers.components();
  const Clouds clouds(components.size(), scene.style.rough ? most_rough_clouds : most_clouds);
  const float amount = clouds.amount(style, scene.from, absorption_.w);
  const float* const positions = scene.buffers.mapped_position(scene.slot);
  const Layer layer(style);
  const auto palette = lit_palette(scene.style);
  for (std::size_t body = 0; body < components.size(); body += clouds.stride) {
    const auto component = std::min<std::size_t>(components[body], shared::last_component);
    if (!style.carried.at(component) || !(palette.at(component).a > 0.0F)) continue;
    const float* const at = positions + 4 * body;
    const std::uint32_t number = lot(static_cast<std::uint32_t>(body));
    for (std::uint32_t cloud = 0; cloud < clouds.each; ++cloud)
      columns_.add(layer.cloud({at[0], at[1], at[2]}, number + cloud), amount);
  }
}

glm::vec4 Dust::passes(const glm::vec3& position, std::uint32_t /*component*/, std::uint32_t /*body*/) const {
  return glm::exp(-columns_.in_front_of(position) * glm::vec4(glm::vec3(absorption_), 1.0F));
}

}  // namespace orrery::render
