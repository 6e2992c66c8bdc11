#include "app/session/dataset_search.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/picture/display_options.h"
#include "app/picture/persistent_options.h"
#include "app/session/free_folder.h"
#include "app/session/shared_names.h"
#include "sim/core/error.h"
#include "tests/temporary_folder.h"

// How a state names the files of its dataset, and which of them are opened without a question.
namespace orrery::app {
namespace {

namespace fs = std::filesystem;
using lab::DatasetRequest;

/// A person's home with data/, pictures/ and work/, which is the current folder; strange/ is a sibling of it.
class StateFiles : public ::testing::Test {
 protected:
  StateFiles() {
    for (const char* name : {"home/data", "home/pictures", "home/desk/below", "strange"})
      fs::create_directories(root_ / name);
    ::setenv("HOME", (root_ / "home").c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", (root_ / "config").c_str(), 1);
    fs::current_path(root_ / "home/desk");
  }
  ~StateFiles() override {
    fs::current_path(before_);
    ::unsetenv("XDG_CONFIG_HOME");
    home_.empty() ? ::unsetenv("HOME") : ::setenv("HOME", home_.c_str(), 1);
  }

  fs::path at(const std::string& name) const { return root_ / name; }
  fs::path write(const std::string& name) const {
    fs::create_directories(at(name).parent_path());
    std::ofstream(at(name)) << "0,0,0,1\n1,0,0,1\n";
    return at(name);
  }
  /// The result of a search from a picture in home/pictures.
  DatasetSearch search(const std::string& name, const std::string& hash = "77") const {
    return search_dataset({.source = name}, hash, at("home/pictures/a.png"));
  }
  void expect_found(const std::string& name, const fs::path& file) const {
    const auto found = search(name);
    EXPECT_TRUE(found.complete()) << name;
    EXPECT_TRUE(fs::equivalent(found.request.source, file)) << name << ": " << found.request.source;
  }
  void expect_elsewhere(const std::string& name, const fs::path& file) const {
    const auto found = search(name);
    ASSERT_EQ(found.elsewhere.size(), 1U) << name;
    EXPECT_EQ(found.elsewhere.front(), file) << name;
    EXPECT_TRUE(found.missing.empty()) << name;
  }
  void expect_missing(const std::string& name) const {
    const auto found = search(name);
    EXPECT_EQ(found.missing.size(), 1U) << name;
    EXPECT_TRUE(found.elsewhere.empty()) << name;
  }

 private:
  const fs::path before_ = fs::current_path();
  const std::string home_ = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  const test::TemporaryFolder temporary_;
  const fs::path root_ = fs::canonical(temporary_.path());
};

TEST_F(StateFiles, AreNamedRelativeToThePictureOrByTheirNameAlone) {
  const auto pictures = at("home/pictures");
  EXPECT_EQ(shared_name(write("home/pictures/x.csv"), pictures), "x.csv");
  EXPECT_EQ(shared_name(write("home/pictures/run/x.csv"), pictures), "run/x.csv");
  EXPECT_EQ(shared_name(write("home/x.csv"), pictures), "../x.csv");
  EXPECT_EQ(shared_name(write("home/data/x.csv"), pictures), "x.csv");
  EXPECT_EQ(shared_name(at("home/data/"), pictures), "../data") << "a folder of snapshots beside it";
  EXPECT_EQ(shared_name(at("home/pictures/run/"), pictures), "run");
  EXPECT_EQ(shared_name(at("home/data/snap_*.csv"), pictures), "snap_*.csv");
  EXPECT_EQ(shared_name(at("home/x.csv"), {}), "x.csv") << "the clipboard lies nowhere";
  EXPECT_EQ(shared_name("../pictures/x.csv", pictures), "x.csv");
  fs::create_directory_symlink(at("home/data"), at("home/pictures/link"));
  EXPECT_EQ(shared_name("../pictures/link/x.csv", pictures), "x.csv") << "a link leads elsewhere";
}

TEST_F(StateFiles, NoTextOfAStateTellsWhereTheyLie) {
  ViewState state{.dataset = {.source = write("home/data/x.csv").string(), .offsets = {{}, {}}},
                  .configuration = sim::OptionTable().defaults()};
  state.dataset.with.push_back(write("home/desk/disk").string());
  for (const auto& file : {fs::path(), at("home/pictures/a.png"), at("a.png"), fs::path("a.png")}) {
    const auto text = state_text(state, file);
    EXPECT_EQ(text.find(at("").string()), std::string::npos) << text;
    const auto dataset = nlohmann::json::parse(text).at("dataset");
    EXPECT_EQ(fs::path(dataset.at("file").get<std::string>()).filename(), "x.csv");
    // Without the slash it would be the galaxy.
    EXPECT_NE(dataset.at("with").at(0).get<std::string>().find('/'), std::string::npos);
  }
}

TEST_F(StateFiles, AreFoundInThePicturesFolderAndInTheCurrentOne) {
  const auto beside = write("home/pictures/x.csv"), here = write("home/desk/y.csv");
  expect_found("x.csv", beside);
  expect_found("./x.csv", beside);
  expect_found(beside.string(), beside);
  expect_found("../../pictures/x.csv", beside);
  expect_found("/nowhere/of/mine/x.csv", beside);
  expect_found("y.csv", here);
  expect_found("../desk/y.csv", here);
  expect_found(here.string(), here);
  expect_found("run/z.csv", write("home/pictures/run/z.csv"));
  expect_found("below/z.csv", write("home/desk/below/z.csv"));
  write("home/desk/x.csv");
  expect_found("x.csv", beside);
}

TEST_F(StateFiles, ElsewhereAreNotOpenedWithoutAQuestion) {
  const auto secret = write("strange/secret.csv");
  expect_elsewhere(secret.string(), secret);
  expect_elsewhere("../../strange/secret.csv", secret);
  expect_elsewhere("../pictures-too/x.csv", at("home/pictures-too/x.csv"));
  expect_elsewhere("/dev/zero", "/dev/zero");
  expect_elsewhere("/net/of.a.stranger/x.csv", "/net/of.a.stranger/x.csv");
  expect_elsewhere("/etc/*", "/etc/*");
  // The current folder leads to no other one.
  fs::create_symlink(secret, at("home/pictures/link.csv"));
  expect_elsewhere("link.csv", at("home/pictures/link.csv"));
  fs::create_directory_symlink(at("strange"), at("home/pictures/folder"));
  expect_elsewhere("folder/secret.csv", at("home/pictures/folder/secret.csv"));
}

TEST_F(StateFiles, OfAFolderOrAPatternNoneMayLeadElsewhere) {
  const auto first = write("home/pictures/run/snap_1.csv");
  write("home/pictures/run/snap_2.csv");
  expect_found("run", first.parent_path());
  EXPECT_EQ(search("run/snap_*.csv").request.source, at("home/pictures/run/snap_*.csv"));
  EXPECT_TRUE(search("run/snap_*.csv").complete());
  expect_missing("run/none_*.csv");
  fs::create_symlink(write("strange/secret.csv"), at("home/pictures/run/snap_3.csv"));
  expect_elsewhere("run", first.parent_path());
  EXPECT_FALSE(search("run/snap_*.csv").complete());
}

TEST_F(StateFiles, OfASnapshotInSeveralFilesNoneMayLeadElsewhere) {
  const auto secret = write("strange/part");
  for (const std::string after : {"", ".hdf5"}) {
    const auto first = write("home/pictures/snap.0" + after);
    write("home/pictures/snap.1" + after);
    write("home/pictures/other.0" + after);
    expect_found("snap.0" + after, first);
    fs::create_symlink(first, at("home/pictures/snap.2" + after));
    expect_found("snap.0" + after, first);
    fs::create_symlink(secret, at("home/pictures/snap.13" + after));
    expect_elsewhere("snap.0" + after, first);
    expect_found("other.0" + after, at("home/pictures/other.0" + after));
  }
  write("home/pictures/run/snap_001.0");
  const auto last = write("home/pictures/run/snap_002.0");
  fs::create_symlink(last, at("home/pictures/run/snap_002.1"));
  EXPECT_TRUE(search("run/snap_*").complete());
  EXPECT_TRUE(search("run").complete());
  fs::remove(at("home/pictures/run/snap_002.1"));
  fs::create_symlink(secret, at("home/pictures/run/snap_002.1"));
  EXPECT_FALSE(search("run/snap_*").complete());
  EXPECT_FALSE(search("run").complete());
  // The pattern alone does not fit it.
  EXPECT_FALSE(search("run/snap_*.0").complete());
}

TEST_F(StateFiles, OfTheHomeFolderOnlyThoseDirectlyInItAreFree) {
  fs::current_path(at("home"));
  expect_found("x.csv", write("home/x.csv"));
  const auto below = write("home/data/z.csv");
  expect_elsewhere(below.string(), below);
  expect_missing("data/y.csv");
  fs::current_path("/");
  expect_elsewhere(below.string(), below);
  const FreeFolder pictures(at("home/pictures")), root("/");
  EXPECT_TRUE(pictures.holds(at("home/pictures/a/b")));
  EXPECT_FALSE(pictures.holds(at("home/pictures-too/b")));
  EXPECT_FALSE(root.holds("/etc/passwd"));
}

TEST_F(StateFiles, TheScreenShowsTheHomeFolderShort) {
  EXPECT_EQ(path_with_home_short(at("home/pictures/")), "~/pictures");
  EXPECT_EQ(path_with_home_short(at("home")), "~");
  EXPECT_EQ(path_with_home_short(at("homes/of")), at("homes/of").string());
  EXPECT_EQ(path_with_home_short("pictures"), "pictures");
  ::setenv("HOME", "/", 1);
  EXPECT_EQ(path_with_home_short("/pictures"), "/pictures");
}

TEST_F(StateFiles, DevicesPipesAndNamesOfNothingAreNotFound) {
  ASSERT_EQ(::mkfifo(at("home/pictures/pipe").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(at("home/pictures/pipe.pvd").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(at("home/pictures/pipe*").c_str(), 0600), 0);
  write("home/pictures/x.csv");
  for (const std::string name : {"pipe", "pipe.pvd", "pipe*", "", "no.csv", "C:\\data\\x.csv", "a\nb.csv"})
    expect_missing(name);
  expect_missing(std::string("x.csv\0.png", 10));
  const auto newline = write("home/pictures/c\nd.csv");
  expect_found("c\nd.csv", newline);
}

TEST_F(StateFiles, OfWhichThisPersonMadeAPictureAreFoundByTheirHash) {
  const auto file = write("home/data/x.csv");
  const ViewState state{.dataset = {.source = "../data/x.csv"}, .dataset_hash = "77"};
  expect_missing("x.csv");
  shared_state(state, at("home/pictures/a.png"));
  expect_found("x.csv", file);
  expect_found("/a/stranger/x.csv", file);
  // Of another hash, or of none as a series has it, it may be asked for.
  for (const char* hash : {"78", ""}) {
    const auto found = search("x.csv", hash);
    ASSERT_EQ(found.elsewhere.size(), 1U);
    EXPECT_EQ(found.elsewhere.front(), file);
  }
  expect_missing("y.csv");
  // What lies beside the picture is found anyway.
  expect_found("x.csv", file);
  const auto beside = write("home/pictures/x.csv");
  expect_found("x.csv", beside);
  fs::remove(beside);
  fs::remove(file);
  expect_missing("x.csv");
}

TEST_F(StateFiles, NamedThroughALinkAreFoundByTheNamesOfLinkAndTarget) {
  const auto target = write("home/data/run_42.csv");
  fs::create_symlink(target, at("home/desk/latest.csv"));
  const ViewState state{.dataset = {.source = "latest.csv"}, .dataset_hash = "77"};
  const auto picture = at("home/pictures/a.png");
  const auto kept = shared_state(state, picture).at("dataset").at("file").get<std::string>();
  EXPECT_EQ(kept, "run_42.csv");
  fs::current_path(at("strange"));
  expect_found(kept, target);
  expect_found(at("home/desk/latest.csv").string(), target);
}

TEST_F(StateFiles, TheListOfKnownDatasetsStandsDamageAndKeepsTheNewest) {
  const auto list = at("config/orrery/datasets.json");
  const auto old = write("home/data/x.csv"), newer = write("strange/x.csv");
  remember_dataset("1", {old.string()});
  remember_dataset("2", {newer.string()});
  EXPECT_EQ(known_file("x.csv"), newer);
  remember_dataset("1", {old.string()});
  EXPECT_EQ(known_file("x.csv"), old);
  EXPECT_EQ(known_file("2", "x.csv"), newer);
  EXPECT_EQ(known_file("", "x.csv"), "");
  for (const char* text : {"", "{", "[1]", R"({"datasets": [{"hash": 1}]})", R"({"datasets": 3})"}) {
    std::ofstream(list) << text;
    EXPECT_EQ(known_file("x.csv"), "") << text;
    remember_dataset("2", {newer.string()});
    EXPECT_EQ(known_file("x.csv"), newer) << text;
  }
}

TEST_F(StateFiles, OwnSettingsNameAnyFileAndGalaxiesAreNoFiles) {
  const auto file = write("strange/x.csv");
  const auto own = search_dataset({.source = file.string()}, "", at("config/orrery/last-session.checkpoint"));
  EXPECT_TRUE(own.complete());
  EXPECT_EQ(own.request.source, file);
  write("home/desk/plummer");
  const DatasetRequest galaxies{.source = "plummer", .built_in = true, .with = {"disk", "./x.csv"}};
  write("home/pictures/x.csv");
  const auto found = search_dataset(galaxies, "", at("home/pictures/a.png"));
  EXPECT_TRUE(found.complete());
  EXPECT_EQ(found.request.source, "plummer");
  EXPECT_EQ(found.request.with, (std::vector<std::string>{"disk", at("home/pictures/x.csv").string()}));
}

TEST_F(StateFiles, OnesOwnCheckpointNamesAnyFileWhereNothingCanBeRemembered) {
  const auto file = write("strange/x.csv");
  const auto checkpoint = at("home/pictures/run.ck");
  std::ofstream(checkpoint) << "ORRERYCP and more";
  fs::permissions(checkpoint, fs::perms::owner_read | fs::perms::owner_write);
  const auto opens = [&](const fs::path& state) {
    return search_dataset({.source = file.string()}, "77", state).complete();
  };
  EXPECT_TRUE(can_remember_datasets());
  EXPECT_FALSE(opens(checkpoint)) << "a file that was downloaded belongs to the user, too";
  ::unsetenv("XDG_CONFIG_HOME");
  for (const char* home : {"", "relative", "/dev/null"}) {
    ::setenv("HOME", home, 1);
    EXPECT_FALSE(can_remember_datasets()) << home;
    EXPECT_TRUE(opens(checkpoint)) << home;
  }
  EXPECT_FALSE(opens(write("home/pictures/a.png"))) << "no checkpoint";
  for (const auto others : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(checkpoint, others, fs::perm_options::add);
    EXPECT_FALSE(opens(checkpoint));
    fs::permissions(checkpoint, others, fs::perm_options::remove);
  }
}

TEST_F(StateFiles, AGalaxyThatAStateNamesIsNoFileOfTheCurrentFolder) {
  fs::create_symlink(write("strange/secret.csv"), at("home/desk/plummer"));
  const DatasetRequest named{.source = "disk",
                             .bodies = 300,
                             .built_in = true,
                             .with = {"plummer"},
                             .offsets = {{}, {.position = {9, 0, 0}}}};
  const auto found = search_dataset(named, "", at("home/pictures/a.png"));
  ASSERT_TRUE(found.complete());
  // The file has two bodies.
  EXPECT_EQ(lab::load_dataset(found.request).bodies.size(), 600U);
  const ViewState state{.dataset = found.request, .configuration = sim::OptionTable().defaults()};
  const auto text = state_text(state, at("home/pictures/b.png"));
  EXPECT_EQ(nlohmann::json::parse(text).at("dataset").at("with").at(0), "plummer");
  // A person who names it means the file.
  EXPECT_EQ(name_in_scene({.source = "plummer"}), "./plummer");
  EXPECT_EQ(name_in_scene({.source = "plummer", .built_in = true}), "plummer");
  EXPECT_EQ(name_in_scene({.source = "disk"}), "disk");
  EXPECT_EQ(name_in_scene({.source = "x.csv"}), "x.csv");
}

TEST_F(StateFiles, ARefusalNamesTheFileAndTheWayToOpenIt) {
  const auto refusal = [&](const DatasetRequest& named) {
    try {
      find_dataset(named, "", at("home/pictures/a.png"), "--state");
    } catch (const sim::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto far = refusal({.source = "/etc/shadow"});
  EXPECT_NE(far.find("asks for '/etc/shadow'"), std::string::npos) << far;
  EXPECT_NE(far.find("DATA --state FILE"), std::string::npos) << far;
  const auto forged = refusal({.source = "a\n\033[2Jb.csv"});
  EXPECT_NE(forged.find("no such file"), std::string::npos) << forged;
  EXPECT_EQ(forged.find_first_of("\n\033"), std::string::npos) << forged;
  EXPECT_NE(refusal({.source = "x.csv", .with = {"./y.csv"}}).find("put its files beside it"),
            std::string::npos);
}

TEST(LookOfAPicture, IsTakenWhereItCanGoWithTheBodiesThatAreShown) {
  const auto table = all_options();
  auto look = table.defaults();
  table.assign(look, "color-mode=file");
  table.assign(look, "legend=off");
  table.assign(look, "threads=3");
  for (const bool lacks_colors : {false, true}) {
    auto shown = table.defaults();
    const sim::OptionContext context{.lacks_colors = lacks_colors};
    take_look(table, look, context, shown);
    EXPECT_EQ(shown.choice("color-mode"), lacks_colors ? table.defaults().choice("color-mode") : "file");
    EXPECT_EQ(shown.value("legend"), look.value("legend"));
    EXPECT_EQ(shown.value("threads"), table.defaults().value("threads")) << "no part of a look";
    EXPECT_NO_THROW(table.check(shown, context));
  }
}

TEST(GivenDataset, IsReadAsTheStateSaysWhereItIsTheSameFile) {
  const DatasetRequest named{.source = "/old/x.csv", .columns = "x,y,z,mass", .snapshot = 3};
  const auto same = given_instead(named, {.source = "new/x.csv"});
  EXPECT_EQ(same.source, "new/x.csv");
  EXPECT_EQ(same.columns, "x,y,z,mass");
  EXPECT_EQ(same.snapshot, 3U);
  EXPECT_EQ(given_instead(named, {.source = "y.csv"}), (DatasetRequest{.source = "y.csv"}));
  const DatasetRequest more{.source = "x.csv", .columns = "mass,x,y,z"};
  EXPECT_EQ(given_instead(named, more), more);
}

}  // namespace
}  // namespace orrery::app
