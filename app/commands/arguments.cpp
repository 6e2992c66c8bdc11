#include "app/commands/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <type_traits>

namespace orrery::app {

namespace {

/// The placeholder in the help for a value of the type, where the argument does not say it more precisely.
template <typename Value>
const char* value_name() {
  if (std::is_same_v<Value, std::filesystem::path>) return "FILE";
  const bool text = std::is_same_v<Value, std::string> || std::is_same_v<Value, std::optional<std::string>> ||
                    std::is_same_v<Value, std::vector<std::string>>;
  return text ? "TEXT" : "NUMBER";
}

}  // namespace

Argument& Argument::shown_as(const std::string& text) {
  option_->type_name(text);
  return *this;
}

Argument& Argument::required() {
  option_->required();
  return *this;
}

Argument& Argument::not_empty() {
  const auto check = [](const std::string& text) { return text.empty() ? "the name is empty" : ""; };
  option_->check(CLI::Validator(check, ""));
  return *this;
}

// CLI11's own checks print the largest double with all its digits, and take -1 for a very large number.
Argument& Argument::whole_number(std::uint64_t low, std::uint64_t high) {
  const auto check = [low, high](const std::string& text) {
    const auto value = number_in<std::uint64_t>(text);
    const bool good = value && *value >= low && *value <= high;
    if (good) return std::string();
    const bool limited = high != std::numeric_limits<std::uint64_t>::max();
    const auto most = limited ? fmt::format(" to {}", high) : std::string();
    return fmt::format("takes a whole number from {}{}, not '{}'", low, most, text);
  };
  option_->check(CLI::Validator(check, ""));
  return *this;
}

Argument& Argument::real_number(double low) {
  const auto check = [low](const std::string& text) {
    const auto value = number_in<double>(text);
    const bool good = value && std::isfinite(*value) && *value >= low;
    return good ? std::string() : fmt::format("takes a finite number from {} up, not '{}'", low, text);
  };
  option_->check(CLI::Validator(check, ""));
  return *this;
}

Argument& Argument::positive_number() {
  const auto check = [](const std::string& text) {
    const auto value = number_in<double>(text);
    const bool good = value && std::isfinite(*value) && *value > 0.0;
    return good ? std::string() : fmt::format("takes a finite number above 0, not '{}'", text);
  };
  option_->check(CLI::Validator(check, ""));
  return *this;
}

Argument& Argument::comma_separated() {
  option_->delimiter(',');
  return one_each_time();
}

Argument& Argument::one_each_time() {
  option_->allow_extra_args(false);
  return *this;
}

Argument& Argument::may_lack_value() {
  option_->expected(0, 1);
  return *this;
}

Argument& Argument::just_one() {
  option_->expected(1);
  return *this;
}

Argument& Argument::names_file(FileRole role) {
  marked_->push_back({option_, role});
  return *this;
}

Argument& Argument::names_files_and_output() {
  marked_->push_back({option_, FileRole::read, true});
  return *this;
}

void Arguments::flag(const std::string& names, bool& to, const std::string& meaning) {
  grouped(command_->add_flag(names, to, meaning));
}

void Arguments::flag(const std::string& names, const std::function<void()>& given,
                     const std::string& meaning) {
  grouped(command_->add_flag_callback(names, given, meaning));
}

template <typename Value>
Argument Arguments::value(const std::string& names, Value& to, const std::string& meaning) {
  Argument argument(grouped(command_->add_option(names, to, meaning)), marked_);
  argument.shown_as(value_name<Value>());
  return argument;
}

template Argument Arguments::value(const std::string&, std::string&, const std::string&);
template Argument Arguments::value(const std::string&, std::optional<std::string>&, const std::string&);
template Argument Arguments::value(const std::string&, std::vector<std::string>&, const std::string&);
template Argument Arguments::value(const std::string&, std::filesystem::path&, const std::string&);
template Argument Arguments::value(const std::string&, int&, const std::string&);
template Argument Arguments::value(const std::string&, std::optional<int>&, const std::string&);
template Argument Arguments::value(const std::string&, std::uint32_t&, const std::string&);
template Argument Arguments::value(const std::string&, std::uint64_t&, const std::string&);
template Argument Arguments::value(const std::string&, std::optional<std::uint64_t>&, const std::string&);
template Argument Arguments::value(const std::string&, std::vector<std::uint64_t>&, const std::string&);
template Argument Arguments::value(const std::string&, double&, const std::string&);
template Argument Arguments::value(const std::string&, std::optional<double>&, const std::string&);

Argument Arguments::text(const std::string& names, const std::function<void(const std::string&)>& take,
                         const std::string& meaning) {
  return {grouped(command_->add_option_function<std::string>(names, take, meaning)), marked_};
}

Argument Arguments::texts(const std::string& names,
                          const std::function<void(const std::vector<std::string>&)>& take,
                          const std::string& meaning) {
  return {grouped(command_->add_option_function<std::vector<std::string>>(names, take, meaning)), marked_};
}

CLI::Option* Arguments::grouped(CLI::Option* option) const {
  if (!group_.empty()) option->group(group_);
  return option;
}

void Arguments::end() {
  const auto writes = [](const MarkedArgument& marked) {
    return marked.last_is_written || marked.role == FileRole::written || marked.role == FileRole::settled;
  };
  if (std::ranges::any_of(*marked_, writes))
    grouped(command_->add_flag("--overwrite"))
        ->description("Replace files that exist, each when the new one is complete (default: refuse)");
  auto* help = command_->set_help_flag("-h,--help", "Print this help and exit");
  if (!group_.empty()) help->group("Other");
}

void Arguments::footer(const std::string& text) { command_->footer(text); }

bool Arguments::given(const std::string& name) const { return command_->count(name) > 0; }

std::vector<std::string> Arguments::all_given() const {
  std::vector<std::string> names;
  for (const auto* option : command_->get_options())
    if (option->count() > 0) names.push_back(option->get_name(option->get_positional()));
  return names;
}

bool Arguments::overwrites() const {
  const auto* option = command_->get_option_no_throw("--overwrite");
  return option != nullptr && option->count() > 0;
}

std::vector<FileArgument> Arguments::files() const {
  std::vector<FileArgument> files;
  for (const auto& marked : *marked_) {
    const auto name = marked.option->get_name(marked.option->get_positional());
    const auto values = marked.option->results();
    const bool may_be_stream = marked.option->get_type_name().ends_with("|-");
    for (const auto& value : values) files.push_back({name, value, marked.role, may_be_stream});
    if (marked.last_is_written && values.size() > 1)
      files.back() = {"the last file", files.back().path, FileRole::written};
  }
  return files;
}

}  // namespace orrery::app
