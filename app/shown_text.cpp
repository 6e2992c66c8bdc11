#include "app/shown_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/core/letters.h"

namespace orrery::app {

namespace {

namespace fs = std::filesystem;

std::optional<std::vector<fs::path>>& shortened_below() {
  static std::optional<std::vector<fs::path>> folders;
  return folders;
}

/// True if the slash at `at` is within a name, a unit ("km/s") or an address ("http://").
bool is_within_a_word(std::string_view text, std::size_t at) {
  if (at == 0) return false;
  const char before = text[at - 1];
  if (before == ':') return text.substr(at).starts_with("//");
  return static_cast<unsigned char>(before) >= 0x80U || sim::is_plain({&before, 1}, "._-~/)]");
}

bool ends_path(char letter) {
  return letter <= ' ' || std::string_view("\"'`,;:()<>|").find(letter) != std::string_view::npos;
}

/// Takes the name of every folder out that ends where a path goes on or ends.
void take_out(std::string& text, const std::string& folder) {
  if (folder.size() < 2) return;
  for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) {
    const auto end = at + folder.size();
    const bool whole = end == text.size() || text[end] == '/' || ends_path(text[end]);
    if (!whole)
      at = end;
    else if (end < text.size() && text[end] == '/')
      text.erase(at, folder.size() + 1);
    else
      text.replace(at, folder.size(), ".");
  }
}

/// Where a path that begins at `at` ends: at the quotation mark where it stands between two, as names may
/// have blanks.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  const char before = at > 0 ? text[at - 1] : ' ';
  const auto closing = before == '\'' || before == '"' ? text.find(before, at) : std::string_view::npos;
  if (closing != std::string_view::npos) return closing;
  return static_cast<std::size_t>(
      std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), ends_path) - text.begin());
}

/// True for an absolute path, and for the end of one that is too long for a message (sim::quoted).
bool begins_path(std::string_view text, std::size_t at) {
  if (text[at] == '/') return !is_within_a_word(text, at);
  return at > 0 && text.substr(at - 1).starts_with("'...");
}

/// The end of the path that begins at `at`; `at` itself if there is none.
std::size_t end_of_path(std::string_view text, std::size_t at) {
  if (!begins_path(text, at)) return at;
  const auto end = end_of_name(text, at);
  return text.substr(at + 1, end - at - 1).find('/') == std::string_view::npos ? at : end;
}

}  // namespace

std::string with_short_paths(std::string_view text, const std::vector<fs::path>& folders) {
  std::string rest(text), plain;
  for (const auto& folder : folders) take_out(rest, folder.string());
  for (std::size_t at = 0; at < rest.size();) {
    auto end = end_of_path(rest, at);
    if (end == at) {
      plain += rest[at++];
      continue;
    }
    const std::string_view path(rest.data() + at, end - at);
    const auto name = path.substr(0, path.find_last_not_of('/') + 1);
    plain += name.substr(name.rfind('/') + 1);
    at = end;
  }
  return plain;
}

void shorten_shown_paths(std::vector<fs::path> folders) { shortened_below() = std::move(folders); }

std::string shown_text(std::string text) {
  return shortened_below() ? with_short_paths(text, *shortened_below()) : text;
}

}  // namespace orrery::app
