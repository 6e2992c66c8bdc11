#include "lab/ladders/ladders.h"
#include "sim/options/tree_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/temporary_folder.h"

namespace orrery::lab {
namespace {

namespace fs = std::filesystem;
using sim::checks::simulation_options;

const std::string head = R"("title": "t", "source": "s", "model": "plummer", "bodies": 100, "steps": 5)";

class LadderFile : public testing::Test {
 protected:
  fs::path write(const std::string& text, const std::string& name = "mine.json") const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  Ladder read(const std::string& text) const { return read_ladder(simulation_options(), write(text)); }
  Ladder read_rungs(const std::string& rungs) const {
    return read("{" + head + R"(, "rungs": [)" + rungs + "]}");
  }
  /// The error, without the file's name.
  std::string error(const std::string& text) const {
    try {
      read(text);
    } catch (const sim::UsageError& failure) {
      ADD_FAILURE() << "a damaged file is no mistake in typing: " << failure.what();
    } catch (const sim::Error& failure) {
      const std::string what = failure.what();
      EXPECT_TRUE(what.starts_with("ladder '" + (folder_ / "mine.json").string() + "'")) << what;
      EXPECT_EQ(std::count(what.begin(), what.end(), '\n'), 0) << what;
      return what;
    }
    return "nothing was wrong";
  }
  std::string rungs_error(const std::string& rungs) const {
    return error("{" + head + R"(, "rungs": [)" + rungs + "]}");
  }

  const test::TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
};

using Settings = std::vector<std::pair<std::string, std::string>>;

TEST_F(LadderFile, SettingsAddUp) {
  const auto ladder = read_rungs(R"(
      {"name": "a", "text": "A", "set": {"engine": "cuda", "tile": 512, "math": "fast"}},
      {"name": "b", "text": "B", "set": {"tile": 128}},
      {"name": "c", "text": "C", "from": "a", "set": {"unroll": 8}},
      {"name": "d", "text": "D", "from": "base", "set": {"engine": "cpu"}},
      {"name": "e", "text": "E"})");
  ASSERT_EQ(ladder.rungs.size(), 5U);
  EXPECT_EQ(ladder.rungs[0].settings, (Settings{{"engine", "cuda"}, {"tile", "512"}, {"math", "fast"}}));
  EXPECT_EQ(ladder.rungs[1].settings, (Settings{{"engine", "cuda"}, {"tile", "128"}, {"math", "fast"}}));
  EXPECT_EQ(ladder.rungs[2].settings,
            (Settings{{"engine", "cuda"}, {"tile", "512"}, {"math", "fast"}, {"unroll", "8"}}));
  EXPECT_EQ(ladder.rungs[3].settings, (Settings{{"engine", "cpu"}}));
  EXPECT_EQ(ladder.rungs[4].settings, ladder.rungs[3].settings);
}

TEST_F(LadderFile, ReadsEverything) {
  const auto ladder = read(R"({"title": "T", "source": "S", "model": "disk", "bodies": 4096, "galaxies": 3,
      "steps": 7, "position-tolerance": 0.5, "base": {"softening": 3.5e-5, "integrator": "explicit-euler"},
      "hardware": "abacus", "rungs": [
      {"name": "a", "text": "A", "unavailable": "no", "published": [
        {"bodies": 10, "galaxies": 2, "seconds": 1.5, "gips": 2.5, "speedup": 3.5, "memory-mb": 4.5,
         "with": "W", "remark": "R"},
        {"gips": 4}]},
      {"name": "b", "text": "B", "hardware": "slide rule"}]})");
  EXPECT_EQ(ladder.name, "mine");
  EXPECT_EQ(ladder.title, "T");
  EXPECT_EQ(ladder.source, "S");
  EXPECT_EQ(ladder.model, "disk");
  EXPECT_EQ(ladder.bodies, 4096U);
  EXPECT_EQ(ladder.galaxies, 3U);
  EXPECT_EQ(ladder.steps, 7);
  EXPECT_EQ(ladder.position_tolerance, 0.5);
  EXPECT_EQ(ladder.base, (Settings{{"softening", "3.5e-05"}, {"integrator", "explicit-euler"}}));
  const auto& rung = ladder.rungs.at(0);
  EXPECT_EQ(rung.unavailable, "no");
  EXPECT_EQ(rung.hardware, "abacus");
  EXPECT_EQ(ladder.rungs.at(1).hardware, "slide rule");
  ASSERT_EQ(rung.published.size(), 2U);
  EXPECT_EQ(rung.published[0].bodies, 10U);
  EXPECT_EQ(rung.published[0].galaxies, 2U);
  EXPECT_EQ(rung.published[0].seconds, 1.5);
  EXPECT_EQ(rung.published[0].gips, 2.5);
  EXPECT_EQ(rung.published[0].speedup, 3.5);
  EXPECT_EQ(rung.published[0].memory_mb, 4.5);
  EXPECT_EQ(rung.published[0].with, "W");
  EXPECT_EQ(rung.published[0].remark, "R");
  EXPECT_EQ(rung.published[1].bodies, 4096U);
  EXPECT_EQ(rung.published[1].galaxies, 3U);
}

TEST_F(LadderFile, ARungIsAWholeConfiguration) {
  const auto ladder = read("{" + head + R"(, "base": {"gravity": 9.8}, "rungs": [
      {"name": "a", "text": "A", "set": {"engine": "cuda", "tile": 512}}]})");
  const auto& table = simulation_options();
  auto start = table.defaults();
  for (const char* each : {"unroll=4", "softening=0.25", "gravity=3", "threads=3", "devices=2"})
    table.assign(start, each);
  const auto configuration = rung_configuration(table, ladder, ladder.rungs[0], start);
  EXPECT_EQ(configuration.choice("engine"), "cuda");
  EXPECT_EQ(configuration.integer("tile"), 512);
  EXPECT_EQ(configuration.integer("unroll"), table.defaults().integer("unroll"));
  EXPECT_EQ(configuration.real("softening"), 0.25);
  EXPECT_EQ(configuration.real("gravity"), 9.8);
  EXPECT_EQ(configuration.integer("threads"), 3);
  EXPECT_EQ(configuration.choice("devices"), "2");
}

