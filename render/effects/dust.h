#pragma once

#include <array>
#include <glm/glm.hpp>
#include <memory>

#include "render/bodies/body_effect.h"
#include "render/effects/dust_columns.h"

namespace orrery::render {

/// Dust that absorbs the light of the bodies behind it. It is where bodies of some components are, in a layer
/// that is thinner than theirs.
struct DustStyle {
  /// Cross section of one body's dust: area (lengths^2) times optical depth in green light.
  float cross_section = 0.0F;
  std::array<bool, 8> carried{};       ///< components whose bodies have dust
  glm::vec3 middle{0.0F};              ///< a point of the middle of the layer
  glm::vec3 normal{0.0F, 0.0F, 1.0F};  ///< across it, unit length
  /// Thickness of the layer relative to that of the bodies; 1: the dust is where the bodies are.
  float height = 0.3F;
  float spread = 0.0F;     ///< the dust of a body along the layer: standard deviation (length)
  float radius = 1.0F;     ///< dust lies within, around the middle
  float thickness = 1.0F;  ///< and so far from the middle across the layer
  glm::vec3 reddening{0.751F, 1.0F, 1.337F};  ///< relative absorption of red, green and blue light
};

/// The dust in front of every place of a picture, at depths from the eye: counted in slices, which are then
/// summed up from the nearest to the farthest. Made anew for every picture, for all of it also where only a
/// tile is drawn. The CPU counts bodies in main memory where OpenGL has no GPU.
class Dust final : public BodyEffect, public ProcessorEffect {
 public:
  Dust();
  ~Dust() override;
  Dust(const Dust&) = delete;
  Dust& operator=(const Dust&) = delete;

  DustStyle style;

  Code code() const override;
  Setter find_uniforms(UniformTable& uniforms) override;
  /// Finds the dust of the bodies. Throws Error.
  void prepare(const BodyScene& scene) override;

  void prepare_in_memory(const BodyScene& scene) override;
  glm::vec4 passes(const glm::vec3& position, std::uint32_t component, std::uint32_t body) const override;

 private:
  struct State;
  void arrange(const BodyView& from);
  void count_on_device(const BodyScene& scene);
  void add_clouds(const BodyScene& scene);

  std::unique_ptr<State> state_;  ///< null until there is a first picture
  glm::ivec2 cells_{0, 0};        ///< cells of a slice
  glm::vec4 absorption_{0.0F};    ///< `dust` of shaders/dust.glsl
  glm::vec4 grid_{0.0F};          ///< `dust_grid`
  DustColumns columns_;
};

}  // namespace orrery::render
