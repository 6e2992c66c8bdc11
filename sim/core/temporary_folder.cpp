#include "sim/core/temporary_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "sim/core/error.h"

namespace orrery::sim {

TemporaryFolder::TemporaryFolder(std::string_view stem, std::string_view purpose) {
  std::error_code failure;
  const auto root = std::filesystem::temp_directory_path(failure);
  auto name = (root / fmt::format("{}-XXXXXX", stem)).string();
  if (failure || ::mkdtemp(name.data()) == nullptr)
    throw Error(
        fmt::format("no temporary folder for {} can be made{}; set TMPDIR to one that can be written to",
                    purpose, root.empty() ? "" : " in " + root.string()));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace orrery::sim
