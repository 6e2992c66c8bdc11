#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <memory>

#include "render/bodies/body_effect.h"

namespace orrery::render {

/// Where a disk's young stars shine. Colours are linear RGB over that of the component of young stars.
struct StarFormationStyle {
  glm::vec3 middle{0.0F};              ///< of the map of the disk's density
  glm::vec3 normal{0.0F, 0.0F, 1.0F};  ///< across the disk's plane, unit length
  float length = 1.0F;                 ///< half of the map, from its middle to its edge, covers this radius
  std::array<bool, 8> counted{};       ///< components that make up the density
  std::uint32_t young = 0;             ///< the component whose light follows it
  glm::vec3 older{1.0F};               ///< colour where the disk is thinner than around
  glm::vec3 pink{1.0F};                ///< colour of knots of hydrogen
  /// Pink knots: the largest part of young bodies, and the light that such a body has in addition; then the
  /// same of blue ones.
  glm::vec4 knots{0.0F};
  float strength = 1.0F;     ///< 0: all as without it
  float disk_bodies = 0.0F;  ///< number of bodies that are counted
};

/// Gives young stars more light, and bluer, where the disk is denser than its surroundings, and makes some of
/// them knots: a picture of where stars would form. Their light is redistributed: the mean factor is 1. The
/// density is counted in a map of the disk's plane anew for every picture.
class StarFormation final : public BodyEffect, public ProcessorEffect {
 public:
  StarFormation();
  ~StarFormation() override;
  StarFormation(const StarFormation&) = delete;
  StarFormation& operator=(const StarFormation&) = delete;

  StarFormationStyle style;

  Code code() const override;
  Setter find_uniforms(UniformTable& uniforms) override;
  /// Counts the bodies. Throws Error.
  void prepare(const BodyScene& scene) override;

  void prepare_in_memory(const BodyScene& scene) override;
  glm::vec4 passes(const glm::vec3& position, std::uint32_t component, std::uint32_t body) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;  ///< null until there is a first picture
};

}  // namespace orrery::render
