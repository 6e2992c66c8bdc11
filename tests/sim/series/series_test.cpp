#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "sim/bodies/origin.h"
#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/physics/diagnostics/reference_forces.h"
#include "sim/series/series_recorder.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/simulation.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/temporary_folder.h"

namespace orrery::sim {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

Scene scene_of(const char* model, std::size_t bodies = 60) {
  return make_galaxy(model, {.bodies = bodies, .seed = 3});
}

#ifdef ORRERY_TEST_CUDA
constexpr bool on_gpu = true;
#else
constexpr bool on_gpu = false;
#endif

Configuration configuration_for(const Scene& scene, const std::vector<std::string>& assignments) {
  auto configuration = checks::simulation_options().defaults();
  set_physics(configuration, scene.physics);
  if (on_gpu) configuration.set("engine", std::string("cuda"));
  for (const auto& each : assignments) checks::simulation_options().assign(configuration, each);
  return configuration;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Series : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = on_gpu ? checks::why_not_here({.cuda = true}) : std::string(); !why.empty())
      GTEST_SKIP() << why;
  }
  fs::path folder() const { return temporary_.path() / "out"; }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder())) found.insert(entry.path().filename().string());
    return found;
  }

  /// Steps an engine as `orrery render` does. Returns the states of all steps, the first one included.
  std::vector<Bodies> run(const Scene& scene, const Configuration& configuration, SeriesRequest request,
                          std::uint64_t steps) {
    request.folder = folder();
    SeriesRecorder recorder(request, std::make_shared<const Scene>(scene));
    const auto engine = make_engine(checks::simulation_options(), configuration);
    engine->load(scene.bodies, scene.time);
    const auto physics = physics_of(configuration);
    std::vector<Bodies> states{scene.bodies};
    recorder.after_step(*engine, 0, physics, "the engine");
    for (std::uint64_t step = 0; step < steps; ++step) {
      recorder.before_step(*engine, step, physics);
      engine->advance({});
      engine->finish();
      if (const auto arrived = engine->poll(); arrived.forces) recorder.take(*arrived.forces);
      recorder.after_step(*engine, step + 1, physics, "the engine");
      engine->read_back(states.emplace_back(scene.bodies));
    }
    recorder.flush();
    progress_ = recorder.progress();
    return states;
  }

  test::TemporaryFolder temporary_;
  SeriesProgress progress_;
};

/// The array of that name in a file that the program wrote: found by its declaration.
std::vector<Vec3> vectors_in(const fs::path& path, const std::string& name, std::size_t count) {
  const auto text = text_of(path);
  const auto declared = text.find("Name=\"" + name + "\"");
  if (declared == std::string::npos) return {};
  const auto offset = std::stoul(text.substr(text.find("offset=\"", declared) + 8));
  const auto data = text.find("<AppendedData encoding=\"raw\">\n_") + 31 + offset + 8;
  std::vector<Vec3> values(count);
  std::memcpy(values.data(), text.data() + data, count * sizeof(Vec3));
  return values;
}

TEST_F(Series, FilesHoldTheStatesOfTheirSteps) {
  const auto scene = scene_of("plummer");
  const auto states = run(scene, configuration_for(scene, {}), {.every = 3}, 10);
  EXPECT_EQ(names(), (std::set<std::string>{"series.pvd", "step-00000000.vtp", "step-00000003.vtp",
                                            "step-00000006.vtp", "step-00000009.vtp"}));
  for (const std::size_t step : {0U, 3U, 6U, 9U}) {
    const auto read = read_snapshot(folder() / fmt::format("step-{:08}.vtp", step));
    EXPECT_EQ(read.bodies.position, states[step].position) << step;
    EXPECT_EQ(read.bodies.velocity, states[step].velocity) << step;
    EXPECT_NEAR(read.time, static_cast<double>(step) * scene.physics.time_step, 1e-12);
    EXPECT_EQ(read.physics, scene.physics);
  }
  EXPECT_EQ(progress_.files, 4U);
  EXPECT_EQ(progress_.waiting, 0U);
}

TEST_F(Series, TheIndexOfVtkNamesFilesWithTheirTimes) {
  auto scene = scene_of("plummer");
  scene.physics.time_step = 0.25;
  run(scene, configuration_for(scene, {}), {.every = 2}, 4);
  const auto index = text_of(folder() / "series.pvd");
  EXPECT_NE(index.find("<VTKFile type=\"Collection\""), std::string::npos);
  EXPECT_NE(index.find("timestep=\"0\" group=\"\" part=\"0\" file=\"step-00000000.vtp\""), std::string::npos);
  EXPECT_NE(index.find("timestep=\"1\" group=\"\" part=\"0\" file=\"step-00000004.vtp\""), std::string::npos);
}

