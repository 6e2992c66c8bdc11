#include "render/body_drawer.h"

#include <fmt/format.h>

#include "render/error.h"
#include "render/gl.h"

namespace orrery::render {
namespace {

std::string milliseconds(const std::optional<double>& time) {
  return time ? fmt::format("{:.2f} ms", *time) : std::string("?");
}

}  // namespace

BodyDrawer::BodyDrawer() : BodyDrawer(gl_info().software) {}

BodyDrawer::BodyDrawer(bool software) : software_(software) {}

std::string BodyDrawer::why_not_compute(std::size_t bodies, glm::ivec2 size) {
  if (!failure_.empty()) return failure_;
  if (!splatter_) splatter_ = std::make_unique<BodySplatter>();
  return splatter_->refusal(bodies, size);
}

DrawMethod BodyDrawer::choose(std::size_t bodies, glm::ivec2 size, const BodyStyle& style,
                              Splatting splatting) {
  refusal_.clear();
  const bool needless = splatting == Splatting::automatic && software_;
  // Discs are few.
  if (splatting == Splatting::raster || needless || !style.radii.empty()) return DrawMethod::sprites;
  refusal_ = why_not_compute(bodies, size);
  if (!refusal_.empty()) return DrawMethod::sprites;
  if (splatting == Splatting::compute) return DrawMethod::compute;
  for (const auto& [label, time] : timer_.take()) chooser_.add(label, time);
  const auto pixels = static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
  return chooser_.next({bodies, style.size_px * style.pixel_scale, pixels});
}

void BodyDrawer::draw(const BodyBuffers& buffers, int slot, const glm::mat4& view,
                      const glm::mat4& projection, const Accumulation& light, const BodyStyle& style,
                      Splatting splatting) {
  splatting_ = splatting;
  method_ = choose(buffers.bodies(), light.size(), style, splatting);
  const bool comparing = splatting == Splatting::automatic && chooser_.is_measuring() && refusal_.empty();
  const bool timed = comparing && !software_ && timer_.begin(chooser_.label());
  std::string problem;
  if (method_ == DrawMethod::compute) try {
      splatter_->draw(buffers, slot, view, projection, light, style);
    } catch (const Error& error) {
      problem = error.what();
      method_ = DrawMethod::sprites;
    }
  // A mistake in the style is thrown here: no reason to give compute up.
  if (method_ == DrawMethod::sprites) sprites_.draw(buffers, slot, view, projection, light.size(), style);
  if (!problem.empty()) failure_ = refusal_ = problem;
  if (timed) timer_.end();
}

std::string BodyDrawer::comparison() const {
  if (software_) return "software OpenGL";
  if (!chooser_.winner())
    return chooser_.is_measuring() ? "both ways are being timed" : "the sprites are large";
  const bool compute = method_ == DrawMethod::compute;
  return fmt::format("{}; {} {}", milliseconds(chooser_.time(method_)), compute ? "point sprites" : "compute",
                     milliseconds(chooser_.time(compute ? DrawMethod::sprites : DrawMethod::compute)));
}

std::string BodyDrawer::how() const {
  const std::string name = method_ == DrawMethod::compute ? "compute" : "point sprites";
  if (!refusal_.empty()) return fmt::format("{} (not by compute: {})", name, refusal_);
  return splatting_ == Splatting::automatic ? fmt::format("{} ({})", name, comparison()) : name;
}

}  // namespace orrery::render
