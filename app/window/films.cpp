#include "app/window/films.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/log.h"
#include "app/picture/look.h"
#include "app/session/session.h"
#include "app/session/shared_names.h"
#include "app/window/camera_operator.h"
#include "app/window/messages.h"
#include "app/window/saved_files.h"
#include "lab/setup/paths.h"
#include "sim/core/counted.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

void Recorder::start(const FilmPlan& plan, Session& session, std::optional<std::uint64_t> frames) {
  plan_ = plan;
  target_ = std::make_unique<render::PictureTarget>(plan.size);
  painter_ = std::make_unique<Painter>();
  overlay_ = std::make_unique<OverlayPainter>();
  film_ = std::make_unique<FilmWriter>(plan);
  ends_ = false;
  wanted_ = frames;
  openings_ = session.openings();
  resets_ = session.frame().resets;
  const auto& settings = session.configuration;
  stride_ = steps_per_frame(sim::read_group<PaceOptions>(settings).speed, sim::physics_of(settings).time_step,
                            plan.rate);
  session.hold(true);
  // Where the simulation has stopped shows with one more step.
  in_step_ = session.paused;
  if (!in_step_) session.advance_held(1);
  next_step_ = session.frame().steps;
  spent_ms_ = longest_ms_ = 0.0;
  start_ = Clock::now();
  last_ = {};
}

void Recorder::stop(Session& session) {
  if (!records()) return;
  ends_ = true;
  film_->end();
  session.hold(false);
}

FilmStatus Recorder::status() const {
  FilmStatus status{.records = records(), .ends = busy() && ends_, .rate = plan_.rate};
  if (!busy()) return status;
  status.frames = film_->added();
  status.wanted = wanted_;
  if (wanted_ && status.frames > 0) {
    const double spent = std::chrono::duration<double>(Clock::now() - start_).count();
    status.seconds_left = spent * static_cast<double>(*wanted_ - std::min(*wanted_, status.frames)) /
                          static_cast<double>(status.frames);
  }
  return status;
}

/// While time stands still a film goes on as fast as the window: the camera may move.
bool Recorder::wants_frame(const Session& session) const {
  if (!records() || !film_->has_room() || film_->has_failed()) return false;
  if (session.paused)
    return std::chrono::duration<double>(Clock::now() - last_).count() >= 0.9 * frame_seconds();
  return in_step_ && session.frame().steps >= next_step_;
}

void Recorder::take_frame(Session& session) {
  const auto begin = Clock::now();
  const auto picture = session.picture();
  painter_->draw(picture, *target_);
  session.mark_drawn();
  overlay_->draw(picture, session.legend(), target_->framebuffer(), plan_.size);
  film_->add(*target_);
  ask_for_next(session);
  last_ = Clock::now();
  const double ms = std::chrono::duration<double, std::milli>(last_ - begin).count();
  spent_ms_ += ms;
  // The first one also makes what all need.
  if (film_->added() > 1) longest_ms_ = std::max(longest_ms_, ms);
  if (wanted_ && film_->added() >= *wanted_) stop(session);
}

void Recorder::ask_for_next(Session& session) {
  if (session.paused) return;
  next_step_ = session.frame().steps + stride_;
  session.advance_held(stride_);
}

std::optional<Recorder::RecorderEvent> Recorder::update(Session& session) {
  if (!busy()) return std::nullopt;
  film_->update();
  if (!in_step_ && session.is_up_to_date() && !session.is_advancing()) {
    in_step_ = true;
    next_step_ = session.frame().steps;
  }
  if (session.frame().resets != resets_) {
    resets_ = session.frame().resets;
    next_step_ = session.frame().steps;
  }
  if (film_->has_failed() || session.openings() != openings_) stop(session);
  // A person who paused and goes on again.
  const bool nothing_asked = records() && !session.paused && !session.is_advancing();
  if (nothing_asked && in_step_ && session.frame().steps < next_step_)
    session.advance_held(next_step_ - session.frame().steps);
  const auto result = film_->result();
  if (!result) return std::nullopt;
  return conclude(*result);
}

std::optional<Recorder::RecorderEvent> Recorder::finish(Session& session) {
  if (!busy()) return std::nullopt;
  stop(session);
  return conclude(film_->finish());
}

Recorder::RecorderEvent Recorder::conclude(const FilmResult& result) {
  const auto frames = film_->added();
  if (frames > 0)
    log_info(fmt::format("recording took {:.2f} ms of a frame of the window, at most {:.2f} ms ({}, {}x{})",
                         spent_ms_ / static_cast<double>(frames), longest_ms_,
                         sim::counted(frames, "frame", "frames"), plan_.size.x, plan_.size.y));
  RecorderEvent news{.failed = !result.problem.empty(), .file = result.file};
  const auto said = fmt::format("{} ({})", sim::counted(result.frames, "frame", "frames"),
                                film_time(result.frames, plan_.rate));
  if (news.failed)
    news.text = fmt::format("the film ended: {}; {} of {} are kept{}", result.problem, result.frames, frames,
                            result.file.empty() ? "" : " in " + result.file.string());
  else if (!is_film_file(result.file))
    news.text = fmt::format("{}; join them with: {}", said, joining_hint(plan_, result.file));
  else
    news.text = said;
  film_.reset();
  overlay_.reset();
  painter_.reset();
  target_.reset();
  return news;
}

Films::Films(Session& session, Messages& messages, const SavedFiles& files, CameraOperator& camera)
    : session_(session), messages_(messages), files_(files), camera_(camera) {}

void Films::toggle() {
  if (recorder_.records())
    recorder_.stop(session_);
  else
    start(std::nullopt);
}

void Films::record_path() {
  if (session_.path.empty() || recorder_.busy()) return;
  const auto frames = static_cast<std::uint64_t>(std::llround(session_.path.duration() * choice.rate)) + 1;
  start(frames);
  if (recorder_.records()) camera_.play();
}

void Films::start(std::optional<std::uint64_t> frames) try {
  if (!session_.has_dataset()) return;
  if (recorder_.busy()) return messages_.say("the film before is still being completed");
  if (session_.replay_target()) return messages_.say("a film can begin when the state is reached");
  if (session_.playback() != nullptr)
    return messages_.say("orrery render makes the film of a series: orrery render SERIES --record FILE");
  lab::make_folder(files_.folder());
  FilmPlan plan{.size = choice.film_size, .rate = choice.rate};
  plan.output =
      lab::next_free_name(files_.folder(), lab::file_stem(session_.scene().title) + "-film", choice.kind);
  settle_film(plan);
  plan.comment = state_text(session_.view_state(), plan.output);
  const auto possible = possible_plan(plan);
  recorder_.start(possible, session_, frames);
  if (possible.output != plan.output) messages_.say("no program ffmpeg: the frames are kept as PNG files");
} catch (const std::exception& error) {
  messages_.show_problem(error.what());
}

void Films::update() try {
  if (recorder_.wants_frame(session_)) {
    recorder_.take_frame(session_);
    camera_.advance(recorder_.frame_seconds());
  }
  if (const auto event = recorder_.update(session_)) say(*event);
} catch (const std::exception& error) {
  recorder_.stop(session_);
  messages_.show_problem(error.what());
}

void Films::finish() {
  if (const auto event = recorder_.finish(session_)) say(*event);
}

void Films::say(const Recorder::RecorderEvent& event) {
  if (event.failed) return messages_.show_problem(event.text);
  messages_.confirm("film", event.file);
  log_info(event.text);
}

}  // namespace orrery::app
