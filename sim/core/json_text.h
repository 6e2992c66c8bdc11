#pragma once

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace orrery::sim {

/// A value of a JSON file in a one-line message: a short printable text. What is inside of a list or an
/// object is left out, however deep it goes.
std::string json_text(const nlohmann::json& value);

/// A value as `--set` takes it: texts as they are, on and off, numbers.
std::string setting_text(const nlohmann::json& value);

/// Reads a text as JSON; a discarded value where it is none, or is nested too deep (require_shallow_json).
/// Each file that reads JSON by itself takes a second longer to compile.
nlohmann::json json_in(std::string_view text);

/// A value as JSON, on one line or with an indentation. What is no UTF-8 is replaced: names of files need not
/// be.
std::string dump_json(const nlohmann::json& value, int indent = -1);

/// Throws Error if brackets are nested deeper than in any file of this program. JSON's library copies and
/// compares level by level on the stack, which a file of some thousand brackets would overflow.
void require_shallow_json(std::string_view text);

/// The JSON in a file's text, its texts cleaned. Throws Error that says in plain words what is wrong, without
/// the file's name: "is no JSON (byte 7); repair it".
nlohmann::json parse_json(std::string_view text);
/// As parse_json, but keeps the order of names in the file, and line breaks in texts: each line is cleaned by
/// itself. Names have none.
nlohmann::ordered_json parse_ordered_lines(std::string_view text);

/// Makes all texts, and the names in objects, fit to be shown (one_line).
void clean_texts(nlohmann::json& value);
void clean_texts(nlohmann::ordered_json& value);

/// The message of the JSON library, without its "[json.exception.NAME.NUMBER] ".
std::string json_problem(const std::exception& error);

}  // namespace orrery::sim
