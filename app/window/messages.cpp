#include "app/window/messages.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/theme.h"
#include "app/log.h"
#include "app/session/free_folder.h"
#include "app/shown_text.h"

namespace orrery::app {

namespace {

constexpr std::size_t most_toasts = 4;
constexpr std::chrono::seconds note_time{4};
/// Errors take longer to read.
constexpr std::chrono::seconds problem_time{9};

ImVec4 toast_color(Toasts::Kind kind) {
  if (kind == Toasts::Kind::problem) return wrong_color();
  return kind == Toasts::Kind::done ? good_color() : accent_color();
}

const char* name_of(Toasts::Kind kind) {
  if (kind == Toasts::Kind::problem) return "toast-problem";
  return kind == Toasts::Kind::done ? "toast-done" : "toast";
}

}  // namespace

void Toasts::add(Kind kind, std::string text, Clock::time_point now) {
  if (text.empty()) return;
  std::erase_if(toasts_, [&](const Toast& toast) {
    return toast.text == text || (kind == Kind::note && toast.kind == Kind::note);
  });
  // Pictures taken one after another need one line.
  if (kind == Kind::done && !toasts_.empty() && toasts_.back().kind == Kind::done) toasts_.pop_back();
  if (toasts_.size() == most_toasts) toasts_.erase(toasts_.begin());
  toasts_.push_back({kind, std::move(text), now + (kind == Kind::problem ? problem_time : note_time)});
}

void Toasts::expire(Clock::time_point now) {
  std::erase_if(toasts_, [&](const Toast& toast) { return toast.end <= now; });
}

void Toasts::draw(float left, float scale, WidgetMap& widgets) const {
  const auto size = ImGui::GetIO().DisplaySize;
  const float most = std::clamp((size.x - left) * 0.86F, 40.0F, 620.0F * scale), bar = 4.0F * scale;
  // Above the legend's lines.
  float bottom = size.y - 58.0F * scale;
  // From the newest upwards, each above the one before.
  for (auto k = toasts_.size(); k-- > 0;) {
    const auto& toast = toasts_[k];
    const auto& padding = ImGui::GetStyle().WindowPadding;
    const float inner = most - 2.0F * padding.x - bar;
    const auto extent = ImGui::CalcTextSize(toast.text.c_str(), nullptr, false, inner);
    ImGui::SetNextWindowPos({0.5F * (left + size.x), bottom}, ImGuiCond_Always, {0.5F, 1.0F});
    ImGui::SetNextWindowSize({extent.x + 2.0F * padding.x + bar, extent.y + 2.0F * padding.y});
    ImGui::SetNextWindowBgAlpha(0.94F);
    constexpr auto flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings |
                           ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing |
                           ImGuiWindowFlags_NoNav;
    ImGui::Begin(fmt::format("##toast{}", k).c_str(), nullptr, flags);
    const auto corner = ImGui::GetWindowPos();
    auto& canvas = *ImGui::GetWindowDrawList();
    canvas.PushClipRectFullScreen();
    canvas.AddRectFilled(corner, {corner.x + bar, corner.y + ImGui::GetWindowHeight()},
                         ImGui::GetColorU32(toast_color(toast.kind)), bar);
    canvas.PopClipRect();
    ImGui::SetCursorPosX(padding.x + bar);
    ImGui::PushTextWrapPos(padding.x + bar + inner + 1.0F);
    ImGui::TextUnformatted(toast.text.c_str());
    ImGui::PopTextWrapPos();
    widgets.note(name_of(toast.kind));
    bottom -= ImGui::GetWindowHeight() + 6.0F * scale;
    ImGui::End();
  }
}

std::vector<std::string> Toasts::texts() const {
  std::vector<std::string> all;
  for (const auto& toast : toasts_) all.push_back(toast.text);
  return all;
}

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
