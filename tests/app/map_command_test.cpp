#include <algorithm>
#include <numeric>
#include <vector>

#include "program_test.h"
#include "tests/render/read_png.h"

// `orrery map` as a person calls it.
namespace {

using orrery::test::Outcome;

class MapCommand : public orrery::test::ProgramTest {
 protected:
  Outcome map(const std::string& arguments) const { return shell("'" ORRERY_PROGRAM "' map " + arguments); }
  Outcome plot(const std::string& arguments) const { return shell("'" ORRERY_PROGRAM "' plot " + arguments); }
  /// Rows as they stand in the file: the top one first.
  std::vector<std::vector<double>> table(const std::string& name) const {
    std::vector<std::vector<double>> rows;
    std::ifstream file(path(name));
    for (std::string line; std::getline(file, line);) {
      auto& row = rows.emplace_back();
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
    }
    return rows;
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
};

TEST_F(MapCommand, WritesTheCellsWithTheTopRowFirst) {
  // x, y, vx, vy, mass: the file of COM4521, which has no depth.
  write("five.csv", "0.1,0.1,0,0,1\n0.9,0.1,0,0,1\n1,1,0,0,1\n0.5,0.5,0,0,1\n0.6,0.6,0,0,1\n1.5,0.5,0,0,1\n");
  const auto outcome = map("five.csv --columns x,y,vx,vy,mass --size 2 --box unit-square -o m.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(table("m.csv"), (std::vector<std::vector<double>>{{0, 3}, {1, 1}}));
  EXPECT_NE(outcome.output.find("6 bodies, step 0: 2 x 2 cells of the xy plane, 0 to 1 and 0 to 1"),
            std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("inside: 5 bodies; fullest cell: 3"), std::string::npos) << outcome.output;
}

TEST_F(MapCommand, SumsToTheBodiesAlsoAfterSteps) {
  ASSERT_EQ(
      map("square --bodies 500 --steps 3 --set threads=2 --engine cpu --size 13 --box all -o m.csv").status,
      0);
  double sum = 0.0;
  for (const auto& row : table("m.csv")) sum = std::accumulate(row.begin(), row.end(), sum);
  EXPECT_EQ(sum, 500.0);
}

TEST_F(MapCommand, ARegionWithoutBodiesIsAnEmptyMapThatSaysSo) {
  for (const char* values : {"count", "normalised"}) {
    const auto name = std::string(values) + ".csv";
    const auto outcome =
        map("square --bodies 50 --size 2 --box 10,11,10,11 --values " + std::string(values) + " -o " + name);
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(table(name), (std::vector<std::vector<double>>{{0, 0}, {0, 0}}));
    EXPECT_NE(outcome.output.find("; --box all has all bodies inside\n"), std::string::npos)
        << outcome.output;
  }
  const auto one = map("square --bodies 50 --size 1 --box all -o one.csv");
  EXPECT_EQ(table("one.csv"), (std::vector<std::vector<double>>{{50}}));
  EXPECT_EQ(one.output.find("--box"), std::string::npos) << one.output;
}

TEST_F(MapCommand, BodiesThatAreNoNumbersAreRefusedWithTheirLine) {
  write("nan.csv", "0.5,0.5,0,0,1\nnan,0,0,0,1\n");
  const auto outcome = map("nan.csv --columns x,y,vx,vy,mass --size 2 -o m.csv");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("line 2"), std::string::npos) << outcome.errors;
  EXPECT_FALSE(std::filesystem::exists(path("m.csv")));
}

TEST_F(MapCommand, PictureIsRedAndHasTheSizeThatWasAskedFor) {
  ASSERT_EQ(map("square --bodies 2000 --size 10 --box centered-square --pixels 200 -o m.png").status, 0);
  const auto image = orrery::render::read_png(path("m.png"));
  EXPECT_EQ(image.width, 200);
  EXPECT_EQ(image.height, 200);
  int reddest = 0;
  for (std::size_t k = 0; k < image.rgba.size(); k += 4) {
    reddest = std::max<int>(reddest, image.rgba[k]);
    EXPECT_EQ(image.rgba[k + 1] + image.rgba[k + 2], 0);
    EXPECT_EQ(image.rgba[k + 3], 255);
  }
  EXPECT_EQ(reddest, 255);
  // Any number of cells: whole pixels for each.
  ASSERT_EQ(map("square --bodies 2000 --size 100 --colors glacier --log -o n.png").status, 0);
  EXPECT_EQ(orrery::render::read_png(path("n.png")).width, 1100);
}

TEST_F(MapCommand, ValuesAreNormalisedAsInTheReport) {
  write("three.csv", "0.1,0.1,0,0,1\n0.1,0.1,0,0,1\n0.9,0.9,0,0,1\n");
  ASSERT_EQ(
      map("three.csv --columns x,y,vx,vy,mass --size 2 --box 0,1,0,1 --values normalised -o m.csv").status,
      0);
  const auto rows = table("m.csv");
  // count / N x D, at most 1.
  EXPECT_NEAR(rows[0][1], 1.0 / 3.0 * 2.0, 1e-6);
  EXPECT_EQ(rows[1][0], 1.0);
}

TEST_F(MapCommand, AFigureWithAxesIsDrawnAndCanBeDrawnAgainFromItsCells) {
  const auto counted = map("square --bodies 200 --size 8 --engine cpu -o a.svg --json cells.json");
  ASSERT_EQ(counted.status, 0) << counted.errors;
  EXPECT_NE(text_of(path("a.svg")).find("<svg"), std::string::npos);
  ASSERT_EQ(plot("map cells.json -o b.svg").status, 0);
  EXPECT_TRUE(text_of(path("a.svg")) == text_of(path("b.svg")));
  ASSERT_EQ(plot("map cells.json --quantity red --scale log --size 400x360 -o c.png").status, 0);
  EXPECT_EQ(orrery::render::read_png(path("c.png")).width, 400);
  const auto piped = map("square --bodies 200 --size 8 --engine cpu -o t.csv --json -");
  ASSERT_EQ(piped.status, 0) << piped.errors;
  EXPECT_TRUE(piped.output.starts_with("{")) << piped.output;
}

TEST_F(MapCommand, MistakesOfFiguresEndWithTwoAndOneLine) {
  for (const char* arguments :
       {"square --axes -o m.csv", "square --colors glacier -o m.svg", "square --size 4000 -o m.svg"}) {
    const auto outcome = map(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << ": " << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
  }
  EXPECT_FALSE(std::filesystem::exists(path("m.svg")));
}

TEST_F(MapCommand, BenchCountsMapsOfEachSize) {
  const auto outcome = shell("'" ORRERY_PROGRAM
                             "' bench plummer --bodies 64 --engine cpu --set threads=1 --kernels omp-bodies "
                             "--steps 2 --map 0,7,300 --csv -");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  std::istringstream lines(outcome.output);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    auto& row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  ASSERT_EQ(rows.size(), 4U) << outcome.output;
  const auto column = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(rows[0], name) - rows[0].begin());
  };
  const auto number = [&](std::size_t row, const std::string& name) {
    return std::stod(rows[row].at(column(name)));
  };
  EXPECT_EQ(number(1, "map_size"), 0.0);
  EXPECT_EQ(number(1, "map_ms"), 0.0);
  EXPECT_EQ(number(2, "map_size"), 7.0);
  EXPECT_EQ(number(3, "map_size"), 300.0);
  EXPECT_GT(number(2, "map_ms"), 0.0);
  EXPECT_GT(number(3, "map_ms"), 0.0);
  EXPECT_GT(number(3, "step_ms"), 0.0);
}

TEST_F(MapCommand, MistakesEndWithTwoAndOneLineAndWriteNothing) {
  for (const char* arguments :
       {"square -o m.gif", "square --size 0 -o m.png", "square --size 16385 -o m.png",
        "square --box 1,2 -o m.png", "square --box 1,0,0,1 -o m.png", "square --box 0,1,0,x -o m.png",
        "square --plane zz -o m.png", "square --colors rainbow -o m.png", "square --set map-size=0 -o m.png",
        "square"}) {
    const auto outcome = map(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << ": " << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << outcome.errors;
    EXPECT_FALSE(std::filesystem::exists(path("m.png"))) << arguments;
  }
  write("kept.png", "kept");
  EXPECT_EQ(map("square -o kept.png").status, 1);
  EXPECT_EQ(text_of(path("kept.png")), "kept");
}

}  // namespace