/// Positions of bodies that are far away count from a place among them: files say where they are.
TEST_F(Series, FarBodiesAreWrittenWhereTheyAre) {
  auto scene = scene_of("plummer");
  scene.bodies.origin = {1e5, -2e5, 0.0};
  for (const char* format : {"vtk", "tipsy", "csv"}) {
    SCOPED_TRACE(format);
    fs::remove_all(folder());
    const auto states = run(scene, configuration_for(scene, {}), {.every = 1, .format = format}, 1);
    const auto read = read_snapshot(
        folder() / fmt::format("step-00000001.{}", series_extension(*find_snapshot_format(format))));
    for (std::size_t i = 0; i < states[1].size(); ++i)
      EXPECT_LT(norm(absolute_place(read.bodies, i) - absolute_place(states[1], i)), 0.05);
  }
}

/// Every format that can be written, and its index.
TEST_F(Series, EveryFormat) {
  auto scene = scene_of("plummer");
  for (auto& x : scene.bodies.position) x.z = 0.0F;
  for (auto& v : scene.bodies.velocity) v.z = 0.0F;
  const auto configuration = configuration_for(scene, {});
  for (const auto* format : snapshot_formats()) {
    if (format->write == nullptr) continue;
    SCOPED_TRACE(format->name);
    fs::remove_all(folder());
    const auto states = run(scene, configuration, {.every = 1, .format = std::string(format->name)}, 2);
    EXPECT_EQ(names().size(), 4U);
    const auto file = fmt::format("step-00000002.{}", series_extension(*format));
    const auto read = read_snapshot(folder() / file);
    EXPECT_EQ(read.bodies.position, states[2].position);
    if (format->name == "vtk") continue;
    const auto index = nlohmann::json::parse(text_of(folder() / series_index_name(*format)));
    EXPECT_EQ(index.at("file-series-version"), "1.0");
    EXPECT_EQ(index.at("files").at(2).at("name"), file);
    EXPECT_EQ(index.at("files").at(2).at("step"), 2);
    EXPECT_EQ(index.at("files").at(2).contains("acceleration_source"), format->keeps.acceleration);
  }
}

/// Of which states each integrator has the forces, and that they are right.
TEST_F(Series, ForcesAreTheEnginesWhereItEvaluatedThem) {
  struct Case {
    const char* model;
    const char* integrator;
    std::uint64_t by_engine, by_processor;
  };
  for (const auto& [model, integrator, by_engine, by_processor] : {
           // All but the first state.
           Case{"plummer", "leapfrog", 5, 1},
           // All but the last.
           Case{"plummer", "symplectic-euler", 5, 1},
           Case{"plummer", "explicit-euler", 5, 1},
           Case{"charges", "symplectic-euler", 5, 1},
           // Its evaluations are between the states.
           Case{"plummer", "forest-ruth", 0, 6},
           // The magnetic force is one of velocities, which the last kick changes.
           Case{"charges", "leapfrog", 0, 6},
       }) {
    SCOPED_TRACE(fmt::format("{} {}", model, integrator));
    fs::remove_all(folder());
    const auto scene = scene_of(model);
    const auto configuration = configuration_for(scene, {std::string("integrator=") + integrator});
    const auto states = run(scene, configuration, {.every = 1}, 5);
    EXPECT_EQ(progress_.by_engine, by_engine);
    EXPECT_EQ(progress_.by_processor, by_processor);
    const auto galaxies = scene.bodies.galaxies();
    for (std::size_t step = 0; step < states.size(); ++step) {
      const auto& s = states[step];
      const auto right = reference_accelerations({s.position, s.velocity, s.mass, s.charge}, galaxies,
                                                 physics_of(configuration));
      const auto path = folder() / fmt::format("step-{:08}.vtp", step);
      const auto acceleration = vectors_in(path, "acceleration", s.size());
      const auto force = vectors_in(path, "force", s.size());
      ASSERT_EQ(acceleration.size(), s.size());
      for (std::size_t i = 0; i < s.size(); ++i) {
        EXPECT_LE(norm(DVec3(acceleration[i]) - right[i]), 1e-4 * norm(right[i])) << step << ' ' << i;
        EXPECT_EQ(force[i], s.mass[i] * acceleration[i]);
      }
    }
  }
}

