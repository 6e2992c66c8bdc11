#include "app/session/openable_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "app/session/dataset_search.h"
#include "app/session/loader.h"
#include "app/session/shared_names.h"
#include "app/window/file_browser.h"
#include "sim/core/error.h"
#include "sim/series/series_reader.h"
#include "tests/eventually.h"
#include "tests/temporary_folder.h"

// What the person at a served window may open: uploads, files below --root, what the command line named.
namespace orrery::app {
namespace {

namespace fs = std::filesystem;

/// root/ and uploads/ may be opened from; secret/ and the current folder, which is secret/, may not.
class OpenableFilesTest : public testing::Test {
 protected:
  OpenableFilesTest() {
    for (const char* name :
         {"root/series", "root/free", "root/hanging", "uploads/1", "uploads/2", "secret", "home"})
      fs::create_directories(at(name));
    for (const char* name : {"root/a.csv", "root/series/s_1.csv", "root/free/s_1.csv", "root/free/s_2.csv",
                             "root/part.0.csv", "uploads/1/sent.csv", "secret/secret.csv"})
      write(name);
    link("secret/secret.csv", "root/link.csv");
    link("secret/absent.csv", "root/dangling.csv");
    link("secret", "root/linked");
    link("secret/secret.csv", "root/series/s_2.csv");
    link("secret/secret.csv", "root/part.1.csv");
    link("root/a.csv", "root/inside.csv");
    write("root/hanging/s_1.csv");
    link("secret/absent.csv", "root/hanging/s_2.csv");
    ::setenv("XDG_CONFIG_HOME", at("home").c_str(), 1);
    fs::current_path(at("secret"));
  }
  ~OpenableFilesTest() override {
    fs::current_path(before_);
    ::unsetenv("XDG_CONFIG_HOME");
  }

  fs::path at(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name) const {
    std::ofstream(at(name)) << "x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,1\n1,0,0,0,0,0,1\n";
  }
  void link(const std::string& target, const std::string& name) const {
    fs::create_symlink(at(target), at(name));
  }
  OpenableFiles rule() const { return {at("uploads"), at("root")}; }
  static std::string refusal(const std::function<void()>& act) {
    try {
      act();
    } catch (const sim::Error& error) {
      return error.what();
    }
    return "";
  }

