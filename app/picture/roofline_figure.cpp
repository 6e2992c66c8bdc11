#include "app/picture/roofline_figure.h"

#include <fmt/format.h>

#include <functional>

#include "app/gui/gui.h"
#include "app/picture/png_file.h"
#include "app/picture/roofline_plot.h"
#include "render/gl.h"
#include "render/headless_context.h"
#include "render/image.h"
#include "render/target.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/ranks/world.h"

namespace orrery::app {

namespace {

constexpr glm::ivec2 figure_size{1600, 900};
constexpr float reference_height = 720.0F;

void open_context(const std::function<void()>& use) {
  const render::HeadlessContext context;
  render::load_gl(render::HeadlessContext::loader);
  render::check_framebuffer_size(figure_size);
  use();
}

render::Image draw(const lab::Roofline& roofline) {
  const render::PictureTarget target(figure_size);
  const ImVec2 extent{static_cast<float>(figure_size.x), static_cast<float>(figure_size.y)};
  Gui gui(extent.y / reference_height);
  gui.frame(glm::vec2(figure_size), figure_size, [&] {
    draw_roofline(*ImGui::GetBackgroundDrawList(), {0, 0}, extent, gui.scale(), roofline);
  });
  gui.draw(target.framebuffer());
  return target.read();
}

}  // namespace

void check_figure(const std::filesystem::path& path) {
  if (path.empty()) return;
  if (sim::world().size() > 1)
    throw sim::UsageError("--figure shows the rates of one process; start it without mpirun");
  const sim::FileWriter trial(path, sim::Existing::keep);
  // Closed again: kernels are slower beside a graphics context.
  open_context([] {});
}

void write_figure(const std::filesystem::path& path, const lab::Roofline& roofline) {
  render::Image image;
  open_context([&] { image = draw(roofline); });
  write_png(path, image);
}

}  // namespace orrery::app