/// Of the engine's sums (leapfrog) and of the CPU's (Forest-Ruth).
TEST_F(Series, ForcesHoldThePullOfTheExternalField) {
  const auto scene = scene_of("plummer");
  const auto galaxies = scene.bodies.galaxies();
  for (const char* integrator : {"integrator=leapfrog", "integrator=forest-ruth"}) {
    SCOPED_TRACE(integrator);
    fs::remove_all(folder());
    const auto configuration =
        configuration_for(scene, {integrator, "external-field=point-mass:100:1", "field-center=2"});
    const auto states = run(scene, configuration, {.every = 1}, 2);
    const auto physics = physics_of(configuration);
    const auto field = physics.field_at();
    for (std::size_t step = 0; step < states.size(); ++step) {
      const auto& s = states[step];
      const auto pulls =
          reference_accelerations({s.position, s.velocity, s.mass, s.charge}, galaxies, physics);
      const auto path = folder() / fmt::format("step-{:08}.vtp", step);
      const auto acceleration = vectors_in(path, "acceleration", s.size());
      for (std::size_t i = 0; i < s.size(); ++i) {
        const auto right = pulls[i] + field.acceleration(static_cast<DVec3>(s.position[i]));
        EXPECT_LE(norm(DVec3(acceleration[i]) - right), 1e-4 * norm(right)) << step << ' ' << i;
      }
    }
  }
}

TEST_F(Series, SparseStatesHaveTheEnginesForcesToo) {
  const auto scene = scene_of("plummer");
  run(scene, configuration_for(scene, {"integrator=symplectic-euler"}), {.every = 4}, 9);
  EXPECT_EQ(progress_.by_engine, 3U);  // 0, 4, 8
  fs::remove_all(folder());
  run(scene, configuration_for(scene, {}), {.every = 4}, 9);
  EXPECT_EQ(progress_.by_engine, 2U);  // 4, 8
}

TEST_F(Series, FoldersWithContentAreLeftAlone) {
  fs::create_directories(folder());
  std::ofstream(folder() / "mine.txt") << "mine";
  const auto scene = std::make_shared<const Scene>(scene_of("plummer"));
  EXPECT_THROW(SeriesWriter({.folder = folder()}, scene), Error);
  EXPECT_EQ(names(), std::set<std::string>{"mine.txt"});
  EXPECT_THROW(SeriesWriter({.folder = folder() / "mine.txt"}, scene), Error);
  EXPECT_THROW(SeriesWriter({.folder = folder() / "mine.txt" / "below"}, scene), Error);
  EXPECT_EQ(text_of(folder() / "mine.txt"), "mine");
}

TEST_F(Series, MistakesLeaveNoFolder) {
  const auto scene = std::make_shared<const Scene>(scene_of("charges"));
  EXPECT_THROW(SeriesWriter({.folder = folder(), .format = "jpeg"}, scene), UsageError);
  EXPECT_THROW(SeriesWriter({.folder = folder(), .every = 0}, scene), UsageError);
  EXPECT_THROW(SeriesWriter({.folder = folder(), .format = "tipsy"}, scene).try_first_file(), Error);
  EXPECT_FALSE(fs::exists(folder()));
}

/// A file of somebody else that took a name is not overwritten: the series ends with the reason.
TEST_F(Series, AFileThatCannotBeWrittenEndsIt) {
  const auto scene = scene_of("plummer");
  SeriesRecorder recorder({.folder = folder()}, std::make_shared<const Scene>(scene));
  std::ofstream(folder() / "step-00000002.vtp") << "mine";
  const auto configuration = configuration_for(scene, {});
  const auto engine = make_engine(checks::simulation_options(), configuration);
  engine->load(scene.bodies, 0.0);
  for (std::uint64_t step = 0; step < 20; ++step) {
    recorder.after_step(*engine, step, physics_of(configuration), "x");
    engine->advance({});
  }
  EXPECT_THROW(recorder.flush(), Error);
  EXPECT_NE(recorder.progress().problem.find("not overwritten"), std::string::npos);
  EXPECT_EQ(recorder.progress().files, 2U);
  EXPECT_EQ(text_of(folder() / "step-00000002.vtp"), "mine");
  EXPECT_EQ(text_of(folder() / "series.pvd").find("step-00000002"), std::string::npos);
}