struct Damage {
  const char* rungs;
  const char* said;  ///< a part of the message
};

TEST_F(LadderFile, DamagedRungsAreExplained) {
  for (const auto& [rungs, said] : std::vector<Damage>{
           {"", "'rungs' is empty"},
           {"3", "must be an object"},
           {R"({"text": "A"})", "'name' is missing"},
           {R"({"name": "a"})", "rung 'a': 'text' is missing"},
           {R"({"name": "", "text": "A"})", "'name' must be a text"},
           {R"({"name": 5, "text": "A"})", "'name' must be a text, not 5"},
           {R"({"name": "A b", "text": "A"})", "lower case"},
           {R"({"name": "base", "text": "A"})", "the name is taken"},
           {R"({"name": "a", "text": "A"}, {"name": "a", "text": "B"})", "the name is taken"},
           {R"({"name": "a", "text": "A", "sett": {}})", "'sett' is not known here"},
           {R"({"name": "a", "text": "A", "set": []})", "options must be an object"},
           {R"({"name": "a", "text": "A", "set": {"tiel": 3}})", "did you mean 'tile'?"},
           {R"({"name": "a", "text": "A", "set": {"tile": "big"}})", "takes a whole number, not 'big'"},
           {R"({"name": "a", "text": "A", "set": {"tile": 99999}})", "takes 16 to 2048"},
           {R"({"name": "a", "text": "A", "set": {"tile": 64.5}})", "takes a whole number, not '64.5'"},
           {R"({"name": "a", "text": "A", "set": {"tile": {"x": 1}}})", "takes a whole number"},
           {R"({"name": "a", "text": "A", "set": {"family": "spheres"}})", "is one of tiled"},
           {R"({"name": "a", "text": "A", "set": {"tile": 64, "tile": 128}})", "'tile' occurs twice"},
           {R"({"name": "a", "text": "A", "from": "b"}, {"name": "b", "text": "B"})", "no earlier rung"},
           {R"({"name": "a", "text": "A", "from": "a"})", "no earlier rung"},
           {R"({"name": "a", "text": "A", "published": {}})", "'published' must be a list"},
           {R"({"name": "a", "text": "A", "published": [{}]})", "says nothing"},
           {R"({"name": "a", "text": "A", "published": [{"seconds": -1}]})", "'seconds' must be a number"},
           {R"({"name": "a", "text": "A", "published": [{"seconds": "1"}]})", "'seconds' must be a number"},
           {R"({"name": "a", "text": "A", "published": [{"bodies": 1.5, "gips": 1}]})", "whole number"},
           {R"({"name": "a", "text": "A", "published": [{"flops": 1}]})", "'flops' is not known here"}}) {
    const auto message = rungs_error(rungs);
    EXPECT_NE(message.find(said), std::string::npos) << rungs << "\n" << message;
  }
}

