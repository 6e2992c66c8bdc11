// Whether verification tells right kernels from wrong ones. Linked with wrong_kernels.cpp, so that the engine
// is the product's and only the kernels are wrong.
#include "lab/verify/verification.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "app/picture/display_options.h"
#include "lab/setup/starting_options.h"
#include "lab/verify/multiscale_scenes.h"
#include "lab/verify/verification_scenes.h"
#include "sim/galaxies/model.h"

namespace orrery::app {
namespace {

constexpr double position_tolerance = 1e-3;

class VerificationTest : public testing::Test {
 protected:
  void make(const std::string& model, std::size_t bodies, std::uint32_t galaxies = 1) {
    use(sim::make_galaxies(model, {.bodies = bodies, .seed = 1}, galaxies));
  }
  void use(sim::Scene scene) {
    scene_ = std::move(scene);
    start_ = table_.defaults();
    lab::apply_scene(start_, scene_);
    set("engine=cpu");
    set("threads=2");
  }
  void set(const std::string& assignment) { table_.assign(start_, assignment); }
  void use(lab::PartedScene parted) {
    use(std::move(parted.scene));
    parts_ = std::move(parted.parts);
  }
  lab::Verification verify(const std::string& kernel, int steps) {
    auto configuration = start_;
    configuration.set("kernel", kernel);
    lab::Verifier verifier(table_, scene_,
                           {.steps = steps,
                            .position_tolerance = position_tolerance,
                            .of_radius = of_radius_,
                            .known_answers = known_answers_,
                            .parts = parts_});
    return verifier.verify(kernel, configuration);
  }

