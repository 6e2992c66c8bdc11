#pragma once

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
#include "app/serve/panel_lists.h"
#include "app/serve/picture_message.h"
#include "app/serve/video_encoder.h"

namespace orrery::app::serve {

/// A frame of the window.
struct WindowFrame {
  RawPicture picture;
  glm::ivec2 window{0};                     ///< size of the window, which the picture fills
  std::shared_ptr<const PanelLists> panel;  ///< null: the panel is part of the picture
};

/// Encodes the frames of the window on a thread of its own and sends them to the audience: pictures as video
/// while they change, and without loss once they have stood still; the panel as lists where all browsers draw
/// it themselves. The thread that draws never waits for it.
class Broadcaster {
 public:
  /// `audience` must outlive the broadcaster.
  explicit Broadcaster(Audience& audience);
  ~Broadcaster();
  Broadcaster(const Broadcaster&) = delete;
  Broadcaster& operator=(const Broadcaster&) = delete;

  /// True if a picture would be looked at now: somebody has room for one, or waits for a screenshot.
  bool wants_picture() const;
  /// True if the next frame shall have the panel in its picture: for a screenshot, or for a browser that does
  /// not draw it.
  bool wants_panel_in_picture() const;
  /// Takes the newest frame; one that still waits is given back unseen. `give_back` is called once, from any
  /// thread, when the bytes of its picture are no longer read.
  void take(WindowFrame frame, std::function<void()> give_back);
  /// Gives back the picture that waits, and the memory for pictures of its size; none is read afterwards
  /// until the next take.
  void forget();

  /// Calls `take` on the broadcaster's thread with the PNG of a picture that is drawn from now on. All who
  /// ask within a second share one.
  using TakePng = std::function<void(std::shared_ptr<const std::vector<std::byte>>)>;
  void request_screenshot(TakePng take);
  /// Nobody waits for a picture any more; none of what they gave is called afterwards.
  void drop_screenshots();

  /// Why pictures can no longer be encoded; empty while they can.
  std::string problem() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    WindowFrame frame;
    std::function<void()> give_back;
  };

  void work();
  std::optional<Waiting> next();
  bool screenshot_is_due() const;
  void look_at(const WindowFrame& frame);
  std::uint32_t milliseconds() const;  ///< since the server began
  bool differs(const RawPicture& picture) const;
  bool keep(const WindowFrame& frame);
  RawPicture kept() const { return {size_, last_}; }
  /// The pictures and lists that the browsers of one codec have.
  struct Stream {
    Codec codec;
    std::uint64_t number = 0;  ///< the newest picture that was sent
    std::uint64_t view = 0;    ///< the newest view that was sent
    std::uint64_t lists = 0;   ///< the newest lists that were sent
    bool in_lists = false;     ///< the panel was sent in lists
    PanelEncoder panel{};
  };
  void send_to(Stream& stream);
  /// The bytes of the view for a codec; empty: the encoder keeps it back.
  std::vector<std::byte> encode(const Stream& stream, bool key, PictureHead& head);
  void send_still();
  void answer_screenshots(const RawPicture& picture);

  Audience& audience_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Waiting> waiting_;
  std::vector<TakePng> screenshots_;
  Clock::time_point answered_{};  ///< when the last screenshot was made
  bool owes_frame_ = false;       ///< the last frame was for a screenshot alone
  bool working_ = false;          ///< a picture is being read
  bool ending_ = false;
  std::string problem_;

  // Of the broadcaster's thread while it works.
  VideoEncoder video_;
  std::vector<std::byte> last_;  ///< the newest view, without the panel where that is in lists
  glm::ivec2 size_{0};
  glm::ivec2 window_{0};
  std::shared_ptr<const PanelLists> panel_;
  std::uint64_t number_ = 0;  ///< of the newest picture: of a view and a panel
  std::uint64_t view_ = 0;    ///< of the newest view
  std::uint64_t lists_ = 0;   ///< of the newest lists
  Stream vp9_{Codec::vp9};
  Stream jpeg_{Codec::jpeg};
  std::uint64_t still_view_ = 0;  ///< the view that still_ is of
  std::vector<std::byte> still_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point changed_{};
  Clock::time_point last_key_{};

  std::thread thread_;
};

}  // namespace orrery::app::serve
