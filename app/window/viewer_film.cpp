#include "app/window/viewer.h"

#include <cmath>

#include "app/log.h"
#include "lab/setup/paths.h"

// Films of what the window shows.
namespace orrery::app {

FilmDesk Viewer::film_desk() {
  return {.choice = film_choice_,
          .record = [this] { toggle_recording(); },
          .record_path = [this] { record_path(); },
          .play = [this] { toggle_playing(); },
          .add_key = [this] { add_key(); },
          .lay = [this](const std::string& preset) { lay_path(preset); },
          .go_to_bookmark = [this](int number) { go_to_bookmark(number); },
          .keep_bookmark = [this](int number) { keep_bookmark(number); },
          .go_to = [this](const render::Camera& camera) { director_.glide(camera, session_.camera); }};
}

void Viewer::toggle_recording() {
  if (recorder_.records())
    recorder_.stop(session_);
  else
    start_recording(std::nullopt);
}

void Viewer::record_path() {
  if (session_.path.empty() || recorder_.busy()) return;
  const auto frames =
      static_cast<std::uint64_t>(std::llround(session_.path.duration() * film_choice_.rate)) + 1;
  start_recording(frames);
  if (recorder_.records()) director_.play(session_.path, session_.camera);
}

/// Into a new file among the pictures.
void Viewer::start_recording(std::optional<std::uint64_t> frames) try {
  if (!session_.has_dataset()) return;
  if (recorder_.busy()) return say("the film before is still being completed");
  if (session_.replay_target()) return say("a film can begin when the state is reached");
  if (session_.playback() != nullptr)
    return say("orrery render makes the film of a series: orrery render SERIES --record FILE");
  lab::make_folder(output_folder());
  FilmPlan plan{.size = film_choice_.film_size, .rate = film_choice_.rate};
  plan.output = lab::next_free_name(output_folder(), lab::file_stem(session_.scene().title) + "-film",
                                    film_choice_.kind);
  settle_film(plan);
  plan.comment = state_text(session_.view_state(), plan.output);
  const auto possible = possible_plan(plan);
  recorder_.start(possible, session_, frames);
  if (possible.output != plan.output) say("no program ffmpeg: the frames are kept as PNG files");
} catch (const std::exception& error) {
  show_problem(error.what());
}

/// After the window's own picture: the next frame of the film, if it is there.
void Viewer::update_film() try {
  if (recorder_.wants_frame(session_)) {
    recorder_.take_frame(session_);
    if (director_.moves()) director_.advance(recorder_.frame_seconds(), session_.camera);
  }
  if (const auto news = recorder_.update(session_)) say_of_film(*news);
  if (recorder_.busy()) last_change_ = Clock::now();
  gui_.make_current();
} catch (const std::exception& error) {
  gui_.make_current();
  recorder_.stop(session_);
  show_problem(error.what());
}

void Viewer::say_of_film(const Recorder::RecorderEvent& news) {
  if (news.failed) return show_problem(news.text);
  confirm("film", news.file);
  log_info(news.text);
}

}  // namespace orrery::app
