#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "sim/cuda/multi_gpu/body_transfer.h"
#include "sim/cuda/multi_gpu/team_map.h"
#include "tests/sim/activity/plain_map.h"
#include "tests/sim/engines/engine_cases.h"

// Several parts count on one GPU, as several GPUs do.
namespace orrery::sim::cuda {
namespace {

const checks::EngineCase on_cuda{.name = "", .assignments = {"engine=cuda"}, .cuda = true};

/// Part k of the bodies, on device 0.
void prepare(GpuWorker& part, const EngineSettings& settings, const Partition& share, const Bodies& bodies) {
  const auto galaxies = bodies.galaxies();
  part.make_current();
  auto module = part.modules().get(settings.kernel);
  part.set_partition(share, galaxies, galaxies);
  part.use(settings, std::move(module));
  part.allocate();
}

/// The map of the bodies, counted by `parts` parts of one GPU and added up by the first.
std::vector<float> summed_map(const Bodies& bodies, const MapSpec& spec, std::size_t count,
                              const std::vector<std::string>& assignments) {
  const EngineSettings settings(checks::configuration_of(on_cuda, assignments), 1);
  const auto shares = split_bodies(bodies.galaxies(), std::vector<double>(count, 1.0));
  std::vector<std::unique_ptr<GpuWorker>> owned;
  std::vector<GpuWorker*> parts;
  for (const auto& share : shares) {
    owned.push_back(std::make_unique<GpuWorker>(0));
    parts.push_back(owned.back().get());
    prepare(*parts.back(), settings, share, bodies);
  }
  BodyTransfer port;
  port.upload(parts, bodies, false, false);
  MapSum sum;
  sum.use(*parts.front(), spec.size * spec.size);
  std::vector<float> values(map_header + spec.size * spec.size);
  // Twice: nothing of the first sum is left in the second.
  for (int time = 0; time < 2; ++time) {
    for (auto* part : parts) {
      if (time == 0) part->use_map(spec, bodies.size());
      part->count_map(false);
    }
    parts.front()->make_current();
    sum.write(parts, *parts.front(), parts.front()->map().values());
    port.copy_map(*parts.front(), values.data());
  }
  return values;
}

TEST(MapSum, PartsOfOneGpuAddUpToTheMapOfAllBodies) {
  if (const auto reason = checks::why_not_here(on_cuda); !reason.empty()) GTEST_SKIP() << reason;
  const auto bodies = checks::ragged_bodies(1003);
  for (const auto values : {MapValues::count, MapValues::normalised}) {
    const MapSpec spec{.size = 37, .box = {-2.0F, 2.0F, -2.0F, 2.0F}, .values = values};
    const auto expected = checks::plain_map(bodies.position, spec);
    ASSERT_GT(expected[0], 0.0F);
    for (const std::size_t parts : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
      EXPECT_EQ(summed_map(bodies, spec, parts, {"map-count=kernel"}), expected) << parts;
      EXPECT_EQ(summed_map(bodies, spec, parts, {"map-count=shared", "constants=constant-memory"}), expected)
          << parts;
    }
  }
}

}  // namespace
}  // namespace orrery::sim::cuda
