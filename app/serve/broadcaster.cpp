#include "app/serve/broadcaster.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace orrery::app::serve {

namespace {

using namespace std::chrono_literals;

constexpr auto still_after = 150ms;
/// A browser that lost its place waits so long for a key frame, while others watch: key frames are large.
constexpr auto key_interval = 700ms;
constexpr int jpeg_quality = 80;
constexpr int key_frame = 1, video_frame = 2, jpeg_frame = 3, png_frame = 4;

void put(std::string& bytes, std::uint64_t value, int count) {
  for (int k = 0; k < count; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xffU);
}

std::shared_ptr<const Outgoing> picture_message(int kind, std::uint64_t number, glm::ivec2 window,
                                                std::span<const std::byte> bytes,
                                                std::uint32_t milliseconds) {
  auto message = std::make_shared<Outgoing>();
  message->bytes = picture_head(kind, number, window, bytes.size(), milliseconds);
  message->bytes.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return message;
}

}  // namespace

std::string picture_head(int kind, std::uint64_t number, glm::ivec2 window, std::size_t bytes,
                         std::uint32_t milliseconds) {
  std::string head;
  put(head, static_cast<std::uint64_t>(kind), 4);
  put(head, number, 4);
  for (const int each : {0, 0, window.x, window.y, window.x, window.y})
    put(head, static_cast<std::uint64_t>(each), 2);
  put(head, bytes, 4);
  put(head, 0, 4);
  put(head, milliseconds, 4);
  return head;
}

Broadcaster::Broadcaster(Audience& audience) : audience_(audience), thread_([this] { work(); }) {}

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
    if (!screenshots_.empty()) return true;
    if (waiting_) return false;
  }
  return audience_.demand(Codec::vp9).any || audience_.demand(Codec::jpeg).any;
}

void Broadcaster::take(const RawPicture& picture, std::function<void()> give_back) {
  std::optional<Waiting> old;
  {
    const std::lock_guard lock(mutex_);
    old = std::exchange(waiting_, Waiting{picture, std::move(give_back)});
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
  }
  if (old) old->give_back();
}

void Broadcaster::request_screenshot(TakePng take) {
  const std::lock_guard lock(mutex_);
  screenshots_.push_back(std::move(take));
}

std::string Broadcaster::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

std::optional<Broadcaster::Waiting> Broadcaster::next() {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, still_after / 3, [this] { return ending_ || waiting_; });
  if (!waiting_) return std::nullopt;
  working_ = true;
  return std::exchange(waiting_, std::nullopt);
}

void Broadcaster::work() {
  while (true) {
    auto waiting = next();
    std::string why;
    try {
      if (waiting) look_at(waiting->picture);
      if (!waiting) send_still();
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

void Broadcaster::keep(const RawPicture& picture) {
  size_ = picture.size;
  last_.assign(picture.rgba.begin(), picture.rgba.end());
  ++number_;
  changed_ = Clock::now();
}

void Broadcaster::look_at(const RawPicture& picture) {
  const bool changed = differs(picture);
  if (changed) keep(picture);
  answer_screenshots(picture);
  send_video(picture);
  send_jpeg(picture);
  if (!changed) send_still();
}

/// Pictures that did not change are sent to those who have none yet.
void Broadcaster::send_video(const RawPicture& picture) {
  const auto demand = audience_.demand(Codec::vp9);
  const auto now = Clock::now();
  const bool key = demand.key && now - last_key_ > key_interval;
  if (!demand.any || (sent_in_vp9_ == number_ && !key)) return;
  const auto time = milliseconds();
  const auto packet = video_.encode(picture, time, key);
  if (packet.bytes.empty()) return;
  if (packet.key) last_key_ = now;
  sent_in_vp9_ = number_;
  audience_.send_picture(
      Codec::vp9, number_, packet.key,
      picture_message(packet.key ? key_frame : video_frame, number_, picture.size, packet.bytes, time));
}

void Broadcaster::send_jpeg(const RawPicture& picture) {
  const auto demand = audience_.demand(Codec::jpeg);
  if (!demand.any || (sent_in_jpeg_ == number_ && !demand.key)) return;
  sent_in_jpeg_ = number_;
  audience_.send_picture(
      Codec::jpeg, number_, true,
      picture_message(jpeg_frame, number_, picture.size, encode_jpeg(picture, jpeg_quality), milliseconds()));
}

void Broadcaster::send_still() {
  if (number_ == 0 || Clock::now() - changed_ < still_after || !audience_.wants_still(number_)) return;
  if (still_number_ != number_) {
    still_ = picture_message(png_frame, number_, size_, encode_still(kept()), 0);
    still_number_ = number_;
  }
  audience_.send_still(number_, still_);
}

void Broadcaster::answer_screenshots(const RawPicture& picture) {
  std::vector<TakePng> wanted;
  {
    const std::lock_guard lock(mutex_);
    wanted.swap(screenshots_);
  }
  if (wanted.empty()) return;
  const auto png = encode_still(picture);
  for (const auto& each : wanted) each(png);
}

}  // namespace orrery::app::serve
