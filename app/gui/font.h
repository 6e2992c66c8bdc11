#pragma once

struct ImFont;
struct ImFontAtlas;

namespace orrery::app {

/// True if the program holds a real font: the one that was found when it was built is part of it, so that
/// texts look the same on every machine. Otherwise Dear ImGui's own letters are used, ASCII only.
bool has_real_font();

/// The set of characters that a font provides.
enum class Signs {
  panel,    ///< Latin
  picture,  ///< also Greek, Cyrillic, Latin of more languages, and the signs of astronomy and mathematics
};

/// Adds the font to the atlas, with letters of that many pixels (the height of a line).
ImFont* add_font(ImFontAtlas& atlas, float pixels, Signs signs);

}  // namespace orrery::app
