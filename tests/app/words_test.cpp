#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/commands/bash_completion.h"
#include "app/commands/settings.h"
#include "app/picture/display_options.h"
#include "tests/app/program_test.h"

namespace orrery::app {

namespace {

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

class Words : public test::ProgramTest {
 protected:
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  bool is_there(const std::string& program) const { return shell("command -v " + program).status == 0; }

  /// The completions for the words of a command line; the last one is being typed. As bash cuts them.
  std::set<std::string> offered(const std::vector<std::string>& words) const {
    write("completion", bash_completion());
    std::string line = "orrery";
    for (const auto& word : words) line += " '" + word + "'";
    write("ask.sh",
          "source ./completion\nCOMP_WORDBREAKS=$' \\t\\n\"><=;|&(:'\nCOMP_WORDS=(" + line +
              ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_orrery\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    const auto outcome = shell("bash ask.sh");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.errors, "") << line;
    std::istringstream output(outcome.output);
    std::set<std::string> offers;
    for (std::string each; std::getline(output, each);)
      if (!each.empty()) offers.insert(each);
    return offers;
  }
};

TEST_F(Words, TheManualPageHasAllThatTheHelpHas) {
  if (!is_there("help2man")) GTEST_SKIP() << "help2man is not installed";
  const std::string tools = ORRERY_TOOLS;
  const auto made = shell("python3 -B '" + tools + "/manual.py' '" + tools +
                          "/../assets/manual.h2m' orrery.1 '" ORRERY_PROGRAM "'");
  ASSERT_EQ(made.status, 0) << made.errors;
  auto page = text_of(path("orrery.1"));
  for (std::size_t at = 0; (at = page.find("\\-", at)) != std::string::npos;) page.erase(at, 1);
  for (const auto& command : command_facts()) {
    const auto start = page.find("\n.SH \"ORRERY " + upper(command.name) + "\"\n");
    ASSERT_NE(start, std::string::npos) << command.name;
    const auto section = page.substr(start, page.find("\n.SH", start + 1) - start);
    // What every help has stands in the overview.
    for (const auto& argument : command.arguments)
      EXPECT_TRUE(argument.names.back() == "--help" || has(section, argument.names.back()))
          << command.name << ' ' << argument.names.back();
  }
  const auto table = all_options();
  for (const auto& option : table.options())
    EXPECT_TRUE(has(page, "\n  " + option.name + " = ")) << option.name;
  for (const auto& kind : described_settings())
    for (const auto& setting : kind.settings) EXPECT_TRUE(has(page, setting.name)) << setting.name;
  if (is_there("groff")) {
    EXPECT_EQ(shell("groff -man -ww -z -Tutf8 orrery.1").errors, "");
  }
}

TEST(CommandFacts, SayWhatTheHelpSays) {
  const auto all = command_facts();
  const auto render = std::ranges::find(all, "render", &CommandFacts::name);
  ASSERT_NE(render, all.end());
  const auto argument = [&](const std::string& name) {
    return *std::ranges::find_if(render->arguments,
                                 [&](const auto& each) { return each.names.back() == name; });
  };
  EXPECT_TRUE(argument("DATA").positional);
  EXPECT_FALSE(argument("DATA").required);
  EXPECT_EQ(argument("--output").names, (std::vector<std::string>{"-o", "--output"}));
  EXPECT_EQ(argument("--output").value, "FILE");
  EXPECT_EQ(argument("--untuned").value, "");
  EXPECT_EQ(shortcut_of(argument("--engine")), "engine");
  EXPECT_EQ(shortcut_of(argument("--units")), "units");
  EXPECT_EQ(shortcut_of(argument("--steps")), "");
}

/// Besides --overwrite, which every command that writes takes.
TEST(CommandFacts, ViewAndRenderTakeThirtyFlagsAtMost) {
  for (const auto& command : command_facts()) {
    if (command.name != "view" && command.name != "render") continue;
    const auto flags = std::ranges::count_if(command.arguments, [](const auto& each) {
      return !each.positional && each.names.back() != "--overwrite";
    });
    EXPECT_LE(flags, 30) << command.name;
  }
}

TEST(CommandFacts, ShortcutsAreOfOptionsOrSettings) {
  const auto table = all_options();
  std::set<std::string> settings;
  for (const auto& kind : described_settings())
    for (const auto& setting : kind.settings) settings.insert(setting.name);
  for (const auto& name : settings) EXPECT_EQ(table.find(name), nullptr) << name << " means two things";
  for (const auto& command : command_facts()) {
    for (const auto& argument : command.arguments) {
      const auto option = shortcut_of(argument);
      EXPECT_TRUE(option.empty() || table.find(option) != nullptr || settings.contains(option))
          << command.name << ' ' << argument.names.back();
    }
  }
}

TEST_F(Words, TheCompletionIsAScriptWithoutFaults) {
  write("completion", bash_completion());
  const auto outcome = shell("bash -n completion");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
}

TEST_F(Words, EveryCommandIsOffered) {
  std::set<std::string> names;
  for (const auto& command : command_facts()) names.insert(command.name);
  const auto first = offered({""});
  EXPECT_TRUE(std::ranges::includes(first, names));
  EXPECT_TRUE(first.contains("plummer"));
  EXPECT_EQ(offered({"rend"}), std::set<std::string>{"render"});
  EXPECT_TRUE(offered({"--help-"}).contains("--help-options"));
}

TEST_F(Words, EveryArgumentIsOfferedAfterItsCommand) {
  for (const auto& command : command_facts()) {
    const auto offers = offered({command.name, "--"});
    for (const auto& argument : command.arguments) {
      const bool expected = argument.positional || offers.contains(argument.names.back());
      EXPECT_TRUE(expected) << command.name << ' ' << argument.names.back();
    }
  }
}

TEST_F(Words, EveryOptionIsOfferedAfterSet) {
  const auto offers = offered({"render", "--set", ""});
  const auto table = all_options();
  for (const auto& option : table.options()) EXPECT_TRUE(offers.contains(option.name + "=")) << option.name;
  std::size_t settings = 0;
  for (const auto& kind : described_settings()) {
    settings += kind.settings.size();
    for (const auto& setting : kind.settings)
      EXPECT_TRUE(offers.contains(setting.name + "=")) << setting.name;
  }
  EXPECT_EQ(offers.size(), table.options().size() + settings);
}

TEST_F(Words, TheValuesOfAnOptionAreOffered) {
  EXPECT_EQ(offered({"render", "--set", "engine", "=", "cu"}), std::set<std::string>{"cuda"});
  EXPECT_EQ(offered({"render", "--set", "dither", "="}), (std::set<std::string>{"on", "off"}));
  const auto families = offered({"bench", "--set", "family", "=", "tensor"});
  EXPECT_EQ(families, (std::set<std::string>{"tensor", "tensor-sum", "tensor-pairs"}));
  EXPECT_EQ(offered({"bench", "--engine", "c"}), (std::set<std::string>{"cpu", "cuda"}));
  EXPECT_EQ(offered({"bench", "--engine", "=", "cu"}), std::set<std::string>{"cuda"});
  EXPECT_EQ(offered({"--display", "h"}), std::set<std::string>{"headless"});
  EXPECT_EQ(offered({"render", "--set", "recentre", "=", "of"}), std::set<std::string>{"off"});
  EXPECT_EQ(offered({"render", "--view", "edge"}), std::set<std::string>{"edge-on"});
}

TEST_F(Words, GalaxiesLaddersFormatsAndFilesAreOffered) {
  write("snapshot.csv", "x,y,z\n0,0,0\n");
  EXPECT_EQ(offered({"render", "--steps", "5", "plu"}), std::set<std::string>{"plummer"});
  EXPECT_EQ(offered({"info", "snap"}), std::set<std::string>{"snapshot.csv"});
  EXPECT_EQ(offered({"make", "fig"}), std::set<std::string>{"figure-eight"});
  EXPECT_EQ(offered({"ladder", "ece1"}), std::set<std::string>{"ece1782"});
  EXPECT_EQ(offered({"verify", "--ladder", "com"}), std::set<std::string>{"com4521"});
  EXPECT_EQ(offered({"convert", "snapshot.csv", "snapshot2.csv", "--format", "tip"}),
            std::set<std::string>{"tipsy"});
  EXPECT_EQ(offered({"bench", "--kernels", "simd,omp-b"}), std::set<std::string>{"simd,omp-bodies"});
  EXPECT_TRUE(offered({"sweep", "tile,unr"}).contains("tile,unroll"));
}

}  // namespace
}  // namespace orrery::app
