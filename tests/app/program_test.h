#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/temporary_folder.h"

namespace orrery::test {

/// The outcome of a command.
struct Outcome {
  int status = -1;
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// Runs programs in a folder of the test's own.
class ProgramTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  /// A line of the shell, in the folder, which is its home, and without a display.
  Outcome shell(const std::string& line) const {
    const auto command = "cd '" + folder_.string() + "' && export HOME='" + folder_.string() +
                         "' && unset DISPLAY WAYLAND_DISPLAY XDG_PICTURES_DIR && { " + line +
                         "; } >out.txt 2>err.txt </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder_ / "out.txt"),
            text_of(folder_ / "err.txt")};
  }

 private:
  const TemporaryFolder temporary_;

 protected:
  const std::filesystem::path& folder_ = temporary_.path();
};

}  // namespace orrery::test
