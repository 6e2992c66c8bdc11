#include "sim/engine.h"

#include <algorithm>
#include <array>

#include "sim/cpu/cpu_engine.h"
#ifdef ORRERY_CUDA
#include "sim/cuda/cuda_engine.h"
#endif
#include "sim/error.h"

namespace orrery::sim {

void pack_bodies(std::span<const Vec3> position, std::span<const Vec3> velocity, std::span<const float> mass,
                 float* packed_position, float* packed_velocity) {
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vec3& x = position[i];
    const Vec3& v = velocity[i];
    float* p = packed_position + 4 * i;
    float* q = packed_velocity + 4 * i;
    p[0] = x.x, p[1] = x.y, p[2] = x.z, p[3] = mass[i];
    q[0] = v.x, q[1] = v.y, q[2] = v.z, q[3] = 0.0F;
  }
}

void Engine::take_share(BodyRange /*targets*/, StateExchange& /*exchange*/) {
  throw UsageError(
      "the engine '" + std::string(kind().name) +
      "' cannot share a galaxy among processes; use engine=cpu, or as many galaxies as processes");
}

std::span<const EngineKind* const> engine_kinds() {
  static constexpr auto all = std::to_array<const EngineKind*>({
      &cpu_engine_kind,
#ifdef ORRERY_CUDA
      &cuda_engine_kind,
#endif
  });
  return all;
}

std::unique_ptr<Engine> make_engine(const OptionTable& options, const Configuration& configuration) {
  options.check(configuration);
  const auto all = engine_kinds();
  const auto kind = std::ranges::find(all, configuration.choice("engine"), &EngineKind::name);
  if (kind == all.end()) throw UsageError("there is no engine '" + configuration.choice("engine") + "'");
  auto engine = (*kind)->make(options);
  engine->configure(configuration);
  return engine;
}

}  // namespace orrery::sim
