#include "app/serve/broadcaster.h"

#include <cstring>
#include <utility>

#include "sim/core/threads.h"

namespace orrery::app::serve {

namespace {

using namespace std::chrono_literals;

constexpr auto still_after = 150ms;
/// A browser that lost its place waits so long for a key frame, while others watch: key frames are large.
constexpr auto key_interval = 700ms;
constexpr int jpeg_quality = 80;
/// Screenshots are made so often at most, however many ask: each costs others a frame.
constexpr auto screenshot_interval = 1s;

}  // namespace

Broadcaster::Broadcaster(Audience& audience)
    : audience_(audience), thread_(sim::start_thread("encoding pictures", [this] { work(); })) {}

Broadcaster::~Broadcaster() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
  forget();
}

bool Broadcaster::wants_picture() const {
  {
    const std::lock_guard lock(mutex_);
    if (!problem_.empty()) return false;
    if (screenshot_is_due()) return true;
    if (waiting_) return false;
  }
  return audience_.wants_picture();
}

/// Who watches gets a frame between two screenshots. The caller holds the mutex.
bool Broadcaster::screenshot_is_due() const {
  if (screenshots_.empty() || Clock::now() - answered_ < screenshot_interval) return false;
  return !owes_frame_ || !audience_.wants_picture();
}

bool Broadcaster::wants_panel_in_picture() const {
  const std::lock_guard lock(mutex_);
  return screenshot_is_due() || !audience_.draws_panels();
}

void Broadcaster::take(WindowFrame frame, std::function<void()> give_back) {
  std::optional<Waiting> old;
  {
    const std::lock_guard lock(mutex_);
    old = std::exchange(waiting_, Waiting{std::move(frame), std::move(give_back)});
  }
  if (old) old->give_back();
  wake_.notify_all();
}

void Broadcaster::forget() {
  std::optional<Waiting> old;
  {
    std::unique_lock lock(mutex_);
    old = std::exchange(waiting_, std::nullopt);
    wake_.wait(lock, [this] { return !working_; });
    video_.reset();
    last_ = std::vector<std::byte>();  // {} would keep their memory
    still_ = std::vector<std::byte>();
    size_ = {};
    still_view_ = 0;
  }
  if (old) old->give_back();
}

void Broadcaster::request_screenshot(TakePng take) {
  const std::lock_guard lock(mutex_);
  screenshots_.push_back(std::move(take));
}

void Broadcaster::drop_screenshots() {
  std::unique_lock lock(mutex_);
  screenshots_.clear();
  wake_.wait(lock, [this] { return !working_; });
}

std::string Broadcaster::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

std::optional<Broadcaster::Waiting> Broadcaster::next() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return ending_ || waiting_; });
  if (!waiting_) return std::nullopt;
  working_ = true;
  return std::exchange(waiting_, std::nullopt);
}

void Broadcaster::work() {
  while (true) {
    auto waiting = next();
    std::string why;
    try {
      if (waiting) look_at(waiting->frame);
    } catch (const std::exception& error) {
      why = error.what();
    }
    if (waiting) waiting->give_back();
    const std::lock_guard lock(mutex_);
    working_ = false;
    wake_.notify_all();
    if (!why.empty()) problem_ = why;
    if (ending_ || !why.empty()) return;
  }
}

std::uint32_t Broadcaster::milliseconds() const {
  return static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_).count());
}

bool Broadcaster::differs(const RawPicture& picture) const {
  return picture.size != size_ || picture.rgba.size() != last_.size() ||
         std::memcmp(picture.rgba.data(), last_.data(), last_.size()) != 0;
}

/// True if there is another view; the panel may have changed besides.
bool Broadcaster::keep(const WindowFrame& frame) {
  const bool other_view = differs(frame.picture) || window_ != frame.window;
  const bool other_panel =
      (panel_ == nullptr) != (frame.panel == nullptr) || (panel_ && *panel_ != *frame.panel);
  panel_ = frame.panel;
  window_ = frame.window;
  if (other_view) {
    size_ = frame.picture.size;
    last_.assign(frame.picture.rgba.begin(), frame.picture.rgba.end());
    ++view_;
    changed_ = Clock::now();
  }
  if (other_panel) ++lists_;
  if (other_view || other_panel) ++number_;
  return other_view;
}

void Broadcaster::look_at(const WindowFrame& frame) {
  if (!frame.panel) answer_screenshots(frame.picture);
  {
    const std::lock_guard lock(mutex_);
    owes_frame_ = !frame.panel && audience_.draws_panels();
    // It was drawn for a screenshot alone.
    if (owes_frame_) return;
  }
  const bool moves = keep(frame);
  send_to(vp9_);
  send_to(jpeg_);
  if (!moves) send_still();
}

std::vector<std::byte> Broadcaster::encode(const Stream& stream, bool key, PictureHead& head) {
  if (stream.codec == Codec::jpeg) {
    head.kind = PictureKind::jpeg;
    return encode_jpeg(kept(), jpeg_quality);
  }
  auto packet = video_.encode(kept(), head.milliseconds, key);
  head.kind = packet.key ? PictureKind::key_frame : PictureKind::video;
  if (packet.key) last_key_ = Clock::now();
  return std::move(packet.bytes);
}

/// Pictures that did not change are sent to those who have none yet.
void Broadcaster::send_to(Stream& stream) {
  const auto demand = audience_.demand(stream.codec);
  // Only key frames of video are large.
  const bool key = demand.key && (stream.codec == Codec::jpeg || Clock::now() - last_key_ > key_interval);
  if (!demand.any || (stream.number == number_ && !key)) return;
  PictureHead head{.panel_in_lists = panel_ != nullptr,
                   .number = number_,
                   .window = window_,
                   .milliseconds = milliseconds()};
  std::vector<std::byte> picture;
  if (key || stream.view != view_) {
    picture = encode(stream, key, head);
    if (picture.empty()) return;
  }
  const bool whole = key || !panel_ || !stream.in_lists || head.kind == PictureKind::key_frame;
  std::string panel;
  if (panel_ && (whole || stream.lists != lists_)) panel = stream.panel.encode(*panel_, whole);
  stream.number = number_;
  stream.view = view_;
  stream.lists = lists_;
  stream.in_lists = panel_ != nullptr;
  const bool stands_alone = whole && head.kind != PictureKind::video && head.kind != PictureKind::panel;
  audience_.send_picture(stream.codec, number_, stands_alone, picture_message(head, picture, panel));
}

/// After a frame that has not changed: a window that takes long to draw the next one does not stand still.
void Broadcaster::send_still() {
  if (number_ == 0 || Clock::now() - changed_ < still_after || !audience_.wants_still(view_)) return;
  if (still_view_ != view_) {
    still_ = encode_still(kept());
    still_view_ = view_;
  }
  const PictureHead head{
      .kind = PictureKind::png, .panel_in_lists = panel_ != nullptr, .number = number_, .window = window_};
  audience_.send_still(view_, number_, picture_message(head, still_, {}));
}

void Broadcaster::answer_screenshots(const RawPicture& picture) {
  std::vector<TakePng> wanted;
  {
    const std::lock_guard lock(mutex_);
    if (screenshots_.empty() || Clock::now() - answered_ < screenshot_interval) return;
    wanted.swap(screenshots_);
  }
  const auto png = std::make_shared<const std::vector<std::byte>>(encode_still(picture));
  for (const auto& each : wanted) each(png);
  const std::lock_guard lock(mutex_);
  answered_ = Clock::now();
}

}  // namespace orrery::app::serve
