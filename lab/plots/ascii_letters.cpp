#include <algorithm>
#include <array>
#include <utility>

#include "lab/plots/fonts.h"

// How people write letters of other alphabets where only ASCII can be shown: accents are left out, Greek
// letters have their names, Cyrillic ones the spelling of passports (ICAO 9303).

namespace orrery::plots {

namespace {

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