TEST_F(LadderFile, DamagedHeadsAreExplained) {
  const std::string rungs = R"("rungs": [{"name": "a", "text": "A"}])";
  const std::string names = R"({"title": "t", "source": "s", )";
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"", "is no JSON (byte 1)"},
           {"{" + head, "is no JSON"},
           {"\xff\xfe", "is no JSON"},
           {"[]", "must be an object"},
           {"{" + head + "}", "'rungs' is missing"},
           {"{" + head + R"(, "rungs": {}})", "'rungs' must be a list"},
           {"{" + head + R"(, "colour": 1, )" + rungs + "}", "'colour' is not known here"},
           {names + R"("model": "nebula", "bodies": 9, "steps": 1, )" + rungs + "}",
            "no built-in galaxy 'nebula'"},
           {names + R"("model": "two-body", "bodies": 9, "steps": 1, )" + rungs + "}", "takes 2 to 2 bodies"},
           {names + R"("model": "plummer", "bodies": -9, "steps": 1, )" + rungs + "}",
            "'bodies' must be a number"},
           {names + R"("model": "plummer", "bodies": 1e999, "steps": 1, )" + rungs + "}", "is no JSON"},
           {names + R"("model": "plummer", "bodies": 9, "steps": 2.7, )" + rungs + "}",
            "must be a whole number"},
           {names + R"("model": "plummer", "bodies": 9, "steps": 0, )" + rungs + "}",
            "'steps' must be a number"},
           {names + R"("model": "plummer", "bodies": 9, )" + rungs + "}", "'steps' is missing"},
           {"{" + head + R"(, "base": {"softening": -1}, )" + rungs + "}",
            "base: option 'softening' takes"}}) {
    const auto message = error(text);
    EXPECT_NE(message.find(said), std::string::npos) << text << "\n" << message;
  }
}

TEST_F(LadderFile, MissingFilesAndFoldersAreExplained) {
  EXPECT_THROW(read_ladder(simulation_options(), folder_ / "none.json"), sim::Error);
  EXPECT_THROW(find_ladders(simulation_options(), "all", folder_ / "none"), sim::Error);
  fs::create_directory(folder_ / "folder.json");
  EXPECT_THROW(read_ladder(simulation_options(), folder_ / "folder.json"), sim::Error);
}

