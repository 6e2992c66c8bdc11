#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "app/film/film_writer.h"
#include "app/panels/panel_state.h"
#include "app/picture/overlay_painter.h"
#include "app/picture/painter.h"

namespace orrery::app {

class CameraOperator;
class Messages;
class SavedFiles;
class Session;

/// Makes films of what the window shows, at a size of their own. While it records the simulation goes from
/// frame to frame of the film: each shows the same simulated time more, however long the steps and the
/// encoder take. Nothing here waits, but for the end of the program.
class Recorder {
 public:
  /// An event of the recorder, for a message.
  struct RecorderEvent {
    bool failed = false;
    std::string text;
    std::filesystem::path file;  ///< empty: there is none
  };

  /// Begins a film of the session, of that many frames where that is known. Throws sim::Error and
  /// render::Error.
  void start(const FilmPlan& plan, Session& session, std::optional<std::uint64_t> frames);
  /// No more frames; the film is completed meanwhile.
  void stop(Session& session);
  bool records() const { return film_ != nullptr && !ends_; }
  bool busy() const { return film_ != nullptr; }
  FilmStatus status() const;

  /// True if the next frame is to be drawn now: the state is there, and there is room for it.
  bool wants_frame(const Session& session) const;
  /// Draws the next frame of the film.
  void take_frame(Session& session);
  /// Call once per frame of the window. What there is to say, if the film has ended.
  std::optional<RecorderEvent> update(Session& session);
  /// Completes the film, and waits for it.
  std::optional<RecorderEvent> finish(Session& session);

  /// Seconds from frame to frame of the film.
  double frame_seconds() const { return 1.0 / plan_.rate; }

 private:
  using Clock = std::chrono::steady_clock;
  void ask_for_next(Session& session);
  RecorderEvent conclude(const FilmResult& result);

  FilmPlan plan_;
  std::unique_ptr<FilmWriter> film_;
  std::unique_ptr<render::PictureTarget> target_;
  std::unique_ptr<Painter> painter_;
  std::unique_ptr<OverlayPainter> overlay_;
  bool ends_ = false;
  std::optional<std::uint64_t> wanted_;
  std::uint64_t stride_ = 1;     ///< steps from frame to frame
  bool in_step_ = false;         ///< the simulation has stopped, and goes from frame to frame
  std::uint64_t next_step_ = 0;  ///< step that the next frame shows
  std::uint64_t openings_ = 0;   ///< Session's count of opened datasets when the film began
  std::uint64_t resets_ = 0;
  Clock::time_point start_{};
  Clock::time_point last_{};
  double spent_ms_ = 0.0;  ///< time that all frames of the window took so far
  double longest_ms_ = 0.0;
};

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
