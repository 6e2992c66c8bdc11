#include "app/window/headless_demo.h"

#include <fmt/format.h>
#include <imgui.h>

#include <memory>
#include <thread>

#include "app/gui/gui.h"
#include "app/live/headline.h"
#include "app/picture/display_options.h"
#include "app/picture/overlay_painter.h"
#include "app/picture/painter.h"
#include "app/session/loader.h"
#include "app/session/session.h"
#include "app/window/demo_overlay.h"
#include "app/window/switch_banner.h"
#include "lab/ladders/ladders.h"
#include "lab/setup/paths.h"
#include "render/gl.h"
#include "render/headless_context.h"
#include "render/target.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/interrupt.h"

namespace orrery::app {

namespace {

constexpr float reference_height = 720.0F;
/// Between looks at the simulation.
constexpr std::chrono::milliseconds nap{4};

std::unique_ptr<render::HeadlessContext> open_context(PictureSize size) {
  auto context = std::make_unique<render::HeadlessContext>();
  render::load_gl(render::HeadlessContext::loader);
  render::check_framebuffer_size({size.width, size.height});
  return context;
}

LoadedDataset load(const lab::DatasetRequest& request) {
  Loader loader;
  loader.open(request);
  for (std::string problem;;) {
    if (auto loaded = loader.take(problem)) return std::move(*loaded);
    if (!problem.empty()) throw sim::Error(problem);
    sim::stop_if_interrupted();
    std::this_thread::sleep_for(nap);
  }
}

/// All that plays: the session and who watches it.
class Stage {
 public:
  explicit Stage(const HeadlessDemo& wanted)
      : wanted_(wanted), table_(all_options()), session_(table_, wanted.assignments), switching_(table_) {
    session_.open(load(wanted.dataset));
    fit();
    run_.start(wanted.demo, lab::find_ladders(table_, "all", {}), true);
  }

  void play() {
    while (!sim::interrupted()) {
      session_.update();
      switching_.update(session_, run_.sets_the_scene());
      run_.update(session_, switching_, {.fit = [this] { fit(); }, .leave = [this] { leave(); }},
                  DemoRun::Clock::now());
      if (!run_.running()) return;
      std::this_thread::sleep_for(nap);
    }
  }
  const DemoRun& run() const { return run_; }

 private:
  void fit() {
    const auto aspect = static_cast<double>(wanted_.size.width) / wanted_.size.height;
    const bool moved = session_.frame().steps > 0;
    session_.camera = view_of(moved ? session_.summary_now() : session_.summary(), View::fit, aspect);
  }

  void leave() {
    const auto& row = run_.results().back();
    fmt::print(stderr, "{}: {}\n", row.step,
               row.refusal.empty() ? one_line(headline_of(session_, switching_.watch())) : row.refusal);
    if (wanted_.pictures.empty()) return;
    const auto name = fmt::format("{:02}-{}.png", run_.current() + 1, row.step);
    const auto path = write_picture(wanted_.pictures / name, draw(), session_.view_state());
    fmt::print("picture: {}\n", path.string());
  }

  render::Image draw() {
    const glm::ivec2 size(wanted_.size.width, wanted_.size.height);
    const render::PictureTarget target(size);
    auto picture = session_.picture();
    picture.repeatable = true;
    painter_.draw(picture, target.framebuffer(), size);
    session_.mark_drawn();
    OverlayPainter().draw(picture, session_.legend(), target.framebuffer(), size);
    const float scale = static_cast<float>(size.y) / reference_height;
    Gui gui(scale);
    // Windows of Dear ImGui know their size in the second frame.
    for (int k = 0; k < 2; ++k) gui.frame(glm::vec2(size), size, [&] { draw_texts(scale); });
    gui.draw(target.framebuffer());
    return target.read();
  }

  void draw_texts(float scale) {
    draw_heads_up(scale, headline_of(session_, switching_.watch()), widgets_);
    draw_switch_banner(0.0F, 64.0F * scale, scale, switching_, session_.paused, widgets_);
    draw_demo(0.0F, scale, run_, false, widgets_);
  }

  const HeadlessDemo& wanted_;
  sim::OptionTable table_;
  Session session_;
  Switching switching_;
  DemoRun run_;
  Painter painter_;
  WidgetMap widgets_;
};

void write_table(const std::string& file, const std::vector<DemoResult>& results) {
  const auto text = demo_csv(results);
  if (file == "-") {
    fmt::print("{}", text);
  } else if (!file.empty()) {
    sim::FileWriter writer(file, sim::Existing::keep);
    writer.write(text);
    writer.finish();
    fmt::print("table: {}\n", file);
  }
}

}  // namespace

int play_without_window(const HeadlessDemo& wanted) {
  // Before anything is measured: what cannot be written.
  if (!wanted.table.empty() && wanted.table != "-") sim::FileWriter(wanted.table, sim::Existing::keep);
  if (!wanted.pictures.empty()) lab::make_folder(wanted.pictures);
  const auto context = open_context(wanted.size);
  Stage stage(wanted);
  stage.play();
  write_table(wanted.table, stage.run().results());
  return 0;
}

}  // namespace orrery::app
