#include "app/window/films.h"
#include "app/session/shared_names.h"

#include <cmath>

#include "app/log.h"
#include "lab/setup/paths.h"

namespace orrery::app {

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
