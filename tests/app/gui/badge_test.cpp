// Whether the badge notices a wrong kernel. Linked with wrong_kernels.cpp, so that the whole way is the
// product's: engine, stepping thread, sampled forces, monitor, verdict.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "far_group.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/simulation.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::sim {
namespace {

constexpr std::size_t bodies = 600;

/// Three host targets and the simulation that writes to them.
class BadgeTest : public testing::Test {
 protected:
  void start(const std::string& kernel) {
    auto scene = std::make_shared<Scene>(make_galaxies("plummer", {.bodies = bodies, .seed = 1}, 1));
    start_with(kernel, std::move(scene));
  }

  void start_with(const std::string& kernel, std::shared_ptr<Scene> scene) {
    configuration_ = table_.defaults();
    configuration_.set("kernel", kernel);
    set_physics(configuration_, scene->physics);
    for (std::size_t slot = 0; slot < memory_.size(); ++slot) {
      memory_.at(slot).resize(8 * bodies);
      float* data = memory_.at(slot).data();
      ring_.at(slot) = {.position = data, .velocity = data + 4 * bodies, .bodies = bodies};
    }
    simulation_ =
        std::make_unique<Simulation>(table_, scene, Control{.configuration = configuration_}, ring_);
  }

  /// Begins anew as well: a wrong kernel can leave a state that no kernel can go on from.
  void switch_to(const std::string& kernel) {
    configuration_.set("kernel", kernel);
    simulation_->set_control({.configuration = configuration_, .resets = ++resets_});
  }

  /// The first result of the monitor about the kernel that is judged so.
  bool becomes(Verdict wanted, const std::string& kernel) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    Health health;
    while (std::chrono::steady_clock::now() < deadline) {
      const bool news = simulation_->receive_health(health);
      if (news && health.label == kernel && health.force_error.sample > 0 && verdict(health) == wanted)
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  /// The first result of the monitor about the kernel that has a force error.
  std::optional<Health> health_of(const std::string& kernel) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    Health health;
    while (std::chrono::steady_clock::now() < deadline) {
      const bool news = simulation_->receive_health(health);
      if (news && health.label == kernel && health.force_error.sample > 0) return health;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return std::nullopt;
  }

 private:
  OptionTable table_ = [] {
    OptionTable table;
    add_simulation_options(table);
    return table;
  }();
  Configuration configuration_ = table_.defaults();
  std::array<std::vector<float>, SlotExchange::slots> memory_;
  TargetRing ring_;
  std::unique_ptr<Simulation> simulation_;
  std::uint64_t resets_ = 0;
};

TEST_F(BadgeTest, IsGreenWithRightKernels) {
  start("sequential");
  for (const auto* kernel : {"sequential", "omp-bodies"}) {
    switch_to(kernel);
    const auto health = health_of(kernel);
    ASSERT_TRUE(health.has_value()) << kernel;
    EXPECT_EQ(verdict(health->force_error), Verdict::good)
        << kernel << ": median " << health->force_error.median << ", p99 " << health->force_error.p99;
  }
}

struct Mutant {
  const char* kernel;
  Verdict at_best;  ///< what the badge may say at most
};

class BadgeWithMutant : public BadgeTest, public testing::WithParamInterface<Mutant> {};

TEST_P(BadgeWithMutant, IsNotGreen) {
  start(GetParam().kernel);
  const auto health = health_of(GetParam().kernel);
  ASSERT_TRUE(health.has_value());
  EXPECT_GE(verdict(health->force_error), GetParam().at_best)
      << "median " << health->force_error.median << ", p99 " << health->force_error.p99;
}

TEST_P(BadgeWithMutant, GoesOverFromGreenAndBack) {
  start("sequential");
  ASSERT_TRUE(health_of("sequential").has_value());
  switch_to(GetParam().kernel);
  const auto wrong = health_of(GetParam().kernel);
  ASSERT_TRUE(wrong.has_value());
  EXPECT_GE(verdict(wrong->force_error), GetParam().at_best);
  switch_to("sequential");
  const auto right = health_of("sequential");
  ASSERT_TRUE(right.has_value());
  EXPECT_EQ(verdict(right->force_error), Verdict::good);
}

INSTANTIATE_TEST_SUITE_P(
    Mutants, BadgeWithMutant,
    testing::Values(Mutant{"wrong-sign", Verdict::wrong}, Mutant{"wrong-power", Verdict::wrong},
                    Mutant{"softened-twice", Verdict::doubtful}, Mutant{"missing-bodies", Verdict::wrong},
                    Mutant{"coarse-weight", Verdict::doubtful}, Mutant{"lost-rows", Verdict::wrong},
                    Mutant{"never-computed", Verdict::wrong}, Mutant{"not-a-number", Verdict::wrong}),
    [](const auto& mutant) {
      std::string name = mutant.param.kernel;
      std::erase(name, '-');
      return name;
    });

/// Mistakes that equal masses, G = 1 and one galaxy hide.
class BadgeOfHiddenMistakes : public BadgeTest, public testing::WithParamInterface<const char*> {
 protected:
  /// Two galaxies of unequal masses.
  static std::shared_ptr<Scene> unequal_galaxies() {
    auto scene = std::make_shared<Scene>(make_galaxies("plummer", {.bodies = bodies / 2, .seed = 1}, 2));
    auto& mass = scene->bodies.mass;
    for (std::size_t i = 0; i < mass.size(); ++i) mass[i] *= 0.5F + static_cast<float>(i % 3) / 2.0F;
    scene->physics.gravitational_constant = 3.0;
    return scene;
  }

