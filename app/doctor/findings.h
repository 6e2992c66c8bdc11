#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

// What `orrery doctor` looks at.
namespace orrery::app {

/// The command that installs a package here, by apt or dnf; without either the package's name in Debian.
std::string install_hint(std::string_view debian, std::string_view fedora);

/// The state of a part of this machine or program.
enum class FindingState {
  works,
  absent,   ///< this machine has none, and what needs it says so
  missing,  ///< the remedy brings it
};

/// A part of this machine or of the program.
struct Finding {
  std::string topic;  ///< what it serves: "Computing"
  std::string name;
  FindingState state = FindingState::works;
  std::string meaning;  ///< the finding itself, or the reason why it cannot be used
  std::string remedy;   ///< where it is missing: one command, or what to do; else empty
};

/// CPU, CUDA's parts, GPUs and MPI. Call after the OpenGL probe, so that the GPU's line can use its result.
std::vector<Finding> computing_findings();
/// The remedy where MPI does not work and sim::mpi_module() is this file: empty if the program was built
/// without MPI, because nothing that is installed changes that.
std::string mpi_remedy(const std::filesystem::path& module);
/// The window, pictures without one, EGL's vendor files, interop and fonts, with the reports of
/// drawing_report.h.
std::vector<Finding> drawing_findings(const nlohmann::json& window, const nlohmann::json& headless);
/// Formats, films, the browser, and the program's own data.
std::vector<Finding> file_findings();
/// Folders that the program writes to.
std::vector<Finding> folder_findings();

}  // namespace orrery::app
