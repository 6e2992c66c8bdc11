#include "app/window/headless_demo.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "app/film/film_sink.h"
#include "app/film/film_writer.h"
#include "app/gui/gui.h"
#include "app/live/headline.h"
#include "app/picture/display_options.h"
#include "app/picture/look.h"
#include "app/picture/overlay_painter.h"
#include "app/picture/painter.h"
#include "app/session/loader.h"
#include "app/session/session.h"
#include "app/session/shared_names.h"
#include "app/window/demo_overlay.h"
#include "app/window/demo_slide.h"
#include "app/window/switch_banner.h"
#include "lab/ladders/ladders.h"
#include "lab/setup/paths.h"
#include "render/context/gl.h"
#include "render/context/headless_context.h"
#include "render/context/target.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/interrupt.h"
#include "sim/options/physics_options.h"

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
  loader.open(request, {});
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
    session_.camera = view_of(session_.summary(), View::fit);
    run_.start(wanted.demo, lab::find_ladders(table_, "all", {}), true);
  }

  void play() {
    if (!wanted_.film.output.empty()) return film();
    while (!sim::interrupted() && go_on(Clock::now())) std::this_thread::sleep_for(nap);
  }
  const DemoRun& run() const { return run_; }

 private:
  using Clock = DemoRun::Clock;

  /// False at the end.
  bool go_on(Clock::time_point now) {
    session_.update();
    switching_.update(session_, run_.sets_the_scene() ? Switching::Quiet::now : Switching::Quiet::no, now);
    now_ = now;
    run_.update(session_, switching_, {.room = [this] { return room(); }, .leave = [this] { leave(); }}, now);
    return run_.running();
  }

  /// All goes by the time of the film, in which the simulation makes the same steps from frame to frame.
  void film() {
    FilmWriter film(wanted_.film);
    session_.hold(true);
    const auto start = Clock::now();
    auto next = start;
    while (!sim::interrupted() && go_on(next)) {
      if (!due(start)) {
        std::this_thread::sleep_for(nap);
        continue;
      }
      while (!film.has_room() && !film.has_failed()) film.wait_for_room();
      if (film.has_failed()) break;
      film.add(paint());
      film.update();
      next = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                         static_cast<double>(film.added()) / wanted_.film.rate));
      ask_for_next();
    }
    session_.hold(false);
    report(film);
  }

  /// A frame is drawn when its state is there, but not before its time: what is measured takes as long as in
  /// the window. A step that takes long holds nothing up: the state before is shown again.
  bool due(Clock::time_point start) {
    constexpr std::chrono::milliseconds longest_step{100};
    const auto now = Clock::now();
    const bool there = session_.is_up_to_date() && session_.frame().steps >= next_step_;
    return now - start >= now_ - start && (there || now - asked_ > longest_step);
  }

  void ask_for_next() {
    asked_ = Clock::now();
    if (session_.paused || session_.frame().steps < next_step_) return;
    const auto& settings = session_.configuration;
    const auto steps = steps_per_frame(sim::read_group<PaceOptions>(settings).speed,
                                       sim::physics_of(settings).time_step, wanted_.film.rate);
    next_step_ = session_.frame().steps + steps;
    session_.advance_held(steps);
  }

  static void report(FilmWriter& film) {
    const auto result = film.finish();
    const auto length = static_cast<double>(result.frames) / film.plan().rate;
    if (!result.problem.empty())
      throw sim::Error(fmt::format("the film ends after {} of {} frames: {}", result.frames, film.added(),
                                   result.problem));
    fmt::print("film: {} ({} frames, {:.3g} s)\n", result.file.string(), result.frames, length);
  }

  glm::vec2 size() const { return glm::vec2(target_.size()); }

  /// Free of the texts of now, which are laid out but not drawn.
  DemoRoom room() {
    constexpr std::chrono::milliseconds interval{50};
    const bool other_step = std::exchange(laid_out_step_, run_.current()) != run_.current();
    if (other_step || now_ - laid_out_ >= interval) lay_out();
    return free_room(cover_, size());
  }

  /// Below a chart the picture's texts begin at its left edge. Windows of Dear ImGui know their size in the
  /// second frame.
  void lay_out() {
    laid_out_ = now_;
    gui_.set_hall(size());
    overlay_.write(session_.picture(), session_.legend(), target_.size());
    for (int k = 0; k < 2; ++k) gui_.frame(size(), target_.size(), [this] { draw_texts(); });
  }

  void leave() {
    if (const auto& row = run_.present())
      fmt::print(stderr, "{}: {}\n", row->step,
                 row->refusal.empty() ? one_line(headline_of(session_, switching_.watch())) : row->refusal);
    keep_picture(run_.step().name);
  }

  void keep_picture(const std::string& step) {
    if (wanted_.pictures.empty()) return;
    const auto name = fmt::format("{:02}-{}.png", run_.current() + 1, step);
    const auto path = write_picture(wanted_.pictures / name, paint().read(), session_.view_state());
    fmt::print("picture: {}\n", path.string());
  }

  const render::PictureTarget& paint() {
    const glm::ivec2 size = target_.size();
    const float left = demo_covers(run_, glm::vec2(size));
    auto picture = session_.picture(static_cast<double>(left / static_cast<float>(size.x)));
    picture.repeatable = true;
    if (!wanted_.film.output.empty()) picture.film_seconds = 1.0 / wanted_.film.rate;
    painter_.draw(picture, target_);
    session_.mark_drawn();
    overlay_.draw(picture, session_.legend(), target_.framebuffer(), size);
    lay_out();
    gui_.draw(target_.framebuffer());
    return target_;
  }

  void draw_texts() {
    const float left = demo_covers(run_, size());
    draw_demo_slide(run_, session_, false, widgets_, now_);
    const DemoFoot foot{left, overlay_.legend()};
    cover_ = {.left = left, .bottom = draw_demo(foot, run_, false, widgets_, now_)};
    if (run_.playing() && run_.step().closing) return;
    if (run_.measures())
      cover_.top = draw_heads_up(scale_, 0.0F, headline_of(session_, switching_.watch()), widgets_);
    cover_.top = std::max(cover_.top, draw_switch_banner(left, 64.0F * scale_, scale_, switching_,
                                                         session_.paused, false, widgets_, now_));
  }

  const HeadlessDemo& wanted_;
  sim::OptionTable table_;
  Session session_;
  Switching switching_;
  DemoRun run_;
  render::PictureTarget target_{{wanted_.size.width, wanted_.size.height}};
  float scale_ = static_cast<float>(wanted_.size.height) / reference_height;
  Painter painter_;
  OverlayPainter overlay_;
  Gui gui_{scale_};
  WidgetMap widgets_;
  Clock::time_point now_ = Clock::now();  ///< time of the demonstration, which a film advances frame by frame
  DemoCover cover_;                       ///< by the texts that were laid out last
  Clock::time_point laid_out_{};
  std::size_t laid_out_step_ = 0;
  Clock::time_point asked_{};  ///< time for which the step of the next frame was requested
  std::uint64_t next_step_ = 0;
};

void write_table(const std::string& file, const std::vector<DemoResult>& results) {
  const auto text = demo_csv(results);
  if (file == "-") {
    fmt::print("{}", text);
  } else if (!file.empty()) {
    sim::FileWriter writer(file, sim::for_named_outputs());
    writer.write(text);
    writer.finish();
    fmt::print("table: {}\n", file);
  }
}

}  // namespace

int play_without_window(const HeadlessDemo& wanted) {
  // Before anything is measured: what cannot be written.
  if (!wanted.table.empty() && wanted.table != "-") sim::FileWriter(wanted.table, sim::for_named_outputs());
  if (!wanted.pictures.empty()) lab::make_folder(wanted.pictures);
  if (!wanted.film.output.empty()) require_free(wanted.film.output);
  const auto context = open_context(wanted.size);
  Stage stage(wanted);
  stage.play();
  write_table(wanted.table, stage.run().results());
  return 0;
}

}  // namespace orrery::app
