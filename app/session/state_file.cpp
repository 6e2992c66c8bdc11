#include "app/session/state_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "render/picture/image.h"
#include "render/picture/light_file.h"
#include "sim/core/error.h"
#include "sim/core/json_text.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"
#include "sim/core/text_file.h"

namespace orrery::app {

namespace fs = std::filesystem;

namespace {

/// Ours have some kilobytes. The window stands still while one is read.
constexpr std::size_t largest_state = std::size_t{4} << 20U;
constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";
constexpr std::string_view exr_signature = "\x76\x2f\x31\x01";

std::string first_bytes(const fs::path& path, std::size_t count) {
  std::error_code failure;
  // A pipe would be waited for.
  if (!fs::is_regular_file(path, failure)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return bytes;
}

/// A name that is not there is a mistake in the command, as that of a dataset is.
void require_file(const fs::path& path) {
  std::error_code failure;
  if (fs::exists(path, failure) || failure) return;
  const auto near = sim::nearest_file(path);
  throw sim::UsageError(fmt::format("there is no file {}; {}", sim::quoted(path),
                                    near.empty() ? std::string("check the name and the folder")
                                                 : "did you mean " + sim::quoted(near) + "?"));
}

[[noreturn]] void refuse_large() {
  throw sim::Error("the state is larger than 4 MiB; orrery writes none of this size");
}

std::string text_in(const fs::path& path) {
  if (first_bytes(path, png_signature.size()) == png_signature) {
    if (auto text = render::read_png_text(path, state_keyword, largest_state)) return *std::move(text);
    throw sim::Error("the picture was not made by orrery and carries no state");
  }
  if (first_bytes(path, exr_signature.size()) == exr_signature) {
    for (auto& entry : render::read_light_file_text(path)) {
      if (entry.keyword == state_keyword) return std::move(entry.text);
    }
    throw sim::Error("the picture was not made by orrery and carries no state");
  }
  std::error_code failure;
  if (fs::file_size(path, failure) > largest_state && !failure) refuse_large();
  return sim::read_text_file(path);
}

/// An object of JSON is text, and goes on with a name or ends. A number in a binary file may begin with '{'
/// too: the time 0.01 of a Tipsy file does.
bool begins_like_object(std::string_view bytes) {
  constexpr std::string_view blanks = " \t\r\n";
  const bool is_text = std::ranges::none_of(
      bytes, [&](char c) { return static_cast<unsigned char>(c) < ' ' && blanks.find(c) == blanks.npos; });
  const auto brace = bytes.find_first_not_of(blanks);
  if (!is_text || brace == std::string_view::npos || bytes[brace] != '{') return false;
  const auto next = bytes.find_first_not_of(blanks, brace + 1);
  return next == std::string_view::npos || bytes[next] == '"' || bytes[next] == '}';
}

}  // namespace

std::string read_state_text(const fs::path& path) {
  require_file(path);
  auto text = text_in(path);
  if (text.size() > largest_state) refuse_large();
  sim::require_shallow_json(text);
  return text;
}

bool looks_like_state(const fs::path& path) {
  const auto bytes = first_bytes(path, 64);
  return bytes.starts_with(png_signature) || bytes.starts_with(exr_signature) || begins_like_object(bytes);
}

}  // namespace orrery::app
