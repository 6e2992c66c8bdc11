# A toolchain file: builds for arm64 on a Debian of another architecture that has crossbuild-essential-arm64 and the
# libraries of arm64 (tools/elsewhere arm64 makes such a system). Programs run by qemu-user meanwhile.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
# Notes on what GCC 10 changed, in every file that uses pairs.
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
# Else cpack asks dpkg for the architecture of the machine that builds.
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
