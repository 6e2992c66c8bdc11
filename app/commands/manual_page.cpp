#include "app/commands/manual_page.h"

#include <fmt/format.h>

#include <string_view>

#include "app/commands/command_facts.h"
#include "app/commands/option_help.h"
#include "app/commands/settings.h"
#include "app/picture/display_options.h"
#include "sim/galaxies/model.h"

namespace orrery::app {

namespace {

/// Text that roff prints as it is. A hyphen stays one that can be searched for and copied.
std::string plain(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else if (c == '~' || c == '^' || c == '\'' || c == '`') {
      safe += c == '~' ? "\\(ti" : c == '^' ? "\\(ha" : c == '\'' ? "\\(aq" : "\\(ga";
    } else {
      safe += c;
    }
  }
  return safe;
}

/// A line of text. A line must not begin like a request.
std::string line(std::string_view text) {
  const bool request = text.starts_with(".") || text.starts_with("'");
  return (request ? "\\&" : "") + plain(text) + "\n";
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", plain(text)); }
std::string italic(std::string_view text) { return fmt::format("\\fI{}\\fR", plain(text)); }

/// An entry of a list; `head` is roff already.
std::string entry(const std::string& head, std::string_view text) {
  return ".TP\n" + head + "\n" + line(text);
}

std::string head_of(const ArgumentFacts& argument) {
  std::string head;
  for (const auto& name : argument.names)
    head += (head.empty() ? "" : ", ") + (argument.positional ? italic(name) : bold(name));
  if (!argument.value.empty()) head += " " + italic(argument.value);
  return head;
}

std::string usage_of(const CommandFacts& command) {
  auto usage = bold("orrery " + command.name) + " [" + italic("OPTIONS") + "]";
  for (const auto& argument : command.arguments) {
    if (!argument.positional) continue;
    const auto name = italic(argument.names.front()) + (argument.repeated ? "..." : "");
    usage += argument.required ? " " + name : " [" + name + "]";
  }
  return usage;
}

/// Built-in galaxies have a section of their own and need not follow every command.
std::string footer_of(const CommandFacts& command) {
  const bool galaxies = command.footer.starts_with("Built-in galaxies");
  return command.footer.empty() || galaxies ? std::string() : ".PP\n" + line(command.footer);
}

std::string section_of(const CommandFacts& command) {
  auto text =
      fmt::format(".SS {}\n{}\n.PP\n{}", plain(command.name), usage_of(command), line(command.meaning + "."));
  for (const auto& argument : command.arguments) text += entry(head_of(argument), argument.meaning);
  return text + footer_of(command);
}

std::string commands_section() {
  std::string text = ".SH COMMANDS\n";
  for (const auto& command : command_facts()) text += section_of(command);
  return text;
}

/// Defaults that depend on the machine are left to its own `--help-options`.
bool has_fixed_default(const sim::Option& option) {
  return option.scope != sim::OptionScope::machine && option.name != "engine";
}

std::string values_of(const sim::Option& option) {
  const auto meanings = meanings_of_values(option);
  if (meanings.empty()) return {};
  std::string text = ".RS\n";
  for (const auto& [value, meaning] : meanings) text += entry(bold(value), meaning);
  return text + ".RE\n";
}

std::string entry_of(const sim::Option& option) {
  auto text = entry(bold(option.name), option.meaning);
  text += line("Values: " + allowed_values(option) + ".");
  if (has_fixed_default(option)) text += line("Default: " + sim::to_string(option.default_value) + ".");
  return text + values_of(option);
}

std::string options_section() {
  std::string text =
      ".SH OPTIONS OF --set\nEach is set with\n.B \\-\\-set\n.IR NAME = VALUE ,\nin the panel, in ladders "
      "and "
      "in state files.\n";
  const auto table = all_options();
  for (const auto& option : table.options()) text += entry_of(option);
  return text;
}

std::string settings_section() {
  std::string text;
  for (const auto& kind : described_settings()) {
    text += fmt::format(".SS {}\n", plain(kind.title));
    for (const auto& setting : kind.settings)
      text += entry(bold(setting.name) + " = " + italic(setting.values), setting.meaning);
  }
  return text;
}

std::string galaxies_section() {
  std::string text = ".SH BUILT\\-IN GALAXIES\n";
  for (const auto* model : sim::galaxy_models()) text += entry(bold(model->name), model->meaning);
  return text;
}

constexpr const char* const beginning =
    R"roff(.SH NAME
orrery \- a live laboratory for galaxy N\-body
.SH SYNOPSIS
.B orrery
.RI [ DATA ...]
.br
.B orrery
.I COMMAND
.RI [ OPTIONS ]
.br
.B orrery
.RB [ \-\-help | \-\-help\-options | \-\-version ]
.SH DESCRIPTION
Orrery moves the bodies of a galaxy under their own gravity and draws them while they move.
A panel beside the picture switches how the forces are computed.
It shows the rate of each variant, and whether its answer is right.
.PP
.I DATA
is a file, or the name of a built\-in galaxy.
.B orrery DATA
is short for
.BR "orrery view DATA" .
Without a display, orrery computes 200 steps and writes a picture instead of opening a window.
.PP
The forces are computed by CUDA where there is an NVIDIA GPU, and otherwise by the processor.
.B \-\-engine cpu
and
.B \-\-engine cuda
choose.
)roff";

constexpr const char* const ending =
    R"roff(.SH FILES
.TP
.I \(ti/.config/orrery
Settings, ladders of your own, and what
.B orrery tune
found.
.TP
.I \(ti/.cache/orrery/kernels
Compiled CUDA kernels. It can be removed at any time.
.SH ENVIRONMENT
.TP
.BR XDG_CONFIG_HOME ", " XDG_CACHE_HOME
Folders in place of \(ti/.config and \(ti/.cache.
.TP
.B XDG_PICTURES_DIR
Where pictures go, unless
.B \-\-pictures
or
.B \-\-output
says so.
.TP
.BR CUDA_PATH ", " CUDA_HOME
Where CUDA's libraries are looked for, after the usual places.
.TP
.B CUDA_VISIBLE_DEVICES
Which GPUs CUDA may use.
.SH EXIT STATUS
.TP
.B 0
Success.
.TP
.B 1
Something failed; one line on standard error says what.
.TP
.B 2
The command line is wrong.
.TP
.B 3
The run finished, but forces exceeded the errors that their kernel states.
.TP
.B 128 + n
Ended by signal n: 130 by Ctrl+C, 143 by SIGTERM, 129 by a terminal that was closed. What was computed by then is
written; a second Ctrl+C or SIGTERM ends the program at once.
.SH EXAMPLES
.TP
.B orrery collision
Two galaxies collide, in a window.
.TP
.B orrery render disk \-\-steps 500 \-o disk.png
A picture after 500 steps, without a window.
.TP
.B orrery bench \-\-kernels all \-\-bodies 8192
All kernels in a table.
.TP
.B orrery bench \-\-set tile=512 \-\-set unroll=8
One kernel with other options.
.TP
.B orrery verify
Is every kernel right?
)roff";

}  // namespace

std::string manual_page() {
  return ".TH ORRERY 1 \"" ORRERY_DATE "\" \"orrery " ORRERY_VERSION "\" \"User Commands\"\n" +
         std::string(beginning) + commands_section() + options_section() + settings_section() +
         galaxies_section() + ending;
}

}  // namespace orrery::app