  const test::TemporaryFolder folder_;
  const fs::path before_ = fs::current_path();
};

TEST_F(OpenableFilesTest, WithoutLimitsEverythingIsOpenAsItIsNamed) {
  const OpenableFiles every;
  EXPECT_EQ(every.resolve("../root/link.csv"), "../root/link.csv");
  EXPECT_TRUE(every.holds("/"));
}

TEST_F(OpenableFilesTest, WhatLiesInsideIsOpenWhereItsLinksLead) {
  EXPECT_EQ(rule().resolve(at("root/a.csv")), fs::canonical(at("root/a.csv")));
  EXPECT_EQ(rule().resolve(at("root/inside.csv")), fs::canonical(at("root/a.csv")));
  EXPECT_EQ(rule().resolve(at("uploads/1/sent.csv")), fs::canonical(at("uploads/1/sent.csv")));
  EXPECT_EQ(rule().resolve("../root/free"), fs::canonical(at("root/free")));
  EXPECT_TRUE(rule().allows(at("root/free/s_*.csv")));
}

TEST_F(OpenableFilesTest, NothingElseIs) {
  for (const auto& path :
       {fs::path("secret.csv"), at("secret/secret.csv"), at("root/../secret/secret.csv"), at("root/link.csv"),
        at("root/dangling.csv"), at("root/linked/secret.csv"), at("root/linked/absent.csv"),
        at("root/linked/../secret/secret.csv"), at("root/series"), at("root/series/*.csv"),
        at("root/hanging"), at("root/hanging/s*.csv"), at("root/part.0.csv"), fs::path("/etc/passwd"),
        fs::path(), at("rootless"), fs::path(std::string("a\0b", 3)), fs::path("/proc/self/cwd/secret.csv")})
    EXPECT_FALSE(rule().allows(path)) << path;
}

TEST_F(OpenableFilesTest, ARefusalDoesNotTellWhetherThereIsSuchAFile) {
  fs::create_directories(at("other"));
  for (const std::string there : {"secret/secret.csv", "secret", "root/link.csv", "root/linked/secret.csv"}) {
    const auto of_there = refusal([&] { rule().checked(at(there)); });
    ASSERT_NE(of_there, "");
    const auto name = at(there).filename().string();
    const auto of_none = refusal([&] { rule().checked(at("nowhere") / name); });
    EXPECT_EQ(of_there, of_none);
  }
}

TEST_F(OpenableFilesTest, RequestsAreCheckedWithAllTheirFiles) {
  const auto refuses = [&](const lab::DatasetRequest& request) {
    return !refusal([&] { rule().checked(request); }).empty();
  };
  const auto own = at("root/a.csv").string(), secret = at("secret/secret.csv").string();
  EXPECT_FALSE(refuses({.source = own, .with = {"disk", own}}));
  EXPECT_TRUE(refuses({.source = secret}));
  EXPECT_TRUE(refuses({.source = own, .with = {secret}}));
  EXPECT_TRUE(refuses({.source = "disk", .built_in = true, .with = {"secret.csv"}}));
  // A file that is called like a galaxy of the program hides it elsewhere.
  write("secret/disk");
  EXPECT_TRUE(rule().checked({.source = "disk"}).built_in);
}

TEST_F(OpenableFilesTest, WhatTheCommandLineNamedIsOpenAndNothingBesideIt) {
  auto named = rule();
  named.allow(lab::DatasetRequest{.source = "secret.csv"});
  EXPECT_TRUE(named.allows(at("secret/secret.csv")));
  EXPECT_FALSE(named.allows(at("secret/other.csv")));
  EXPECT_FALSE(named.holds(at("secret")));
  EXPECT_FALSE(named.rule_for({.source = "secret.csv"}).limited());
  EXPECT_TRUE(named.rule_for({.source = "secret.csv", .with = {at("secret/other.csv")}}).limited());
  EXPECT_TRUE(named.rule_for({.source = "disk", .built_in = true}).limited());
}

TEST_F(OpenableFilesTest, AStateFindsUploadsAndFilesBelowTheRootByTheirNames) {
  const auto found = [&](const std::string& name, const std::string& hash = "") {
    return search_dataset({.source = name}, hash, at("uploads/2/state.json"), rule()).request.source;
  };
  EXPECT_EQ(found("sent.csv"), fs::canonical(at("uploads/1/sent.csv")));
  EXPECT_EQ(found("a.csv"), fs::canonical(at("root/a.csv")));
  EXPECT_EQ(found("free/s_1.csv"), fs::canonical(at("root/free/s_1.csv")));
  remember_dataset("77", {at("secret/secret.csv"), at("root/free/s_2.csv")});
  EXPECT_EQ(found("s_2.csv", "77"), fs::canonical(at("root/free/s_2.csv")));
  for (const std::string name :
       {"secret.csv", "absent.csv", "../../secret/secret.csv", "../../secret/absent.csv", "link.csv",
        "dangling.csv", "linked/secret.csv", "series", "part.0.csv"})
    EXPECT_NE(refusal([&] { found(name, "77"); }), "") << name;
  // One's own settings are no reason, either: who drives did not write them.
  EXPECT_NE(refusal([&] {
              search_dataset({.source = at("secret/secret.csv")}, "",
                             at("home/orrery/last-session.checkpoint"), rule());
            }),
            "");
}

TEST_F(OpenableFilesTest, TheLoaderReadsNothingElse) {
  Loader loader;
  std::string problem;
  loader.open({.source = at("root/link.csv")}, rule());
  ASSERT_TRUE(test::eventually([&] { return loader.take(problem) || !problem.empty(); }));
  EXPECT_NE(problem.find("may not be opened"), std::string::npos) << problem;
  std::optional<LoadedDataset> loaded;
  loader.open({.source = at("root/inside.csv")}, rule());
  ASSERT_TRUE(test::eventually([&] { return (loaded = loader.take(problem)) || !problem.empty(); }))
      << problem;
  ASSERT_TRUE(loaded) << problem;
  EXPECT_EQ(loaded->request.source, fs::canonical(at("root/a.csv")));
  EXPECT_TRUE(loaded->openable.limited());
}

TEST_F(OpenableFilesTest, ASnapshotThatBecameALinkIsNotRead) {
  Loader loader;
  std::string problem;
  std::optional<LoadedDataset> loaded;
  loader.open({.source = at("root/free")}, rule());
  ASSERT_TRUE(test::eventually([&] { return (loaded = loader.take(problem)) || !problem.empty(); }));
  ASSERT_TRUE(loaded) << problem;
  ASSERT_EQ(loaded->series.size(), 2U);
  const auto second = loaded->series[1].file;
  EXPECT_EQ(loaded->openable.resolve(second), second);
  fs::remove(second);
  link("secret/secret.csv", "root/free/s_2.csv");
  EXPECT_EQ(loaded->openable.resolve(second), std::nullopt);
  sim::SeriesReader reader(loaded->series, loaded->scene, {},
                           [rule = loaded->openable](const fs::path& file) { rule.checked(file); });
  EXPECT_NE(reader.wait_for(0), nullptr);
  EXPECT_NE(refusal([&] { reader.wait_for(1); }).find("may not be opened"), std::string::npos);
}

/// The names of a list once its folder is read.
std::vector<std::string> names_in(ChoiceList list) {
  // The list forgets it when the folder is there.
  const auto update = list.update;
  EXPECT_TRUE(test::eventually([&] { return update(list); }));
  std::vector<std::string> names;
  for (const auto& choice : list.choices) names.push_back(choice.title);
  return names;
}

TEST_F(OpenableFilesTest, TheFileListShowsAndTakesNothingElse) {
  fs::path taken;
  const auto list = [&] {
    return file_list(
        at("root"), [&](const auto& file) { taken = file; }, rule());
  };
  const auto names = names_in(list());
  const auto shows = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
  EXPECT_TRUE(shows("a.csv") && shows("inside.csv") && shows("free/"));
  for (const char* name : {"..", "link.csv", "dangling.csv", "linked/", "part.1.csv"})
    EXPECT_FALSE(shows(name)) << name;
  for (const auto& typed : {at("secret/secret.csv"), at("secret"), at("root/link.csv"), fs::path("~/x"),
                            fs::path("../secret/secret.csv"), fs::path("..")})
    EXPECT_FALSE(list().from_text(typed.string())) << typed;
  EXPECT_TRUE(list().from_text(at("root/a.csv").string()));
}

}  // namespace
}  // namespace orrery::app
