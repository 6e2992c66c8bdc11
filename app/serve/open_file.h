#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace orrery::app::serve {

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

}  // namespace orrery::app::serve
