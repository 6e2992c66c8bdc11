#include "app/serve/response.h"

#include <algorithm>
#include <array>

#include "serve_page.h"

namespace orrery::app::serve {

namespace {

constexpr std::array types{std::pair{".html", "text/html; charset=utf-8"},
                           std::pair{".js", "text/javascript; charset=utf-8"},
                           std::pair{".css", "text/css; charset=utf-8"}, std::pair{".svg", "image/svg+xml"}};

std::string_view type_of(std::string_view name) {
  const auto found =
      std::ranges::find_if(types, [&](const auto& each) { return name.ends_with(each.first); });
  return found == types.end() ? "text/plain; charset=utf-8" : found->second;
}

}  // namespace

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
