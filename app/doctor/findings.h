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
  std::string name;
  FindingState state = FindingState::works;
  std::string meaning;  ///< the finding itself, or the reason why it cannot be used
  std::string remedy;   ///< where it is missing: one command, or what to do; else empty
};
Finding working(std::string name, std::string meaning);
Finding absent(std::string name, std::string why);
Finding missing(std::string name, std::string why, std::string remedy);

/// CPU, CUDA's parts, GPUs and MPI. Call after the OpenGL probe, so that the GPU's line can use its result.
std::vector<Finding> computing_findings();
/// The remedy where MPI does not work and sim::mpi_module() is this file: empty if the program was built
/// without MPI, because nothing that is installed changes that.
std::string mpi_remedy(const std::filesystem::path& module);
/// The window, pictures without one, EGL's vendor files, interop and fonts, with the reports of
/// window_drawing() and headless_drawing().
std::vector<Finding> drawing_findings(const nlohmann::json& window, const nlohmann::json& headless);
/// Formats, films, the browser, and the program's own data.
std::vector<Finding> file_findings();
/// Folders that the program writes to.
std::vector<Finding> folder_findings();

/// Facts that decide what helps where NVIDIA's driver is installed and does not start.
struct DriverTrouble {
  int error = 0;              ///< what its cuInit returned
  std::string locked_file;    ///< a device file that this user may not open; empty: none
  std::string locked_group;   ///< the group whose members may open it; empty: none
  bool in_container = false;  ///< where drivers and device files come from outside
};

/// Asks the device files in `folder`, which is /dev.
DriverTrouble driver_trouble(int error, bool in_container, const std::string& folder);

/// A command, or what to do.
std::string driver_advice(const DriverTrouble& trouble);

// Reports on the drawing with OpenGL on this machine. Each report has "available"; then "renderer",
// "version", "software", "cuda_device" and "interop", else "why_not".

/// The OpenGL that windows get, asked in a process of its own: CUDA remembers the OpenGL that it saw first,
/// and windows may be drawn by another one than pictures without a window. Call before CUDA is used, because
/// a copied process cannot use it then.
nlohmann::json window_drawing();

/// The OpenGL of pictures, films and `serve`, which need no display.
nlohmann::json headless_drawing();

// NVIDIA's run-time compiler, of which PyPI has packages.

/// PyPI's package whose kernels a driver of this CUDA version runs (13000 for 13.0) on GPUs
/// of this compute capability and newer (75 for 7.5). 0: not known.
std::string nvrtc_package(int driver_version, int oldest_capability);
/// The package for this machine. CUDA 12 where there is no driver: a computer that fetches for others.
std::string nvrtc_package();

/// The command that fetches it, to be typed in a shell.
std::string nvrtc_command();

/// One line for the reason in what pip said before it failed.
std::string pip_problem(const std::string& said, const std::string& package);

/// Fetches the package for this machine into sim::cuda::fetched_packages(), whole or not at all, with pip's
/// progress on a terminal; what it fetched before is replaced. Nothing if a run-time compiler is somewhere
/// else. Prints the result; throws sim::Error with one line.
void fix_nvrtc();

}  // namespace orrery::app
