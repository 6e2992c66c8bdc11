#include "app/serve/panel_capture.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/imgui_compat.h"
#include "app/serve/picture_message.h"
#include "app/serve/video_encoder.h"
#include "render/context/gl.h"

namespace orrery::app::serve {

namespace {

constexpr float eighths = 8.0F;
constexpr int jpeg_quality = 88;
/// However often browsers ask: textures are large.
constexpr std::chrono::milliseconds renewal_interval(700);

std::uint16_t wrapped(float value) {
  return static_cast<std::uint16_t>(std::clamp(std::lround(value), -32768L, 32767L));
}

std::uint16_t share(float value) {
  return static_cast<std::uint16_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 65535.0F));
}

/// Differences of positions and indices run on from one list to the next.
class Writer {
 public:
  Writer(PanelLists& lists, const ImDrawData& data) : lists_(lists), origin_(data.DisplayPos) {}

  void add_vertices(const ImVector<ImDrawVert>& vertices) {
    for (const auto& vertex : vertices) {
      const auto x = wrapped((vertex.pos.x - origin_.x) * eighths);
      const auto y = wrapped((vertex.pos.y - origin_.y) * eighths);
      for (const auto number : {static_cast<std::uint16_t>(x - x_), static_cast<std::uint16_t>(y - y_),
                                share(vertex.uv.x), share(vertex.uv.y)})
        put_number(lists_.vertices, number, 2);
      put_number(lists_.vertices, vertex.col, 4);
      x_ = x;
      y_ = y;
    }
  }
  void add_command(const ImDrawCmd& command, std::size_t first_vertex, std::uint16_t texture) {
    const auto& clip = command.ClipRect;
    for (const float side : {clip.x - origin_.x, clip.y - origin_.y, clip.z - origin_.x, clip.w - origin_.y})
      put_number(lists_.commands, wrapped(side), 2);
    put_number(lists_.commands, texture, 4);
    put_number(lists_.commands, static_cast<std::uint32_t>(first_vertex - first_vertex_), 4);
    put_number(lists_.commands, command.ElemCount, 4);
    first_vertex_ = first_vertex;
  }
  void add_indices(std::span<const ImDrawIdx> indices) {
    for (const auto index : indices) {
      put_number(lists_.indices, static_cast<std::uint16_t>(index - index_), 2);
      index_ = index;
    }
  }

 private:
  PanelLists& lists_;
  ImVec2 origin_;
  std::uint16_t x_ = 0;
  std::uint16_t y_ = 0;
  std::size_t first_vertex_ = 0;
  ImDrawIdx index_ = 0;
};

render::Image pixels_of(unsigned texture) {
  render::Image image;
  glGetTextureLevelParameteriv(texture, 0, GL_TEXTURE_WIDTH, &image.width);
  glGetTextureLevelParameteriv(texture, 0, GL_TEXTURE_HEIGHT, &image.height);
  image.rgba.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glGetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(image.rgba.size()),
                    image.rgba.data());
  return image;
}

bool is_opaque(const render::Image& image) {
  for (std::size_t k = 3; k < image.rgba.size(); k += 4)
    if (image.rgba[k] != 255) return false;
  return true;
}

std::shared_ptr<const Outgoing> texture_message(unsigned texture, std::uint16_t number) {
  const auto image = pixels_of(texture);
  PictureHead head{.kind = PictureKind::png_texture, .number = number, .window = {image.width, image.height}};
  std::vector<std::byte> bytes;
  if (is_opaque(image)) {
    head.kind = PictureKind::jpeg_texture;
    bytes =
        encode_jpeg({head.window, std::as_bytes(std::span(image.rgba))}, jpeg_quality, RowOrder::top_first);
  } else {
    bytes = encode_png(image);
  }
  return picture_message(head, bytes, {});
}

}  // namespace

/// Whoever has just come has no textures: one browser that comes again and again costs no other one anything.
/// And a texture that was not shown for a while may be another one of the same name.
void PanelCapture::forget_what_changed(std::uint64_t letters) {
  const auto now = Audience::Clock::now();
  const auto arrivals = audience_.arrivals();
  renews_ = arrivals != arrivals_ && now - renewed_ > renewal_interval;
  if (renews_) {
    since_ = std::exchange(arrivals_, arrivals);
    renewed_ = now;
  }
  if (std::exchange(letters_, letters) != letters) numbers_.clear();
  shown_before_ = std::exchange(shown_, {});
  std::erase_if(numbers_, [&](const auto& each) { return !shown_before_.contains(each.first); });
}

std::uint16_t PanelCapture::number_of(unsigned texture) {
  const bool first = shown_.insert(texture).second;
  if (const auto found = numbers_.find(texture); found != numbers_.end()) {
    if (renews_ && first) audience_.send(texture_message(texture, found->second), since_);
    return found->second;
  }
  const auto number = ++next_;
  numbers_[texture] = number;
  audience_.send(texture_message(texture, number));
  return number;
}

std::shared_ptr<const PanelLists> PanelCapture::take(const ImDrawData& data, std::uint64_t letters) {
  forget_what_changed(letters);
  auto lists = std::make_shared<PanelLists>();
  Writer writer(*lists, data);
  std::size_t base = 0;
  for (int k = 0; k < data.CmdListsCount; ++k) {
    const auto& list = *data.CmdLists[k];
    writer.add_vertices(list.VtxBuffer);
    for (const auto& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr || command.ElemCount == 0) continue;
      writer.add_command(command, base + command.VtxOffset, number_of(texture_name(command.GetTexID())));
      writer.add_indices(std::span(list.IdxBuffer.Data + command.IdxOffset, command.ElemCount));
    }
    base += static_cast<std::size_t>(list.VtxBuffer.Size);
  }
  return lists;
}

}  // namespace orrery::app::serve
