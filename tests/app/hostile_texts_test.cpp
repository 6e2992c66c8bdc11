#include <vector>

#include "command_line_testing.h"

// Files of strangers: what is in them does not steer the terminal, and errors are in plain words.
namespace {

class HostileTexts : public orrery::test::CommandLine {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  /// Nothing but text and the ends of lines, and nothing of a library's own.
  void expect_plain(const std::string& command) const {
    const auto outcome = orrery(command);
    for (const auto& text : {outcome.output, outcome.errors}) {
      for (const char c : text)
        EXPECT_TRUE(c == '\n' || (c >= ' ' && c != 0x7F) || c < 0) << command << ": " << text;
      EXPECT_EQ(text.find("json.exception"), std::string::npos) << command << ": " << text;
      EXPECT_EQ(text.find("\nFORGED"), std::string::npos) << command << ": " << text;
    }
  }
};

constexpr const char* forged = "\\u001b[2J\\u009b31m\\nFORGED line\\r";

TEST_F(HostileTexts, OfDemosAreCleaned) {
  const std::string demo = std::string(R"({"title": "T)") + forged + R"(", "meaning": "M)" + forged +
                           R"(", "dataset": {"source": "plummer", "bodies": 64},
    "steps": [{"name": "one", "caption": "C)" +
                           forged + R"(", "seconds": 0, "measure": true}]})";
  write(".config/orrery/demos/mine.json", demo);
  expect_plain("demo --list");
  expect_plain("demo mine --table -");
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"one\"", std::string("\"") + forged + "\""},
           {"\"plummer\"", std::string("\"") + forged + "\""},
           {"\"bodies\"", std::string("\"") + forged + "\""},
           {"\"measure\": true", std::string("\"set\": {\"") + forged + "\": \"" + forged + "\"}"},
           {"\"measure\": true", std::string("\"rung\": \"best/") + forged + "\""},
           {"\"measure\": true", std::string("\"needs\": \"") + forged + "\""},
           {"64", "1e999"},
           {"64", "-1"},
           {"64", "\"\\ud800\""}}) {
    auto broken = demo;
    broken.replace(broken.find(from), from.size(), to);
    write("broken.json", broken);
    expect_plain("demo broken.json --table -");
  }
}

TEST_F(HostileTexts, OfLaddersAreCleaned) {
  const std::string ladder = std::string(R"({"title": "Mine)") + forged + R"(", "source": "me)" + forged +
                             R"(", "model": "plummer", "bodies": 64, "steps": 1,
    "rungs": [{"name": "only)" +
                             forged + R"(", "text": "one)" + forged +
                             R"(", "set": {"engine": "cpu", "kernel": "sequential"}}]})";
  write("ladders/mine.json", ladder);
  expect_plain("ladder mine --ladders ladders --steps 1");
  expect_plain("ladder nothing --ladders ladders");
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"plummer\"", std::string("\"") + forged + "\""},
                                                        {"\"engine\"", std::string("\"") + forged + "\""},
                                                        {"\"sequential\"", std::string("\"") + forged + "\""},
                                                        {"64", "1e999"}}) {
    auto broken = ladder;
    broken.replace(broken.find(from), from.size(), to);
    write("ladders/mine.json", broken);
    expect_plain("ladder mine --ladders ladders --steps 1");
  }
}

TEST_F(HostileTexts, OfOtherFilesAreCleaned) {
  write("state.json", std::string(R"({"state_version": 1, "dataset": {"source": ")") + forged +
                          R"(", "galaxies": 1}, "camera": {}, "options": {")" + forged + R"(": ")" + forged +
                          "\"}}");
  write("huge.json", R"({"state_version": 1e999})");
  write("saved.json", std::string("{\"kind\": \"") + forged + "\"}");
  write("table.csv", "x,y,z,vx,vy,vz,m\x1b[31m\n1,2,\x1b]0;title\x07,4,5,6,7\n");
  for (const char* command :
       {"render --state state.json -o p.png", "render state.json -o p.png",
        "render --state huge.json -o p.png", "render plummer --view state.json -o p.png",
        "render plummer --record f --path state.json", "plot bench saved.json -o f.svg",
        "plot sweep huge.json -o f.svg", "info table.csv", "info state.json"})
    expect_plain(command);
}

}  // namespace
