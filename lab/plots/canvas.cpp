#include "lab/plots/canvas.h"

#include <cairo.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <numbers>
#include <string_view>

#include "lab/plots/fonts.h"

namespace orrery::plots {

namespace {

constexpr const char* font_name = "DejaVu Sans";
constexpr double raised_size = 0.7;
constexpr double raised_by = 0.38;
/// Height of capitals over the size, of most fonts.
constexpr double capital_height = 0.72;

/// A part of a text, and whether it is raised.
struct Part {
  std::string text;
  bool raised = false;
};

/// The number of bytes of the UTF-8 letter at the beginning of the text; 0 if it is not valid.
std::size_t letter_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  std::size_t length = 0;
  if (lead < 0x80U) length = 1;
  if (lead >= 0xc2U && lead < 0xe0U) length = 2;
  // Without those that begin surrogates or another letter in too many bytes.
  if (lead >= 0xe1U && lead < 0xf0U && lead != 0xedU) length = 3;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((static_cast<unsigned char>(text[k]) & 0xc0U) != 0x80U) return 0;
  return length;
}

/// Cairo refuses what is no UTF-8, as the names of files may be: such bytes become question marks. Without a
/// font other signs than ASCII would be boxes.
std::string legible(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const auto length = letter_length(text);
    if (length == 0)
      safe += '?';
    else
      safe += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return has_font() ? safe : in_plain_letters(safe);
}

/// "10^{6} bodies" as "10", "6" raised and " bodies".
std::vector<Part> parts_of(std::string_view text) {
  std::vector<Part> parts;
  while (!text.empty()) {
    const auto open = text.find("^{");
    const auto close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) {
      parts.push_back({legible(text)});
      break;
    }
    if (open > 0) parts.push_back({legible(text.substr(0, open))});
    parts.push_back({legible(text.substr(open + 2, close - open - 2)), true});
    text.remove_prefix(close + 1);
  }
  return parts;
}

std::uint32_t pixel_of(const Color& color) {
  const auto byte = [](double value) { return static_cast<std::uint32_t>(std::lround(value * 255.0)); };
  return 0xff000000U | byte(color.red) << 16U | byte(color.green) << 8U | byte(color.blue);
}

void polygon(cairo_t* cairo, std::initializer_list<Place> corners) {
  cairo_new_path(cairo);
  for (const auto& corner : corners) cairo_line_to(cairo, corner.x, corner.y);
  cairo_close_path(cairo);
}

void marker_path(cairo_t* cairo, Place at, Marker marker, double size) {
  const auto [x, y] = at;
  switch (marker) {
    case Marker::square:
      return polygon(
          cairo, {{x - size, y - size}, {x + size, y - size}, {x + size, y + size}, {x - size, y + size}});
    case Marker::triangle:
      return polygon(
          cairo, {{x, y - 1.2 * size}, {x + 1.1 * size, y + 0.8 * size}, {x - 1.1 * size, y + 0.8 * size}});
    case Marker::diamond:
      return polygon(
          cairo, {{x, y - 1.35 * size}, {x + 1.35 * size, y}, {x, y + 1.35 * size}, {x - 1.35 * size, y}});
    default:
      cairo_new_path(cairo);
      cairo_arc(cairo, x, y, size, 0.0, 2.0 * std::numbers::pi);
  }
}

}  // namespace

Canvas::Canvas(cairo_t* cairo) : cairo_(cairo) {
  // The same widths whatever is drawn into.
  const std::unique_ptr<cairo_font_options_t, void (*)(cairo_font_options_t*)> options(
      cairo_font_options_create(), cairo_font_options_destroy);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cairo_, options.get());
  cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
}

void Canvas::use(const Color& color) const {
  cairo_set_source_rgba(cairo_, color.red, color.green, color.blue, color.alpha);
}

void Canvas::use(const Stroke& stroke) const {
  use(stroke.color);
  cairo_set_line_width(cairo_, stroke.width);
  constexpr std::array dashed{5.0, 3.0};
  constexpr std::array dotted{1.2, 2.2};
  const auto& pattern = stroke.dash == Dash::dashed ? dashed : dotted;
  cairo_set_dash(cairo_, pattern.data(), stroke.dash == Dash::solid ? 0 : 2, 0.0);
}

