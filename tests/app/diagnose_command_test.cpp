#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "program_test.h"

// `orrery diagnose` as a person calls it.
namespace {

using orrery::test::Outcome;

class DiagnoseCommand : public orrery::test::ProgramTest {
 protected:
  Outcome diagnose(const std::string& arguments) const {
    return shell("OMP_WAIT_POLICY=passive '" ORRERY_PROGRAM "' diagnose " + arguments);
  }
  std::vector<std::vector<std::string>> table(const std::string& name) const {
    std::vector<std::vector<std::string>> rows;
    std::ifstream file(path(name));
    for (std::string line; std::getline(file, line);) {
      auto& row = rows.emplace_back();
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    }
    return rows;
  }
};

TEST_F(DiagnoseCommand, WritesARowForEachTime) {
  const auto outcome =
      diagnose("plummer --bodies 300 --steps 7 --every 3 --engine cpu -o d.csv --profile p.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "d.csv\np.csv\n");
  const auto rows = table("d.csv");
  ASSERT_EQ(rows.size(), 5U);  // names, 0, 3, 6, 7
  EXPECT_EQ(rows[0][0], "time");
  EXPECT_EQ(rows[0][3], "energy");
  const double step = std::stod(rows[2][0]) / 3.0;
  EXPECT_NEAR(std::stod(rows[4][0]), 7.0 * step, 1e-6);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k].size(), rows[0].size());
    EXPECT_NEAR(std::stod(rows[k][3]), std::stod(rows[1][3]), 1e-3);
  }
  EXPECT_GT(std::stod(rows[1][13]), 0.3);  // half of the mass of a Plummer sphere in standard units: 0.77
  EXPECT_LT(std::stod(rows[1][13]), 1.2);
  EXPECT_GE(table("p.csv").size(), 5U);
}

TEST_F(DiagnoseCommand, SaysHowFarTheEnergyDrifted) {
  const std::string run = "fly.csv --engine cpu --set softening=0 --steps 60 --json d.json --set time-step=";
  std::ofstream(path("fly.csv")) << "x,y,z,vx,vy,vz,mass\n-1,0.005,0,1,0,0,1\n1,-0.005,0,-1,0,0,1\n";
  const auto lost = diagnose(run + "0.05");
  EXPECT_NE(lost.errors.find("energy changed by +"), std::string::npos) << lost.errors;
  EXPECT_NE(lost.errors.find("more than 1 %: use a shorter time-step"), std::string::npos) << lost.errors;
  const auto kept = diagnose(run + "1e-4 --overwrite");
  EXPECT_NE(kept.errors.find("at most"), std::string::npos) << kept.errors;
  EXPECT_EQ(kept.errors.find("more than 1 %"), std::string::npos) << kept.errors;
}

TEST_F(DiagnoseCommand, OrbitsCloseAPeriod) {
  for (const char* model : {"two-body", "figure-eight", "double-star", "moth"}) {
    const auto file = std::string(model) + ".json";
    ASSERT_EQ(diagnose(std::string(model) + " --measure orbits --json " + file).status, 0) << model;
    const auto document = nlohmann::json::parse(text_of(path(file)));
    double size = 0.0, gap = 0.0;
    for (const auto& body : document.at("bodies")) {
      const auto& way = body.at("path");
      for (const auto& at : way) size = std::max(size, std::abs(at[0].get<double>()));
      for (std::size_t axis = 0; axis < 3; ++axis)
        gap = std::max(gap, std::abs(way.front()[axis].get<double>() - way.back()[axis].get<double>()));
    }
    EXPECT_LT(gap, 0.02 * size) << model;
  }
}

TEST_F(DiagnoseCommand, MistakesEndWithOneLineAndNoFile) {
  for (const char* wrong :
       {"-o d.txt", "-o d.csv --every 0", "-o d.csv --profile d.csv", "", "-o d.csv --steps -1"}) {
    const auto outcome = diagnose(std::string("plummer --bodies 20 --engine cpu ") + wrong);
    EXPECT_EQ(outcome.status, 2) << wrong;
    EXPECT_FALSE(outcome.errors.empty()) << wrong;
    EXPECT_FALSE(std::ifstream(path("d.csv")).good()) << wrong;
  }
  std::ofstream(path("d.csv")) << "mine";
  EXPECT_EQ(diagnose("plummer --bodies 20 --engine cpu -o d.csv").status, 1);
  EXPECT_EQ(text_of(path("d.csv")), "mine");
}

}  // namespace
