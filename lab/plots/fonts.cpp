#include "lab/plots/fonts.h"

#include <cairo.h>

#include <array>
#include <memory>
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

char32_t next_letter(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80U) return first;
  char32_t letter = first & (first >= 0xf0U ? 0x07U : first >= 0xe0U ? 0x0fU : 0x1fU);
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U)
    letter = (letter << 6U) | (static_cast<unsigned char>(text[at++]) & 0x3fU);
  return letter;
}

std::string in_plain_letters(std::string text) {
  for (const auto& [sign, letters] : stand_ins) replace_all(text, sign, letters);
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const auto letter = next_letter(text, at);
    if (letter < 0x80U) {
      plain += static_cast<char>(letter);
      continue;
    }
    const auto* const known = in_ascii(letter);
    plain += known != nullptr ? known : "?";
  }
  return plain;
}

}  // namespace orrery::plots