TEST_F(LadderFile, AFolderIsReadByName) {
  const std::string text = "{" + head + R"(, "rungs": [{"name": "a", "text": "A"}]})";
  write(text, "b.json");
  write(text, "a.json");
  write("no ladder", "notes.txt");
  const auto ladders = find_ladders(simulation_options(), "all", folder_);
  ASSERT_GE(ladders.size(), 2U);
  EXPECT_EQ(ladders[0].name, "a");
  EXPECT_EQ(ladders[1].name, "b");
  EXPECT_EQ(std::ranges::count(ladders, "notes", &Ladder::name), 0);
  EXPECT_EQ(find_ladders(simulation_options(), "b", folder_).size(), 1U);
}

// The ladders of the five reports.

std::vector<Ladder> shipped() {
  std::vector<Ladder> ladders;
  for (const auto& file : fs::directory_iterator(ORRERY_LADDERS))
    ladders.push_back(read_ladder(simulation_options(), file.path()));
  std::ranges::sort(ladders, {}, &Ladder::name);
  return ladders;
}

const Rung& rung_of(const Ladder& ladder, const std::string& name) {
  const auto found = std::ranges::find(ladder.rungs, name, &Rung::name);
  if (found == ladder.rungs.end()) throw sim::Error("no rung " + name + " in " + ladder.name);
  return *found;
}

