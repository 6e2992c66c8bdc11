#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/film/film_sink.h"
#include "render/context/frame_ring.h"

namespace orrery::app {

/// Writes a film while it is drawn: pictures come from the GPU through a ring of pixel buffers, and a thread
/// hands them to the sink. Nothing here waits but finish().
class FilmWriter {
 public:
  /// A settled plan. Needs a current context. Throws sim::Error and render::Error.
  explicit FilmWriter(const FilmPlan& plan);
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;
  ~FilmWriter();  ///< finish()

  const FilmPlan& plan() const { return plan_; }
  /// True if a picture can be added now: the encoder keeps up.
  bool has_room() const { return ring_.has_room(); }
  /// The next frame: a picture of the plan's size; there must be room.
  void add(const render::PictureTarget& picture);
  /// Hands over what has arrived. Once a frame of the window.
  void update();
  /// Waits, at most a little, until there is room.
  void wait_for_room();
  std::uint64_t added() const { return added_; }
  /// True if the sink takes no more: finish() says why.
  bool has_failed() const;

  /// No more frames: the thread completes the film when it has written all. update() goes on.
  void end();
  /// The result, once the film is complete.
  std::optional<FilmResult> result() const;
  /// end(), and waits.
  FilmResult finish();

 private:
  void run();
  std::optional<render::ArrivedFrame> next();

  FilmPlan plan_;
  render::FrameRing ring_;
  std::unique_ptr<FilmSink> sink_;
  std::uint64_t added_ = 0;
  bool ending_ = false;

  mutable std::mutex mutex_;
  std::condition_variable wake_;  ///< the thread
  std::condition_variable room_;  ///< signals free space and the end
  std::deque<render::ArrivedFrame> arrived_;
  bool no_more_ = false;  ///< all have arrived
  bool failed_ = false;
  std::optional<FilmResult> result_;

  std::thread thread_;
};

}  // namespace orrery::app
