#include "sim/core/text_file.h"

#include <fstream>
#include <system_error>

#include "sim/core/message.h"

namespace orrery::sim {

namespace fs = std::filesystem;

namespace {

// A folder opens like a file and fails when it is read; a pipe would be waited for.
void require_readable(const fs::path& path) {
  constexpr std::uintmax_t largest = std::uintmax_t{256} << 20U;
  std::error_code failure;
  const auto status = fs::status(path, failure);
  if (!fs::exists(status)) cannot_read(path, reason_of(failure.value()) + "; check the name");
  if (fs::is_directory(status)) cannot_read(path, "it is a folder; a file is needed");
  if (!fs::is_regular_file(status)) cannot_read(path, "it is a device or a pipe; a file is needed");
  if (fs::file_size(path, failure) > largest) cannot_read(path, "it is larger than 256 MiB");
}

}  // namespace

std::string read_text_file(const fs::path& path) {
  require_readable(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) cannot_read(path, "it cannot be opened; check its permissions");
  std::string text;
  constexpr std::size_t piece = std::size_t{1} << 16;
  while (file) {
    const auto before = text.size();
    text.resize(before + piece);
    file.read(text.data() + before, piece);
    text.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) cannot_read(path, "the device fails");
  return text;
}

}  // namespace orrery::sim
