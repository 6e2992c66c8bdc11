#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/serve/audience.h"
#include "app/serve/video_encoder.h"

namespace orrery::app::serve {

/// Encodes the pictures of the window on a thread of its own and sends them to the audience: as video while
/// they change, and without loss once they have stood still. The thread that draws never waits for it.
class Broadcaster {
 public:
  /// `audience` must outlive the broadcaster.
  explicit Broadcaster(Audience& audience);
  ~Broadcaster();
  Broadcaster(const Broadcaster&) = delete;
  Broadcaster& operator=(const Broadcaster&) = delete;

  /// True if a picture would be looked at now: somebody has room for one, or waits for a screenshot.
  bool wants_picture() const;
  /// Takes the newest picture; one that still waits is given back unseen. `give_back` is called once, from
  /// any thread, when the bytes are no longer read.
  void take(const RawPicture& picture, std::function<void()> give_back);
  /// Gives back the picture that waits and forgets the last one; none is read afterwards until the next take.
  void forget();

  /// Calls `take` on the broadcaster's thread with the PNG of the next picture.
  using TakePng = std::function<void(std::vector<std::byte>)>;
  void request_screenshot(TakePng take);

  /// Why pictures can no longer be encoded; empty while they can.
  std::string problem() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    RawPicture picture;
    std::function<void()> give_back;
  };

  void work();
  std::optional<Waiting> next();
  void look_at(const RawPicture& picture);
  std::uint32_t milliseconds() const;  ///< since the server began
  bool differs(const RawPicture& picture) const;
  void keep(const RawPicture& picture);
  RawPicture kept() const { return {size_, last_}; }
  void send_video(const RawPicture& picture);
  void send_jpeg(const RawPicture& picture);
  void send_still();
  void answer_screenshots(const RawPicture& picture);

  Audience& audience_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Waiting> waiting_;
  std::vector<TakePng> screenshots_;
  bool working_ = false;  ///< a picture is being read
  bool ending_ = false;
  std::string problem_;

  // Of the broadcaster's thread.
  VideoEncoder video_;
  std::vector<std::byte> last_;  ///< the newest picture
  glm::ivec2 size_{0};
  std::uint64_t number_ = 0;       ///< number of the newest picture
  std::uint64_t sent_in_vp9_ = 0;  ///< the newest picture that the video has
  std::uint64_t sent_in_jpeg_ = 0;
  std::uint64_t still_number_ = 0;  ///< the picture that still_ is of
  std::shared_ptr<const Outgoing> still_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point changed_{};
  Clock::time_point last_key_{};

  std::thread thread_;
};

/// The head of a picture message, 32 bytes, little-endian, before the bytes of the picture:
/// kind (1 byte: 1 key frame of VP9, 2 VP9, 3 JPEG, 4 PNG), 3 bytes of zeros, number (u32), left, top, width
/// and height of the part of the window that it shows, then width and height of the window (u16 each), bytes
/// of the picture (u32), bytes of the draw lists after it (u32, 0), milliseconds since the server began
/// (u32).
std::string picture_head(int kind, std::uint64_t number, glm::ivec2 window, std::size_t bytes,
                         std::uint32_t milliseconds);

}  // namespace orrery::app::serve
