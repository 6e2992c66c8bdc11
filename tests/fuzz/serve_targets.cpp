// What strangers send to `orrery serve`.
#include <string_view>

#include "app/serve/access.h"
#include "app/serve/client_message.h"
#include "app/serve/response.h"
#include "app/serve/transfers.h"
#include "tests/fuzz/fuzz_target.h"

namespace orrery::fuzz {

namespace {

using namespace app;

std::string_view text_of(std::span<const std::byte> input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

void read_message(std::span<const std::byte> input) { serve::parse_message(text_of(input)); }

/// The same bytes as every field of a request.
void judge_request(std::span<const std::byte> input) {
  const serve::Access access{.token = "0123456789abcdef0123456789abcdef", .hosts = {"localhost"}};
  const auto text = text_of(input);
  const auto line = text.find('\n');
  const auto first = text.substr(0, line),
             second = line == std::string_view::npos ? first : text.substr(line + 1);
  serve::host_is_ours(first, access);
  serve::origin_is_ours(first, second, access);
  const serve::Sessions sessions;
  if (sessions.role_of_cookies(first) != serve::Role::none) __builtin_trap();
  // A part never leaves its file.
  constexpr std::uint64_t size = 1000;
  if (const auto part = serve::requested_range(first, size); part && part->begin + part->size > size)
    __builtin_trap();
  serve::form_value(first, second);
  // Whatever name comes out stays in its folder.
  const auto name = serve::safe_file_name(first);
  if (name.find('/') != std::string::npos || name == "." || name == "..") __builtin_trap();
}

}  // namespace

void add_serve_targets(std::vector<Target>& all) {
  all.push_back({"serve-message", "messages of the page of `orrery serve`", read_message});
  all.push_back({"serve-request", "names, cookies and forms of requests to `orrery serve`", judge_request});
}

}  // namespace orrery::fuzz
