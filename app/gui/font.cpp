#include "app/gui/font.h"

#include <imgui.h>

#include <array>

// The bytes of the font file, between two symbols.
#ifdef ORRERY_FONT_FILE
asm(".pushsection .rodata\n"
    ".balign 16\n"
    ".global orrery_font_begin\n"
    ".global orrery_font_end\n"
    "orrery_font_begin:\n"
    ".incbin \"" ORRERY_FONT_FILE
    "\"\n"
    "orrery_font_end:\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" {
extern const unsigned char orrery_font_begin[];  // NOLINT(*-avoid-c-arrays)
extern const unsigned char orrery_font_end[];    // NOLINT(*-avoid-c-arrays)
}
#endif

namespace orrery::app {

namespace {

/// Pairs of first and last sign, and a zero at the end.
constexpr std::array<ImWchar, 19> picture_signs{0x0020, 0x017f,                  // Latin
                                                0x0391, 0x03c9,                  // Greek
                                                0x0401, 0x0457,                  // Cyrillic
                                                0x2010, 0x2027, 0x2032, 0x2033,  // dashes, quotes, minutes
                                                0x2190, 0x2193,                  // arrows
                                                0x2202, 0x221e,                  // signs of mathematics
                                                0x2260, 0x2265,                  // relations
                                                0x2609, 0x2609,                  // the Sun
                                                0};

/// Above this size letters stand on whole pixels without harm, and the atlas stays small.
constexpr float large_pixels = 40.0F;

}  // namespace

#ifdef ORRERY_FONT_FILE

bool has_real_font() { return true; }

ImFont* add_font(ImFontAtlas& atlas, float pixels, Signs signs) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = pixels > large_pixels ? 1 : 3;
  const auto* ranges = signs == Signs::picture ? picture_signs.data() : nullptr;
  // Dear ImGui only reads it.
  auto* bytes = const_cast<unsigned char*>(orrery_font_begin);  // NOLINT(*-const-cast)
  return atlas.AddFontFromMemoryTTF(bytes, static_cast<int>(orrery_font_end - orrery_font_begin), pixels,
                                    &config, ranges);
}

#else

bool has_real_font() { return false; }

/// A whole multiple of the size for which its letters are made would be too coarse a choice.
ImFont* add_font(ImFontAtlas& atlas, float pixels, Signs /*signs*/) {
  ImFontConfig config;
  config.SizePixels = pixels;
  return atlas.AddFontDefault(&config);
}

#endif

}  // namespace orrery::app
