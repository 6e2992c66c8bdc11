#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::app::serve {

/// A contiguous part of a file, in bytes.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

/// The part of a file of `size` bytes that a Range field asks for ("bytes=0-99", "bytes=100-", "bytes=-5").
/// Size 0: none of it exists (status 416). Empty: several parts or another form, which a server may ignore.
std::optional<ByteRange> requested_range(std::string_view field, std::uint64_t size);

/// A regular file that is open for reading, whatever happens to its name meanwhile.
class OpenFile {
 public:
  /// Null if the file is gone, or is no regular file: a link that took its place is not followed.
  static std::shared_ptr<const OpenFile> open(const std::filesystem::path& path);
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile();

  /// The number of bytes when it was opened.
  std::uint64_t size() const { return size_; }
  /// An entity tag: differs from that of any other file, and changes with the file.
  const std::string& tag() const { return tag_; }
  /// Reads bytes from `position` on. Returns how many were read: 0 at the end and if reading fails.
  std::size_t read(std::uint64_t position, std::span<char> bytes) const;

 private:
  OpenFile(int descriptor, std::uint64_t size, std::string tag)
      : descriptor_(descriptor), size_(size), tag_(std::move(tag)) {}

  int descriptor_;
  std::uint64_t size_;
  std::string tag_;
};

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
