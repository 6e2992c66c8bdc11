#include "app/picture/display_options.h"
#include "app/picture/picture_style.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "app/picture/look_settings.h"
#include "app/picture/painter.h"
#include "app/picture/scene_summary.h"
#include "app/session/attribute_stream.h"
#include "app/session/idle_assignments.h"
#include "app/session/run_options.h"
#include "render/color_maps/color_map.h"
#include "render/color_modes/color_mode.h"
#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/snapshots/format.h"

namespace orrery::app {
namespace {

TEST(PictureSize, IsReadStrictly) {
  EXPECT_EQ(parse_picture_size("1920x1080").width, 1920);
  EXPECT_EQ(parse_picture_size("1920x1080").height, 1080);
  for (const char* wrong : {"", "1920", "x", "1920x", "0x5", "-3x4", "10x10x10", "10 x 10", "axb"}) {
    EXPECT_THROW(parse_picture_size(wrong), sim::UsageError) << wrong;
  }
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
       {"size=3", "brightness=2", "color-mode=speed", "color-map=cubehelix", "color-scale=log",
        "show=disk,bulge", "exposure=2", "tone-curve=linear", "dither=off", "glow=0"}) {
    table.assign(configuration, text);
  }
  const auto style = body_style(Look(configuration));
  EXPECT_EQ(style.size_px, 3.0F);
  EXPECT_EQ(style.brightness, 2.0F);
  EXPECT_EQ(style.color_mode, "speed");
  EXPECT_EQ(style.color_map, "cubehelix");
  EXPECT_TRUE(style.log_range);
  EXPECT_EQ(style.component_weight.at(static_cast<std::size_t>(sim::Component::halo)), 0.0F);
  const auto tone = tone_style(Look(configuration).light);
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
  EXPECT_EQ(color_mode_of(Look(configuration), summarize(bodies)).name, "body");
  bodies.color = {sim::no_color, sim::no_color, sim::no_color};
  EXPECT_EQ(color_mode_of(Look(configuration), summarize(bodies)).name, "body");
  bodies.color[1] = 0x00ff00;
  const auto summary = summarize(bodies);
  EXPECT_EQ(summary.colored, 1U);
  EXPECT_EQ(color_mode_of(Look(configuration), summary).name, "file");
  table.assign(configuration, "color-mode=component");
  EXPECT_EQ(color_mode_of(Look(configuration), summary).name, "component");
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
  EXPECT_EQ(body_style(Look(configuration)).singled_out, render::no_galaxy);
  table.assign(configuration, "highlight=dim-others:3");
  const auto dimmed = body_style(Look(configuration));
  EXPECT_EQ(dimmed.singled_out, 3U);
  EXPECT_EQ(dimmed.singled_out_look.light, 1.0F);
  EXPECT_LT(dimmed.others_look.light, 0.5F);
  EXPECT_EQ(dimmed.others_look.color_share, 0.0F);
  table.assign(configuration, "highlight=gray-others:3");
  EXPECT_EQ(body_style(Look(configuration)).others_look.color_share, 1.0F);
  EXPECT_EQ(body_style(Look(configuration)).singled_out_look.color_share, 0.0F);
  table.assign(configuration, "highlight=color:3");
  EXPECT_EQ(body_style(Look(configuration)).others_look.light, 1.0F);
  EXPECT_EQ(body_style(Look(configuration)).singled_out_look.color_share, 1.0F);
  table.assign(configuration, "highlight=off:3");
  EXPECT_EQ(body_style(Look(configuration)).singled_out, render::no_galaxy);
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

/// The line of a command that uses the default kernel and those named, about these assignments.
std::vector<std::string> idle(std::vector<std::string> assignments, const std::vector<std::string>& kernels,
                              Draws draws = Draws::yes) {
  const auto table = all_options();
  auto configuration = table.defaults();
  configuration.set("engine", std::string("cpu"));
  assignments = with_looks(assignments);
  lab::assign_all(table, configuration, assignments);
  return idle_assignments(table, assignments, with_each(configuration, "kernel", kernels), draws);
}

TEST(IdleAssignments, AreThoseThatNoConfigurationUses) {
  using Lines = std::vector<std::string>;
  const Lines devices{"devices has no effect here: only the CUDA engine uses it"};
  EXPECT_EQ(idle({"devices=0,1", "devices=0,1"}, {"simd", "tree"}), devices);
  EXPECT_EQ(idle({"devices=auto"}, {"simd"}), Lines()) << "the default";
  EXPECT_EQ(idle({"engine=cuda", "devices=0"}, {"simd"}), Lines());
  EXPECT_EQ(idle({"opening=geometric:0.4"}, {"simd", "tree"}), Lines()) << "the tree uses it";
  EXPECT_EQ(idle({"opening=geometric:0.4"}, {"simd"}).size(), 1U);
  EXPECT_EQ(idle({"threads=2"}, {}), Lines()) << "nothing computes";
}

TEST(IdleAssignments, OfTheDisplayConcernPicturesOnly) {
  EXPECT_TRUE(idle({"brightness=2"}, {"simd"}).empty());
  EXPECT_EQ(idle({"brightness=2"}, {"simd"}, Draws::no),
            std::vector<std::string>{"brightness has no effect here: nothing is drawn"});
  for (const char* look : {"beautiful", "scientific", "print"})
    EXPECT_TRUE(idle({std::string("look=") + look}, {"simd"}).empty()) << look;
}

}  // namespace
}  // namespace orrery::app
