#include "sim/physics/diagnostics/error_strata.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "sim/core/random.h"
#include "sim/galaxies/model.h"
#include "sim/physics/diagnostics/clumps.h"
#include "sim/physics/diagnostics/force_error.h"
#include "sim/physics/diagnostics/reference_forces.h"

namespace orrery::sim {
namespace {

Bodies sphere(std::size_t count, double scale, const Vec3& at, std::uint64_t seed) {
  auto bodies = make_galaxy("plummer", {.bodies = count, .seed = seed}).bodies;
  for (auto& x : bodies.position) x = static_cast<float>(scale) * x + at;
  return bodies;
}

/// A sphere of size 1 and others, one after the other.
Bodies with(Bodies bodies, const Bodies& more) {
  bodies.append(more);
  return bodies;
}

ErrorStrata strata_of(const Bodies& bodies, int threads = 2) {
  return {bodies.position, bodies.mass, bodies.component, bodies.galaxies(), threads};
}

/// The stratum of the sample whose bodies are mostly among [first, last), and which has most of these.
std::string stratum_in(const StratifiedSample& sample, std::size_t first, std::size_t last) {
  const Stratum* best = nullptr;
  std::size_t most = 0;
  for (const auto& stratum : sample.strata) {
    const auto inside = static_cast<std::size_t>(
        std::ranges::count_if(stratum.bodies, [&](std::size_t i) { return i >= first && i < last; }));
    if (2 * inside < stratum.bodies.size() || inside <= most) continue;
    most = inside;
    best = &stratum;
  }
  return best == nullptr ? std::string() : best->name;
}

std::vector<std::string> names_of(const ErrorStrata& strata, std::string_view beginning) {
  std::vector<std::string> names;
  for (const auto& group : strata.groups())
    if (group.name.starts_with(beginning)) names.push_back(group.name);
  return names;
}

TEST(ErrorStrata, MeetSatellitesOfEverySize) {
  for (const std::size_t satellite : {10'000U, 1000U, 100U, 10U}) {
    const auto bodies = with(sphere(100'000, 1.0, {}, 1), sphere(satellite, 0.05, {30.0F, 2.0F, -1.0F}, 2));
    const auto strata = strata_of(bodies);
    const auto sample = strata.sample(512, 7);
    const auto found = stratum_in(sample, 100'000, 100'000 + satellite);
    EXPECT_TRUE(found.starts_with("clump ")) << satellite << ": " << found;
    EXPECT_GE(names_of(strata, "clump ").size(), 2U);
  }
}

/// Where a body in a thousand is looked at, too.
TEST(ErrorStrata, MeetASmallSatelliteOfMillions) {
  const auto bodies = with(sphere(1'500'000, 1.0, {}, 1), sphere(150, 0.05, {30.0F, 2.0F, -1.0F}, 2));
  const auto found = stratum_in(strata_of(bodies).sample(512, 7), 1'500'000, bodies.size());
  EXPECT_TRUE(found.starts_with("clump ")) << found;
  EXPECT_NE(found.find("about"), std::string::npos) << found;
}

/// A satellite among the host's own bodies, with the density of its middle.
TEST(ErrorStrata, MeetASatelliteInItsHost) {
  const auto bodies = with(sphere(50'000, 1.0, {}, 1), sphere(500, 0.05, {4.0F, 0.0F, 0.0F}, 2));
  const auto found = stratum_in(strata_of(bodies).sample(512, 3), 50'000, bodies.size());
  EXPECT_TRUE(found.starts_with("clump ")) << found;
}

TEST(ErrorStrata, TellClumpsFromSmoothGalaxies) {
  for (const char* model : {"plummer", "disk", "hernquist", "uniform-sphere"}) {
    const auto strata = strata_of(make_galaxy(model, {.bodies = 20'000, .seed = 3}).bodies);
    EXPECT_TRUE(names_of(strata, "clump ").empty()) << model << ' ' << names_of(strata, "clump ").front();
    EXPECT_FALSE(strata.groups().empty());
  }
  Bodies group;
  for (int k = 0; k < 5; ++k)
    group.append(sphere(3000, 1.0, {100.0F * static_cast<float>(k), 30.0F * static_cast<float>(k % 2), 0.0F},
                        static_cast<std::uint64_t>(k) + 1));
  EXPECT_EQ(names_of(strata_of(group), "clump ").size(), 5U);
}

/// Two pairs of spheres: the pairs are clumps, and so are the spheres.
TEST(ErrorStrata, FindClumpsInClumps) {
  Bodies bodies;
  for (int k = 0; k < 4; ++k)
    bodies.append(sphere(2000, 0.01, {k < 2 ? 0.0F : 1000.0F, k % 2 == 0 ? 0.0F : 3.0F, 0.0F},
                         static_cast<std::uint64_t>(k) + 1));
  const auto names = names_of(strata_of(bodies), "clump ");
  EXPECT_EQ(names.size(), 6U);
  EXPECT_EQ(names.front(), "clump 1 (4000 bodies)");
}

/// Spheres in spheres, with one middle: the density tells them apart.
TEST(ErrorStrata, MeetTheInnermostOfNestedSpheres) {
  Bodies bodies;
  for (int k = 0; k < 4; ++k)
    bodies.append(sphere(2000, std::pow(30.0, -k), {}, static_cast<std::uint64_t>(k) + 1));
  const auto sample = strata_of(bodies).sample(512, 1);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NE(stratum_in(sample, 2000 * k, 2000 * (k + 1)), "") << k;
}

TEST(ErrorStrata, ManyClumpsShareStrata) {
  Bodies bodies;
  Random random(5);
  for (std::uint64_t k = 0; k < 60; ++k)
    bodies.append(
        sphere(k < 40 ? 30 : 300, 0.01, Vec3(100.0 * random.uniform() * random.direction()), k + 1));
  const auto strata = strata_of(bodies);
  EXPECT_EQ(names_of(strata, "clump ").size(), 12U);
  const auto are_small = [](const auto& group) {
    return group.name.ends_with(" smaller clumps of 10 bodies or more");
  };
  EXPECT_TRUE(std::ranges::any_of(strata.groups(), are_small));
  EXPECT_LE(strata.groups().size(), 40U);
}

TEST(ErrorStrata, PairsFarFromAllOthersAreOne) {
  auto bodies = sphere(2000, 1.0, {}, 1);
  Random random(5);
  for (int k = 0; k < 10; ++k) {
    Bodies pair;
    pair.resize(2);
    pair.component.assign(2, bodies.component.front());
    pair.position[0] = Vec3(500.0 * random.direction());
    pair.position[1] = pair.position[0] + Vec3{1e-3F, 0.0F, 0.0F};
    bodies.append(pair);
  }
  const auto strata = strata_of(bodies);
  const auto groups = strata.groups();
  const auto found = std::ranges::find(groups, "bodies in groups of 2 to 7", &ErrorStrata::Group::name);
  ASSERT_NE(found, groups.end());
  for (std::uint32_t i = 2000; i < 2020; ++i) EXPECT_TRUE(std::ranges::binary_search(found->bodies, i)) << i;
}

TEST(ErrorStrata, EachComponentAndGalaxyHasItsOwn) {
  auto bodies = make_galaxy("disk", {.bodies = 5000, .seed = 1}).bodies;
  const auto names = names_of(strata_of(bodies), "component ");
  std::size_t components = 0;
  for (const auto count : bodies.component_counts())
    components += count >= ErrorStrata::fewest_judged ? 1 : 0;
  EXPECT_EQ(names.size(), components);
  EXPECT_GE(components, 2U);
  const auto again = bodies;
  bodies.append(again, 1);
  const auto strata = strata_of(bodies);
  for (const auto* galaxy : {"densest bodies of galaxy 1", "densest bodies of galaxy 2"})
    EXPECT_EQ(names_of(strata, galaxy).size(), 1U) << galaxy;
}

TEST(ErrorStrata, DependOnBodiesAndSeedAlone) {
  const auto bodies = with(sphere(20'000, 1.0, {}, 1), sphere(200, 0.05, {30.0F, 2.0F, -1.0F}, 2));
  const auto one = strata_of(bodies, 1), three = strata_of(bodies, 3);
  EXPECT_EQ(one.sample(200, 5).bodies(), three.sample(200, 5).bodies());
  EXPECT_NE(one.sample(200, 5).bodies(), one.sample(200, 6).bodies());
}

TEST(StratifiedSample, HasAsManyBodiesAsAskedHalfOfThemEvenly) {
  const auto strata = strata_of(with(sphere(20'000, 1.0, {}, 1), sphere(200, 0.05, {30.0F, 2.0F, -1.0F}, 2)));
  for (const std::size_t count : {32U, 100U, 512U}) {
    const auto sample = strata.sample(count, 9);
    const auto bodies = sample.bodies();
    EXPECT_LE(bodies.size(), count);
    EXPECT_GT(bodies.size(), count / 2);
    EXPECT_EQ(sample.evenly.size(), count - count / 2);
    EXPECT_TRUE(std::ranges::is_sorted(bodies));
    EXPECT_EQ(std::set(bodies.begin(), bodies.end()).size(), bodies.size());
    EXPECT_FALSE(sample.strata.empty());
    for (const auto& stratum : sample.strata) {
      EXPECT_GE(stratum.bodies.size(), ErrorStrata::fewest_judged);
      EXPECT_TRUE(std::ranges::includes(bodies, stratum.bodies)) << stratum.name;
    }
  }
  EXPECT_EQ(strata.sample(30'000, 1).bodies().size(), 20'200U) << "all where there are no more";
}

TEST(ErrorStrata, TakeAnyBodies) {
  EXPECT_TRUE(strata_of({}).sample(10, 1).bodies().empty());
  Bodies one;
  one.resize(1);
  EXPECT_EQ(strata_of(one).sample(10, 1).bodies().size(), 1U);
  Bodies heap;
  heap.resize(100);  // all at one place
  // Bodies of a stratum that were drawn evenly already count.
  const auto drawn = strata_of(heap).sample(10, 1).bodies().size();
  EXPECT_GE(drawn, 8U);
  EXPECT_LE(drawn, 10U);
  auto broken = sphere(100, 1.0, {}, 1);
  broken.position[3].x = std::numeric_limits<float>::quiet_NaN();
  broken.position[4].y = std::numeric_limits<float>::infinity();
  EXPECT_EQ(strata_of(broken).sample(50, 1).evenly.size(), 25U);
}

/// Forces as a kernel computes them that errs by `error_of(body)`, and states a median of 1e-3.
template <typename Function>
ForceError error_with(const Bodies& bodies, std::uint64_t seed, const Function& error_of) {
  const auto galaxies = bodies.galaxies();
  ForceSample sample{.position = bodies.position, .mass = bodies.mass, .galaxies = galaxies};
  sample.physics.softening = 0.01;
  sample.stated_error = {.median = 1e-3, .p99 = 7e-3};
  sample.plan = std::make_shared<const StratifiedSample>(strata_of(bodies).sample(300, seed));
  sample.index = sampled_bodies(sample, bodies.size(), 300, seed);
  const auto exact = reference_accelerations(sample.state(), galaxies, sample.physics, sample.index);
  for (std::size_t k = 0; k < sample.index.size(); ++k)
    sample.acceleration.push_back(Vec3((1.0 + error_of(sample.index[k])) * exact[k]));
  return force_error(sample, 2);
}

class StratumErrors : public testing::Test {
 protected:
  static constexpr std::size_t host = 10'000;
  bool is_satellite(std::size_t i) const { return i >= host; }
  /// Of the usual spread: 99 % are within four times the median.
  double usual(double median) { return median * std::exp(0.6 * random_.normal()); }

  Bodies bodies_ = with(sphere(host, 1.0, {}, 1), sphere(100, 0.05, {30.0F, 2.0F, -1.0F}, 2));
  Random random_{3};
};

TEST_F(StratumErrors, OfASatelliteAreNotHiddenByItsHost) {
  const auto error =
      error_with(bodies_, 1, [&](std::size_t i) { return is_satellite(i) ? 0.9 : usual(4e-4); });
  EXPECT_LT(error.median, 1e-3);
  EXPECT_TRUE(breaks_statement(error));
  EXPECT_EQ(error.worst.name, "clump 2 (100 bodies)");
  EXPECT_NEAR(error.worst.median, 0.9, 1e-3);
}

/// A third of them: their median says nothing.
TEST_F(StratumErrors, OfPartOfASatelliteAreSeenToo) {
  const auto error = error_with(
      bodies_, 1, [&](std::size_t i) { return is_satellite(i) && i % 3 == 0 ? 0.9 : usual(4e-4); });
  EXPECT_TRUE(breaks_statement(error));
  EXPECT_EQ(error.worst.name, "clump 2 (100 bodies)");
  EXPECT_LT(error.worst.median, 1e-3);
  EXPECT_NEAR(error.worst.p99, 0.9, 1e-3);
}

TEST_F(StratumErrors, WithinWhatIsStatedRaiseNoAlarm) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto error = error_with(bodies_, seed, [&](std::size_t) { return usual(8e-4); });
    EXPECT_FALSE(breaks_statement(error)) << error.worst.name << ' ' << error.worst.median;
  }
}

TEST_F(StratumErrors, OfAllBodiesCountToo) {
  const auto error = error_with(bodies_, 1, [&](std::size_t) { return usual(4e-3); });
  EXPECT_TRUE(breaks_statement(error));
  const auto tail = error_with(bodies_, 1, [&](std::size_t i) { return i % 6 == 0 ? 0.1 : usual(4e-4); });
  EXPECT_TRUE(breaks_statement(tail)) << tail.worst.name << ' ' << tail.worst.chance << ' ' << tail.p99;
}

TEST_F(StratumErrors, BreakNothingWhereNothingIsStated) {
  auto sample = ForceSample{.position = {{}, {1, 0, 0}}, .mass = {1, 1}, .galaxies = {{0, 2}}};
  sample.index = {0, 1};
  sample.acceleration = {{5, 0, 0}, {5, 0, 0}};
  EXPECT_FALSE(breaks_statement(force_error(sample)));
}

TEST_F(StratumErrors, AreOfTheBodiesInThePlanWhereAllWereSampled) {
  ForceSample all{.position = bodies_.position, .mass = bodies_.mass, .galaxies = bodies_.galaxies()};
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    all.index.push_back(i);
    all.acceleration.push_back({static_cast<float>(i), 0.0F, 0.0F});
  }
  const auto plan = std::make_shared<const StratifiedSample>(strata_of(bodies_).sample(100, 4));
  const auto part = part_of(all, plan);
  EXPECT_TRUE(std::ranges::includes(part.index, plan->bodies()));
  EXPECT_LE(part.index.size(), plan->bodies().size() + 4) << "the heaviest";
  ASSERT_EQ(part.acceleration.size(), part.index.size());
  for (std::size_t k = 0; k < part.index.size(); ++k)
    EXPECT_EQ(part.acceleration[k].x, static_cast<float>(part.index[k]));
}

TEST_F(StratumErrors, ThePlanOfOtherBodiesIsLeftAlone) {
  ForceSample sample{.position = bodies_.position, .mass = bodies_.mass, .galaxies = bodies_.galaxies()};
  sample.plan = std::make_shared<const StratifiedSample>(strata_of(sphere(500, 1.0, {}, 1)).sample(100, 4));
  auto without = sample;
  without.plan = nullptr;
  EXPECT_EQ(sampled_bodies(sample, bodies_.size(), 50, 1), sampled_bodies(without, bodies_.size(), 50, 1));
}

}  // namespace
}  // namespace orrery::sim
