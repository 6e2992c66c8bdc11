#include "app/picture/retired_display_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "app/picture/picture_options.h"
#include "sim/bodies/bodies.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"

namespace orrery::app {

namespace {

/// An option that became a number of another one.
struct MovedNumber {
  std::string_view name;
  std::string_view option;
  std::string_view number;  ///< number of the present form; with other forms the setting had no effect
};
constexpr std::array<MovedNumber, 14> moved{{{"arrow-bodies", "arrows", "BODIES"},
                                             {"dust-height", "dust", "HEIGHT"},
                                             {"highlight-galaxy", "highlight", "GALAXY"},
                                             {"neighbours", "sizes", "BODIES"},
                                             {"spike-length", "spikes", "LENGTH"},
                                             {"spread", "sizes", "SHARE"},
                                             {"trail-bodies", "trails", "BODIES"},
                                             {"trail-fade", "trail-look", "FADING"},
                                             {"trail-first", "trails", "FIRST"},
                                             {"trail-frame-body", "trail-frame", "BODY"},
                                             {"trail-light", "trail-look", "LIGHT"},
                                             {"trail-steps", "trail-length", "STEPS"},
                                             {"trail-time", "trail-length", "TIME"},
                                             {"trail-width", "trail-look", "WIDTH"}}};

/// An option that is no more, and the value that all pictures have now.
struct FixedOption {
  std::string_view name;
  std::string_view value;
};
constexpr std::array<FixedOption, 4> fixed{
    {{"even-light", "on"}, {"exposure-follows-zoom", "on"}, {"moving-size", "auto"}, {"trail-seed", "1"}}};

/// Options that became one, which several of them say.
constexpr std::array<std::string_view, 7> joined{"exposure-auto", "color-min",  "color-max", "map-left",
                                                 "map-right",     "map-bottom", "map-top"};
constexpr std::string_view show_prefix = "show-";

bool is_component_switch(std::string_view name) {
  if (!name.starts_with(show_prefix)) return false;
  for (std::size_t i = 0; i < sim::component_count; ++i)
    if (name.substr(show_prefix.size()) == sim::component_name(static_cast<sim::Component>(i))) return true;
  return false;
}

bool is_retired(std::string_view name, std::string_view value) {
  const auto named = [name](const auto& entry) { return entry.name == name; };
  return std::ranges::any_of(moved, named) || std::ranges::any_of(fixed, named) ||
         std::ranges::find(joined, name) != joined.end() || is_component_switch(name) ||
         (name == "map-box" && value == "custom");
}

bool is_off(std::string_view text) { return text == "off" || text == "false" || text == "no" || text == "0"; }

/// Reads settings of earlier versions into a configuration of today's options.
class RetiredReader {
 public:
  RetiredReader(const sim::OptionTable& table, const OptionTexts& retired, sim::Configuration& configuration)
      : table_(table), retired_(retired), configuration_(configuration) {}

  std::vector<std::string> read() {
    for (const auto& entry : moved) move(entry);
    for (const auto& entry : fixed) tell(entry);
    read_exposure();
    read_color_range();
    read_components();
    read_map_box();
    return std::move(notes_);
  }

 private:
  const std::string* find(std::string_view name) const {
    const auto found = retired_.find(std::string(name));
    return found == retired_.end() ? nullptr : &found->second;
  }

  std::string text_of(std::string_view name, const char* otherwise) const {
    const auto* text = find(name);
    return text == nullptr ? otherwise : *text;
  }

  void left_out(std::string_view name, std::string_view reason) {
    notes_.push_back(fmt::format("option '{}' of an earlier version: {}; left out", name, reason));
  }

  /// Sets an option of today, checked as if a person had typed it.
  void set(std::string_view name, const std::string& text, std::string_view retired) {
    try {
      const auto& option = table_.at(name);
      configuration_.set(option.name, table_.parse(option, text));
    } catch (const sim::UsageError& error) {
      left_out(retired, error.what());
    }
  }

