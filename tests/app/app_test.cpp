#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>
#include <utility>

#include "app/picture/display_options.h"
#include "app/picture/painter.h"
#include "app/picture/png_file.h"
#include "app/picture/scene_summary.h"
#include "app/session/attribute_stream.h"
#include "app/session/run_options.h"
#include "app/session/state.h"
#include "app/window/settings.h"
#include "lab/bench/benchmark.h"
#include "lab/setup/dataset.h"
#include "lab/setup/dataset_hash.h"
#include "lab/setup/paths.h"
#include "render/color_maps/color_map.h"
#include "render/color_modes/color_mode.h"
#include "render/error.h"
#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/options/tree_options.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/scene/suggest.h"
#include "sim/snapshots/format.h"
#include "tests/temporary_folder.h"

namespace orrery::app {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::string old_;
};

TEST(PictureSize, IsReadStrictly) {
  EXPECT_EQ(parse_picture_size("1920x1080").width, 1920);
  EXPECT_EQ(parse_picture_size("1920x1080").height, 1080);
  for (const char* wrong : {"", "1920", "x", "1920x", "0x5", "-3x4", "10x10x10", "10 x 10", "axb"}) {
    EXPECT_THROW(parse_picture_size(wrong), sim::UsageError) << wrong;
  }
}

TEST(Paths, FollowTheXdgSpecification) {
  const TemporaryFolder home;
  const ScopedVariable a("HOME", home.path().string());
  const ScopedVariable b("XDG_CONFIG_HOME", "");
  const ScopedVariable c("XDG_PICTURES_DIR", "");
  EXPECT_EQ(lab::settings_folder(), home / ".config" / "orrery");
  EXPECT_EQ(lab::pictures_folder(), home / "Pictures");
  fs::create_directories(home / ".config");
  std::ofstream(home / ".config" / "user-dirs.dirs") << "# comment\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n";
  EXPECT_EQ(lab::pictures_folder(), home / "Bilder");
  const ScopedVariable d("XDG_PICTURES_DIR", "/somewhere/else");
  EXPECT_EQ(lab::pictures_folder(), "/somewhere/else");
}

TEST(Paths, PicturesLieInTheWorkingFolderWithoutAHome) {
  const TemporaryFolder home;
  const ScopedVariable b("XDG_CONFIG_HOME", "");
  const ScopedVariable c("XDG_PICTURES_DIR", "");
  for (const auto& none : {std::string(), std::string("/nonexistent"), (home / "absent").string()}) {
    const ScopedVariable a("HOME", none);
    EXPECT_EQ(lab::pictures_folder(), fs::current_path()) << none;
  }
  // Something else has the name of the folder.
  std::ofstream(home / "Pictures") << "a file";
  const ScopedVariable a("HOME", home.path().string());
  EXPECT_EQ(lab::pictures_folder(), fs::current_path());
}

TEST(Settings, PersistAndSurviveDamage) {
  const TemporaryFolder home;
  const ScopedVariable a("XDG_CONFIG_HOME", home.path().string());
  std::string problem;
  EXPECT_EQ(read_settings(problem).window_size, Settings().window_size);
  Settings settings;
  settings.window_size = {800, 600};
  settings.panel_visible = false;
  ASSERT_EQ(write_settings(settings), "");
  EXPECT_EQ(read_settings(problem).window_size, glm::ivec2(800, 600));
  EXPECT_FALSE(read_settings(problem).panel_visible);
  EXPECT_EQ(problem, "");
  for (const char* damage :
       {"", "{", "[1]", R"({"window_width": "wide"})", R"({"window_width": -5, "window_height": 1e9})"}) {
    std::ofstream(home / "orrery" / "settings.json") << damage;
    EXPECT_EQ(read_settings(problem).window_size, Settings().window_size) << damage;
  }
  fs::remove(home / "orrery" / "settings.json");
  fs::create_directory(home / "orrery" / "settings.json");
  EXPECT_EQ(read_settings(problem).window_size, Settings().window_size);
  EXPECT_NE(problem.find("it is a folder"), std::string::npos) << problem;
  EXPECT_NE(write_settings(settings), "");
}