void Canvas::use_font(double size, bool bold) const {
  cairo_select_font_face(cairo_, font_name, CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo_, size);
}

void Canvas::fill(const Box& box, const Color& color) const {
  use(color);
  cairo_rectangle(cairo_, box.x, box.y, box.width, box.height);
  cairo_fill(cairo_);
}

void Canvas::frame(const Box& box, const Stroke& stroke) const {
  use(stroke);
  cairo_rectangle(cairo_, box.x, box.y, box.width, box.height);
  cairo_stroke(cairo_);
}

void Canvas::line(Place from, Place to, const Stroke& stroke) const {
  polyline(std::array<Place, 2>{from, to}, stroke);
}

void Canvas::polyline(std::span<const Place> points, const Stroke& stroke) const {
  use(stroke);
  cairo_new_path(cairo_);
  for (const auto& point : points) cairo_line_to(cairo_, point.x, point.y);
  cairo_stroke(cairo_);
}

void Canvas::marker(Place at, Marker marker, double size, const Color& color) const {
  if (marker == Marker::none) return;
  if (marker == Marker::cross) {
    line({at.x - size, at.y - size}, {at.x + size, at.y + size}, {color, 1.5});
    line({at.x - size, at.y + size}, {at.x + size, at.y - size}, {color, 1.5});
    return;
  }
  use(color);
  marker_path(cairo_, at, marker, size);
  cairo_fill(cairo_);
}

void Canvas::hatch(const Box& box, const Color& color) const {
  constexpr double gap = 6.0;
  clip(box);
  const double begin = box.x - box.height;
  const auto lines = static_cast<int>(std::ceil((box.right() - begin) / gap));
  for (int k = 0; k < lines; ++k) {
    const double x = begin + gap * k;
    line({x, box.bottom()}, {x + box.height, box.y}, {color, 0.8});
  }
  end_clip();
}

void Canvas::image(const Box& box, std::size_t columns, std::size_t rows,
                   std::span<const Color> cells) const {
  std::vector<std::uint32_t> pixels;
  pixels.reserve(cells.size());
  for (const auto& color : cells) pixels.push_back(pixel_of(color));
  const auto width = static_cast<int>(columns), height = static_cast<int>(rows);
  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
      cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(pixels.data()), CAIRO_FORMAT_RGB24,
                                          width, height, 4 * width),
      cairo_surface_destroy);
  cairo_save(cairo_);
  cairo_translate(cairo_, box.x, box.y);
  cairo_scale(cairo_, box.width / width, box.height / height);
  cairo_set_source_surface(cairo_, surface.get(), 0.0, 0.0);
  cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
  cairo_paint(cairo_);
  cairo_restore(cairo_);
  // The pixels end here; a vector surface copies what it still needs.
  cairo_surface_finish(surface.get());
}

double Canvas::width(const std::string& text, const TextStyle& style) const {
  double sum = 0.0;
  for (const auto& part : parts_of(text)) {
    use_font(style.size * (part.raised ? raised_size : 1.0), style.bold);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, part.text.c_str(), &extents);
    sum += extents.x_advance;
  }
  return sum;
}

void Canvas::text(Place at, const std::string& text, const TextStyle& style) const {
  const double left = -style.across * width(text, style);
  const double baseline = (1.0 - style.down) * capital_height * style.size;
  cairo_save(cairo_);
  use(style.color);
  cairo_translate(cairo_, at.x, at.y);
  cairo_rotate(cairo_, style.angle);
  cairo_move_to(cairo_, left, baseline);
  for (const auto& part : parts_of(text)) {
    use_font(style.size * (part.raised ? raised_size : 1.0), style.bold);
    if (part.raised) cairo_rel_move_to(cairo_, 0.0, -raised_by * style.size);
    cairo_show_text(cairo_, part.text.c_str());
    if (part.raised) cairo_rel_move_to(cairo_, 0.0, raised_by * style.size);
  }
  cairo_restore(cairo_);
}

void Canvas::clip(const Box& box) const {
  cairo_save(cairo_);
  cairo_rectangle(cairo_, box.x, box.y, box.width, box.height);
  cairo_clip(cairo_);
}

void Canvas::end_clip() const { cairo_restore(cairo_); }

}  // namespace orrery::plots
