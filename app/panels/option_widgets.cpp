#include "app/panels/option_widgets.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>
#include <utility>

#include "lab/bench/engine_facts.h"
#include "sim/core/letters.h"
#include "sim/cuda/driver/device.h"

namespace orrery::app {

namespace {

using sim::Option;
using sim::OptionKind;
using sim::OptionValue;

std::string hidden_label(const Option& option) { return "##" + option.name; }

void boolean_widget(PanelContext& context, const Option& option) {
  bool value = context.session.configuration.boolean(option.name);
  if (ImGui::Checkbox(hidden_label(option).c_str(), &value)) context.session.set_option(option, value);
}

/// The values of an option as a list that opens, `present` on top.
template <typename Entries>
void list_of_values(const Option& option, const std::string& present, const Entries& entries) {
  if (!ImGui::BeginCombo(hidden_label(option).c_str(), present.c_str(), ImGuiComboFlags_HeightLarge)) return;
  // The list of a dimmed option can be read like any other.
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 1.0F);
  entries();
  ImGui::PopStyleVar();
  ImGui::EndCombo();
}

/// The name of a choice or of a form's word.
std::string entry_text(const Option& option, const std::string& word) {
  return word.empty() ? std::string("By numbers") : choice_text(option, word);
}

/// A choice or a form in that list, grey with the reason where it is refused.
void value_entry(PanelContext& context, const Option& option, const std::string& word,
                 const OptionValue& value, const std::string& meaning, bool is_present) {
  auto& session = context.session;
  const auto reason = session.table().refusal(option, value, session.configuration, session.context());
  ImGui::BeginDisabled(!reason.empty());
  if (named_entry(context.widgets, option.name + "=" + word, entry_text(option, word), is_present,
                  reason.empty() ? meaning : fmt::format("{}\n\nNot possible now: {}.", meaning, reason)))
    session.set_option(option, value);
  ImGui::EndDisabled();
}

/// The present choice, "auto" with what the engine took.
std::string present_text(const PanelContext& context, const Option& option) {
  const auto& session = context.session;
  const auto text = choice_text(option, session.configuration.choice(option.name));
  if (!session.has_dataset()) return text;
  return lab::with_taken(text, lab::taken_choice(session.configuration, option.name, session.frame().report));
}

void choice_widget(PanelContext& context, const Option& option) {
  list_of_values(option, present_text(context, option), [&] {
    for (std::size_t k = 0; k < option.choices.size(); ++k) {
      const auto& choice = option.choices[k];
      const auto meaning = k < option.choice_meanings.size() ? option.choice_meanings[k] : std::string();
      value_entry(context, option, choice, choice, meaning,
                  context.session.configuration.choice(option.name) == choice);
    }
  });
}

/// A number and, where there is room, its unit, as printf wants it.
std::string number_format(const char* number, const std::string& unit) {
  return unit.empty() || unit.size() > 12 ? std::string(number) : fmt::format("{} {}", number, unit);
}

/// A slider over the useful part of the range; Ctrl+click types any allowed value.
void integer_widget(PanelContext& context, const Option& option) {
  auto value = static_cast<int>(context.session.configuration.integer(option.name));
  const int low = static_cast<int>(option.minimum);
  const int high =
      static_cast<int>(std::min(option.maximum, std::max(16.0, 2.0 * static_cast<double>(value))));
  if (ImGui::SliderInt(hidden_label(option).c_str(), &value, low, high,
                       number_format("%d", option.unit).c_str())) {
    value = std::clamp(value, low, static_cast<int>(option.maximum));
    context.session.set_option(option, std::int64_t{value});
  }
}

/// Dragging moves by a part of the value, so that 1e-4 and 1e4 are both easy to set.
bool number_widget(const std::string& label, const sim::FormNumber& number, double& value) {
  const double speed = number.logarithmic || number.maximum - number.minimum > 1e6
                           ? std::max(std::abs(value) * 0.01, number.whole ? 0.2 : 1e-5)
                           : (number.maximum - number.minimum) * 5e-4;
  if (!ImGui::DragScalar(label.c_str(), ImGuiDataType_Double, &value, static_cast<float>(speed),
                         &number.minimum, &number.maximum,
                         number_format(number.whole ? "%.0f" : "%.4g", number.unit).c_str(),
                         ImGuiSliderFlags_AlwaysClamp))
    return false;
  if (number.whole) value = std::round(value);
  return std::isfinite(value);
}

void real_widget(PanelContext& context, const Option& option) {
  double value = context.session.configuration.real(option.name);
  if (number_widget(hidden_label(option),
                    {.name = {},
                     .minimum = option.minimum,
                     .maximum = option.maximum,
                     .logarithmic = option.logarithmic,
                     .unit = option.unit},
                    value))
    context.session.set_option(option, value);
}

/// The names of the GPUs, asked once.
const std::vector<std::string>& device_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& device : sim::cuda::devices()) all.push_back(device.name);
    return all;
  }();
  return names;
}

