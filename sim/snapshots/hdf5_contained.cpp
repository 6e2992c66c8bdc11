// For the module that contains libhdf5 (cmake/OrreryContainedHdf5.cmake).
#include <cstdint>
#include <cstdio>

// Distributions compile the static library for programs: it takes the addresses of variables to be near,
// which is wrong only for those of other shared libraries. It uses two of them, stderr and stdout. The
// linker's --wrap lets it use these copies. NOLINTBEGIN(bugprone-reserved-identifier): the linker makes these
// names
extern "C" {
[[gnu::visibility("hidden")]] std::FILE* __wrap_stderr = nullptr;
[[gnu::visibility("hidden")]] std::FILE* __wrap_stdout = nullptr;
extern std::FILE *__real_stderr, *__real_stdout;
}

[[gnu::constructor]] static void copy_streams() {
  __wrap_stderr = __real_stderr;
  __wrap_stdout = __real_stdout;
}
// NOLINTEND(bugprone-reserved-identifier)

/// Stands for the library's own driver of files on the network, which would need curl and OpenSSL. HDF5 1.14
/// asks for it where the environment variable HDF5_DRIVER does. Returns an invalid hid_t, which the library
/// takes as a failure.
extern "C" std::int64_t H5FD_ros3_init() { return -1; }
