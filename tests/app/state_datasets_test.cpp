#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "pictures_testing.h"

// The datasets that pictures, states, checkpoints and demonstrations name: what they tell, and what is
// opened.
namespace {

namespace fs = std::filesystem;

class StateDatasets : public orrery::test::Pictures {
 protected:
  static constexpr const char* usual = " --engine cpu --untuned --steps 1 --size 32x24 ";
  /// The program in a folder below the home folder.
  orrery::test::Outcome in(const std::string& folder, const std::string& arguments) const {
    fs::create_directories(path(folder));
    return shell("cd " + folder + " && '" ORRERY_PROGRAM "' " + arguments);
  }
  void expect_good(const orrery::test::Outcome& outcome) const {
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
  }
  void expect_asks(const orrery::test::Outcome& outcome, const std::string& name) const {
    EXPECT_EQ(outcome.status, 1) << outcome.errors;
    EXPECT_EQ(lines(outcome.errors), 1) << outcome.errors;
    EXPECT_NE(outcome.errors.find(" asks for "), std::string::npos) << outcome.errors;
    EXPECT_NE(outcome.errors.find(name), std::string::npos) << outcome.errors;
  }
  /// A table of three bodies.
  void write_bodies(const std::string& name, const std::string& first = "0,0,0,1\n") const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name)) << "x,y,z,mass\n" << first << "1,0,0,1\n0,1,0,1\n";
  }
  /// A state that names this file.
  void write_state(const std::string& name, const std::string& file, const std::string& hash = "") const {
    if (!fs::exists(path("any/any.png")))
      expect_good(in("any", std::string("render plummer --bodies 9") + usual + "-o any.png"));
    auto state = state_of(path("any/any.png"));
    state["dataset"] = {{"file", file}, {"galaxies", 1}, {"hash", hash}};
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name)) << state;
  }
};

TEST_F(StateDatasets, NoFileThatIsWrittenTellsWhereTheyLie) {
  write_bodies("data/p.csv");
  fs::create_directories(path("data/pictures"));
  fs::create_directories(path("out"));
  const std::string render = "render '" + path("data/p.csv") + "'" + usual;
  expect_good(in("work", render + "-o ../data/pictures/a.png"));
  expect_good(in("work", render + "-o ../data/b.exr"));
  expect_good(in("work", render + "-o ../out/c.png --write-state ../out/c.bin --series ../out/series"));
  expect_good(in("work", render + "--record ../out/frames --frames 2"));
  expect_good(
      in("work", "bench '" + path("data/p.csv") + "' --engine cpu --steps 1 --json ../out/bench.json"));
  expect_good(in("work", "info '" + path("data/p.csv") + "' --json >../out/info.json"));
  expect_good(in("work", "convert '" + path("data/p.csv") + "' ../out/p.vtp"));
  EXPECT_EQ(state_of(path("data/pictures/a.png")).at("dataset").at("file"), "../p.csv");
  EXPECT_EQ(state_of(path("out/c.png")).at("dataset").at("file"), "p.csv");
  EXPECT_EQ(state_of(path("out/c.png")).at("dataset").at("hash").get<std::string>().size(), 16U);
  std::size_t files = 0;
  for (const char* folder : {"data", "out", "work"}) {
    for (const auto& each : fs::recursive_directory_iterator(path(folder))) {
      if (!each.is_regular_file()) continue;
      ++files;
      EXPECT_EQ(text_of(each.path()).find(folder_.string()), std::string::npos) << each.path();
    }
  }
  EXPECT_GT(files, 9U);
}

TEST_F(StateDatasets, APictureAndItsDatasetAreMovedTogether) {
  write_bodies("a/p.csv");
  expect_good(in("a", std::string("render p.csv") + usual + "-o p.png"));
  fs::rename(path("a"), path("b"));
  const auto moved = in("work", std::string("render ../b/p.png") + usual + "-o q.png");
  expect_good(moved);
  EXPECT_EQ(moved.errors.find("not the one"), std::string::npos) << moved.errors;
  EXPECT_EQ(state_of(path("work/q.png")).at("dataset").at("hash"),
            state_of(path("b/p.png")).at("dataset").at("hash"));
  // Another file of that name is said.
  write_bodies("b/p.csv", "2,0,0,5\n");
  const auto other = in("work", std::string("render ../b/p.png") + usual + "-o r.png");
  expect_good(other);
  EXPECT_NE(other.errors.find("is not the one that the state was made with"), std::string::npos)
      << other.errors;
}

TEST_F(StateDatasets, OnesOwnPictureIsOpenedFromAnywhere) {
  write_bodies("data/p.csv");
  expect_good(in("data", std::string("render p.csv") + usual + "-o ../pictures.png"));
  expect_good(in("work", std::string("render ../pictures.png") + usual + "-o q.png"));
  // Someone else has no such list.
  fs::remove(path(".config/orrery/datasets.json"));
  expect_asks(in("work", std::string("render ../pictures.png") + usual + "-o r.png"), "p.csv");
}