/// Components of the dataset and GPUs of this machine; all other things that a list can name.
bool is_at_hand(const PanelContext& context, const Option& option, std::size_t k) {
  if (option.name == "devices") return device_names().size() > 1 && k < device_names().size();
  if (option.name != "show" || !context.session.has_dataset()) return true;
  return context.session.summary().components.at(k) > 0;
}

std::string list_label(const Option& option, std::size_t k) {
  const auto& name = option.choices[k];
  if (option.name == "devices") return fmt::format("GPU {} ({})", name, device_names().at(k));
  return choice_text(option, name);
}

/// The names that are in the list after the k-th was switched, as --set takes them. In an ordered list a new
/// one is the last.
std::string switched_list(const PanelContext& context, const Option& option, const std::string& list,
                          std::size_t k) {
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ",") + name; };
  const auto& switched = option.choices[k];
  if (option.ordered && list != "all" && list != option.no_choice) {
    for (const auto name : sim::split_text(list, ','))
      if (name != switched) add(std::string(name));
    if (!sim::lists(list, switched)) add(switched);
  } else {
    for (std::size_t i = 0; i < option.choices.size(); ++i) {
      const auto& choice = option.choices[i];
      const bool there = !option.ordered || is_at_hand(context, option, i);
      if (there && sim::lists(list, choice) != (i == k)) add(choice);
    }
  }
  return names.empty() ? option.no_choice : names;
}

/// A box for each name.
void list_widget(PanelContext& context, const Option& option) {
  auto& session = context.session;
  const auto list = session.configuration.choice(option.name);
  const float left = ImGui::GetCursorPosX();
  bool first = true;
  for (std::size_t k = 0; k < option.choices.size(); ++k) {
    if (!is_at_hand(context, option, k)) continue;
    if (!std::exchange(first, false)) ImGui::SetCursorPosX(left);
    const auto& name = option.choices[k];
    bool on = sim::lists(list, name);
    const auto label = fmt::format("{}##{}", list_label(option, k), option.name);
    if (ImGui::Checkbox(label.c_str(), &on))
      session.set_option(option, session.table().parse(option, switched_list(context, option, list, k)));
    context.widgets.note(option.name + "=" + name);
  }
  if (first) ImGui::TextDisabled("nothing to choose from");
}

/// "BODIES" as it stands in the panel: "Bodies".
std::string panel_name(const sim::FormNumber& number) {
  auto text = number.name;
  for (std::size_t i = 1; i < text.size(); ++i)
    text[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  return text;
}

/// The words as a list, unless there is only one form.
void form_words_widget(PanelContext& context, const Option& option, const sim::FormValue& value) {
  const auto* present = sim::form_of(option, value);
  list_of_values(option, present == nullptr ? std::string() : entry_text(option, present->word), [&] {
    for (const auto& form : option.forms) {
      auto wanted = sim::usual_value(form);
      // A number of the same name stays what it is.
      for (std::size_t i = 0; i < form.numbers.size(); ++i)
        wanted.numbers[i] =
            sim::number_named(option, value, form.numbers[i].name).value_or(wanted.numbers[i]);
      value_entry(context, option, form.word, sim::form_text(wanted), form.meaning, &form == present);
    }
  });
}

/// The word, and a row below it for each number.
void form_widget(PanelContext& context, const Option& option) {
  auto value = context.session.configuration.form(option.name);
  const auto* form = sim::form_of(option, value);
  const bool words = option.forms.size() > 1;
  if (words) {
    form_words_widget(context, option, value);
    context.widgets.note(option.name);
  }
  if (form == nullptr) return;
  value.numbers.resize(form->numbers.size());
  for (std::size_t k = 0; k < form->numbers.size(); ++k) {
    if (words || k > 0) row_label("    " + panel_name(form->numbers[k]));
    if (number_widget(fmt::format("##{}:{}", option.name, k), form->numbers[k], value.numbers[k]))
      context.session.set_option(option, sim::form_text(value));
    context.widgets.note(words || k > 0 ? option.name + ":" + form->numbers[k].name : option.name);
  }
}

/// True for what notes its widgets itself.
bool has_several_widgets(const Option& option) {
  return option.kind == OptionKind::list || option.kind == OptionKind::form;
}

void widget_of_kind(PanelContext& context, const Option& option) {
  switch (option.kind) {
    case OptionKind::boolean:
      return boolean_widget(context, option);
    case OptionKind::integer:
      return integer_widget(context, option);
    case OptionKind::real:
      return real_widget(context, option);
    case OptionKind::choice:
      return choice_widget(context, option);
    case OptionKind::list:
      return list_widget(context, option);
    case OptionKind::form:
      return form_widget(context, option);
  }
}

const char* scope_text(sim::OptionScope scope) {
  switch (scope) {
    case sim::OptionScope::result:
      return "May change the result.";
    case sim::OptionScope::speed:
      return "Changes the speed, not the result.";
    case sim::OptionScope::machine:
      return "Depends on this machine.";
    case sim::OptionScope::display:
      break;
  }
  return "Changes the picture, not the result.";
}

std::string help_text(const Option& option, const OptionValue& default_value, const std::string& inactive,
                      const std::string& unavailable) {
  auto text = option.meaning;
  if (!option.unit.empty()) text += fmt::format("\nUnit: {}.", option.unit);
  text += fmt::format("\n{}", scope_text(option.scope));
  text += fmt::format("\nRight-click to reset ({}).", short_text(default_value));
  text += fmt::format("\nOn the command line: --set {}=...", option.name);
  if (!unavailable.empty()) return text + fmt::format("\n\nNot possible here: {}.", unavailable);
  if (!inactive.empty()) text += fmt::format("\n\nNo effect now: {}.", inactive);
  return text;
}

/// The width that the control needs besides its frame, so that nothing of its text is cut off.
float width_needed(const PanelContext& context, const Option& option) {
  if (option.kind == OptionKind::boolean) return ImGui::GetFrameHeight();
  if (option.kind != OptionKind::choice) return 0.0F;
  const auto text = present_text(context, option);
  return ImGui::CalcTextSize(text.c_str()).x + ImGui::GetFrameHeight() +
         2.0F * ImGui::GetStyle().FramePadding.x;
}

struct Fold {
  std::string name;
  const char* title;
  const char* meaning;
  std::vector<const Option*> options;
};

/// Rows that can be opened, and after them those of the next fold, so that both are one row at first.
void folds(PanelContext& context, std::span<const Fold> all) {
  if (all.empty()) return;
  const auto& first = all.front();
  if (first.options.empty()) return folds(context, all.subspan(1));
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  heighten_for_fingers();
  const bool open = ImGui::TreeNode(first.name.c_str(), "%zu %s", first.options.size(), first.title);
  ImGui::PopStyleColor();
  context.widgets.note(first.name);
  tooltip(first.meaning);
  if (!open) return;
  for (const auto* option : first.options) option_widget(context, *option);
  folds(context, all.subspan(1));
  ImGui::TreePop();
}

bool in_groups(const Option& option, std::initializer_list<std::string_view> groups) {
  return std::ranges::find(groups, option.group) != groups.end();
}

}  // namespace

