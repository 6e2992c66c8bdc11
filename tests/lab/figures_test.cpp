#include "lab/figures/figure_kind.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lab/diagnostics/diagnostics_log.h"
#include "lab/figures/map_figure.h"
#include "lab/plots/figure_file.h"
#include "sim/core/error.h"
#include "svg_paths.h"
#include "tests/temporary_folder.h"

namespace orrery::lab {
namespace {

using nlohmann::json;
using plots::Figure;

/// A short document of `orrery bench --json`.
json bench_document() {
  const auto row = [](const char* label, double bodies, double ms) {
    return json{{"label", label},
                {"bodies", bodies},
                {"galaxies", 1},
                {"kernel_ms", ms},
                {"gips_kernel", bodies * bodies / ms * 1e-6},
                {"gips_frame", bodies * bodies / (1.25 * ms) * 1e-6}};
  };
  return {
      {"device", {{"name", "a machine"}}},
      {"rows",
       {row("simd", 1000, 1.0), row("simd", 2000, 4.0), row("tiled", 1000, 2.0), row("tiled", 2000, 8.0)}}};
}

/// The same of a GPU, whose instructions are counted.
json gpu_document() {
  auto document = bench_document();
  for (auto& row : document["rows"])
    row["kernel"] = {{"devices", 1},
                     {"slots_per_interaction", 20.0},
                     {"special_per_interaction", 1.0},
                     {"issue_limit_gips", 1500.0},
                     {"special_limit_gips", 4000.0},
                     {"device_bytes", 5e6}};
  return document;
}

json rung(const std::string& name, double speedup, double previous, json published) {
  return {{"name", name},
          {"measured", speedup > 0.0},
          {"published", std::move(published)},
          {"reason", speedup > 0.0 ? "" : "no GPU"},
          {"bodies", 4096},
          {"galaxies", 1},
          {"kernel_ms", 1.0},
          {"kernel_deviation_ms", 0.1},
          {"sums_share", 0.25},
          {"step_ms", 1.5},
          {"gips_kernel", 2.0},
          {"gips_frame", speedup},
          {"speedup_first", speedup},
          {"speedup_previous", previous}};
}

json ladder_document() {
  json first = rung("first", 1.0, 0.0,
                    {{"bodies", 8192},
                     {"gips", 10.0},
                     {"seconds", 2.0},
                     {"speedup_first", 1.0},
                     {"hardware", "an old GPU"}});
  json second =
      rung("second", 4.0, 4.0,
           {{"speedup_stated", 3.0}, {"remark", "over first, four threads"}, {"hardware", "an old GPU"}});
  json third = rung(
      "third", 0.0, 0.0,
      {{"speedup_stated", 1.5}, {"remark", "over second"}, {"seconds", 0.5}, {"hardware", "an old GPU"}});
  for (const char* key : {"step_ms", "gips_frame", "speedup_first", "speedup_previous"}) third.erase(key);
  first["device_bytes"] = 3e6;
  first["published_memory"] = {{"bodies", 8192}, {"memory_mb", 1026.0}, {"other_bodies", true}};
  third["published_memory"] = {{"bodies", 4096}, {"memory_mb", 2.2}, {"other_bodies", false}};
  return {{"device", {{"name", "a machine"}}},
          {"ladders",
           {{{"name", "steps"},
             {"title", "A ladder"},
             {"bodies", 4096},
             {"galaxies", 1},
             {"rungs", {first, second, third}}}}}};
}

json sweep_document(bool two) {
  json cells = json::array();
  for (const int tile : {64, 128}) {
    for (const char* layout : {"float4", "soa"}) {
      if (!two && std::string(layout) == "soa") continue;
      json cell{{"tile", tile}};
      if (two) cell["layout"] = layout;
      if (two && tile == 128 && std::string(layout) == "soa")
        cell["refused"] = "it does not fit";
      else
        cell.update({{"kernel_ms", 100.0 / tile}, {"gips_kernel", 1.0 * tile}, {"force_error_median", 1e-7}});
      cells.push_back(std::move(cell));
    }
  }
  return {{"device", {{"name", "a machine"}}},
          {"rows_option", "tile"},
          {"columns_option", two ? json("layout") : json()},
          {"bodies", 4096},
          {"galaxies", 1},
          {"cells", std::move(cells)}};
}

json pipeline_document() {
  const auto run = [](const char* name, double total) {
    return json{{"schedule", name},
                {"total_ms", total},
                {"devices", {"a GPU"}},
                {"busy_ms",
                 {{"copy in", 1.0}, {"forces", 6.0}, {"update", 0.5}, {"copy out", 1.5}, {"exchange", 0.0}}}};
  };
  return {{"runs", {run("serial", 9.0), run("streams", 7.0)}}};
}

json timeline_document() {
  const auto span = [](const char* name, int stream, double start, double length) {
    return json{{"name", name},
                {"ph", "X"},
                {"ts", start},
                {"dur", length},
                {"pid", 0},
                {"tid", stream},
                {"args", {{"galaxy", 7}, {"step", 0}}}};
  };
  return {{"otherData", {{"schedule", "streams"}}},
          {"traceEvents",
           {{{"name", "process_name"}, {"ph", "M"}, {"pid", 0}, {"tid", 0}},
            span("copy in", 0, 0.0, 1000.0),
            span("forces", 0, 1000.0, 4000.0),
            span("copy in", 1, 1000.0, 1000.0)}}};
}

json made(const char* figure, json more) {
  json document{{"figure", figure},
                {"dataset", "plummer"},
                {"bodies", 100},
                {"galaxies", 1},
                {"device", {{"name", "a machine"}}}};
  document.update(more);
  return document;
}

json energy_document() {
  return made("energy", {{"series",
                          {{{"name", "leapfrog"},
                            {"time", {0.0, 1.0, 2.0}},
                            {"energy_drift", {0.0, -1e-5, 2e-5}},
                            {"momentum_drift", {0.0, 1e-9, 1e-9}},
                            {"angular_momentum_drift", {0.0, 1e-8, 1e-8}}}}}});
}

json error_document(const char* quantity) {
  return made("error", {{"quantity", quantity},
                        {"kernel", "simd"},
                        {"series",
                         {{{"name", ""},
                           {"errors", {3e-7, 1e-7, 2e-7, 4e-7}},
                           {"time", {0.0, 1.0}},
                           {"median", {1e-7, 2e-7}},
                           {"p99", {1e-6, 2e-6}},
                           {"distance2", {0.0, 1e-6}}}}}});
}

json orbits_document() {
  const auto body = [](const char* name, double mass, double radius, double x) {
    json path = json::array();
    for (int k = 0; k <= 40; ++k)
      path.push_back({x + radius * std::cos(0.2 * k), radius * std::sin(0.2 * k), 0.0});
    return json{{"name", name}, {"mass", mass}, {"path", std::move(path)}};
  };
  return made(
      "orbits",
      {{"steps", 40},
       {"start", 0.0},
       {"end", 8.0},
       {"all_bodies", 3},
       {"units", {{"length", "AU"}, {"time", "years"}}},
       {"bodies", {body("Sun", 1.0, 0.0, 0.0), body("Near", 1e-6, 1.0, 0.0), body("Far", 1e-6, 30.0, 0.0)}}});
}

json saved_map() {
  return made("map", {{"size", 2},
                      {"plane", "xz"},
                      {"step", 5},
                      {"values", "count"},
                      {"box", {{"left", -1.0}, {"right", 1.0}, {"bottom", 0.0}, {"top", 2.0}}},
                      {"cells", {0, 10, 5, 0}}});
}

json steps_document() {
  return made("steps", {{"series", {{{"name", ""}, {"steps", {0, 10, 20}}, {"seconds", {0.0, 1.0, 2.0}}}}}});
}

json diagnostics_document() {
  DiagnosticsLog log;
  for (int k = 1; k <= 6; ++k) {
    Instant instant;
    for (const auto& column : instant_columns()) instant.*column.value = k;
    log.past.push_back(instant);
    ProfileRow row;
    for (const auto& column : profile_columns()) row.*column.value = k;
    log.profile.push_back(row);
    log.phase.push_back({});
  }
  log.time = 6.0;
  log.sample = log.of = 100;
  auto document = made("diagnostics", {{"options", "6 steps"}});
  to_document(document, log);
  return document;
}

/// A document for every kind that is registered.
json document_of(std::string_view kind) {
  if (kind == "ladder") return ladder_document();
  if (kind == "scaling") return bench_document();
  if (kind == "sweep") return sweep_document(true);
  if (kind == "stages") return pipeline_document();
  if (kind == "timeline") return timeline_document();
  if (kind == "energy") return energy_document();
  if (kind == "error") return error_document("distribution");
  if (kind == "orbits") return orbits_document();
  if (kind == "steps") return steps_document();
  if (kind == "diagnostics") return diagnostics_document();
  if (kind == "roofline") return gpu_document();
  if (kind == "map") return saved_map();
  ADD_FAILURE() << "there is no saved document for plot " << kind;
  return {};
}

Figure drawn(const std::string& kind, const json& document, FigureRequest request = {}) {
  complete(request, find_figure_kind(kind));
  return draw_documents(find_figure_kind(kind), {document}, request);
}

TEST(Figures, OfEveryKindAreDrawnFromWhatWasSaved) {
  for (const auto* kind : all_figure_kinds()) {
    SCOPED_TRACE(kind->name);
    const auto document = document_of(kind->name);
    EXPECT_TRUE(kind->reads_document(document));
    std::vector<std::string_view> quantities(kind->quantities.begin(), kind->quantities.end());
    if (quantities.empty()) quantities.emplace_back("");
    for (const auto quantity : quantities) {
      // Only a GPU says what memory it takes.
      const auto& source = quantity == "memory" && kind->name == "scaling" ? gpu_document() : document;
      const auto figure = drawn(std::string(kind->name), source, {.quantity = std::string(quantity)});
      EXPECT_FALSE(figure.title.empty());
      EXPECT_FALSE(figure.panels.empty());
      EXPECT_GT(test::paths_of(plots::svg_of(figure)).size(), 10U);
      for (const auto& panel : figure.panels) {
        EXPECT_FALSE(panel.x.label.empty() && panel.y.label.empty());
        for (const auto& line : panel.lines)
          EXPECT_TRUE(line.labels.empty() || line.labels.size() == line.points.size());
      }
    }
  }
}

TEST(Figures, RefuseWhatOthersSaved) {
  for (const auto* kind : all_figure_kinds()) {
    EXPECT_FALSE(kind->reads_document(json::object())) << kind->name;
    EXPECT_FALSE(kind->reads_document(made("nothing", json::object()))) << kind->name;
  }
}

TEST(Figures, WhoseJsonLacksSomethingSaySo) {
  for (const auto* kind : all_figure_kinds()) {
    SCOPED_TRACE(kind->name);
    const auto whole = document_of(kind->name);
    for (const auto& [key, value] : whole.items()) {
      auto without = whole;
      without.erase(key);
      auto wrong = whole;
      wrong[key] = "nonsense";
      for (const auto& document : {without, wrong}) {
        if (!kind->reads_document(document)) continue;
        try {
          plots::svg_of(drawn(std::string(kind->name), document));
        } catch (const sim::Error& error) {
          EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        }
      }
    }
  }
}

TEST(Figures, HaveNamesThatAreProposed) {
  try {
    find_figure_kind("orbit");
    FAIL();
  } catch (const sim::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'orbits'?"), std::string::npos) << error.what();
  }
  FigureRequest request{.quantity = "sped"};
  EXPECT_THROW(complete(request, find_figure_kind("ladder")), sim::UsageError);
  request = {.scale = "cubic"};
  EXPECT_THROW(complete(request, find_figure_kind("ladder")), sim::UsageError);
}

TEST(LadderFigure, HasMeasuredBesidePublished) {
  const auto figure = drawn("ladder", ladder_document());
  const auto& panel = figure.panels.at(0);
  EXPECT_EQ(panel.y.categories, (std::vector<std::string>{"first", "second"}));
  ASSERT_EQ(panel.bars.size(), 2U);
  EXPECT_EQ(panel.bars[0].values, (std::vector{1.0, 4.0}));
  EXPECT_EQ(panel.bars[1].values, (std::vector{1.0, 3.0})) << "stated over the first rung";
  EXPECT_EQ(panel.bars[1].texts, (std::vector<std::string>{"1.00× @8192", "3.00×"})) << "of other bodies";
  EXPECT_EQ(panel.bars[0].name, "here: a machine");
  EXPECT_EQ(panel.bars[1].name, "published: an old GPU");
}

TEST(LadderFigure, SpeedUpsOfEachRungAreOverTheOneBefore) {
  const auto figure = drawn("ladder", ladder_document(), {.quantity = "previous"});
  const auto& bars = figure.panels.at(0).bars;
  EXPECT_EQ(figure.panels[0].y.categories, (std::vector<std::string>{"second", "third"}));
  EXPECT_EQ(bars.at(0).values.at(0), 4.0);
  EXPECT_EQ(bars.at(1).values, (std::vector{3.0, 1.5}));
  EXPECT_EQ(bars.at(0).texts.at(1), "not run here");
}

TEST(LadderFigure, TakesTheRungsThatAreNamed) {
  const auto figure = drawn("ladder", ladder_document(), {.rungs = {"second"}});
  EXPECT_EQ(figure.panels.at(0).y.categories, (std::vector<std::string>{"second"}));
  EXPECT_THROW(drawn("ladder", ladder_document(), {.rungs = {"secand"}}), sim::UsageError);
}

TEST(LadderFigure, TimesOfTheReportHaveTheirOwnAxis) {
  const auto figure = drawn("ladder", ladder_document(), {.quantity = "time"});
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[1].bars.at(0).values.at(0), 2.0);
  EXPECT_EQ(figure.panels[0].bars.at(0).errors.at(0), 0.1);
}

TEST(LadderFigure, MemoryStandsBesideThatOfTheReport) {
  auto silent = ladder_document();
  silent["ladders"][0]["rungs"].erase(2);
  for (const char* key : {"device_bytes", "published_memory"}) silent["ladders"][0]["rungs"][0].erase(key);
  EXPECT_THROW(drawn("ladder", silent, {.quantity = "memory"}), sim::Error);
  const auto figure = drawn("ladder", ladder_document(), {.quantity = "memory"});
  ASSERT_EQ(figure.panels.size(), 1U);
  const auto& bars = figure.panels[0].bars;
  ASSERT_EQ(bars.size(), 2U);
  EXPECT_EQ(figure.panels[0].y.categories, (std::vector<std::string>{"first", "third"}));
  EXPECT_DOUBLE_EQ(bars[0].values.at(0), 3.0);
  EXPECT_DOUBLE_EQ(bars[1].values.at(0), 1026.0);
  EXPECT_EQ(bars[1].texts.at(0), "1026 @8192");
  EXPECT_DOUBLE_EQ(bars[1].values.at(1), 2.2);
  EXPECT_EQ(bars[1].texts.at(1).find('@'), std::string::npos);
}

TEST(LadderFigure, SeveralLaddersOrSizesAreNotMixed) {
  auto document = ladder_document();
  document["ladders"].push_back(document["ladders"][0]);
  document["ladders"][1]["bodies"] = 8192;
  EXPECT_THROW(drawn("ladder", document), sim::Error);
  EXPECT_NO_THROW(drawn("ladder", document, {.sizes = {8192}}));
  document["ladders"][1]["name"] = "another";
  EXPECT_THROW(drawn("ladder", document), sim::Error);
  EXPECT_NO_THROW(drawn("ladder", document, {.ladder = "another"}));
}

TEST(ScalingFigure, HasACurveForEachKernel) {
  const auto figure = drawn("scaling", bench_document());
  ASSERT_EQ(figure.panels.size(), 2U);
  const auto& lines = figure.panels[0].lines;
  ASSERT_EQ(lines.size(), 3U) << "and the guide";
  EXPECT_EQ(lines[1].name, "tiled");
  EXPECT_EQ(lines[1].points.at(1).x, 2000.0);
  EXPECT_EQ(lines[1].points.at(1).y, 8.0);
  // The guide ends at the fastest of the largest, and falls with the square.
  EXPECT_EQ(lines[2].points.back().y, 4.0);
  EXPECT_EQ(lines[2].points.front().y, 1.0);
  const auto speedup = drawn("scaling", bench_document(), {.quantity = "speedup"});
  EXPECT_EQ(speedup.panels[0].lines[1].points[0].y, 0.5);
}

TEST(SweepFigure, MarksTheBestAndHatchesTheRefused) {
  const auto figure = drawn("sweep", sweep_document(true));
  const auto& map = *figure.panels.at(0).heat;
  EXPECT_EQ(map.rows, 2U);
  EXPECT_EQ(map.columns, 2U);
  EXPECT_EQ(map.values[2], 128.0);
  EXPECT_TRUE(std::isnan(map.values[3]));
  EXPECT_EQ(map.marked, 2U);
  const auto times = drawn("sweep", sweep_document(true), {.quantity = "time"});
  EXPECT_EQ(times.panels[0].heat->marked, 2U) << "the shortest";
}

TEST(SweepFigure, OfOneOptionHasBarsForEachFile) {
  auto larger = sweep_document(false);
  larger["bodies"] = 8192;
  FigureRequest request;
  complete(request, find_figure_kind("sweep"));
  const auto figure = draw_documents(find_figure_kind("sweep"), {sweep_document(false), larger}, request);
  ASSERT_EQ(figure.panels.at(0).bars.size(), 2U);
  EXPECT_EQ(figure.panels[0].bars[1].name, "8192 bodies");
  EXPECT_EQ(figure.panels[0].bars[0].values, (std::vector{64.0, 128.0}));
  EXPECT_THROW(draw_documents(find_figure_kind("sweep"), {sweep_document(true), larger}, request),
               sim::UsageError);
}

TEST(StagesFigure, StacksWhatTookTime) {
  const auto figure = drawn("stages", pipeline_document());
  const auto& panel = figure.panels.at(0);
  EXPECT_TRUE(panel.stacked);
  ASSERT_EQ(panel.bars.size(), 4U) << "nothing was exchanged";
  EXPECT_EQ(panel.bars[1].name, "forces");
  EXPECT_EQ(panel.bars[1].values, (std::vector{6.0, 6.0}));
  EXPECT_EQ(panel.lines.at(0).points.at(1).x, 7.0) << "the clock";
  const auto steps = drawn("stages", bench_document());
  EXPECT_NEAR(steps.panels[0].bars.at(1).values.at(0), 0.25, 1e-9) << "of a step what are no forces";
  const auto rungs = drawn("stages", ladder_document());
  ASSERT_EQ(rungs.panels[0].bars.size(), 3U);
  EXPECT_EQ(rungs.panels[0].bars[0].values.at(0), 0.75);
  EXPECT_EQ(rungs.panels[0].bars[1].values.at(0), 0.25) << "partial sums";
  EXPECT_EQ(rungs.panels[0].bars[2].values.at(0), 0.5);
  const auto shares = drawn("stages", pipeline_document(), {.quantity = "share"});
  double sum = 0.0;
  for (const auto& bars : shares.panels[0].bars) sum += bars.values[0];
  EXPECT_NEAR(sum, 100.0, 1e-9);
}

TEST(TimelineFigure, HasARowForEachStream) {
  const auto figure = drawn("timeline", timeline_document());
  const auto& panel = figure.panels.at(0);
  EXPECT_EQ(panel.y.categories, (std::vector<std::string>{"stream 0", "stream 1"}));
  ASSERT_EQ(panel.spans.size(), 3U);
  EXPECT_EQ(panel.spans[1].from, 1.0);
  EXPECT_EQ(panel.spans[1].to, 5.0);
  EXPECT_EQ(panel.spans[1].text, "7");
  EXPECT_EQ(panel.spans[2].row, 1.0);
}

TEST(EnergyFigure, ShowsTheSizeOrTheSign) {
  EXPECT_EQ(drawn("energy", energy_document()).panels[0].lines[0].points[1].y, 1e-5);
  const auto with_sign = drawn("energy", energy_document(), {.quantity = "signed"});
  EXPECT_EQ(with_sign.panels[0].lines[0].points[1].y, -1e-5);
  EXPECT_EQ(with_sign.panels[0].y.scale, plots::Scale::linear);
}

TEST(ErrorFigure, CountsHowManyAreBelow) {
  const auto figure = drawn("error", error_document("distribution"));
  const auto& points = figure.panels[0].lines[0].points;
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].x, 1e-7);
  EXPECT_EQ(points[1].y, 50.0);
  EXPECT_EQ(drawn("error", error_document("time")).panels[0].lines.size(), 2U);
  EXPECT_EQ(drawn("error", error_document("distance")).panels[0].lines[0].points[1].y, 1e-6);
}

