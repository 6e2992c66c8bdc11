#include <gtest/gtest.h>
#include <imgui.h>

#include "app/gui/gui.h"
#include "app/panels/option_widgets.h"
#include "headless_test.h"
#include "render/context/target.h"
#include "render/picture/image.h"

namespace orrery::app {
namespace {

constexpr glm::ivec2 size{640, 200};

class WidgetsTest : public HeadlessTest {
 protected:
  /// A button at the left with the cursor on it and a tooltip; `alpha` as of a dimmed row.
  static render::Image draw(float alpha, bool disabled) {
    const render::PictureTarget target(size);
    Gui gui(1.0F);
    // A tooltip is placed in one frame and shown in the next.
    for (int k = 0; k < 3; ++k) {
      gui.make_current();
      ImGui::GetIO().MousePos = {30.0F, 20.0F};
      gui.frame(glm::vec2(size), size, [&] {
        ImGui::SetNextWindowPos({0.0F, 0.0F});
        ImGui::SetNextWindowSize({static_cast<float>(size.x), static_cast<float>(size.y)});
        ImGui::Begin("row", nullptr, ImGuiWindowFlags_NoDecoration);
        ImGui::PushStyleVar(ImGuiStyleVar_Alpha, alpha);
        ImGui::BeginDisabled(disabled);
        ImGui::Button("row", {60.0F, 30.0F});
        tooltip("MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM");
        ImGui::EndDisabled();
        ImGui::PopStyleVar();
        ImGui::End();
      });
    }
    gui.draw(target.framebuffer());
    return target.read();
  }

  /// Pixels of bright text right of the button.
  static int bright(const render::Image& image) {
    int count = 0;
    for (int y = 0; y < size.y; ++y) {
      for (int x = 120; x < size.x; ++x)
        count += image.rgba[4 * (static_cast<std::size_t>(y) * size.x + static_cast<std::size_t>(x))] > 200;
    }
    return count;
  }
};

TEST_F(WidgetsTest, TooltipsOfDimmedRowsHaveFullContrast) {
  const int usual = bright(draw(1.0F, false));
  EXPECT_GT(usual, 100);
  EXPECT_EQ(bright(draw(0.45F, false)), usual);
  EXPECT_EQ(bright(draw(1.0F, true)), usual);
  EXPECT_EQ(bright(draw(0.45F, true)), usual);
}

}  // namespace
}  // namespace orrery::app
