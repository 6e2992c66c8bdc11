// What is read from the timeline of an offline job; the job itself runs on GPUs (schedules_cuda_test.cpp).
#include "sim/engines/pipeline.h"

#include <gtest/gtest.h>

#include "engine_cases.h"
#include "sim/core/error.h"

namespace orrery::sim {
namespace {

TimelineSpan span(TimelineKind activity, int device, int galaxy, double start, double end) {
  return {.activity = activity,
          .device = device,
          .stream = galaxy % 2,
          .galaxy = galaxy,
          .start_ms = start,
          .end_ms = end};
}

TEST(Pipeline, CopiesBesideKernelsAreHidden) {
  PipelineResult result;
  result.total_ms = 11.0;
  result.timeline.spans = {
      span(TimelineKind::copy_in, 0, 0, 0.0, 1.0),  span(TimelineKind::forces, 0, 0, 1.0, 5.0),
      span(TimelineKind::copy_in, 0, 1, 2.0, 3.0),  span(TimelineKind::update, 0, 0, 5.0, 6.0),
      span(TimelineKind::forces, 0, 1, 4.0, 9.0),   span(TimelineKind::copy_out, 0, 0, 6.0, 7.0),
      span(TimelineKind::copy_out, 0, 1, 9.0, 10.0)};
  summarize(result);
  EXPECT_DOUBLE_EQ(result.traced_ms, 10.0);
  EXPECT_DOUBLE_EQ(result.compute_ms, 8.0);
  EXPECT_DOUBLE_EQ(result.exposed_copy_ms, 2.0);
  EXPECT_DOUBLE_EQ(kernel_ms(result), 8.8) << "events cost time: shares count";
  ASSERT_EQ(result.galaxies.size(), 2U);
  EXPECT_DOUBLE_EQ(result.galaxies[0].copy_in_ms, 1.0);
  EXPECT_DOUBLE_EQ(result.galaxies[0].forces_ms, 5.0);
  EXPECT_DOUBLE_EQ(result.galaxies[1].copy_out_ms, 1.0);
  EXPECT_EQ(result.galaxies[1].stream, 1);
}

TEST(Pipeline, DevicesWorkAtTheSameTime) {
  PipelineResult result;
  result.timeline.spans = {span(TimelineKind::forces, 0, 0, 0.0, 4.0),
                           span(TimelineKind::forces, 1, 1, 0.0, 2.0),
                           span(TimelineKind::copy_out, 1, 1, 2.0, 4.0)};
  summarize(result);
  EXPECT_DOUBLE_EQ(result.compute_ms, 3.0);
  EXPECT_DOUBLE_EQ(result.exposed_copy_ms, 1.0);
}

TEST(Pipeline, AnEmptyTimelineTellsNothing) {
  PipelineResult result;
  summarize(result);
  EXPECT_EQ(result.compute_ms, 0.0);
  EXPECT_TRUE(result.galaxies.empty());
}

TEST(Pipeline, TheProcessorHasNone) {
  Scene scene;
  scene.bodies = checks::ragged_bodies(10);
  auto configuration = checks::simulation_options().defaults();
  configuration.set("engine", std::string("cpu"));
  EXPECT_THROW(run_pipeline(checks::simulation_options(), configuration, scene, 1), UsageError);
}

}  // namespace
}  // namespace orrery::sim
