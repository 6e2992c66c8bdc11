#include "lab/plots/fonts.h"

#include <cairo.h>

#include <algorithm>
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

/// U+00C0 to U+017F, in order; "" for signs that are no letters.
constexpr std::array<const char*, 192> latin{
    "A", "A", "A",  "A",  "A", "A", "AE", "C",  "E",  "E", "E", "E", "I",  "I",  "I", "I", "D", "N",
    "O", "O", "O",  "O",  "O", "x", "O",  "U",  "U",  "U", "U", "Y", "Th", "ss", "a", "a", "a", "a",
    "a", "a", "ae", "c",  "e", "e", "e",  "e",  "i",  "i", "i", "i", "d",  "n",  "o", "o", "o", "o",
    "o", "/", "o",  "u",  "u", "u", "u",  "y",  "th", "y", "A", "a", "A",  "a",  "A", "a", "C", "c",
    "C", "c", "C",  "c",  "C", "c", "D",  "d",  "D",  "d", "E", "e", "E",  "e",  "E", "e", "E", "e",
    "E", "e", "G",  "g",  "G", "g", "G",  "g",  "G",  "g", "H", "h", "H",  "h",  "I", "i", "I", "i",
    "I", "i", "I",  "i",  "I", "i", "IJ", "ij", "J",  "j", "K", "k", "k",  "L",  "l", "L", "l", "L",
    "l", "L", "l",  "L",  "l", "N", "n",  "N",  "n",  "N", "n", "n", "N",  "n",  "O", "o", "O", "o",
    "O", "o", "OE", "oe", "R", "r", "R",  "r",  "R",  "r", "S", "s", "S",  "s",  "S", "s", "S", "s",
    "T", "t", "T",  "t",  "T", "t", "U",  "u",  "U",  "u", "U", "u", "U",  "u",  "U", "u", "U", "u",
    "W", "w", "Y",  "y",  "Y", "Z", "z",  "Z",  "z",  "Z", "z", "s"};

/// U+0391 to U+03A9 and U+03B1 to U+03C9; U+03A2 is no letter, U+03C2 the other sigma.
constexpr std::array<const char*, 25> greek_small{
    "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
    "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
    "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};
constexpr std::array<const char*, 25> greek_large{
    "Alpha", "Beta",   "Gamma",   "Delta", "Epsilon", "Zeta",    "Eta",  "Theta", "Iota",
    "Kappa", "Lambda", "Mu",      "Nu",    "Xi",      "Omicron", "Pi",   "Rho",   "Sigma",
    "Sigma", "Tau",    "Upsilon", "Phi",   "Chi",     "Psi",     "Omega"};

/// U+0410 to U+042F and U+0430 to U+044F.
constexpr std::array<const char*, 32> cyrillic_large{
    "A", "B", "V", "G", "D", "E",  "Zh", "Z",  "I",  "I",    "K",  "L", "M", "N", "O",  "P",
    "R", "S", "T", "U", "F", "Kh", "Ts", "Ch", "Sh", "Shch", "Ie", "Y", "",  "E", "Iu", "Ia"};
constexpr std::array<const char*, 32> cyrillic_small{
    "a", "b", "v", "g", "d", "e",  "zh", "z",  "i",  "i",    "k",  "l", "m", "n", "o",  "p",
    "r", "s", "t", "u", "f", "kh", "ts", "ch", "sh", "shch", "ie", "y", "",  "e", "iu", "ia"};

/// Other letters and signs of names.
constexpr std::array others{
    std::pair{U'\u0401', "E"},   std::pair{U'\u0451', "e"},  std::pair{U'\u0404', "Ie"},
    std::pair{U'\u0454', "ie"},  std::pair{U'\u0406', "I"},  std::pair{U'\u0456', "i"},
    std::pair{U'\u0407', "I"},   std::pair{U'\u0457', "i"},  std::pair{U'\u0490', "G"},
    std::pair{U'\u0491', "g"},   std::pair{U'\u0218', "S"},  std::pair{U'\u0219', "s"},
    std::pair{U'\u021a', "T"},   std::pair{U'\u021b', "t"},  std::pair{U'\u2018', "'"},
    std::pair{U'\u2019', "'"},   std::pair{U'\u201c', "\""}, std::pair{U'\u201d', "\""},
    std::pair{U'\u2010', "-"},   std::pair{U'\u2011', "-"},  std::pair{U'\u2014', "-"},
    std::pair{U'\u2026', "..."}, std::pair{U'\u2032', "'"},  std::pair{U'\u2033', "\""},
    std::pair{U'\u2609', "Sun"}, std::pair{U'\u00a0', " "}};

template <std::size_t size>
const char* in_table(const std::array<const char*, size>& table, char32_t first, char32_t letter) {
  return letter >= first && letter < first + size ? table.at(letter - first) : nullptr;
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

const char* in_ascii(char32_t letter) {
  constexpr char32_t first_mark = 0x300, last_mark = 0x36f;  // accents of their own behind a letter
  if (letter >= first_mark && letter <= last_mark) return "";
  if (const auto* text = in_table(latin, 0xc0, letter)) return text;
  if (const auto* text = in_table(greek_large, 0x391, letter)) return text;
  if (const auto* text = in_table(greek_small, 0x3b1, letter)) return text;
  if (const auto* text = in_table(cyrillic_large, 0x410, letter)) return text;
  if (const auto* text = in_table(cyrillic_small, 0x430, letter)) return text;
  const auto* const found =
      std::ranges::find_if(others, [&](const auto& other) { return other.first == letter; });
  return found == others.end() ? nullptr : found->second;
}

}  // namespace orrery::plots