  /// One body, to the side, that is heavier than all others together.
  static std::shared_ptr<Scene> dominated_galaxy() {
    auto scene = std::make_shared<Scene>(make_galaxy("plummer", {.bodies = bodies, .seed = 1}));
    scene->bodies.mass.assign(bodies, 1e-9F);
    scene->bodies.mass[17] = 1.0F;
    scene->bodies.position[17] = {2.0F, 0.0F, 0.0F};
    scene->physics.softening = 0.1;
    return scene;
  }
};

TEST_P(BadgeOfHiddenMistakes, TurnsItRed) {
  const bool hidden = std::string(GetParam()) == "heaviest-only";
  start_with("sequential", hidden ? dominated_galaxy() : unequal_galaxies());
  ASSERT_TRUE(becomes(Verdict::good, "sequential"));
  switch_to(GetParam());
  EXPECT_TRUE(becomes(Verdict::wrong, GetParam()));
  switch_to("sequential");
  EXPECT_TRUE(becomes(Verdict::good, "sequential"));
}

INSTANTIATE_TEST_SUITE_P(Kernels, BadgeOfHiddenMistakes,
                         testing::Values("ignores-gravity", "own-mass", "mean-mass", "ignores-galaxies",
                                         "heaviest-only", "half-drift"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::erase(name, '-');
                           return name;
                         });

/// A twentieth of the bodies is wrong, which the median of all does not show.
TEST_F(BadgeTest, OfATreeTurnsRedForTheGroupThatIsWrong) {
  start_with("tree", std::make_shared<Scene>(checks::scene_with_far_group(bodies)));
  ASSERT_TRUE(becomes(Verdict::good, "tree"));
  switch_to("tree-always-loses-group");
  const auto health = health_of("tree-always-loses-group");
  ASSERT_TRUE(health.has_value());
  EXPECT_EQ(verdict(*health), Verdict::wrong);
  EXPECT_EQ(health->force_error.worst.name, "clump 2 (30 bodies)");
  EXPECT_LT(health->force_error.median, health->force_error.stated.median);
}

// The right kernel stays green: a step of every integrator is looked at.
TEST_F(BadgeTest, StaysGreenWithEveryIntegrator) {
  for (const auto* integrator : integrators()) {
    auto scene = std::make_shared<Scene>(make_galaxy("plummer", {.bodies = bodies, .seed = 1}));
    scene->physics.integrator = integrator;
    start_with("sequential", scene);
    std::optional<Health> health;
    for (int k = 0; k < 3 && (!health || !health->motion_error); ++k) health = health_of("sequential");
    ASSERT_TRUE(health && health->motion_error) << integrator->name;
    EXPECT_LT(*health->motion_error, 0.05) << integrator->name;
    EXPECT_EQ(verdict(*health), Verdict::good) << integrator->name;
  }
}

}  // namespace
}  // namespace orrery::sim