TEST(ShippedLadders, AreThoseOfTheFiveReports) {
  const auto ladders = shipped();
  std::set<std::string> names;
  for (const auto& ladder : ladders) names.insert(ladder.name);
  for (const char* name : {"com4521", "ece1782", "ece415-2022", "ece415-2025", "electric"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(ShippedLadders, EveryRungSaysWhichEngineAndHasAText) {
  for (const auto& ladder : shipped()) {
    for (const auto& rung : ladder.rungs) {
      const auto engine = std::ranges::find(rung.settings, "engine", &Settings::value_type::first);
      EXPECT_NE(engine, rung.settings.end()) << ladder.name << " " << rung.name;
      EXPECT_FALSE(rung.hardware.empty()) << ladder.name << " " << rung.name;
    }
  }
}

/// True for reasons that depend on the machine; all else would be a rung that can run nowhere.
bool lack_of_machine(const std::string& reason) {
  return reason.starts_with("engine=cuda:") || reason.starts_with("sum=cublas:") ||
         reason.starts_with("devices=all:");
}

TEST(ShippedLadders, EveryRungCanBeConfigured) {
  const auto& table = simulation_options();
  for (const auto& ladder : shipped()) {
    const sim::OptionContext context{.bodies = ladder.bodies * ladder.galaxies, .galaxies = ladder.galaxies};
    for (const auto& rung : ladder.rungs) {
      auto configuration = rung_configuration(table, ladder, rung, table.defaults());
      for (const auto& option : table.options()) {
        const auto& value = configuration.value(option.name);
        const auto reason = table.refusal(option, value, configuration, context);
        const auto named = option.name + "=" + sim::to_string(value) + ": " + reason;
        EXPECT_TRUE(reason.empty() || lack_of_machine(named))
            << ladder.name << " " << rung.name << ": " << named;
      }
    }
  }
}

TEST(ShippedLadders, ChangesOfARungTakeEffect) {
  const auto& table = simulation_options();
  for (const auto& ladder : shipped()) {
    for (const auto& rung : ladder.rungs) {
      const auto configuration = rung_configuration(table, ladder, rung, table.defaults());
      for (const auto& [name, value] : rung.settings) {
        const auto& option = table.at(name);
        if (option.inactive && sim::to_string(option.default_value) != value) {
          // Inherited from a rung of another family is fine; tile, block, unroll, passing of the other engine
          // are not. Physics is of both.
          const bool other_engine = !sim::is_of_engine(option, configuration) && option.group != "engine" &&
                                    option.group != "physics";
          EXPECT_FALSE(other_engine) << ladder.name << " " << rung.name << ": " << name << "=" << value;
        }
      }
    }
  }
}

const Ladder& ladder_of(const std::vector<Ladder>& ladders, const std::string& name) {
  const auto found = std::ranges::find(ladders, name, &Ladder::name);
  if (found == ladders.end()) throw sim::Error("no ladder " + name);
  return *found;
}

TEST(ShippedLadders, HaveThePublishedFigures) {
  const auto ladders = shipped();
  const auto figure = [&](const char* ladder, const char* rung, std::size_t k) {
    return rung_of(ladder_of(ladders, ladder), rung).published.at(k);
  };
  EXPECT_EQ(figure("ece415-2025", "tiled", 0).gips, 68.3581);
  EXPECT_EQ(figure("ece415-2025", "soa", 0).seconds, 0.1016);
  EXPECT_EQ(figure("ece415-2025", "streams", 0).speedup, 12.82);
  EXPECT_EQ(figure("ece1782", "gpu8", 2).seconds, 0.316398);
  EXPECT_EQ(figure("ece1782", "gpu8", 2).bodies, 200000U);
  EXPECT_EQ(figure("com4521", "pairs-atomic", 7).seconds, 34.890);
  EXPECT_EQ(figure("ece415-2022", "omp2", 0).speedup, 29.0);
  EXPECT_EQ(figure("electric", "matrix", 7).seconds, 7.693);
}

/// The plain figure of a rung for so many bodies.
const PublishedFigure& plain_figure(const Rung& rung, std::size_t bodies) {
  const auto found = std::ranges::find_if(rung.published, [&](const PublishedFigure& figure) {
    return figure.bodies == bodies && figure.remark.empty();
  });
  if (found == rung.published.end()) throw sim::Error("no figure of " + rung.name);
  return *found;
}

// A sample of each of the reports' tables, typed from their text.
TEST(ShippedLadders, HaveTheFiguresOfEverySize) {
  const auto ladders = shipped();
  const auto seconds = [&](const char* ladder, const char* rung, std::size_t bodies) {
    return plain_figure(rung_of(ladder_of(ladders, ladder), rung), bodies).seconds;
  };
  EXPECT_EQ(seconds("com4521", "baseline", 4096), 0.401);
  EXPECT_EQ(seconds("com4521", "block-64", 1024), 0.081);
  EXPECT_EQ(seconds("com4521", "rsqrt", 2048), 0.023);
  EXPECT_EQ(seconds("com4521", "read-only", 2048), 0.017);
  EXPECT_EQ(seconds("com4521", "pairs-atomic", 4096), 0.221);
  EXPECT_EQ(seconds("electric", "matrix", 64), 0.304);
  EXPECT_EQ(seconds("ece1782", "gpu8-8x128-128", 100000), 0.098089);
  EXPECT_EQ(seconds("ece1782", "gpu5-1x256-1024", 200000), 0.400883);
  const auto& electric = rung_of(ladder_of(ladders, "electric"), "fast-math");
  EXPECT_EQ(plain_figure(electric, 256).speedup, 0.95);
  EXPECT_EQ(plain_figure(electric, 8192).memory_mb, 2.2);
  EXPECT_EQ(plain_figure(rung_of(ladder_of(ladders, "ece1782"), "gpu2"), 20000).with,
            "1 x 128 threads, 512 sources a thread");
}

/// Every rung of COM4521 has a figure for each of the report's eight numbers of bodies.
TEST(ShippedLadders, HaveWholeTablesOfBodies) {
  const auto ladders = shipped();
  for (const auto& rung : ladder_of(ladders, "com4521").rungs) {
    for (const std::size_t bodies : {1024, 2048, 4096, 10000, 20000, 30000, 40000, 50000})
      EXPECT_GT(plain_figure(rung, bodies).seconds, 0.0) << rung.name << " " << bodies;
  }
}

TEST(ShippedLadders, HaveNoRungThatTheProgramCannotRun) {
  for (const auto& ladder : shipped()) {
    for (const auto& rung : ladder.rungs) EXPECT_EQ(rung.unavailable, "") << ladder.name << " " << rung.name;
  }
}

}  // namespace
}  // namespace orrery::lab