/// A mistake in the request, with a message that says `part`.
void expect_mistake(const lab::DatasetRequest& request, const std::string& part) {
  try {
    lab::load_dataset(request);
    FAIL() << request.source;
  } catch (const sim::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Dataset, ModelsFilesAndMistakes) {
  EXPECT_EQ(lab::load_dataset({.source = "plummer", .bodies = 64}).bodies.size(), 64U);
  EXPECT_EQ(lab::load_dataset({.source = "plummer", .bodies = 20, .galaxies = 3}).bodies.galaxies().size(),
            3U);
  expect_mistake({.source = "plumber"}, "did you mean 'plummer'?");
  expect_mistake({.source = "nebula"}, "orrery make --list");
  expect_mistake({.source = "/no/such/file.bin"}, "/no/such/file.bin");
  expect_mistake({.source = "file.bin"}, "file.bin");
  const TemporaryFolder folder;
  const auto file = (folder / "a.csv").string();
  std::ofstream(file) << "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n1,1,0,0,0,1,0\n";
  const auto copies = lab::load_dataset({.source = file, .galaxies = 2});
  EXPECT_EQ(copies.bodies.size(), 4U);
  EXPECT_EQ(copies.bodies.galaxies().size(), 2U);
  EXPECT_THROW(lab::load_dataset({.source = file, .bodies = 5}), sim::UsageError);
  expect_mistake({.source = (folder / "A.CSV").string()}, "did you mean '" + file + "'?");
}

TEST(Dataset, MoreThanTheMachineHoldsIsRefusedWithNumbers) {
  const TemporaryFolder folder;
  const auto file = (folder / "p.bin").string();
  sim::write_snapshot(lab::load_dataset({.source = "plummer", .bodies = 1000}), file);
  // 4 * 10^9 copies of 1000 bodies: 600 TB.
  for (const auto& request :
       {lab::DatasetRequest{.source = "plummer", .bodies = 10'000'000, .galaxies = 100'000},
        lab::DatasetRequest{.source = file, .galaxies = 4'000'000'000}}) {
    try {
      lab::load_dataset(request);
      FAIL() << request.source;
    } catch (const sim::UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("GiB"), std::string::npos) << error.what();
    }
  }
}

TEST(Dataset, APlummerSphereOfManyBodiesIsInStandardUnits) {
  // More than are summed pair by pair in the making.
  const auto scene = lab::load_dataset({.source = "plummer", .bodies = 20'000, .seed = 3});
  const auto galaxies = scene.bodies.galaxies();
  const auto sums = sim::diagnose(sim::view_of(scene.bodies, galaxies),
                                  {.physics = {.softening = scene.physics.softening}, .exact_limit = 20'000});
  EXPECT_NEAR(sums.potential, -0.5, 2e-4);
  EXPECT_NEAR(sums.kinetic, 0.25, 1e-6);
}

/// It stands in old states and pictures.
TEST(Dataset, HashOfKnownBodies) {
  sim::Bodies bodies;
  bodies.resize(2);
  bodies.position = {{1, 2, 3}, {4, 5, 6}};
  bodies.velocity = {{7, 8, 9}, {-1, -2, -3}};
  bodies.mass = {0.5F, 0.25F};
  EXPECT_EQ(lab::dataset_hash(bodies), "5c1f9b3678ea3add");
}

TEST(Dataset, TheHashTellsBodiesApart) {
  auto bodies = lab::load_dataset({.source = "plummer", .bodies = 20}).bodies;
  const auto hash = lab::dataset_hash(bodies);
  EXPECT_EQ(hash.size(), 16U);
  EXPECT_EQ(lab::dataset_hash(lab::load_dataset({.source = "plummer", .bodies = 20}).bodies), hash);
  bodies.velocity[19].z += 1e-6F;
  EXPECT_NE(lab::dataset_hash(bodies), hash);
}

ViewState some_state(const sim::OptionTable& table) {
  ViewState state{.dataset = {.source = "plummer", .bodies = 33, .seed = 5, .galaxies = 2},
                  .dataset_hash = "00ff",
                  .time = 1.25,
                  .step = 77,
                  .exact_replay = false,
                  .configuration = table.defaults()};
  state.camera.orbit(0.3, 0.2);
  state.camera.distance = 12.5;
  table.assign(state.configuration, "kernel=shared-edge");
  table.assign(state.configuration, "exposure=1.5");
  return state;
}

void expect_same(const ViewState& a, const ViewState& b) {
  EXPECT_EQ(a.dataset.source, b.dataset.source);
  EXPECT_EQ(a.dataset.bodies, b.dataset.bodies);
  EXPECT_EQ(a.dataset.seed, b.dataset.seed);
  EXPECT_EQ(a.dataset.galaxies, b.dataset.galaxies);
  EXPECT_EQ(a.dataset_hash, b.dataset_hash);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.exact_replay, b.exact_replay);
  EXPECT_EQ(a.configuration, b.configuration);
  EXPECT_NEAR(glm::length(a.camera.position() - b.camera.position()), 0.0, 1e-9);
}

TEST(ViewState, ComesBackFromAStateFileAndFromAPicture) {
  const auto table = all_options();
  const auto state = some_state(table);
  const TemporaryFolder folder;
  std::ofstream(folder / "state.json") << state_text(state, folder / "state.json", 2);
  expect_same(read_view_state(table, folder / "state.json"), state);
  write_picture(folder / "picture.png", {.width = 2, .height = 1, .rgba = {1, 2, 3, 4, 5, 6, 7, 8}}, state);
  expect_same(read_view_state(table, folder / "picture.png"), state);
  EXPECT_TRUE(looks_like_state(folder / "picture.png"));
  EXPECT_TRUE(looks_like_state(folder / "state.json"));
}

TEST(ViewState, DamagedStatesAreRefusedWithOneLine) {
  const auto table = all_options();
  const TemporaryFolder folder;
  const auto whole = to_json(some_state(table)).dump();
  const auto file = folder / "bad.json";
  std::vector<std::string> bad{"", "{}", "[]", "null", "{\"state_version\":1}", "{\"state_version\":99}"};
  for (std::size_t n = 1; n < whole.size(); n += 37) bad.push_back(whole.substr(0, n));
  for (const char* key : {"dataset", "camera", "options"}) {
    auto json = nlohmann::json::parse(whole);
    json[key] = 5;
    bad.push_back(json.dump());
  }
  for (const auto& text : bad) {
    std::ofstream(file) << text;
    try {
      read_view_state(table, file);
      FAIL() << text;
    } catch (const sim::Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_THROW(read_view_state(table, folder / "missing.json"), sim::Error);
}

std::string bytes_of(double number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

TEST(ViewState, ANumberThatBeginsWithABraceIsNoState) {
  const TemporaryFolder folder;
  const auto file = folder / "some.file";
  const auto looks = [&](const std::string& content) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
    return looks_like_state(file);
  };
  // Times of Tipsy files, before the numbers of bodies and dimensions.
  const std::string counts{3, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0};
  for (const double time : {0.01, 0.64, 0.04}) EXPECT_FALSE(looks(bytes_of(time) + counts)) << time;
  for (const char* head : {"{\"234567", "{       ", "  {\"3456", "{}345678"})
    EXPECT_FALSE(looks(head + counts)) << head;
  for (const char* text : {"{number} of bodies", "{1,2,3}", "x {\"a\":1}", "[{}]", "", " "})
    EXPECT_FALSE(looks(text)) << text;
  for (const char* text : {"{\"a\":1}", " \r\n{ \n\t\"a\":1}", "{}", "{", "{\n"})
    EXPECT_TRUE(looks(text)) << text;
  EXPECT_TRUE(names_state({.source = file.string()}));
  EXPECT_FALSE(names_state({.source = file.string(), .format = "tipsy"}));
}

TEST(ViewState, FoldersAndMissingFilesAreExplained) {
  const TemporaryFolder folder;
  EXPECT_FALSE(looks_like_state(folder.path()));
  EXPECT_THROW(read_view_state(all_options(), folder / "missing.json"), sim::UsageError);
  try {
    read_view_state(all_options(), folder.path());
    FAIL();
  } catch (const sim::Error& error) {
    EXPECT_NE(std::string(error.what()).find("it is a folder"), std::string::npos) << error.what();
  }
}

TEST(ViewState, APictureOfAnotherProgramIsRefused) {
  const TemporaryFolder folder;
  write_png(folder / "other.png", {.width = 1, .height = 1, .rgba = {0, 0, 0, 255}});
  EXPECT_THROW(read_view_state(all_options(), folder / "other.png"), sim::Error);
}

TEST(Pictures, AreWholeAndNeverOverwritten) {
  const TemporaryFolder folder;
  const render::Image image{.width = 1, .height = 1, .rgba = {9, 8, 7, 255}};
  const std::vector<render::PngText> text{{"Comment", "mine"}};
  write_png(folder / "a.png", image, text);
  EXPECT_EQ(render::read_png(folder / "a.png").rgba, image.rgba);
  EXPECT_EQ(render::read_png_text(folder / "a.png"), text);
  EXPECT_THROW(write_png(folder / "a.png", {.width = 1, .height = 1, .rgba = {0, 0, 0, 0}}), sim::Error);
  EXPECT_EQ(render::read_png(folder / "a.png").rgba, image.rgba);
  EXPECT_THROW(write_png(folder / "missing" / "a.png", image), sim::Error);
  EXPECT_THROW(write_png(folder / "empty.png", {}), render::Error);
  EXPECT_THROW(write_png(folder / "text.png", image, std::vector<render::PngText>{{"", "no keyword"}}),
               render::Error);
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(Pictures, NamesAreFreeAndPlain) {
  const TemporaryFolder folder;
  const auto first = free_picture_name(folder.path() / "new", "a b/c.bin", 12);
  EXPECT_EQ(first.filename().string(), "a-b-c.bin-step12-0001.png");
  std::ofstream(first) << "x";
  EXPECT_NE(free_picture_name(folder.path() / "new", "a b/c.bin", 12), first);
}

TEST(ViewState, OldSpellingsComeBack) {
  const auto table = all_options();
  auto json = to_json(some_state(table));
  json["options"]["color-mode"] = "line_of_sight";
  const auto state = view_state_from_json(table, json);
  EXPECT_EQ(state.configuration.choice("color-mode"), "line-of-sight");
  EXPECT_TRUE(state.notes.empty());
}

/// Lower case, digits and single hyphens.
bool is_uniform(std::string_view name) {
  const bool letters = std::ranges::all_of(
      name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
  return letters && !name.empty() && !name.starts_with('-') && !name.ends_with('-') &&
         name.find("--") == std::string_view::npos;
}

TEST(Names, AreUniform) {
  const auto table = all_options();
  for (const auto& option : table.options()) {
    EXPECT_TRUE(is_uniform(option.name)) << option.name;
    EXPECT_TRUE(is_uniform(option.group)) << option.name << ": " << option.group;
    // Units are written as everybody writes them.
    if (option.name.ends_with("-unit")) continue;
    for (const auto& choice : option.choices) EXPECT_TRUE(is_uniform(choice)) << option.name << "=" << choice;
  }
  for (const auto* model : sim::galaxy_models()) EXPECT_TRUE(is_uniform(model->name)) << model->name;
  for (const auto* format : sim::snapshot_formats()) EXPECT_TRUE(is_uniform(format->name)) << format->name;
  for (const auto* mode : render::color_modes()) EXPECT_TRUE(is_uniform(mode->name)) << mode->name;
  for (const auto* map : render::color_maps()) EXPECT_TRUE(is_uniform(map->name)) << map->name;
}

TEST(DisplayOptions, ComputeNothing) {
  const auto table = all_options();
  // The sections of app/panels/display_panel.cpp.
  const std::set<std::string> looks{"colour", "light", "bodies", "overlay", "trails"};
  for (const auto& option : table.options()) {
    // What is counted and how it looks stand together.
    if (option.group == "map") continue;
    const bool seen = looks.contains(option.group) || option.group == "run";
    EXPECT_EQ(sim::decides_result(option), !seen) << option.name;
  }
}

TEST(DisplayOptions, LabelsTellOptionsApart) {
  std::set<std::pair<std::string, std::string>> labels;
  const auto table = all_options();
  for (const auto& option : table.options())
    EXPECT_TRUE(labels.emplace(option.group, sim::label_of(option)).second) << sim::label_of(option);
}

TEST(DisplayOptions, EveryOptionReachesTheStyle) {
  const auto table = all_options();
  auto configuration = table.defaults();
  for (const char* text :
       {"size=3", "brightness=2", "color-mode=speed", "color-map=cubehelix", "color-log=on",
        "show=disk,bulge", "exposure=2", "tone-curve=linear", "dither=off", "glow=0"}) {
    table.assign(configuration, text);
  }
  const auto style = body_style(configuration);
  EXPECT_EQ(style.size_px, 3.0F);
  EXPECT_EQ(style.brightness, 2.0F);
  EXPECT_EQ(style.color_mode, "speed");
  EXPECT_EQ(style.color_map, "cubehelix");
  EXPECT_TRUE(style.log_range);
  EXPECT_EQ(style.component_weight.at(static_cast<std::size_t>(sim::Component::halo)), 0.0F);
  const auto tone = tone_style(configuration);
  EXPECT_EQ(tone.exposure_stops, 2.0F);
  EXPECT_EQ(tone.curve, render::ToneStyle::Curve::linear);
  EXPECT_FALSE(tone.dither);
  EXPECT_EQ(tone.glow, 0.0F);
}

/// The colours of the file are what is shown unless somebody says otherwise.
TEST(DisplayOptions, ColoursOfTheFileComeBeforeOthers) {
  const auto table = all_options();
  auto configuration = table.defaults();
  sim::Bodies bodies;
  bodies.resize(3);
  EXPECT_EQ(color_mode_of(configuration, summarize(bodies)).name, "body");
  bodies.color = {sim::no_color, sim::no_color, sim::no_color};
  EXPECT_EQ(color_mode_of(configuration, summarize(bodies)).name, "body");
  bodies.color[1] = 0x00ff00;
  const auto summary = summarize(bodies);
  EXPECT_EQ(summary.colored, 1U);
  EXPECT_EQ(color_mode_of(configuration, summary).name, "file");
  table.assign(configuration, "color-mode=component");
  EXPECT_EQ(color_mode_of(configuration, summary).name, "component");
  EXPECT_EQ(packed_colors(bodies), (std::vector<float>{-1.0F, 65280.0F, -1.0F}));
}

TEST(DisplayOptions, ColoursOfTheFileAreRefusedWhereThereAreNone) {
  const auto table = all_options();
  auto configuration = table.defaults();
  table.assign(configuration, "color-mode=file");
  EXPECT_NO_THROW(table.check(configuration, {}));
  try {
    table.check(configuration, {.lacks_colors = true});
    FAIL();
  } catch (const sim::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("no colours of its own"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(sim::why_inactive(table.at("color-map"), configuration).empty());
}

TEST(DisplayOptions, AGalaxyIsSingledOutInEveryWay) {
  const auto table = all_options();
  auto configuration = table.defaults();
  EXPECT_EQ(body_style(configuration).singled_out, render::no_galaxy);
  table.assign(configuration, "highlight=dim-others:3");
  const auto dimmed = body_style(configuration);
  EXPECT_EQ(dimmed.singled_out, 3U);
  EXPECT_EQ(dimmed.singled_out_look.light, 1.0F);
  EXPECT_LT(dimmed.others_look.light, 0.5F);
  EXPECT_EQ(dimmed.others_look.color_share, 0.0F);
  table.assign(configuration, "highlight=gray-others:3");
  EXPECT_EQ(body_style(configuration).others_look.color_share, 1.0F);
  EXPECT_EQ(body_style(configuration).singled_out_look.color_share, 0.0F);
  table.assign(configuration, "highlight=color:3");
  EXPECT_EQ(body_style(configuration).others_look.light, 1.0F);
  EXPECT_EQ(body_style(configuration).singled_out_look.color_share, 1.0F);
  table.assign(configuration, "highlight=off:3");
  EXPECT_EQ(body_style(configuration).singled_out, render::no_galaxy);
}

TEST(DisplayOptions, AGalaxyThatIsNotThereIsRefused) {
  const auto table = all_options();
  auto configuration = table.defaults();
  table.assign(configuration, "highlight=color:4");
  EXPECT_NO_THROW(table.check(configuration, {.galaxies = 5}));
  EXPECT_NO_THROW(table.check(configuration)) << "nothing is loaded yet";
  EXPECT_THROW(table.check(configuration, {.galaxies = 4}), sim::UsageError);
  EXPECT_THROW(table.check(configuration, {.galaxies = 1}), sim::UsageError);
  EXPECT_THROW(table.assign(configuration, "highlight=color:-2"), sim::UsageError);
}

TEST(DisplayOptions, CommandLineOptionsWinOverTheScene) {
  const auto table = all_options();
  auto configuration = table.defaults();
  sim::Scene scene;
  scene.physics.softening = 0.5;
  scene.physics.time_step = 0.125;
  lab::apply_scene(configuration, scene);
  lab::apply_assignments(table, configuration, {"softening=0.25"});
  EXPECT_EQ(configuration.real("softening"), 0.25);
  EXPECT_EQ(configuration.real("time-step"), 0.125);
}

/// Bodies without much mass go round as fast as the field says, and not as they pull each other.
TEST(DisplayOptions, TheStepIsShortEnoughForAnExternalField) {
  sim::Scene scene;
  scene.physics.time_step = 0.5;
  scene.speed = 10.0;
  scene.bodies.resize(200);
  for (std::size_t i = 0; i < 200; ++i) scene.bodies.position[i] = {i < 100 ? 0.5F : 2.0F, 0, 0};
  const auto table = all_options();
  const auto step = [&](const std::vector<std::string>& assignments) {
    auto configuration = table.defaults();
    lab::apply_scene(configuration, scene, assignments);
    return std::pair(configuration.real("time-step"), configuration.real("speed"));
  };
  EXPECT_EQ(step({}), std::pair(0.5, 10.0));
  EXPECT_EQ(step({"external-field=nonsense"}), std::pair(0.5, 10.0));
  // G M = 1: a turn at radius r takes 2 pi r^1.5.
  const auto [point, slow] = step({"external-field=point-mass", "field-mass=1", "field-radius=1e-9"});
  EXPECT_NEAR(point, 2.0 * std::numbers::pi * std::pow(0.5, 1.5) / 100.0, 1e-3 * point);
  EXPECT_LT(slow, 10.0);
  EXPECT_NEAR(step({"external-field=point-mass", "field-mass=4", "field-radius=1e-9"}).first, 0.5 * point,
              1e-3 * point);
}

/// Notes on the step are about the step that is taken.
TEST(DisplayOptions, NotesAreOfTheStepWithTheAssignments) {
  sim::Scene scene;
  scene.bodies.resize(200);
  for (std::size_t i = 0; i < 200; ++i) {
    scene.bodies.position[i] = {static_cast<float>(i % 7), static_cast<float>(i % 11), 0};
    scene.bodies.mass[i] = 0.005F;
  }
  scene.notes = {"first"};
  sim::suggest_parameters(scene);
  const auto table = all_options();
  for (const std::vector<std::string>& assignments :
       {std::vector<std::string>{},
        {"gravity=4"},
        {"external-field=point-mass", "field-mass=1000"},
        {"external-field=point-mass", "field-mass=0.1", "gravity=2"},
        {"external-field=point-mass", "field-mass=1000", "gravity=0"},
        {"external-field=nonsense"}}) {
    auto configuration = table.defaults();
    lab::apply_scene(configuration, scene, assignments);
    const auto notes = lab::notes_of(scene, assignments);
    EXPECT_EQ(notes.size(), scene.notes.size());
    EXPECT_EQ(std::ranges::count_if(notes, [](const auto& note) { return note.starts_with("time step "); }),
              1);
    const auto said = fmt::format("time step {:.4g} (", configuration.real("time-step"));
    EXPECT_TRUE(std::ranges::any_of(notes, [&](const auto& note) { return note.starts_with(said); })) << said;
  }
  // Nothing is said of a step that people chose, and without G a field still counts.
  EXPECT_EQ(lab::notes_of(scene, {"time-step=0.5"}).size(), scene.notes.size() - 1);
  const std::vector<std::string> field{"external-field=point-mass", "field-mass=1000"};
  auto without_pulls = field;
  without_pulls.emplace_back("gravity=0");
  EXPECT_EQ(lab::notes_of(scene, without_pulls), lab::notes_of(scene, field));
  EXPECT_NE(lab::notes_of(scene, field), scene.notes);
  // A scene that states its own step says why it is shorter.
  sim::Scene stated;
  stated.physics.time_step = 0.5;
  stated.bodies = scene.bodies;
  EXPECT_TRUE(lab::notes_of(stated, {"gravity=0.5"}).empty());
  EXPECT_EQ(lab::notes_of(stated, {"gravity=4"}),
            std::vector<std::string>{"time step 0.25 (the scene's, 0.5, is for G = 1)"});
  const auto notes = lab::notes_of(stated, {"external-field=point-mass", "field-mass=1000"});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("1/100 of the shortest turn in the external field"), std::string::npos) << notes[0];
}

/// Of a model, and of what a file did not say: what follows from an option follows the one that was given.
TEST(DisplayOptions, SuggestionsFollowWhatIsGiven) {
  const auto table = all_options();
  const auto step_with = [&](const sim::Scene& scene, const std::vector<std::string>& assignments) {
    auto configuration = table.defaults();
    lab::apply_scene(configuration, scene, assignments);
    return configuration.real("time-step");
  };
  const auto model = sim::make_galaxy("plummer", {.bodies = 1000, .seed = 1});
  EXPECT_NEAR(step_with(model, {"gravity=100"}), 0.1 * step_with(model, {}), 1e-12);
  EXPECT_EQ(step_with(model, {"gravity=0.01"}), step_with(model, {})) << "the bodies are as fast as before";
  sim::Scene file{.bodies = model.bodies};
  sim::suggest_parameters(file);
  EXPECT_LT(step_with(file, {"softening=1e-5"}), 0.1 * step_with(file, {}));
  EXPECT_GT(step_with(file, {"softening=0"}), 0.0);
  const auto notes = lab::notes_of(file, {"gravity=2", "softening=0.25"});
  EXPECT_EQ(notes.front(), "G = 2 (given); softening 0.25 (given)");
  EXPECT_EQ(std::ranges::count(notes, file.notes.front()), 0);
}

TEST(DisplayOptions, SuggestionsOfAnyUnitsComeBackFromAState) {
  const auto table = all_options();
  sim::Scene scene;
  scene.physics.softening = 4.7e18;  // SI units
  scene.physics.time_step = 3e14;
  scene.speed = 1e16;
  auto configuration = table.defaults();
  lab::apply_scene(configuration, scene);
  auto copy = table.defaults();
  EXPECT_TRUE(table.assign_json(copy, sim::to_json(configuration)).empty());
  EXPECT_EQ(copy, configuration);
}

TEST(SceneSummary, FitsNinetyFivePercentAroundTheMedian) {
  sim::Bodies bodies;
  bodies.resize(1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    const auto angle = static_cast<float>(i);
    bodies.position[i] = {5.0F + std::cos(angle), std::sin(angle), 2.0F};
    bodies.mass[i] = 1.0F;
  }
  bodies.position[0] = {1e6F, 0, 0};
  const auto summary = summarize(bodies);
  EXPECT_NEAR(summary.center.x, 5.0, 0.1);
  EXPECT_NEAR(summary.center.z, 2.0, 1e-6);
  EXPECT_NEAR(summary.radius, 1.0, 0.1);
  const auto camera = fitted_camera(summary);
  EXPECT_GT(camera.distance, 1.0);
  EXPECT_LT(camera.distance, 10.0);
  EXPECT_TRUE(std::isfinite(automatic_exposure(summary)));
}

TEST(SceneSummary, LegendsOfChargesSayTheirSigns) {
  constexpr auto star = static_cast<std::size_t>(sim::Component::star);
  constexpr auto gas = static_cast<std::size_t>(sim::Component::gas);
  auto bodies = lab::load_dataset({.source = "charges", .bodies = 50}).bodies;
  EXPECT_EQ(summarize(bodies).component_labels.at(star), "positive charges");
  EXPECT_EQ(summarize(bodies).component_labels.at(gas), "negative charges");
  const auto first_star =
      std::ranges::find(bodies.component, sim::Component::star) - bodies.component.begin();
  bodies.charge.at(static_cast<std::size_t>(first_star)) = -1.0F;
  EXPECT_EQ(summarize(bodies).component_labels.at(star), "star") << "both signs";
  std::ranges::fill(bodies.charge, 0.0F);
  EXPECT_EQ(summarize(bodies).component_labels.at(gas), "gas");
}

/// Otherwise bodies at rest would be as blue as those that come nearest fastest.
TEST(SceneSummary, WhereAllAreZeroASignedQuantityIsInTheMiddleOfItsRange) {
  const auto ranges = color_ranges(lab::load_dataset({.source = "square", .bodies = 50}).bodies);
  for (const char* mode : {"charge", "line-of-sight"})
    EXPECT_EQ(ranges.at(mode), std::pair(-1.0F, 1.0F)) << mode;
}

TEST(SceneSummary, OneBodyAndManyGalaxiesHaveAView) {
  sim::Bodies one;
  one.resize(1);
  EXPECT_TRUE(std::isfinite(fitted_camera(summarize(one)).distance));
  const auto nine = summarize(lab::load_dataset({.source = "plummer", .bodies = 50, .galaxies = 9}).bodies);
  EXPECT_EQ(nine.grid_columns, 3U);
  EXPECT_GT(nine.grid_spacing, nine.radius);
  EXPECT_GT(nine.view_radius(), 2.0 * nine.radius);
}

TEST(Benchmark, RowsHoldWhatWasMeasured) {
  const auto table = all_options();
  auto configuration = table.defaults();
  table.assign(configuration, "threads=1");
  const auto scene = lab::load_dataset({.source = "plummer", .bodies = 256, .galaxies = 2});
  std::vector<lab::BenchmarkRow> rows{
      lab::time_configuration(table, configuration, scene, lab::timed_steps(3))};
  EXPECT_EQ(rows[0].bodies, 512U);
  EXPECT_EQ(rows[0].galaxies, 2U);
  EXPECT_GT(rows[0].kernel_ms, 0.0);
  EXPECT_NEAR(rows[0].gips_kernel, 2 * 256.0 * 256.0 / rows[0].kernel_ms * 1e-6, 1e-9);
  EXPECT_LE(rows[0].gips_frame, rows[0].gips_kernel);
  EXPECT_EQ(rows[0].force_error.sample, 256U);
  EXPECT_GT(rows[0].kernel_mean_ms, 0.0);
  EXPECT_GE(rows[0].kernel_deviation_ms, 0.0);
  EXPECT_GT(rows[0].update_ms, 0.0);
  EXPECT_LT(rows[0].force_error.median, 1e-5);
  const auto json = lab::benchmark_json(table, rows);
  EXPECT_TRUE(json.at("device").contains("name"));
  for (const char* key :
       {"label", "config", "bodies", "galaxies", "steps", "kernel_ms", "gips_kernel", "gips_frame", "speedup",
        "force_error_median", "force_error_p99", "kernel_mean_ms", "kernel_deviation_ms", "sums_share",
        "update_ms", "device_bytes", "force_error_max", "interactions_per_body"}) {
    EXPECT_TRUE(json.at("rows").at(0).contains(key)) << key;
  }
  EXPECT_EQ(json.at("rows").at(0).at("config").at("kernel"), "simd");
  EXPECT_EQ(json.at("rows").at(0).at("interactions_per_body"), 256.0);
  EXPECT_EQ(json.at("rows").at(0).at("counted"), "all pairs");
  EXPECT_EQ(lab::benchmark_notes(rows).find("tree"), std::string::npos) << lab::benchmark_notes(rows);
  const auto csv = lab::benchmark_csv(rows);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
}

lab::BenchmarkRow row_of(const std::vector<std::string>& assignments, std::size_t bodies = 3000) {
  const auto table = all_options();
  auto configuration = table.defaults();
  lab::apply_assignments(table, configuration, assignments);
  const auto scene = lab::load_dataset({.source = "plummer", .bodies = bodies});
  return lab::time_configuration(table, configuration, scene, lab::timed_steps(1));
}

TEST(Benchmark, ATreeSaysWhatItsRateCountsAndWhatItStates) {
  auto row = row_of({"engine=cpu", "kernel=tree", "accuracy=1e-3"});
  row.label = "tree";
  const auto json = lab::row_json(all_options(), row);
  const auto opening = json.at("config").at("opening").get<std::string>();
  EXPECT_EQ(opening, sim::relative_opening(row.report.number("alpha"))) << "the one that accuracy found";
  EXPECT_NE(opening, all_options().defaults().choice("opening"));
  const auto each = json.at("interactions_per_body").get<double>();
  EXPECT_GT(each, 50.0);
  EXPECT_LT(each, 2000.0);
  EXPECT_NEAR(json.at("gips_kernel").get<double>(), 3000.0 * each / row.kernel_ms * 1e-6, 1e-9);
  EXPECT_NE(json.at("counted"), "all pairs");
  EXPECT_GT(json.at("stated_error_p99"), json.at("stated_error_median"));
  EXPECT_GE(json.at("force_error_max"), json.at("force_error_p99"));
  const auto notes = lab::benchmark_notes({row});
  for (const char* part : {"evaluated interactions", "99 % of the bodies below", "alpha"})
    EXPECT_NE(notes.find(part), std::string::npos) << notes;
}

/// The cells of a tree that is built every 16 steps have spread when the next ones are due.
TEST(Benchmark, TheErrorIsThatOfTheOldestCells) {
  constexpr std::size_t bodies = 12'000;
  const auto fresh = row_of({"engine=cpu", "kernel=tree", "time-step=0.04"}, bodies).force_error;
  const auto old = row_of({"engine=cpu", "kernel=tree", "time-step=0.04", "rebuild=16"}, bodies).force_error;
  EXPECT_GT(old.p99, 1.2 * fresh.p99);
}

TEST(Benchmark, WhatAutoTakesIsNamedAndCounted) {
  const auto row = row_of({"engine=cpu", "kernel=auto"});
  const auto json = lab::row_json(all_options(), row);
  EXPECT_EQ(json.at("kernel_taken"), "simd");
  EXPECT_EQ(json.at("taken").at("kernel"), "simd");
  const auto instructions = json.at("taken").at("instructions").get<std::string>();
  EXPECT_EQ(instructions, row.report.text("instructions"));
  EXPECT_FALSE(instructions.empty());
  EXPECT_EQ(json.at("counted"), "all pairs");
  EXPECT_EQ(json.at("interactions_per_body"), 3000.0);
  EXPECT_EQ(lab::benchmark_line(row).find("auto (simd) "), 0U) << lab::benchmark_line(row);
  EXPECT_EQ(lab::benchmark_notes({row, row}), "auto takes instructions=" + instructions + ", kernel=simd\n");
}

/// Several evaluations of a step, and kernels whose evaluations differ in time.
TEST(Benchmark, WholeStepsAreNeverFasterThanTheKernel) {
  for (const auto& assignments :
       std::vector<std::vector<std::string>>{{"engine=cpu", "kernel=sequential", "integrator=pefrl"},
                                             {"engine=cpu", "kernel=tree", "rebuild=2", "integrator=yoshida"},
                                             {"engine=cpu", "kernel=simd", "integrator=hermite"}}) {
    const auto row = row_of(assignments, 200);
    EXPECT_LE(row.gips_frame, row.gips_kernel) << assignments[1];
    EXPECT_LE(row.kernel_ms, row.step_ms) << assignments[1];
  }
}

/// The table fits into 120 columns, whatever the numbers are, and its columns are below their heads.
TEST(Benchmark, TheTableIsAlignedAndNarrow) {
  auto row = row_of({"engine=cpu", "kernel=tree"});
  row.label = "register-split";
  row.bodies = 100'000'000;
  row.kernel_ms = 123456.789, row.kernel_deviation_ms = 0.00123, row.step_ms = 1234567.8;
  row.gips_kernel = 0.000123, row.gips_frame = 5800.4;
  row.force_error = {.sample = 256, .median = 1.23e-4, .p99 = 3.4e-3, .maximum = 1.0};
  for (const std::size_t map : {std::size_t{0}, std::size_t{1000}}) {
    row.map_size = map;
    const auto head = lab::benchmark_head({row}), line = lab::benchmark_line(row);
    std::istringstream lines(head.substr(head.find('\n') + 1));
    for (std::string each; std::getline(lines, each);)
      EXPECT_EQ(each.size() + 1, line.size()) << head << line;
    EXPECT_LE(line.size(), 121U) << line;
    for (const char* part : {"1.2e-04", "3.4e-03", "1.0e+00", "100000000"})
      EXPECT_NE(line.find(part), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace orrery::app
