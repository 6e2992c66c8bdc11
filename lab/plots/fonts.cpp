#include "lab/plots/fonts.h"

#include <cairo.h>

#include <array>
#include <memory>
#include <string_view>
#include <utility>

namespace orrery::plots {

namespace {

/// The signs that figures use, and how people write them without.
constexpr auto stand_ins = std::to_array<std::pair<std::string_view, std::string_view>>({{"×", "x"},
                                                                                         {"·", "-"},
                                                                                         {"−", "-"},
                                                                                         {"–", "-"},
                                                                                         {"∝", "~"},
                                                                                         {"√", "sqrt"},
                                                                                         {"Σ", "sum "},
                                                                                         {"µ", "u"},
                                                                                         {"μ", "u"},
                                                                                         {"°", " deg"}});

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

bool finds_a_font() {
  const std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface(
      cairo_recording_surface_create(CAIRO_CONTENT_COLOR, nullptr), cairo_surface_destroy);
  const std::unique_ptr<cairo_t, void (*)(cairo_t*)> cairo(cairo_create(surface.get()), cairo_destroy);
  cairo_select_font_face(cairo.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  return cairo_font_face_status(cairo_get_font_face(cairo.get())) == CAIRO_STATUS_SUCCESS &&
         cairo_scaled_font_get_type(cairo_get_scaled_font(cairo.get())) == CAIRO_FONT_TYPE_FT;
}

}  // namespace

bool has_font() {
  static const bool found = finds_a_font();
  return found;
}

std::string in_plain_letters(std::string text) {
  for (const auto& [sign, letters] : stand_ins) replace_all(text, sign, letters);
  std::string plain;
  for (const char byte : text) {
    const auto value = static_cast<unsigned char>(byte);
    if (value < 0x80U)
      plain += byte;
    else if (value >= 0xc0U)  // the first byte of a letter
      plain += '?';
  }
  return plain;
}

}  // namespace orrery::plots
