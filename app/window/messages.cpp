#include "app/window/messages.h"

#include <fmt/format.h>

#include <utility>

#include "app/log.h"
#include "app/session/free_folder.h"
#include "app/shown_text.h"

namespace orrery::app {

void Messages::say(std::string text) {
  if (text.empty()) return;
  log_info(text);
  toasts_.add(Toasts::Kind::note, shown_text(std::move(text)));
}

void Messages::show_problem(const std::string& problem) {
  log_error(problem);
  problem_ = shown_text(problem);
}

void Messages::confirm(const char* what, const std::filesystem::path& file) {
  log_info(fmt::format("{}: {}", what, file.string()));
  if (told_) told_(file);
  toasts_.add(Toasts::Kind::done,
              shown_text(fmt::format("{} saved: {}\nin {}", what, file.filename().string(),
                                     path_with_home_short(file.parent_path()))));
}

void Messages::collect() {
  for (auto& text : take_problems())
    if (text != problem_) toasts_.add(Toasts::Kind::problem, std::move(text));
}

void Messages::draw(float left, float scale, WidgetMap& widgets) {
  toasts_.expire(Toasts::Clock::now());
  toasts_.draw(left, scale, widgets);
}

}  // namespace orrery::app