  void move(const MovedNumber& entry) {
    const auto* text = find(entry.name);
    if (text == nullptr) return;
    const auto value = configuration_.form(entry.option);
    const auto* form = sim::form_of(table_.at(entry.option), value);
    if (form == nullptr) return;
    auto parts = value.word;
    bool has_number = false;
    for (std::size_t i = 0; i < form->numbers.size(); ++i) {
      const bool same = form->numbers[i].name == entry.number;
      has_number = has_number || same;
      parts += fmt::format("{}{}", parts.empty() ? "" : ":", same ? *text : fmt::to_string(value.number(i)));
    }
    if (has_number) set(entry.option, parts, entry.name);
  }

  void tell(const FixedOption& entry) {
    const auto* text = find(entry.name);
    if (text == nullptr || *text == entry.value) return;
    left_out(entry.name, fmt::format("all pictures are drawn as with {}={} now, not {}", entry.name,
                                     entry.value, sim::printable(*text, 60)));
  }

  void read_exposure() {
    const auto* automatic = find("exposure-auto");
    if (automatic == nullptr || !is_off(*automatic)) return;
    auto exposure = sim::read_member(configuration_, &PictureOptions::exposure);
    exposure.word = "fixed";
    configuration_.set("exposure", sim::form_text(exposure));
  }

  void read_color_range() {
    if (find("color-min") == nullptr && find("color-max") == nullptr) return;
    const auto before = configuration_.value("color-range");
    set("color-range", text_of("color-min", "0") + ':' + text_of("color-max", "0"), "color-min, color-max");
    // Equal ends, as single precision has them, meant that the program chooses.
    const auto range = sim::read_member(configuration_, &PictureOptions::color_range);
    if (static_cast<float>(range.number(0)) == static_cast<float>(range.number(1)))
      configuration_.set("color-range", before);
  }

  void read_components() {
    std::vector<std::string> shown;
    bool any = false;
    for (std::size_t i = 0; i < sim::component_count; ++i) {
      const std::string name(sim::component_name(static_cast<sim::Component>(i)));
      const auto* text = find(std::string(show_prefix) + name);
      any = any || text != nullptr;
      if (text == nullptr || !is_off(*text)) shown.push_back(name);
    }
    if (!any) return;
    set("show", shown.empty() ? "none" : fmt::format("{}", fmt::join(shown, ",")), "show-...");
  }

  void read_map_box() {
    if (find("map-box") == nullptr) return;
    set("map-box",
        fmt::format("{}:{}:{}:{}", text_of("map-left", "0"), text_of("map-right", "1"),
                    text_of("map-bottom", "0"), text_of("map-top", "1")),
        "map-box");
  }

  const sim::OptionTable& table_;
  const OptionTexts& retired_;
  sim::Configuration& configuration_;
  std::vector<std::string> notes_;
};

}  // namespace

OptionTexts take_retired(OptionTexts& options) {
  OptionTexts retired;
  std::erase_if(options, [&](const auto& entry) {
    const bool taken = is_retired(entry.first, entry.second);
    if (taken) retired.insert(entry);
    return taken;
  });
  return retired;
}

std::vector<std::string> apply_retired(const sim::OptionTable& table, const OptionTexts& retired,
                                       sim::Configuration& configuration) {
  return RetiredReader(table, retired, configuration).read();
}

std::vector<std::string> assign_options(const sim::OptionTable& table, const nlohmann::json& object,
                                        sim::Configuration& configuration) {
  if (!object.is_object()) return table.assign_json(configuration, object);
  OptionTexts texts;
  for (const auto& [name, value] : object.items()) texts[name] = sim::setting_text(value);
  const auto retired = take_retired(texts);
  auto present = object;
  for (const auto& [name, text] : retired) present.erase(name);
  auto notes = table.assign_json(configuration, present);
  for (auto& note : apply_retired(table, retired, configuration)) notes.push_back(std::move(note));
  return notes;
}

}  // namespace orrery::app