std::string short_text(const OptionValue& value) {
  const auto* real = std::get_if<double>(&value);
  return real != nullptr ? fmt::format("{:.4g}", *real) : sim::to_string(value);
}

std::string widget_text(const Option& option) {
  return fmt::format("{}##{}", sim::label_of(option), option.name);
}

std::string choice_text(const Option& option, const std::string& choice) {
  // What computes has names that reports, ladders and the command line share.
  if (option.scope != sim::OptionScope::display || choice.empty()) return choice;
  auto text = choice;
  std::ranges::replace(text, '-', ' ');
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

void row_label(const std::string& label, float needed) {
  constexpr float share = 0.46F;
  const float all = ImGui::GetContentRegionAvail().x, left = ImGui::GetCursorPosX();
  const float place = std::floor(share * all);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label.c_str());
  if (needed <= 0.0F) needed = 6.0F * ImGui::GetFontSize();
  // Further to the right, or to the left, where only that gives room for both.
  const float after = ImGui::GetItemRectSize().x + ImGui::GetStyle().ItemSpacing.x;
  const float at = std::max(std::min(place, std::floor(all - needed)), after);
  if (at + needed <= all) ImGui::SameLine(left + at);
  ImGui::SetNextItemWidth(-1.0F);
}

void option_widget(PanelContext& context, const Option& option, const std::string& unavailable) {
  const auto inactive = sim::why_inactive(option, context.session.configuration);
  // What is disabled is dimmed by that.
  const bool dimmed = !inactive.empty() && unavailable.empty();
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, dimmed ? 0.55F : 1.0F);
  ImGui::BeginDisabled(!unavailable.empty());
  ImGui::BeginGroup();
  row_label(sim::label_of(option), width_needed(context, option));
  widget_of_kind(context, option);
  if (!has_several_widgets(option)) context.widgets.note(option.name);
  ImGui::EndGroup();
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  if (unavailable.empty() && ImGui::IsItemClicked(ImGuiMouseButton_Right))
    context.session.set_option(option, context.session.default_of(option));
  // Put together only while it is read: this runs for every option in every frame.
  const bool read = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) && !ImGui::IsItemActive();
  if (read) tooltip(help_text(option, context.session.default_of(option), inactive, unavailable));
}

void option_groups(PanelContext& context, std::initializer_list<std::string_view> groups, OptionTest hidden,
                   OptionTest fine) {
  std::vector<const Option*> finer, idle;
  for (const auto& option : context.session.table().options()) {
    if (!in_groups(option, groups) || (hidden != nullptr && hidden(context, option))) continue;
    if (!sim::applies(option, context.session.configuration))
      idle.push_back(&option);
    else if (fine != nullptr && fine(context, option))
      finer.push_back(&option);
    else
      option_widget(context, option);
  }
  const std::string group(*(groups.end() - 1));
  const std::array all{Fold{"fine:" + group, "finer switches", "Minor switches, at their defaults.", finer},
                       Fold{"fold:" + group, "more, no effect here",
                            "No effect in this combination. Hover to see why.", idle}};
  folds(context, all);
}

}  // namespace orrery::app