TEST_F(StateDatasets, AStrangersPictureOpensNoOtherFile) {
  write_bodies("data/secret.csv");
  write_state("in/s.json", path("data/secret.csv"));
  const auto refused = in("work", std::string("render ../in/s.json") + usual + "-o a.png");
  expect_asks(refused, "secret.csv");
  EXPECT_NE(refused.errors.find("DATA --state FILE"), std::string::npos) << refused.errors;
  expect_asks(in("work", std::string("../in/s.json") + usual), "secret.csv");
  expect_good(in("work", std::string("render ../data/secret.csv --state ../in/s.json") + usual + "-o b.png"));
  expect_good(in("data", std::string("render ../in/s.json") + usual + "-o c.png"));
  for (const std::string file : {"../data/secret.csv", "/dev/zero", "/etc/passwd", "/proc/self/environ"}) {
    write_state("in/s.json", file);
    expect_asks(in("work", std::string("render ../in/s.json") + usual + "-o d.png"),
                fs::path(file).filename());
  }
  fs::create_symlink(path("data/secret.csv"), path("in/link.csv"));
  write_state("in/s.json", "link.csv");
  expect_asks(in("work", std::string("render ../in/s.json") + usual + "-o d.png"), "link.csv");
}

TEST_F(StateDatasets, NothingWaitsForAPipe) {
  write_state("in/s.json", "pipe");
  EXPECT_EQ(shell("mkfifo in/pipe").status, 0);
  expect_asks(in("work", std::string("render ../in/s.json") + usual + "-o a.png"), "pipe");
  expect_asks(in("in", std::string("s.json") + usual), "pipe");
  const auto named = in("work", std::string("render ../in/pipe --state ../in/s.json") + usual + "-o a.png");
  EXPECT_EQ(named.status, 1) << named.errors;
  EXPECT_NE(named.errors.find("a device or a pipe"), std::string::npos) << named.errors;
}

TEST_F(StateDatasets, ACheckpointGoesOnWhereItsDatasetIsKnownOrNamed) {
  write_bodies("data/p.csv");
  const std::string usual_run = "render ../data/p.csv --engine cpu --untuned --size 32x24 --steps 3 ";
  expect_good(in("runs", usual_run + "--checkpoint run.ck -o a.png"));
  const std::string resume = "--resume ../runs/run.ck --size 32x24 --steps 5 -o ";
  expect_good(in("work", "render " + resume + "b.png"));
  fs::remove(path(".config/orrery/datasets.json"));
  expect_asks(in("work", "render " + resume + "c.png"), "p.csv");
  expect_good(in("work", "render ../data/p.csv " + resume + "d.png"));
  write_bodies("data/p.csv", "2,0,0,5\n");
  const auto other = in("work", "render ../data/p.csv " + resume + "e.png");
  EXPECT_EQ(other.status, 1);
  EXPECT_NE(other.errors.find("is not the one of the checkpoint"), std::string::npos) << other.errors;
}

TEST_F(StateDatasets, ACheckpointGoesOnWithoutAHomeFolder) {
  write_bodies("data/p.csv");
  const auto without_home = [&](const std::string& arguments) {
    return shell("cd runs && umask 002 && env -u HOME -u XDG_CONFIG_HOME '" ORRERY_PROGRAM "' render " +
                 arguments + " --size 32x24");
  };
  fs::create_directories(path("runs"));
  expect_good(
      without_home("../data/p.csv --engine cpu --untuned --steps 3 --checkpoint run.ck --every 1 -o a.png"));
  expect_good(without_home("--resume run.ck --checkpoint run.ck --steps 5 -o b.png"));
  expect_good(without_home("--resume run.ck.previous --steps 5 -o c.png"));
  EXPECT_EQ(shell("chmod g+w runs/run.ck").status, 0);
  expect_asks(without_home("--resume run.ck --steps 7 -o d.png"), "p.csv");
}

TEST_F(StateDatasets, ADemonstrationOfAStrangerToo) {
  write_bodies("data/p.csv");
  fs::create_directories(path("in"));
  const auto write_demo = [&](const std::string& source) {
    std::ofstream(path("in/demo.json")) << nlohmann::json{
        {"title", "T"},
        {"meaning", "M"},
        {"dataset", {{"source", source}}},
        {"steps", {{{"name", "one"}, {"caption", "One"}, {"seconds", 0}, {"set", {{"engine", "cpu"}}}}}}};
  };
  write_demo(path("data/p.csv"));
  const auto refused = in("work", "demo ../in/demo.json --table -");
  expect_asks(refused, "p.csv");
  EXPECT_NE(refused.errors.find("put its files beside it"), std::string::npos) << refused.errors;
  expect_good(in("data", "demo ../in/demo.json --table -"));
  write_demo("q.csv");
  write_bodies("in/q.csv");
  expect_good(in("work", "demo ../in/demo.json --table -"));
}

}  // namespace