TEST(OrbitsFigure, ShowsTheInnerPartBeside) {
  const auto figure = drawn("orbits", orbits_document());
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_TRUE(figure.panels[0].equal);
  EXPECT_EQ(figure.panels[0].x.label, "x, AU");
  EXPECT_EQ(figure.panels[1].title, "the inner part");
  EXPECT_LT(figure.panels[1].x.high, 2.0);
  const auto frame = plots::frames_of(figure).front();
  const double x_unit = frame.box.width / (frame.x.high - frame.x.low);
  const double y_unit = frame.box.height / (frame.y.high - frame.y.low);
  EXPECT_NEAR(x_unit, y_unit, 1e-9 * x_unit);
}

TEST(OrbitsFigure, ShowsAMoonAsSeenFromItsPlanet) {
  auto document = orbits_document();
  json moon{{"name", "Moon"}, {"mass", 1e-9}, {"path", json::array()}};
  for (const auto& at : document["bodies"][1]["path"])
    moon["path"].push_back({at[0].get<double>() + 0.01, at[1], 0.0});
  document["bodies"].push_back(moon);
  const auto figure = drawn("orbits", document);
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[1].title, "as seen from Near");
  EXPECT_NEAR(figure.panels[1].lines.at(1).points.at(3).x, 0.01, 1e-9);
}

