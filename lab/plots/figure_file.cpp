#include "lab/plots/figure_file.h"

#include <cairo-svg.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>

#include "sim/core/error.h"
#include "sim/core/file_writer.h"

namespace orrery::plots {

namespace {

constexpr int largest_side = 32'767;  // of Cairo's pictures

struct Free {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};
using Surface = std::unique_ptr<cairo_surface_t, Free>;
using Cairo = std::unique_ptr<cairo_t, Free>;

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw sim::Error(fmt::format("the figure cannot be drawn: {}", cairo_status_to_string(status)));
}

cairo_status_t append(void* to, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

Figure shaped(Figure figure, const PictureForm& form) {
  if (form.width > 0) figure.height = figure.width * form.height / form.width;
  return figure;
}

void draw_into(cairo_surface_t* surface, const Figure& figure, double scale) {
  const Cairo cairo(cairo_create(surface));
  cairo_scale(cairo.get(), scale, scale);
  draw(figure, Canvas(cairo.get()));
  check(cairo_status(cairo.get()));
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char each : text)
    if (each == '&')
      safe += "&amp;";
    else if (each == '<')
      safe += "&lt;";
    else if (static_cast<unsigned char>(each) >= ' ')
      safe += each;
  return safe;
}

/// The title of the figure, for programs that read SVG aloud or list it.
void add_title(std::string& svg, const Figure& figure) {
  const auto start = svg.find("<svg");
  const auto end = start == std::string::npos ? start : svg.find('>', start);
  if (end == std::string::npos) return;
  svg.insert(end + 1, fmt::format("\n<title>{}</title>\n<desc>{}</desc>", escaped(figure.title),
                                  escaped(figure.subtitle)));
}

/// Cairo counts the surfaces of a program: the same figure must be the same file.
void drop_surface_number(std::string& svg) {
  constexpr std::string_view name = " id=\"surface";
  const auto start = svg.find(name);
  if (start == std::string::npos) return;
  const auto end = svg.find('"', start + name.size());
  svg.erase(start, end + 1 - start);
}

}  // namespace

std::string svg_of(const Figure& wanted, const PictureForm& form) {
  const auto figure = shaped(wanted, form);
  std::string svg;
  {
    const Surface surface(cairo_svg_surface_create_for_stream(append, &svg, figure.width, figure.height));
    check(cairo_surface_status(surface.get()));
    draw_into(surface.get(), figure, 1.0);
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
  }
  drop_surface_number(svg);
  add_title(svg, figure);
  return svg;
}

std::string png_of(const Figure& wanted, const PictureForm& form) {
  constexpr double usual_scale = 2.0;
  const auto figure = shaped(wanted, form);
  const double scale = form.width > 0 ? form.width / figure.width : usual_scale;
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                                   static_cast<int>(std::lround(scale * figure.width)),
                                                   static_cast<int>(std::lround(scale * figure.height))));
  check(cairo_surface_status(surface.get()));
  draw_into(surface.get(), figure, scale);
  std::string png;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &png));
  return png;
}

std::vector<Frame> frames_of(const Figure& figure) {
  const Surface surface(cairo_recording_surface_create(CAIRO_CONTENT_COLOR, nullptr));
  const Cairo cairo(cairo_create(surface.get()));
  auto frames = frames_of(figure, Canvas(cairo.get()));
  check(cairo_status(cairo.get()));
  return frames;
}

void check_figure_file(const std::filesystem::path& path, const PictureForm& form) {
  const auto extension = path.extension();
  if (extension != ".svg" && extension != ".png")
    throw sim::UsageError(
        fmt::format("a figure is written as .svg or .png, and '{}' is neither; name it so", path.string()));
  if (extension == ".png" && std::max(form.width, form.height) > largest_side)
    throw sim::UsageError(
        fmt::format("a figure .png has up to {0} x {0} pixels, not {1} x {2}; take fewer, or .svg",
                    largest_side, form.width, form.height));
  const sim::FileWriter trial(path, sim::for_named_outputs());
}

void write_figure(const std::filesystem::path& path, const Figure& figure, const PictureForm& form) {
  check_figure_file(path, form);
  const auto bytes = path.extension() == ".svg" ? svg_of(figure, form) : png_of(figure, form);
  sim::FileWriter file(path, sim::for_named_outputs());
  file.write(bytes);
  file.finish();
}

}  // namespace orrery::plots
