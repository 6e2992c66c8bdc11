#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernel_folder_testing.h"
#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/engine_cases.h"

// Device code edited while it runs.
namespace orrery::sim::cuda {
namespace {

#ifdef ORRERY_TEST_EMULATED
constexpr const char* engine = "engine=emulated";
#else
constexpr const char* engine = "engine=cuda";
#endif

class LiveEdit : public testing::Test {
 protected:
  void SetUp() override {
    const checks::EngineCase here{.name = "", .assignments = {engine, "time-step=1e-6"}};
    if (const auto reason = checks::why_not_here(here); !reason.empty()) GTEST_SKIP() << reason;
    watcher_ = std::make_unique<KernelWatcher>(folder_.path(), messages_.say());
    configuration_ = checks::configuration_of(here);
    engine_ = make_engine(checks::simulation_options(), configuration_);
    engine_->load(checks::ragged_bodies(1000), 0.0);
  }
  /// Median relative force error of a step, as the viewer makes it: 0 for the right code, 1 for twice the
  /// force.
  double error_of_a_step() {
    engine_->observe({.forces = 64, .seed = 1});
    EXPECT_TRUE(eventually([&] { return engine_->advance({.time = std::chrono::milliseconds(5)}); }));
    engine_->finish();
    return force_error(engine_->poll().forces.value()).median;
  }
  bool error_becomes(double wanted) {
    return eventually([&] { return std::abs(error_of_a_step() - wanted) < 1e-3; });
  }
  std::string problem() const { return engine_->report().problem; }
  bool says(const std::string& text) {
    return eventually([&] { return error_of_a_step() >= 0.0 && problem().find(text) != std::string::npos; });
  }

  SourceFolder folder_;
  Messages messages_;
  std::unique_ptr<KernelWatcher> watcher_;
  Configuration configuration_;
  std::unique_ptr<Engine> engine_;
};

/// Twice the force in all components.
void double_the_force(const SourceFolder& folder) {
  for (const char component : {'x', 'y', 'z'}) {
    const auto right = fmt::format("factor * sum.{};", component);
    ASSERT_TRUE(folder.edit("sums.cuh", "= " + right, "= 2 * " + right));
  }
}

TEST_F(LiveEdit, ChangesTheForcesOfTheRunningKernel) {
  ASSERT_TRUE(error_becomes(0.0));
  double_the_force(folder_);
  EXPECT_TRUE(error_becomes(1.0));
  EXPECT_EQ(problem(), "");
  EXPECT_TRUE(messages_.contain("sums.cuh was edited"));
}

TEST_F(LiveEdit, BrokenCodeIsReportedAndTheLastGoodKernelRunsOnUntilItIsMended) {
  double_the_force(folder_);
  ASSERT_TRUE(error_becomes(1.0));
  const auto good = folder_.text("sums.cuh");
  folder_.write("sums.cuh", good + "broken;\n");
  ASSERT_TRUE(says((folder_.path() / "sums.cuh").string() + "("));
  const auto steps = engine_->status().steps;
  EXPECT_NEAR(error_of_a_step(), 1.0, 1e-3) << "the last good code is the edited one";
  EXPECT_GT(engine_->status().steps, steps);
  // Another kernel of the broken code: the last good code again.
  configuration_.set("unroll", std::int64_t{4});
  engine_->configure(configuration_);
  EXPECT_TRUE(eventually([&] { return error_of_a_step() >= 0.0 && !engine_->report().compiling; }));
  EXPECT_NE(problem(), "");
  EXPECT_NEAR(error_of_a_step(), 1.0, 1e-3);
  folder_.write("sums.cuh", embedded_kernel_files().at("sums.cuh").text);
  EXPECT_TRUE(error_becomes(0.0));
  EXPECT_EQ(problem(), "");
}

TEST_F(LiveEdit, AKernelThatIsGoneIsReported) {
  ASSERT_TRUE(error_becomes(0.0));
  ASSERT_TRUE(folder_.edit("update.cu", "void publish(", "void hidden("));
  EXPECT_TRUE(says("publish"));
  EXPECT_TRUE(error_becomes(0.0));
}

TEST_F(LiveEdit, CodeBrokenFromTheStartRunsAsEmbedded) {
  folder_.write("tiled.cu", "broken;\n");
  ASSERT_TRUE(eventually([] { return kernel_files()->at("tiled.cu").text == "broken;\n"; }));
  engine_ = make_engine(checks::simulation_options(), configuration_);
  engine_->load(checks::ragged_bodies(1000), 0.0);
  EXPECT_TRUE(error_becomes(0.0));
  EXPECT_NE(problem().find("tiled.cu(1): error"), std::string::npos) << problem();
}

TEST_F(LiveEdit, OtherFamiliesFilesDoNotDisturb) {
  ASSERT_TRUE(error_becomes(0.0));
  folder_.write("pairwise.cu", "broken;\n");
  ASSERT_TRUE(eventually([] { return kernel_files()->at("pairwise.cu").text == "broken;\n"; }));
  for (int k = 0; k < 20; ++k) EXPECT_LT(error_of_a_step(), 1e-3);
  EXPECT_EQ(problem(), "");
  EXPECT_FALSE(engine_->report().compiling);
}

}  // namespace
}  // namespace orrery::sim::cuda
