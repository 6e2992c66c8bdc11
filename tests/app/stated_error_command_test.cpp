#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "pictures_testing.h"
#include "tests/render/read_png.h"

// `orrery render` and `orrery bench` where forces exceed what their kernel states, or what was asked for. The
// wrong kernels lose the forces within a compact group.
namespace {

namespace fs = std::filesystem;

class StatedError : public orrery::test::Pictures {
 protected:
  /// A sphere and, at its end, a twentieth as many bodies in a compact group far away.
  void SetUp() override {
    Pictures::SetUp();
    ASSERT_EQ(orrery("make plummer --bodies 950 -o host.csv").status, 0);
    ASSERT_EQ(orrery("make plummer --bodies 50 --seed 2 -o small.csv").status, 0);
    std::ifstream host(path("host.csv")), small(path("small.csv"));
    std::ofstream all(path("all.csv"));
    std::string line;
    while (std::getline(host, line)) all << line << '\n';
    std::getline(small, line);
    const auto columns = split(line);
    while (std::getline(small, line)) all << moved(split(line), columns) << '\n';
  }
  static std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> parts;
    std::istringstream stream(line);
    for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
    return parts;
  }
  /// A twentieth as large, and 30 away.
  static std::string moved(std::vector<std::string> values, const std::vector<std::string>& columns) {
    std::string line;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const bool is_place = columns[k] == "x" || columns[k] == "y" || columns[k] == "z";
      if (is_place)
        values[k] = std::to_string(0.05 * std::stod(values[k]) + (columns[k] == "x" ? 30.0 : 0.0));
      if (columns[k].starts_with("v")) values[k] = "0";
      line += (k > 0 ? "," : "") + values[k];
    }
    return line;
  }

  const std::string render_ = "render all.csv --engine cpu --untuned --size 96x64 --set time-step=1e-5 ";
};

TEST_F(StatedError, ARenderedPictureAndTheExitStatusTell) {
  const auto outcome = orrery_with_wrong_kernels(render_ + "--kernel tree-loses-group --steps 3 -o a.png");
  EXPECT_EQ(outcome.status, 3) << outcome.errors;
  EXPECT_NE(outcome.errors.find("step 1: clump 2 (50 bodies): the median force error"), std::string::npos)
      << outcome.errors;
  EXPECT_NE(outcome.errors.find("repeated with opening=geometric"), std::string::npos) << outcome.errors;
  ASSERT_TRUE(fs::exists(path("a.png")));
  const auto state = state_of(path("a.png"));
  EXPECT_NE(state.at("force_problem").get<std::string>().find("clump 2"), std::string::npos);
  EXPECT_EQ(state.at("options").at("opening"), "geometric:0.7");
  EXPECT_EQ(state.at("exact_replay"), true) << "every step was made with it";
  // What is read from the picture says so, and a run of its own starts clean.
  const auto again = orrery_with_wrong_kernels("render --state a.png --size 96x64 -o b.png");
  EXPECT_EQ(again.status, 0) << again.errors;
  EXPECT_NE(again.errors.find("the run of this state says: step 1"), std::string::npos) << again.errors;
  EXPECT_FALSE(state_of(path("b.png")).contains("force_problem"));
}

TEST_F(StatedError, TheLegendTells) {
  const std::string step = "--steps 1 --set legend=on ";
  ASSERT_EQ(orrery_with_wrong_kernels(render_ + "--kernel tree-loses-group " + step + "-o wrong.png").status,
            3);
  ASSERT_EQ(orrery_with_wrong_kernels(render_ + "--kernel tree --set opening=geometric:0.7 " + step +
                                      "-o right.png")
                .status,
            0);
  const auto wrong = orrery::render::read_png(path("wrong.png")),
             right = orrery::render::read_png(path("right.png"));
  EXPECT_NE(wrong.rgba, right.rgba) << "the same bodies, and a line of text";
}

