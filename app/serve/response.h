#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/serve/byte_range.h"
#include "app/serve/open_file.h"

namespace orrery::app::serve {

/// An answer over HTTP.
struct Response {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> fields = {};    ///< further header fields
  std::shared_ptr<const OpenFile> file = nullptr;                  ///< sent instead of `body`; null: none
  ByteRange part = {};                                             ///< of `file`
  std::shared_ptr<const std::vector<std::byte>> shared = nullptr;  ///< sent instead of `body`; null: none
};

/// A short text that says what is wrong.
Response text_response(int status, std::string text);
Response json_response(std::string json);

/// The fields that every answer has: no script but our own, no framing by strangers, no guesses, no referrer.
std::vector<std::pair<std::string, std::string>> safety_fields();

/// A file of the page ("app.js"), part of the program. Status 404 if there is none.
Response page_file(std::string_view name);
/// The page that asks for the token.
Response login_page(bool refused);

}  // namespace orrery::app::serve
