#pragma once

#include <memory>
#include <optional>

#include "app/film/film_writer.h"
#include "app/picture/camera_follower.h"
#include "app/run/job.h"
#include "app/run/stage.h"
#include "render/picture/camera_path.h"

namespace orrery::app {

/// The steps that a film shows: the same simulated time passes from each frame to the next.
struct FilmTiming {
  std::uint64_t first_step = 0;
  std::uint64_t stride = 1;  ///< steps from frame to frame; 0: time stands still
  std::uint64_t frames = 1;

  std::uint64_t last_step() const { return first_step + stride * (frames - 1); }
  /// The number of frames that show this step.
  std::uint64_t frames_of(std::uint64_t step) const;
};

/// Checks what was asked for, before anything is computed. Throws sim::UsageError.
void check_film(RenderOptions& options);

/// Begins at the job's step. Without a number of frames the film is as long as its camera path, or 10 s.
FilmTiming film_timing(const FilmOptions& options, const RenderJob& job);

/// Draws the frames of a film while a simulation goes on, and hands them to a FilmWriter.
class FilmShoot {
 public:
  /// Needs a current context. `job` must outlive it. Throws sim::Error, sim::UsageError and render::Error.
  FilmShoot(const RenderOptions& options, const FilmTiming& timing, RenderJob& job);

  /// The frames of a step, which the stage has taken. Throws sim::Error if the film cannot go on; what there
  /// is is whole then. Ends early when a person interrupts.
  void take(RenderStage& stage, const sim::Engine& engine);
  /// Completes the film and says what it is, on standard output. Throws sim::Error where it is not all that
  /// was drawn.
  void finish();
  /// Completes the film of a run that failed. Throws `failure` with what is kept of it, or as it is where it
  /// is of the film itself.
  [[noreturn]] void end_with(const sim::Error& failure);
  std::uint64_t taken() const { return film_->added(); }

 private:
  void move_camera(RenderStage& stage);
  void take_frame(RenderStage& stage);
  [[noreturn]] void give_up();
  std::string ending(const FilmResult& result) const;

  FilmPlan wanted_;
  FilmTiming timing_;
  RenderJob& job_;
  render::CameraPath path_;
  std::optional<CameraFollower> follower_;  ///< of --path follow
  PictureMaker maker_;
  std::unique_ptr<FilmWriter> film_;
  bool gave_up_ = false;
};

}  // namespace orrery::app
