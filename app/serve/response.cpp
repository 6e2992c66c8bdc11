#include "app/serve/response.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <limits>

#include "serve_page.h"
#include "sim/core/letters.h"

namespace orrery::app::serve {

namespace {

constexpr auto unbounded = std::numeric_limits<std::uint64_t>::max();

/// Empty if the text is not made of digits. A number that is too large is past the end of every file.
std::optional<std::uint64_t> number_in(std::string_view text) {
  if (text.empty() || !std::ranges::all_of(text, sim::is_digit)) return std::nullopt;
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() ? number : unbounded;
}

ByteRange between(std::uint64_t first, std::uint64_t last, std::uint64_t size) {
  if (first >= size) return {};
  return {first, std::min(last, size - 1) - first + 1};
}

constexpr std::array types{std::pair{".html", "text/html; charset=utf-8"},
                           std::pair{".js", "text/javascript; charset=utf-8"},
                           std::pair{".css", "text/css; charset=utf-8"}, std::pair{".svg", "image/svg+xml"}};

std::string_view type_of(std::string_view name) {
  const auto found =
      std::ranges::find_if(types, [&](const auto& each) { return name.ends_with(each.first); });
  return found == types.end() ? "text/plain; charset=utf-8" : found->second;
}

}  // namespace

std::optional<ByteRange> requested_range(std::string_view field, std::uint64_t size) {
  constexpr std::string_view unit = "bytes=";
  const auto dash = field.find('-');
  if (!field.starts_with(unit) || dash == std::string_view::npos) return std::nullopt;
  const auto left = field.substr(unit.size(), dash - unit.size()), right = field.substr(dash + 1);
  const auto first = number_in(left), last = number_in(right);
  if (left.empty() && last) return ByteRange{size - std::min(*last, size), std::min(*last, size)};
  if (first && right.empty()) return between(*first, unbounded, size);
  if (!first || !last || *last < *first) return std::nullopt;
  return between(*first, *last, size);
}

std::shared_ptr<const OpenFile> OpenFile::open(const std::filesystem::path& path) {
  // Opening a pipe must not wait for its writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return nullptr;
  }
  auto tag = fmt::format("\"{:x}-{:x}-{:x}.{:x}\"", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                         status.st_mtim.tv_nsec);
  return std::shared_ptr<const OpenFile>(
      new OpenFile(descriptor, static_cast<std::uint64_t>(status.st_size), std::move(tag)));
}

OpenFile::~OpenFile() { ::close(descriptor_); }

std::size_t OpenFile::read(std::uint64_t position, std::span<char> bytes) const {
  ssize_t count = -1;
  do {
    count = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(position));
  } while (count < 0 && errno == EINTR);
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

Response text_response(int status, std::string text) {
  return {.status = status, .body = std::move(text) + "\n"};
}

Response json_response(std::string json) {
  return {.type = "application/json; charset=utf-8", .body = std::move(json) + "\n"};
}

std::vector<std::pair<std::string, std::string>> safety_fields() {
  return {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' blob:; "
       "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"}};
}

Response page_file(std::string_view name) {
  for (const auto& file : page::embedded_files)
    if (file.name == name) return {.type = std::string(type_of(name)), .body = std::string(file.text)};
  return text_response(404, "there is no such page");
}

Response login_page(bool refused) {
  auto response = page_file("login.html");
  response.status = refused ? 403 : 401;
  constexpr std::string_view mark = "<!--refused-->";
  if (const auto at = response.body.find(mark); refused && at != std::string::npos)
    response.body.replace(at, mark.size(), "<p class=\"refused\" role=\"alert\">This is not the token.</p>");
  return response;
}

}  // namespace orrery::app::serve
