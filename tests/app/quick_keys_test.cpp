#include "app/window/quick_keys.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <array>
#include <set>
#include <string>
#include <utility>

namespace orrery::app {
namespace {

#if IMGUI_VERSION_NUM < 18700

/// A field of text and a counter of a key, drawn by Dear ImGui without a window.
class QuickKeysTest : public testing::Test {
 protected:
  QuickKeysTest() {
    auto& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {400.0F, 300.0F};
    io.DeltaTime = 0.05F;
    io.KeyMap[ImGuiKey_Enter] = GLFW_KEY_ENTER;
    io.KeyMap[ImGuiKey_Backspace] = GLFW_KEY_BACKSPACE;
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    // The field takes the keyboard.
    focus_ = true;
    frame();
    frame();
  }
  ~QuickKeysTest() override { ImGui::DestroyContext(context_); }
  QuickKeysTest(const QuickKeysTest&) = delete;
  QuickKeysTest& operator=(const QuickKeysTest&) = delete;

  /// As the backend does: what is down by now.
  void key(int code, bool down) {
    ImGui::GetIO().KeysDown[code] = down;
    if (down) typed_.push_back({.key = code}), down_.insert(code);
    if (!down) down_.erase(code);
  }
  void letter(char sign) {
    key(sign, true);
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(sign));
    typed_.push_back({.letter = static_cast<unsigned>(sign)});
    key(sign, false);
  }
  void tap(int code) {
    key(code, true);
    key(code, false);
  }
  void frame() {
    keys_.begin_frame(std::exchange(typed_, {}), [this](int code) { return down_.contains(code); });
    ImGui::NewFrame();
    ImGui::Begin("window");
    if (std::exchange(focus_, false)) ImGui::SetKeyboardFocusHere();
    if (ImGui::InputText("field", text_.data(), text_.size(), ImGuiInputTextFlags_EnterReturnsTrue))
      entered_.emplace_back(text_.data());
    if (ImGui::IsKeyPressed(GLFW_KEY_F2, false)) ++presses_;
    ImGui::End();
    ImGui::Render();
  }
  void frames(int count) {
    for (int k = 0; k < count; ++k) frame();
  }

  ImGuiContext* context_ = ImGui::CreateContext();
  QuickKeys keys_;
  std::vector<Typed> typed_;
  std::set<int> down_;
  std::array<char, 64> text_{};
  std::vector<std::string> entered_;
  int presses_ = 0;
  bool focus_ = false;
};

TEST_F(QuickKeysTest, ATapBetweenTwoFramesIsSeen) {
  tap(GLFW_KEY_F2);
  frames(3);
  EXPECT_EQ(presses_, 1);
}

/// Released and pressed between two frames: it seemed to be down all the time.
TEST_F(QuickKeysTest, ASecondPressOfAHeldKeyIsSeen) {
  key(GLFW_KEY_F2, true);
  frames(2);
  EXPECT_EQ(presses_, 1);
  key(GLFW_KEY_F2, false);
  key(GLFW_KEY_F2, true);
  frames(3);
  EXPECT_EQ(presses_, 2);
  key(GLFW_KEY_F2, false);
  frames(2);
  for (int k = 0; k < 3; ++k) tap(GLFW_KEY_F2);
  frames(8);
  EXPECT_EQ(presses_, 5) << "each of three taps";
}

/// The field took "15".
TEST_F(QuickKeysTest, WhatFollowsEnterDoesNotBelongToTheNumber) {
  letter('1');
  tap(GLFW_KEY_ENTER);
  letter('5');
  frames(4);
  EXPECT_EQ(entered_, std::vector<std::string>{"1"});
  EXPECT_FALSE(ImGui::GetIO().WantTextInput);
}

TEST_F(QuickKeysTest, LettersAndKeysKeepTheirOrder) {
  letter('1');
  letter('1');
  tap(GLFW_KEY_BACKSPACE);
  letter('2');
  tap(GLFW_KEY_BACKSPACE);
  tap(GLFW_KEY_BACKSPACE);
  letter('7');
  letter('7');
  tap(GLFW_KEY_ENTER);
  frames(12);
  EXPECT_EQ(entered_, std::vector<std::string>{"77"});
}

#endif

}  // namespace
}  // namespace orrery::app