TEST_F(Series, TheQueueHasAnEnd) {
  const auto scene = scene_of("plummer", 8000);
  SeriesWriter writer({.folder = folder(), .format = "csv"}, std::make_shared<const Scene>(scene));
  std::size_t most = 0;
  for (std::uint64_t step = 0; step < 12; ++step) {
    writer.write({.step = step, .position = scene.bodies.position, .velocity = scene.bodies.velocity});
    most = std::max(most, writer.progress().waiting);
  }
  EXPECT_LE(most, SeriesWriter::most_waiting);
  writer.flush();
  EXPECT_TRUE(writer.progress().slower);
  EXPECT_EQ(writer.progress().files, 12U);
  EXPECT_TRUE(writer.has_room());
}

/// While the simulation runs on its own thread.
class LiveSeries : public Series {
 protected:
  void SetUp() override {
    Series::SetUp();
    if (IsSkipped()) return;
    scene_ = std::make_shared<const Scene>(scene_of("plummer"));
    memory_.resize(ring_.size() * 8 * scene_->bodies.size());
    for (std::size_t k = 0; k < ring_.size(); ++k) {
      float* slot = memory_.data() + 8 * scene_->bodies.size() * k;
      ring_[k] = {
          .position = slot, .velocity = slot + 4 * scene_->bodies.size(), .bodies = scene_->bodies.size()};
    }
    control_.configuration = configuration_for(*scene_, {"threads=1"});
    control_.paused = true;
    simulation_ = std::make_unique<Simulation>(checks::simulation_options(), scene_, control_, ring_);
  }
  bool wait_for(const std::function<bool()>& done) {
    const auto limit = std::chrono::steady_clock::now() + 120s;
    while (!done()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      if (simulation_->has_news()) simulation_->take_frame(info_);
      std::this_thread::sleep_for(200us);
    }
    return true;
  }

  std::shared_ptr<const Scene> scene_;
  std::vector<float> memory_;
  TargetRing ring_;
  Control control_;
  std::unique_ptr<Simulation> simulation_;
  FrameInfo info_;
};

TEST_F(LiveSeries, TakesTheStepsThatAreDue) {
  const auto series = std::make_shared<SeriesRecorder>(SeriesRequest{.folder = folder(), .every = 5}, scene_);
  control_.series = series;
  control_.single_steps = 12;
  simulation_->set_control(control_);
  ASSERT_TRUE(wait_for([&] { return series->progress().files == 3; }));
  EXPECT_EQ(names(), (std::set<std::string>{"series.pvd", "step-00000000.vtp", "step-00000005.vtp",
                                            "step-00000010.vtp"}));
  EXPECT_EQ(series->progress().by_engine, 2U);  // the start has no evaluation before it
  // The same states as step by step.
  fs::rename(folder(), temporary_.path() / "live");
  const auto states = run(*scene_, control_.configuration, {.every = 5}, 12);
  const auto live = read_snapshot(temporary_.path() / "live" / "step-00000010.vtp");
  EXPECT_EQ(live.bodies.position, states[10].position);
  EXPECT_EQ(live.bodies.velocity, states[10].velocity);
}

TEST_F(LiveSeries, LosesNoStepWhereFilesAreSlowerAndChecksGoOn) {
  const auto series = std::make_shared<SeriesRecorder>(SeriesRequest{.folder = folder(), .every = 1}, scene_);
  control_.series = series;
  control_.paused = false;
  simulation_->set_control(control_);
  Health health;
  std::uint64_t checks = 0;
  const auto until = std::chrono::steady_clock::now() + 2500ms;
  ASSERT_TRUE(wait_for([&] {
    if (simulation_->receive_health(health) && health.force_error.sample > 0) ++checks;
    return std::chrono::steady_clock::now() > until && checks >= 2 && series->progress().files > 20;
  }));
  control_.series = nullptr;
  control_.paused = true;
  simulation_->set_control(control_);
  simulation_.reset();
  series->flush();
  const auto files = series->progress().files;
  for (std::uint64_t step = 0; step < files; ++step)
    EXPECT_TRUE(fs::exists(folder() / fmt::format("step-{:08}.vtp", step))) << step;
  EXPECT_EQ(names().size(), files + 1);
  EXPECT_GE(series->progress().by_engine + 2, files);
}

}  // namespace
}  // namespace orrery::sim