TEST_F(StatedError, ASeriesAndAFilmTellToo) {
  const auto series = orrery_with_wrong_kernels(
      "render all.csv --engine cpu --untuned --set time-step=1e-5 "
      "--kernel tree-loses-group --steps 4 --series states --every 2");
  EXPECT_EQ(series.status, 3) << series.errors;
  const auto film = orrery_with_wrong_kernels(render_ +
                                              "--kernel tree-loses-group --record film --frames 2 "
                                              "--set steps-per-frame=1");
  EXPECT_EQ(film.status, 3) << film.errors;
  EXPECT_NE(film.errors.find("forces were wrong beyond what was stated"), std::string::npos) << film.errors;
}

TEST_F(StatedError, RightForcesEndWellAndSayNothing) {
  const auto outcome = orrery(render_ + "--kernel tree --steps 3 -o a.png");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.errors.find("the median force error"), std::string::npos) << outcome.errors;
  EXPECT_FALSE(state_of(path("a.png")).contains("force_problem"));
}

TEST_F(StatedError, BenchReportsAndEndsWithThree) {
  const auto outcome = orrery_with_wrong_kernels(
      "bench all.csv --engine cpu --kernels tree,tree-loses-group,simd --steps 1 --json b.json");
  EXPECT_EQ(outcome.status, 3) << outcome.errors;
  EXPECT_NE(outcome.errors.find("tree-loses-group: clump 2"), std::string::npos) << outcome.errors;
  const auto rows = nlohmann::json::parse(text_of(path("b.json"))).at("rows");
  ASSERT_EQ(rows.size(), 3U) << "all are measured";
  EXPECT_FALSE(rows[0].contains("beyond_stated_error"));
  EXPECT_TRUE(rows[1].contains("beyond_stated_error"));
  EXPECT_EQ(orrery("bench all.csv --engine cpu --kernels tree --steps 1").status, 0);
}

/// An ellipse with a tenth of the steps that it takes.
TEST_F(StatedError, AnEnergyThatIsLostIsToldByPicturesAndByBench) {
  const std::string coarse = "two-body --engine cpu --set time-step=0.7 --set softening=0 ";
  const auto outcome =
      orrery("render " + coarse + "--size 96x64 --frames 400,800 --set kernel=simd -o p.png");
  EXPECT_EQ(outcome.status, 3) << outcome.errors;
  EXPECT_NE(outcome.errors.find("the result is wrong: step 500: the energy has changed by"),
            std::string::npos)
      << outcome.errors;
  EXPECT_FALSE(state_of(path("p-step400.png")).contains("force_problem")) << "before anything was known";
  EXPECT_TRUE(state_of(path("p-step800.png")).contains("force_problem"));
  const auto bench = orrery("bench " + coarse + "--kernels simd --json b.json");
  EXPECT_EQ(bench.status, 3) << bench.errors;
  EXPECT_NE(bench.errors.find("simd: step 6: the energy has changed by"), std::string::npos) << bench.errors;
  const auto energy = nlohmann::json::parse(text_of(path("b.json"))).at("rows").at(0).at("energy");
  EXPECT_GT(std::abs(energy.at("drift").get<double>()), 0.01);
  const auto right = orrery("bench two-body --engine cpu --kernels simd");
  EXPECT_EQ(right.status, 0) << right.errors;
  EXPECT_NE(right.output.find("energy: changed by "), std::string::npos) << right.output;
}

TEST_F(StatedError, AnAccuracyThatIsNotReachedIsAFailure) {
  const auto rendered = orrery(render_ + "--kernel tree --set accuracy=1e-9 --steps 3 -o a.png");
  EXPECT_EQ(rendered.status, 1);
  EXPECT_NE(rendered.errors.find("accuracy=1e-09 is not reached: the error of the forces is "),
            std::string::npos)
      << rendered.errors;
  EXPECT_FALSE(fs::exists(path("a.png")));
  const auto bench = orrery("bench all.csv --engine cpu --kernels tree --set accuracy=1e-9 --steps 1");
  EXPECT_EQ(bench.status, 1);
  EXPECT_NE(bench.errors.find("accuracy=1e-09 is not reached"), std::string::npos) << bench.errors;
  EXPECT_EQ(orrery(render_ + "--kernel tree --set accuracy=1e-3 --steps 3 -o a.png").status, 0);
}

}  // namespace
