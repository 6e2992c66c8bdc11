#pragma once

#include <optional>

#include "app/panels/film_choice.h"
#include "app/session/session.h"
#include "app/window/camera_operator.h"
#include "app/window/messages.h"
#include "app/window/recorder.h"
#include "app/window/saved_files.h"

namespace orrery::app {

/// The films that a person makes of what the window shows, each in a new file among the pictures.
class Films {
 public:
  Films(Session& session, Messages& messages, const SavedFiles& files, CameraOperator& camera);

  /// Begins a film, or ends the one under way.
  void toggle();
  /// A film along the camera path.
  void record_path();
  /// After the window's own picture: the next frame of the film, if it is there. Another context may be
  /// current afterwards.
  void update();
  /// Completes the film, and waits for it.
  void finish();

  bool records() const { return recorder_.records(); }
  bool busy() const { return recorder_.busy(); }
  FilmStatus status() const { return recorder_.status(); }

  FilmChoice choice;  ///< the next one, and the next picture

 private:
  void start(std::optional<std::uint64_t> frames);
  void say(const Recorder::RecorderEvent& event);

  Session& session_;
  Messages& messages_;
  const SavedFiles& files_;
  CameraOperator& camera_;
  Recorder recorder_;
};

}  // namespace orrery::app
