#include "app/serve/viewer_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "app/live/headline.h"
#include "app/shown_text.h"
#include "app/window/viewer.h"
#include "render/context/gl.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"

namespace orrery::app::serve {

namespace {

using Json = nlohmann::json;

constexpr std::array kind_names{"boolean", "integer", "real", "choice", "list", "form"};

/// The text with the characters that mean something in HTML escaped.
std::string html_text(std::string_view text) {
  using Escape = std::pair<char, const char*>;
  constexpr auto escapes =
      std::to_array<Escape>({{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
  std::string safe;
  for (const char letter : text) {
    const auto* found = std::ranges::find(escapes, letter, &Escape::first);
    safe += found == escapes.end() ? std::string(1, letter) : found->second;
  }
  return safe;
}

Json option_json(const sim::Option& option, const sim::Configuration& configuration) {
  Json json{{"name", option.name},
            {"group", option.group},
            {"label", sim::label_of(option)},
            {"meaning", option.meaning},
            {"kind", kind_names.at(static_cast<std::size_t>(option.kind))},
            {"value", sim::to_string(configuration.value(option.name))},
            {"default", sim::to_string(option.default_value)}};
  if (!option.unit.empty()) json["unit"] = option.unit;
  if (!option.choices.empty()) json["choices"] = option.choices;
  if (option.kind == sim::OptionKind::integer || option.kind == sim::OptionKind::real) {
    json["minimum"] = option.minimum;
    json["maximum"] = option.maximum;
  }
  if (const auto why = sim::why_inactive(option, configuration); !why.empty())
    json["no_effect"] = shown_text(why);
  return json;
}

std::string choice_field(const sim::Option& option, const std::string& attributes, const std::string& value) {
  auto choices = option.choices;
  if (option.kind == sim::OptionKind::boolean) choices = {"on", "off"};
  std::string html = fmt::format("<select {}>", attributes);
  for (const auto& choice : choices)
    html += fmt::format("<option{}>{}</option>", choice == value ? " selected" : "", html_text(choice));
  return html + "</select>";
}

std::string field_of(const sim::Option& option, const std::string& attributes, const std::string& value) {
  using Kind = sim::OptionKind;
  if (option.kind == Kind::boolean || option.kind == Kind::choice)
    return choice_field(option, attributes, value);
  return fmt::format("<input {} autocomplete=\"off\" value=\"{}\">", attributes, html_text(value));
}

/// An answer stands beside the field that it is about, which gets the focus: a reader of the page comes back
/// to where it was.
std::string form_of_option(const sim::Option& option, const sim::Configuration& configuration,
                           const FormAnswer& answer) {
  const auto id = "option-" + option.name;
  const auto why = sim::why_inactive(option, configuration);
  const bool answered = answer.option == option.name;
  const bool refused = answered && answer.refused;
  const auto value = refused ? answer.value : sim::to_string(configuration.value(option.name));
  const auto attributes = fmt::format("id=\"{0}\" name=\"value\" aria-describedby=\"{1}{0}-meaning\"{2}{3}",
                                      id, answered ? "answer " : "", answered ? " autofocus" : "",
                                      refused ? " aria-invalid=\"true\"" : "");
  const auto said = !answered ? std::string()
                              : fmt::format("<p id=\"answer\" class=\"{}\" role=\"{}\">{}</p>",
                                            refused ? "refused" : "said", refused ? "alert" : "status",
                                            html_text(answer.text));
  return fmt::format(
      "<form method=\"post\" action=\"options\"><label for=\"{0}\">{1}</label>{2}"
      "<input type=\"hidden\" name=\"name\" value=\"{3}\"><button aria-label=\"Set {1}\">Set</button>{7}"
      "<p id=\"{0}-meaning\">{4}{5}{6}</p></form>\n",
      id, html_text(sim::label_of(option)), field_of(option, attributes, value), html_text(option.name),
      html_text(option.meaning), option.unit.empty() ? "" : " In " + html_text(option.unit) + ".",
      why.empty() ? "" : " <em>No effect now: " + html_text(why) + ".</em>", said);
}

/// The groups of options, in the order of their first ones.
std::vector<std::string> groups_of(std::span<const sim::Option> options) {
  std::vector<std::string> groups;
  for (const auto& option : options)
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  return groups;
}

}  // namespace

Response status_answer(Viewer& viewer) {
  auto& session = viewer.session();
  Json json{{"program", "orrery"}, {"version", ORRERY_VERSION}, {"renderer", render::gl_info().renderer}};
  if (const auto& problem = viewer.messages().problem(); !problem.empty()) json["problem"] = problem;
  json["open"] = session.has_dataset();
  if (session.has_dataset()) {
    const auto headline = headline_of(session, viewer.switching().watch());
    json["dataset"] = shown_text(session.scene().title);
    json["bodies"] = session.scene().bodies.size();
    json["step"] = session.frame().steps;
    json["time"] = session.frame().time;
    json["paused"] = session.paused;
    json["kernel"] = headline.kernel;
    json["ginteractions_per_second"] = headline.gips;
    json["step_ms"] = session.frame().step_ms;
    json["verdict"] = word_for(headline);
    json["force_error_median"] = headline.error;
  }
  return json_response(sim::dump_json(json, 1));
}

Response options_answer(Viewer& viewer) {
  auto& session = viewer.session();
  auto list = Json::array();
  for (const auto& option : session.table().options())
    list.push_back(option_json(option, session.configuration));
  return json_response(sim::dump_json(list, 1));
}

Response options_page(Viewer& viewer, const FormAnswer& answer) {
  auto& session = viewer.session();
  const auto& options = session.table().options();
  const auto groups = groups_of(options);
  std::string links;
  for (const auto& group : groups)
    links += fmt::format("<li><a href=\"#group-{0}\">{0}</a></li>", html_text(group));
  std::string html = fmt::format(
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>{}Orrery: options</title><link rel=\"stylesheet\" href=\"style.css\">"
      "<link rel=\"icon\" href=\"icon.svg\"></head><body class=\"plain\"><main><h1>Options</h1>"
      "<p><a href=\"./\">Back to the window</a>, <a href=\"screenshot.png\">picture of the window</a>, "
      "<a href=\"status.json\">status</a></p>",
      answer.refused ? "Refused. " : "");
  // An answer that belongs to no option of the page.
  const bool known = std::ranges::find(options, answer.option, &sim::Option::name) != options.end();
  if (!known && !answer.text.empty())
    html += fmt::format("<p role=\"status\" class=\"said\">{}</p>", html_text(answer.text));
  html += fmt::format("<nav aria-label=\"Groups of options\"><ul>{}</ul></nav>", links);
  for (const auto& group : groups) {
    html += fmt::format("<h2 id=\"group-{0}\">{0}</h2>\n", html_text(group));
    for (const auto& option : options)
      if (option.group == group) html += form_of_option(option, session.configuration, answer);
  }
  return {.type = "text/html; charset=utf-8", .body = html + "</main></body></html>\n"};
}

Response set_option_answer(Viewer& viewer, const std::string& name, const std::string& value) try {
  auto& session = viewer.session();
  const auto& option = session.table().at(name);
  const auto parsed = session.table().parse(option, value);
  const auto why = session.table().refusal(option, parsed, session.configuration, session.context());
  if (!why.empty())
    return text_response(400, shown_text(fmt::format("{}={} is refused: {}", name, value, why)));
  session.set_option(option, parsed);
  return text_response(200, fmt::format("{}={}", name, sim::to_string(session.configuration.value(name))));
} catch (const sim::UsageError& error) {
  return text_response(400, shown_text(error.what()));
}

}  // namespace orrery::app::serve
