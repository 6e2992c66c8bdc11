#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Where libraries of the CUDA toolkit are looked for. All of them are opened at run time.
namespace orrery::sim::cuda {

/// The folder of packages that `orrery doctor --fix nvrtc` fetches: $XDG_DATA_HOME/orrery/cuda, or the same
/// in ~/.local/share. Empty if there is no home.
std::filesystem::path fetched_packages();

/// File names of a library, in the order in which they are tried. First in fetched_packages(), which a person
/// asked for and which suits the driver; then by the linker's search, with each of these versions and without
/// one; then in CUDA_PATH, CUDA_HOME, /usr/local/cuda and /usr/local/cuda-*; then in packages of Python
/// (wheels): in a virtual environment of the folder build that this program is in, in VIRTUAL_ENV and in
/// ~/.local.
std::vector<std::string> toolkit_library_names(const std::string& stem,
                                               const std::vector<std::string>& versions);
/// The names of a toolkit's libraries for a program in the folder `program`.
std::vector<std::string> toolkit_library_names(const std::string& stem,
                                               const std::vector<std::string>& versions,
                                               const std::filesystem::path& program);
/// Opens the first library that is there, for as long as the program runs; nullptr if none is.
void* open_first(const std::vector<std::string>& names);
/// The file that a function of a library came from; empty if that is not known.
std::string file_of(void* function);

}  // namespace orrery::sim::cuda