  sim::OptionTable table_ = all_options();
  sim::Scene scene_;
  sim::Configuration start_;
  bool of_radius_ = false, known_answers_ = false;
  std::vector<lab::ScenePart> parts_;
};

std::string text_of(const lab::Verification& result) { return lab::verification_line(result); }

TEST_F(VerificationTest, RightKernelsPass) {
  make("plummer", 500, 2);
  for (const char* kernel : {"sequential", "omp-bodies"}) {
    const auto result = verify(kernel, 20);
    EXPECT_FALSE(result.failed()) << text_of(result);
    EXPECT_EQ(result.skipped, "");
    EXPECT_EQ(result.bodies, 1000U);
    EXPECT_EQ(result.galaxies, 2U);
    EXPECT_GT(result.force_error.sample, 100U);
    EXPECT_GT(result.force_error.median, 0.0);
  }
}

TEST_F(VerificationTest, RightKernelsPassInEveryLawAndPlane) {
  for (const auto& [model, assignment] :
       {std::pair("charges", "force-law=electric"), std::pair("square", "dimensions=2")}) {
    make(model, 300);
    set(assignment);
    const auto result = verify("sequential", 20);
    EXPECT_FALSE(result.failed()) << model << ": " << text_of(result);
  }
}

class WrongKernel : public VerificationTest, public testing::WithParamInterface<const char*> {};

TEST_P(WrongKernel, Fails) {
  make("plummer", 600);
  for (const int steps : {1, 10}) {
    const auto result = verify(GetParam(), steps);
    EXPECT_TRUE(result.failed()) << text_of(result);
    EXPECT_EQ(result.skipped, "");
    EXPECT_NE(text_of(result).find("FAIL"), std::string::npos);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, WrongKernel,
                         testing::Values("wrong-sign", "wrong-power", "softened-twice", "missing-bodies",
                                         "coarse-weight", "lost-rows", "never-computed", "not-a-number"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::erase(name, '-');
                           return name;
                         });

class WrongTree : public VerificationTest, public testing::WithParamInterface<const char*> {};

/// Among few bodies no cell is far enough to be wrong.
TEST_P(WrongTree, Fails) {
  auto scene = sim::make_galaxy("plummer", {.bodies = 8000, .seed = 1});
  lab::unequal_masses(scene, 1);
  use(scene);
  const auto right = verify("tree", 1), wrong = verify(GetParam(), 1);
  EXPECT_FALSE(right.failed()) << text_of(right);
  EXPECT_TRUE(wrong.failed()) << text_of(wrong);
}

INSTANTIATE_TEST_SUITE_P(Kernels, WrongTree,
                         testing::Values("tree-wrong-sign", "tree-forgotten-child", "tree-stale-box"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::erase(name, '-');
                           return name;
                         });

/// Scenes with clumps that are compact and far from others.
class MultiscaleScenes : public VerificationTest, public testing::WithParamInterface<const char*> {};

TEST_P(MultiscaleScenes, TheWorstPartDecides) {
  use(lab::make_multiscale_scene(GetParam(), {.bodies = 12'000}));
  const auto right = verify("tree", 2), wrong = verify("tree-ignores-clumps", 2);
  EXPECT_FALSE(right.failed()) << text_of(right);
  EXPECT_NE(text_of(right).find("worst part: "), std::string::npos) << text_of(right);
  EXPECT_TRUE(wrong.failed()) << text_of(wrong);
  EXPECT_NE(text_of(wrong).find("median force error of part '"), std::string::npos) << text_of(wrong);
}

INSTANTIATE_TEST_SUITE_P(Scenes, MultiscaleScenes,
                         testing::Values("two-spheres-1e4", "satellite", "distant-cluster", "galaxy-group"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::erase(name, '-');
                           return name;
                         });

/// A smooth sphere has no such clumps: there the wrong tree is right.
TEST_F(VerificationTest, ASmoothSphereDoesNotShowWhatClumpsLack) {
  make("plummer", 8000);
  const auto result = verify("tree-ignores-clumps", 1);
  EXPECT_FALSE(result.failed()) << text_of(result);
}

// In a small part of the bodies, which the numbers of all do not show.
TEST_F(VerificationTest, ASatelliteIsNotHiddenByItsHost) {
  use(lab::make_multiscale_scene("satellite", {.bodies = 20'000}));
  const auto wrong = verify("tree-ignores-clumps", 1);
  EXPECT_LT(wrong.force_error.median, wrong.limits.force_median);
  ASSERT_EQ(wrong.failures.size(), wrong.force_error.p99 > wrong.limits.force_p99 ? 3U : 2U)
      << text_of(wrong);
  EXPECT_NE(wrong.failures.back().find("part 'satellite'"), std::string::npos) << text_of(wrong);
  const auto json = nlohmann::json::parse(lab::verification_json(table_, {wrong}).dump());
  EXPECT_EQ(json.at("rows").at(0).at("parts").at(1).at("part"), "satellite");
  EXPECT_GT(json.at("rows").at(0).at("parts").at(1).at("median").get<double>(), 0.5);
}

// The reports' own criterion, on the shortest of their runs: gross mistakes are seen by it alone.
TEST_F(VerificationTest, PositionsAloneShowGrossMistakes) {
  make("plummer", 600);
  set("integrator=symplectic-euler");
  set("time-step=0.01");
  set("softening=3.16e-5");
  for (const char* kernel : {"wrong-sign", "wrong-power", "never-computed", "not-a-number"})
    EXPECT_GT(verify(kernel, 10).position_difference, position_tolerance) << kernel;
  EXPECT_LT(verify("sequential", 10).position_difference, position_tolerance);
}

TEST_F(VerificationTest, EnergyAloneShowsGrossMistakes) {
  make("plummer", 600);
  for (const char* kernel : {"wrong-sign", "wrong-power", "never-computed"}) {
    const auto result = verify(kernel, 50);
    EXPECT_GT(result.energy_difference, result.limits.energy) << kernel;
  }
}

/// The scenes of `orrery verify` and what it judges them by.
class DefaultScenes : public VerificationTest {
 protected:
  DefaultScenes() { of_radius_ = known_answers_ = true; }
};

TEST_F(DefaultScenes, AreRightWithRightKernelsAndEveryIntegrator) {
  for (const auto make_scene : {lab::unequal_plummer, lab::unequal_galaxies, lab::dominated_cloud}) {
    for (const auto* integrator : sim::integrators()) {
      use(make_scene({.bodies = 300}));
      set("integrator=" + std::string(integrator->name));
      const auto result = verify("simd", 100);
      EXPECT_FALSE(result.failed()) << scene_.title << ", " << integrator->name << ": " << text_of(result);
      EXPECT_TRUE(result.circle_error.has_value());
    }
  }
}

struct Mistake {
  const char* kernel;
  lab::SceneSize size = {.bodies = 300};
  sim::Scene (*scene)(const lab::SceneSize& size);
  const char* seen;  ///< what is above its limit, among others
};

/// For the test's name, which must not depend on where things lie.
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.kernel; }

class MistakeInDefaultScenes : public DefaultScenes, public testing::WithParamInterface<Mistake> {};

TEST_P(MistakeInDefaultScenes, IsSeen) {
  use(GetParam().scene(GetParam().size));
  const auto result = verify(GetParam().kernel, 30);
  EXPECT_TRUE(result.failed());
  EXPECT_NE(text_of(result).find(GetParam().seen), std::string::npos) << text_of(result);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, MistakeInDefaultScenes,
    testing::Values(Mistake{"ignores-gravity", {300}, lab::unequal_plummer, "error of a circular orbit"},
                    Mistake{"own-mass", {300}, lab::unequal_plummer, "median force error"},
                    Mistake{"mean-mass", {300}, lab::unequal_plummer, "median force error"},
                    Mistake{"ignores-galaxies", {300}, lab::unequal_galaxies, "median force error"},
                    Mistake{
                        "heaviest-only", {2000}, lab::dominated_cloud, "force error of the dominant body"},
                    Mistake{"half-drift", {300}, lab::unequal_plummer, "error of a circular orbit"},
                    Mistake{"half-drift", {300}, lab::dominated_cloud, "energy drift"}),
    [](const auto& mistake) {
      std::string name = mistake.param.kernel;
      std::erase(name, '-');
      return name + std::to_string(mistake.index);
    });

// What the sums over all bodies cannot show where one decides them.
TEST_F(DefaultScenes, TheHeaviestBodyIsAlwaysSampledAndItsErrorIsSaid) {
  use(lab::dominated_cloud({.bodies = 2000}));
  const auto wrong = verify("heaviest-only", 5);
  EXPECT_LT(wrong.force_error.p99, 1e-4) << "the usual limits do not see it";
  EXPECT_NEAR(wrong.force_error.mass_ratio, 1e9, 1e3);
  EXPECT_GT(wrong.force_error.dominant, 0.5);
  EXPECT_NEAR(wrong.force_error.without_dominant, 1.0, 0.3);
  const auto right = verify("sequential", 5);
  EXPECT_FALSE(right.failed()) << text_of(right);
  EXPECT_LT(right.force_error.dominant, 1e-4);
  EXPECT_NE(text_of(right).find("1.0e+09 times the median mass"), std::string::npos) << text_of(right);
}

// In units in which everything is far apart, coordinates are rounded to more than the reports' criterion.
TEST_F(VerificationTest, PositionsAreJudgedByTheSizeOfTheScene) {
  auto scene = sim::make_galaxy("plummer", {.bodies = 400, .seed = 1});
  for (auto& x : scene.bodies.position) x = 1e5F * x;
  scene.physics.softening *= 1e5;
  scene.physics.time_step *= 1e7;
  for (auto& v : scene.bodies.velocity) v = v * std::sqrt(1e-5F);
  use(scene);
  EXPECT_TRUE(verify("simd", 50).failed());
  of_radius_ = true;
  const auto right = verify("simd", 50);
  EXPECT_FALSE(right.failed()) << text_of(right);
  EXPECT_TRUE(verify("wrong-sign", 50).failed());
}

TEST_F(VerificationTest, WhatIsRefusedIsSkipped) {
  make("plummer", 100);
  set("engine=cuda");
  set("block=33");
  const auto result = verify("sequential", 5);
  EXPECT_NE(result.skipped, "");
  EXPECT_FALSE(result.failed());
}

TEST_F(VerificationTest, JsonHasEveryRow) {
  make("plummer", 100);
  const std::vector<lab::Verification> results{verify("sequential", 2),
                                               verify("not-a-number", 2),
                                               {.ladder = "l", .name = "n", .skipped = "no such machine"}};
  const auto json = nlohmann::json::parse(lab::verification_json(table_, results).dump());
  EXPECT_EQ(json.at("passed"), 1);
  EXPECT_EQ(json.at("failed"), 1);
  EXPECT_EQ(json.at("skipped"), 1);
  EXPECT_EQ(json.at("rows").size(), 3U);
  EXPECT_EQ(json.at("rows").at(0).at("status"), "passed");
  EXPECT_EQ(json.at("rows").at(1).at("status"), "failed");
  EXPECT_FALSE(json.at("rows").at(1).at("failures").empty());
  EXPECT_EQ(json.at("rows").at(2).at("reason"), "no such machine");
}

TEST(VerifyLimits, FollowPrecisionAndBodies) {
  const auto table = all_options();
  auto configuration = table.defaults();
  const auto usual = lab::verify_limits(configuration, 2000);
  EXPECT_LT(usual.dominated, usual.force_median);
  EXPECT_GT(lab::verify_limits(configuration, 1'000'000).force_median, usual.force_median);
  table.assign(configuration, "engine=cuda");
  table.assign(configuration, "precision=double");
  EXPECT_LT(lab::verify_limits(configuration, 2000).force_median, usual.force_median);
  // Weights of half precision: the more bodies, the better.
  table.assign(configuration, "precision=float");
  table.assign(configuration, "family=tensor");
  EXPECT_GT(lab::verify_limits(configuration, 2000).force_median, usual.force_median);
  EXPECT_LT(lab::verify_limits(configuration, 131072).force_median,
            0.2 * lab::verify_limits(configuration, 2000).force_median);
  // Where one body decides all forces nothing is averaged away.
  EXPECT_EQ(lab::verify_limits(configuration, 2000).dominated, 5e-3);
  EXPECT_EQ(lab::verify_limits(configuration, 2000).dominant, 5e-3);
  // Split weights round as little as FP32 does, but near neighbours are as far off as ever.
  table.assign(configuration, "weights=split");
  EXPECT_EQ(lab::verify_limits(configuration, 2000).force_median, usual.force_median);
  EXPECT_GT(lab::verify_limits(configuration, 521).force_p99, 5e-4);
  EXPECT_EQ(lab::verify_limits(configuration, 131072).force_p99, usual.force_p99);
}

}  // namespace
}  // namespace orrery::app