TEST(OrbitsFigure, RefusesPathsOfDifferentLengths) {
  auto document = orbits_document();
  document["bodies"][1]["path"].erase(0);
  EXPECT_THROW(drawn("orbits", document), sim::Error);
}

TEST(MapFigure, HasItsCellsFromTheBottom) {
  const auto figure = draw_documents(map_figure, {saved_map()}, {.quantity = "dark"});
  const auto& panel = figure.panels.at(0);
  EXPECT_EQ(panel.x.label, "x");
  EXPECT_EQ(panel.y.label, "z");
  EXPECT_EQ(panel.y.high, 2.0);
  const auto frame = plots::frames_of(figure).front();
  const auto fullest = test::boxes_of(test::paths_of(plots::svg_of(figure)), plots::sequential(1.0));
  ASSERT_FALSE(fullest.empty());
  EXPECT_NEAR(fullest[0].x, frame.at({0.0, 1.0}).x, 0.05);
  EXPECT_NEAR(fullest[0].y, frame.at({0.0, 1.0}).y, 0.05) << "the second cell of the lowest row";
  auto wrong = saved_map();
  wrong["box"]["left"] = nullptr;
  EXPECT_THROW(draw_documents(map_figure, {wrong}, {.quantity = "dark"}), sim::Error);
  auto cut = saved_map();
  cut["cells"].erase(0);
  EXPECT_THROW(draw_documents(map_figure, {cut}, {.quantity = "dark"}), sim::Error);
}

TEST(SavedFiles, AreReadAndRefused) {
  const test::TemporaryFolder folder;
  const auto& kind = find_figure_kind("scaling");
  const auto file = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  const auto good = file("good.json", bench_document().dump());
  EXPECT_EQ(read_documents(kind, {good, good}).size(), 2U);
  EXPECT_EQ(read_documents(kind, {file("list.json", json{bench_document(), bench_document()}.dump())}).size(),
            2U);
  EXPECT_THROW(read_documents(kind, {file("cut.json", bench_document().dump().substr(0, 40))}), sim::Error);
  EXPECT_THROW(read_documents(kind, {file("empty.json", "")}), sim::Error);
  EXPECT_THROW(read_documents(kind, {file("list0.json", "[]")}), sim::Error);
  EXPECT_THROW(read_documents(kind, {file("number.json", "7")}), sim::Error);
  EXPECT_THROW(read_documents(kind, {file("other.json", sweep_document(true).dump())}), sim::Error);
  EXPECT_THROW(read_documents(kind, {(folder / "none.json").string()}), sim::UsageError);
  EXPECT_THROW(read_documents(kind, {folder.path().string()}), sim::UsageError);
}

}  // namespace
}  // namespace orrery::lab
