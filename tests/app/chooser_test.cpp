#include "app/gui/chooser.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "app/gui/fuzzy.h"
#include "app/window/file_browser.h"
#include "app/window/question.h"
#include "sim/core/error.h"

namespace orrery::app {
namespace {

using Key = Chooser::Key;
using Titles = std::vector<std::string>;

TEST(FuzzyScore, FindsPiecesAndScatteredLettersInAnyOrderOfWords) {
  EXPECT_TRUE(fuzzy_score("", "anything"));
  EXPECT_TRUE(fuzzy_score("KERN", "Kernel: simd"));
  EXPECT_TRUE(fuzzy_score("simd kernel", "Kernel: simd"));
  EXPECT_TRUE(fuzzy_score("crv", "Tone curve"));
  EXPECT_FALSE(fuzzy_score("kernel cuda", "Kernel: simd"));
  EXPECT_FALSE(fuzzy_score("zzz", "Kernel: simd"));
  EXPECT_FALSE(fuzzy_score("abc", "a very long text in which b and much later c stand"));
}

TEST(FuzzyScore, PrefersWordsToTheirBeginningsToPiecesToLetters) {
  const auto score = [](const char* text) { return fuzzy_score("glow", text).value(); };
  EXPECT_GT(score("Glow of it"), score("Glowing by"));
  EXPECT_GT(score("Glowing by"), score("Aglow there"));
  EXPECT_GT(score("Aglow there"), score("G l o wat!"));
  EXPECT_GT(score("Glow"), score("Glow, and much else besides"));
}

Choice choice(const std::string& title, std::string* chosen = nullptr) {
  return {.name = title, .title = title, .act = [chosen, title](Chooser& chooser) {
            if (chosen != nullptr) *chosen = title;
            chooser.close();
          }};
}

ChoiceList list_of(const Titles& titles, std::string* chosen = nullptr) {
  ChoiceList list{.name = "list", .choices = {}};
  for (const auto& title : titles) list.choices.push_back(choice(title, chosen));
  return list;
}

void type(Chooser& chooser, const std::string& text) {
  for (const char letter : text) chooser.type(std::string(1, letter));
}

TEST(ChooserKeys, NarrowByLettersAndChooseTheBest) {
  std::string chosen;
  Chooser chooser;
  chooser.show(list_of({"Legend", "Dither", "Glow", "Glowing"}, &chosen));
  type(chooser, "glow");
  EXPECT_EQ(chooser.shown(), (Titles{"Glow", "Glowing"}));
  chooser.press(Key::down);
  chooser.press(Key::choose);
  EXPECT_EQ(chosen, "Glowing");
  EXPECT_FALSE(chooser.open());
}

TEST(ChooserKeys, ErasingWidensAgainByWholeLetters) {
  Chooser chooser;
  chooser.show(list_of({"a", "b"}));
  chooser.type("\xC3\xA4");
  EXPECT_TRUE(chooser.shown().empty());
  chooser.press(Key::choose);
  chooser.press(Key::erase);
  EXPECT_EQ(chooser.typed(), "");
  EXPECT_EQ(chooser.shown().size(), 2U);
  chooser.press(Key::erase);
  EXPECT_FALSE(chooser.open()) << "where nothing is typed it goes back";
}

TEST(ChooserKeys, GoAroundTheEndsAndByPages) {
  std::string chosen;
  const auto pick = [&](std::initializer_list<Key> keys) {
    Titles titles;
    for (int k = 0; k < 40; ++k) titles.push_back(std::to_string(k));
    Chooser chooser;
    chooser.show(list_of(titles, &chosen));
    for (const auto key : keys) chooser.press(key);
    chooser.press(Key::choose);
    return chosen;
  };
  EXPECT_EQ(pick({}), "0");
  EXPECT_EQ(pick({Key::up}), "39");
  EXPECT_EQ(pick({Key::up, Key::down}), "0");
  EXPECT_EQ(pick({Key::page_down}), "11");
  EXPECT_EQ(pick({Key::last, Key::page_down}), "39");
  EXPECT_EQ(pick({Key::last, Key::first}), "0");
}

TEST(ChooserKeys, BackLeadsToTheListBefore) {
  Chooser chooser;
  auto outer = list_of({"outer"});
  outer.choices[0].act = [](Chooser& c) { c.push(list_of({"inner", "other"})); };
  chooser.show(std::move(outer));
  chooser.press(Key::choose);
  EXPECT_EQ(chooser.shown(), (Titles{"inner", "other"}));
  chooser.press(Key::back);
  EXPECT_EQ(chooser.shown(), (Titles{"outer"}));
  chooser.press(Key::back);
  EXPECT_FALSE(chooser.open());
}

TEST(ChooserKeys, WhatIsRefusedStaysAndWhatHoldsIsSelected) {
  std::string chosen;
  auto list = list_of({"one", "two", "three"}, &chosen);
  list.choices[1].current = true;
  list.choices[1].refusal = "not here";
  Chooser chooser;
  chooser.show(std::move(list));
  chooser.press(Key::choose);
  EXPECT_EQ(chosen, "") << "the second is selected and cannot be chosen";
  EXPECT_TRUE(chooser.open());
  chooser.press(Key::down);
  chooser.press(Key::choose);
  EXPECT_EQ(chosen, "three");
}

TEST(ChooserKeys, WhatIsTypedCanBeAChoiceItself) {
  std::string chosen;
  auto list = list_of({"Default"}, &chosen);
  list.from_text = [&](const std::string& text) { return std::optional(choice("Set " + text, &chosen)); };
  list.choices.push_back(choice("hidden at first"));
  list.choices.back().only_found = true;
  Chooser chooser;
  chooser.show(std::move(list));
  EXPECT_EQ(chooser.shown(), (Titles{"Default"}));
  type(chooser, "de");
  EXPECT_EQ(chooser.shown().front(), "Set de");
  chooser.press(Key::choose);
  EXPECT_EQ(chosen, "Set de");
}

class FileListTest : public ::testing::Test {
 protected:
  FileListTest() {
    std::filesystem::create_directories(folder / "deep" / "deeper");
    for (const char* name : {"b.csv", "a.bin", ".hidden", "deep/inner.csv"})
      std::ofstream(folder / name) << "x";
  }
  ~FileListTest() override { std::filesystem::remove_all(folder); }
  /// As frames would: until the folder is read.
  ChoiceList read(ChoiceList list) const {
    while (list.update) {
      std::function(list.update)(list);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return list;
  }
  ChoiceList read(const std::filesystem::path& path) {
    return read(file_list(path, [this](const auto& file) { taken = file; }));
  }
  static Titles titles(const ChoiceList& list) {
    Titles all;
    for (const auto& each : list.choices) all.push_back(each.title);
    return all;
  }

  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("orrery-files-" + std::to_string(::getpid()));
  std::filesystem::path taken;
};

TEST_F(FileListTest, ShowsFoldersFirstAndNoHiddenFiles) {
  EXPECT_EQ(titles(read(folder)), (Titles{"..", "deep/", "a.bin", "b.csv"}));
}

TEST_F(FileListTest, TakesAFileThatIsChosenOrTyped) {
  Chooser chooser;
  chooser.show(read(folder));
  type(chooser, "b.csv");
  chooser.press(Key::choose);
  EXPECT_EQ(taken, folder / "b.csv");
  chooser.show(read(folder));
  type(chooser, "deep/inner.csv");
  chooser.press(Key::choose);
  EXPECT_EQ(taken, folder / "deep/inner.csv");
  chooser.show(read("/"));
  type(chooser, (folder / "a.bin").string());
  chooser.press(Key::choose);
  EXPECT_EQ(taken, folder / "a.bin");
}

TEST_F(FileListTest, SaysWhyAFolderCannotBeRead) {
  const auto list = read(folder / "nowhere");
  ASSERT_EQ(list.choices.size(), 2U);
  EXPECT_NE(list.choices[1].refusal.find("nowhere"), std::string::npos) << list.choices[1].refusal;
}

TEST(Question, OpensNothingUnlessTheSecondLineIsChosen) {
  bool opened = false;
  Chooser chooser;
  const auto ask = [&] {
    chooser.show(question_list("a/p.png", {"/data/x\n.csv"}, [&] { opened = true; }));
    EXPECT_TRUE(chooser.shows(question_name));
  };
  ask();
  EXPECT_EQ(chooser.shown(), (Titles{"Do not open it", "Open it"}));
  chooser.press(Key::choose);
  EXPECT_FALSE(chooser.open());
  ask();
  chooser.press(Key::back);
  EXPECT_FALSE(chooser.shows(question_name));
  EXPECT_FALSE(opened);
  ask();
  chooser.press(Key::down);
  chooser.press(Key::choose);
  EXPECT_TRUE(opened);
  EXPECT_FALSE(chooser.open());
}

TEST(Question, ShowsEachFileOnALineOfItsOwn) {
  const std::string hidden = "/data/secret/id_rsa", tail(3000, 'x');
  const auto list = question_list("a/p.png", {hidden, "/data/" + tail, "/data/b\nc.csv", hidden}, [] {});
  EXPECT_NE(list.title.find("not beside the picture"), std::string::npos) << list.title;
  EXPECT_NE(list.title.find("\n'" + hidden + "'"), std::string::npos) << list.title;
  EXPECT_NE(list.title.find("\n'/data/b c.csv'"), std::string::npos) << list.title;
  EXPECT_EQ(std::ranges::count(list.title, '\n'), 3);
  EXPECT_LT(list.title.size(), 500U);
  EXPECT_EQ(list.choices[1].title, "Open them");
}

TEST(Question, CutsNoCharacterInTwo) {
  std::string name = "/data/";
  for (int k = 0; k < 200; ++k) name += "\u00e9";
  EXPECT_EQ(question_list("p.png", {name}, [] {}).title.find('?'), std::string::npos);
}

TEST(Question, IsNotAskedAboutMoreFilesThanItShows) {
  std::vector<std::filesystem::path> files;
  for (std::size_t k = 0; k < most_asked_files; ++k) files.emplace_back("/data/" + std::to_string(k));
  EXPECT_NO_THROW(question_list("p.png", files, [] {}));
  files.emplace_back("/data/secret/id_rsa");
  try {
    question_list("p.png", files, [] {});
    FAIL();
  } catch (const sim::Error& error) {
    EXPECT_NE(std::string(error.what()).find("put them beside it"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace orrery::app
