#include "app/roofline_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "app/gui.h"
#include "app/png_file.h"
#include "render/gl.h"
#include "render/headless_context.h"
#include "render/image.h"
#include "render/target.h"
#include "sim/error.h"
#include "sim/ranks/world.h"
#include "sim/snapshots/file_writer.h"

namespace orrery::app {

namespace {

constexpr glm::ivec2 figure_size{1600, 900};
constexpr float reference_height = 720.0F;

bool has_count(const BenchmarkRow& row) {
  const auto issue = row.report.limit(sim::limit_keys::issue);
  return issue.operations > 0.0 && issue.gips > 0.0 && row.gips_kernel > 0.0;
}

double devices_of(const BenchmarkRow& row) {
  return static_cast<double>(std::max<std::size_t>(row.report.devices, 1));
}

RooflinePoint point_of(const BenchmarkRow& row) {
  return {.label = row.label,
          .slots = row.report.limit(sim::limit_keys::issue).operations,
          .gips = row.gips_kernel / devices_of(row),
          .special = row.report.limit(sim::limit_keys::special).operations};
}

/// What the device does in a second, from the limits that follow for a kernel.
void raise_rates(Roofline& roofline, const BenchmarkRow& row) {
  const auto rate = [&](std::string_view key) {
    const auto limit = row.report.limit(key);
    return limit.gips * limit.operations / devices_of(row);
  };
  roofline.instruction_rate = std::max(roofline.instruction_rate, rate(sim::limit_keys::issue));
  roofline.special_rate = std::max(roofline.special_rate, rate(sim::limit_keys::special));
}

void open_context(const std::function<void()>& use) {
  const render::HeadlessContext context;
  render::load_gl(render::HeadlessContext::loader);
  render::check_framebuffer_size(figure_size);
  use();
}

render::Image draw(const Roofline& roofline) {
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

Roofline roofline_of(const std::vector<BenchmarkRow>& rows, const std::string& dataset) {
  Roofline roofline;
  for (const auto& row : rows) {
    if (!has_count(row)) continue;
    if (roofline.points.empty()) roofline.title = fmt::format("{}: {}", row.report.device, dataset);
    roofline.points.push_back(point_of(row));
    raise_rates(roofline, row);
  }
  if (roofline.points.empty())
    throw sim::Error(
        "there is nothing to draw in the figure: no kernel of a GPU ran whose instructions could be counted");
  return roofline;
}

void write_figure(const std::filesystem::path& path, const Roofline& roofline) {
  render::Image image;
  open_context([&] { image = draw(roofline); });
  write_png(path, image);
}

}  // namespace orrery::app
