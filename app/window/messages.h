#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/named_widgets.h"

namespace orrery::app {

/// Short messages at the bottom of the picture, the newest below, each for some seconds: what a key has
/// changed, the file of a picture, an error.
class Toasts {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Kind { note, done, problem };

  /// A note replaces the note before it; the same text again only stays longer. Nothing if it is empty.
  void add(Kind kind, std::string text, Clock::time_point now = Clock::now());
  /// Takes away what has had its time.
  void expire(Clock::time_point now);
  /// Within a frame of Dear ImGui, beside the panel, which covers the window up to `left` (window units).
  /// `scale` is the interface's.
  void draw(float left, float scale, WidgetMap& widgets) const;

  /// The texts, oldest first.
  std::vector<std::string> texts() const;

 private:
  struct Toast {
    Kind kind;
    std::string text;
    Clock::time_point end;
  };
  std::vector<Toast> toasts_;
};

/// The messages of the window over its picture: short notes, files that were written, and the problem that
/// stands there until somebody closes it.
class Messages {
 public:
  /// Shows a short message for some seconds; none if it is empty.
  void say(std::string text);
  /// Shows a problem until it is closed, or the next dataset opens.
  void show_problem(const std::string& problem);
  /// A file was written: says which.
  void confirm(const char* what, const std::filesystem::path& file);
  /// Calls `told` with every file that is written from now on.
  void tell_of_files(std::function<void(const std::filesystem::path& file)> told) { told_ = std::move(told); }
  /// Call once per frame: every warning and error of the log is seen, unless it stands there already.
  void collect();
  /// The problem that stands there; empty: none.
  std::string& problem() { return problem_; }
  /// The short messages, as Toasts::draw.
  void draw(float left, float scale, WidgetMap& widgets);

 private:
  Toasts toasts_;
  std::string problem_;
  std::function<void(const std::filesystem::path& file)> told_;
};

}  // namespace orrery::app
