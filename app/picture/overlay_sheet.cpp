#include "app/picture/overlay_sheet.h"

#include <cfloat>
#include <cmath>

#include "app/gui/imgui_compat.h"
#include "lab/plots/axis.h"
#include "lab/plots/fonts.h"

namespace orrery::app {

namespace {

constexpr float raised_by = 0.28F;

float plain_width(ImFont* font, std::string_view text) {
  return font->CalcTextSizeA(letter_height(*font), FLT_MAX, 0.0F, text.data(), text.data() + text.size()).x;
}

/// Calls `part(text, raised)` for "10", "6" and " bodies" of "10^{6} bodies".
template <typename Part>
void for_parts(std::string_view text, Part part) {
  while (!text.empty()) {
    const auto open = text.find("^{");
    const auto close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) return part(text, false);
    if (open > 0) part(text.substr(0, open), false);
    part(text.substr(open + 2, close - open - 2), true);
    text.remove_prefix(close + 1);
  }
}

/// True if Dear ImGui's own font has all letters.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80U; }) &&
         text.find("^{") == std::string_view::npos;
}

/// The text with letters that the font lacks in ASCII.
std::string in_letters_of(ImFont* font, std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = at;
    const auto letter = plots::next_letter(text, at);
    const bool is_there =
        letter <= IM_UNICODE_CODEPOINT_MAX && has_letter(*font, static_cast<ImWchar>(letter));
    const auto* const ascii = is_there ? nullptr : plots::in_ascii(letter);
    if (ascii != nullptr)
      shown += ascii;
    else
      shown += text.substr(begin, at - begin);
  }
  return shown;
}

std::string in_letters(std::string_view text) {
  return plots::in_plain_letters(plots::plain_text(std::string(text)));
}

constexpr OverlayStyle on_dark{.ink = IM_COL32(232, 235, 241, 245),
                               .soft = IM_COL32(186, 192, 205, 235),
                               .line = IM_COL32(186, 192, 205, 190),
                               .faint = IM_COL32(150, 160, 180, 70),
                               .halo = IM_COL32(0, 0, 0, 90),
                               .accent = IM_COL32(255, 196, 110, 255),
                               .arrow = IM_COL32(118, 236, 196, 235),
                               .x = IM_COL32(255, 128, 118, 255),
                               .y = IM_COL32(142, 218, 128, 255),
                               .z = IM_COL32(122, 176, 255, 255)};
constexpr OverlayStyle on_bright{.ink = IM_COL32(20, 22, 30, 255),
                                 .soft = IM_COL32(70, 75, 88, 255),
                                 .line = IM_COL32(70, 75, 88, 200),
                                 .faint = IM_COL32(90, 98, 115, 80),
                                 .halo = IM_COL32(255, 255, 255, 110),
                                 .accent = IM_COL32(186, 84, 0, 255),
                                 .arrow = IM_COL32(196, 0, 104, 255),
                                 .x = IM_COL32(190, 40, 30, 255),
                                 .y = IM_COL32(34, 125, 30, 255),
                                 .z = IM_COL32(30, 90, 200, 255)};

}  // namespace

bool OverlaySheet::is_free(const OverlayBox& box) const {
  return std::ranges::none_of(taken, [&](const OverlayBox& other) { return box.overlaps(other); });
}

float OverlaySheet::room_for(float width) const {
  const float step = 4.0F * line();
  return std::ceil(width / step) * step;
}

OverlayPen text_pen(const OverlaySheet& sheet) { return {sheet, sheet.font, sheet.style.ink}; }
OverlayPen small_pen(const OverlaySheet& sheet) { return {sheet, sheet.small, sheet.style.soft}; }

float OverlayPen::width(std::string_view text) const {
  if (!sheet.real_font && !is_plain(text)) return plain_width(font, in_letters(text));
  const auto shown = is_plain(text) ? std::string(text) : in_letters_of(font, text);
  float sum = 0.0F;
  for_parts(shown, [&](std::string_view part, bool raised) {
    sum += plain_width(raised ? sheet.small : font, part);
  });
  return sum;
}

void OverlayPen::write(ImVec2 at, std::string_view text) const {
  std::string shown;
  if (!is_plain(text)) text = shown = sheet.real_font ? in_letters_of(font, text) : in_letters(text);
  const float around = std::max(1.0F, size() / 15.0F);
  const auto end = [](std::string_view part) { return part.data() + part.size(); };
  for_parts(text, [&](std::string_view part, bool raised) {
    auto* with = raised ? sheet.small : font;
    const ImVec2 corner{at.x,
                        raised ? at.y + 0.5F * (size() - letter_height(*with)) - raised_by * size() : at.y};
    for (const ImVec2 way : {ImVec2{-1, -1}, ImVec2{1, -1}, ImVec2{-1, 1}, ImVec2{1, 1}})
      sheet.list.AddText(with, letter_height(*with), {corner.x + way.x * around, corner.y + way.y * around},
                         sheet.style.halo, part.data(), end(part));
    sheet.list.AddText(with, letter_height(*with), corner, color, part.data(), end(part));
    at.x += plain_width(with, part);
  });
}

std::string OverlayPen::fitted(const std::string& text, float most) const {
  if (width(text) <= most) return text;
  std::string shorter = text;
  while (!shorter.empty()) {
    // Whole letters of UTF-8.
    while (shorter.size() > 1 && (static_cast<unsigned char>(shorter.back()) & 0xc0U) == 0x80U)
      shorter.pop_back();
    shorter.pop_back();
    if (width(shorter + "…") <= most) break;
  }
  return shorter + "…";
}

OverlayStyle overlay_style(float background) { return background > 0.4F ? on_bright : on_dark; }

}  // namespace orrery::app
