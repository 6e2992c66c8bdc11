#pragma once

#include <filesystem>
#include <memory>

// --watch-kernels DIR: the CUDA engine's device code from a folder instead of the embedded one.
namespace orrery::app {

/// Reads the folder once, and says on standard error which files are used; an empty path does nothing.
/// Throws sim::Error.
void read_kernels_from(const std::filesystem::path& folder);

/// Reads the folder, and again whenever it is edited, as long as the returned object lives; messages go to
/// the log. An empty path does nothing. Throws like read_kernels_from.
std::shared_ptr<void> watch_kernels_in(const std::filesystem::path& folder);

}  // namespace orrery::app
