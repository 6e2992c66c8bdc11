#include "lab/setup/progress_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "sim/core/threads.h"

namespace orrery::lab {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds interval{200};  ///< between looks at what is new
constexpr Seconds patience{1.0};                    ///< shorter work shows nothing
constexpr std::size_t usual_width = 80;
constexpr const char* erase_code = "\r\033[K";

bool takes_escape_codes(int descriptor) {
  const char* terminal = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = no_color != nullptr && *no_color != '\0';
  return ::isatty(descriptor) != 0 && !plain && terminal != nullptr && std::string_view(terminal) != "dumb" &&
         *terminal != '\0';
}

/// A terminal that went away is no reason to stop.
void put(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = std::llround(std::max(seconds, 0.0));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string shortened(const std::string& text, std::size_t width) {
  constexpr std::string_view dots = "...";
  const auto columns = static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
  if (columns <= width) return text;
  std::size_t kept = width > dots.size() ? width - dots.size() : 0;
  std::size_t end = 0;
  while (end < text.size() && (kept > 0 || !begins_character(text[end])))
    if (begins_character(text[end++])) --kept;
  return text.substr(0, end) + std::string(dots.substr(0, width));
}

std::size_t terminal_width(int descriptor, std::size_t otherwise) {
  winsize size{};
  if (::isatty(descriptor) == 0) return otherwise;
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual_width;
}

ProgressLine::ProgressLine(std::string work, int descriptor)
    : work_(std::move(work)), descriptor_(descriptor) {
  if (takes_escape_codes(descriptor))
    thread_ = sim::start_thread<std::jthread>("the line of progress",
                                              [this](const std::stop_token& stop) { run(stop); });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  erase();
}

bool ProgressLine::due() {
  if (!thread_.joinable()) return false;
  const auto now = Clock::now();
  if (now - asked_ < interval / 4) return false;
  asked_ = now;
  return true;
}

void ProgressLine::show(std::string text, double share) {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
  share_ = share;
  known_left_ = -1.0;
  told_ = Clock::now();
}

void ProgressLine::show_with_time(std::string text, double seconds_left) {
  if (!thread_.joinable()) return;
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
  known_left_ = seconds_left;
  told_ = Clock::now();
}

std::unique_lock<std::mutex> ProgressLine::pause() {
  std::unique_lock lock(mutex_);
  erase();
  return lock;
}

void ProgressLine::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, interval, [] { return false; });
    if (!stop.stop_requested() && Clock::now() - start_ >= patience) draw();
  }
}

/// Negative: unknown.
double ProgressLine::seconds_left() const {
  const double since = Seconds(Clock::now() - told_).count();
  if (known_left_ >= 0.0) return std::max(known_left_ - since, 0.0);
  if (share_ <= 0.0) return -1.0;
  const double until = Seconds(told_ - start_).count();
  return std::max(until * (1.0 - share_) / share_ - since, 0.0);
}

void ProgressLine::draw() {
  auto line = work_;
  if (!text_.empty()) line += ": " + text_;
  line += fmt::format(", {}", duration_text(Seconds(Clock::now() - start_).count()));
  if (const double left = seconds_left(); left >= 0.0) line += fmt::format(", {} left", duration_text(left));
  line = shortened(line, terminal_width(descriptor_, usual_width) - 1);
  if (line == drawn_) return;
  put(descriptor_, erase_code + line);
  drawn_ = std::move(line);
}

void ProgressLine::erase() {
  if (!std::exchange(drawn_, {}).empty()) put(descriptor_, erase_code);
}

}  // namespace orrery::lab
