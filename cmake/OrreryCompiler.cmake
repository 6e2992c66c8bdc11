# Compiler settings shared by every target, carried by the interface target orrery_options.
add_library(orrery_options INTERFACE)
target_compile_features(orrery_options INTERFACE cxx_std_20)
target_include_directories(orrery_options INTERFACE "${PROJECT_SOURCE_DIR}")
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Where files are compiled together, a name of one file is no mistake in the next, a type of an anonymous namespace may be
# a member, and GCC follows values through more calls than it can.
set(joined "$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>")
set(guesses "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(guesses -Wno-subobject-linkage -Wno-maybe-uninitialized -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
    -Wno-stringop-overread)
endif()
target_compile_options(orrery_options INTERFACE -Wall -Wextra -Wpedantic "$<IF:${joined},${guesses},-Wshadow>"
  -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers)
# From 13 on GCC takes a reference into something else for one into the temporary that a function was given.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  target_compile_options(orrery_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-reference>)
endif()
# A fused multiply-add rounds once instead of twice: results must not depend on whether the
# compiler finds one, so that every kernel gives the same bits.
target_compile_options(orrery_options INTERFACE -ffp-contract=off)

# GCC tidies its memory again and again while it compiles, unless it may take 0.3 GB more: a tenth of the time to compile.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
  if(memory GREATER 6000)
    target_compile_options(orrery_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>)
  endif()
endif()

# What is handed out names no folder of the machine that built it, and has equal bytes wherever it was built.
target_compile_options(orrery_options INTERFACE "$<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

# It opens files of strangers and serves networks.
set(hardened -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  list(APPEND hardened -mbranch-protection=standard)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND hardened -fcf-protection)
endif()
target_compile_options(orrery_options INTERFACE "$<$<CONFIG:Release>:${hardened}>")
target_link_options(orrery_options INTERFACE "$<$<CONFIG:Release>:LINKER:-z,now>")

if(ORRERY_WARNINGS_AS_ERRORS)
  target_compile_options(orrery_options INTERFACE -Werror)
endif()
if(ORRERY_ASSERTIONS)
  target_compile_definitions(orrery_options INTERFACE ORRERY_ASSERTIONS _GLIBCXX_ASSERTIONS)
endif()
if(ORRERY_SANITIZE)
  target_compile_options(orrery_options INTERFACE "-fsanitize=${ORRERY_SANITIZE}" -fno-sanitize-recover=all
                                                  -fno-omit-frame-pointer)
  target_link_options(orrery_options INTERFACE "-fsanitize=${ORRERY_SANITIZE}")
endif()
# For the force loops (ORRERY_FAST_LOOPS). Sanitizers hide what -O3 gains, and it doubles the time to compile them.
set(ORRERY_LOOP_OPTIONS -O3 -fno-math-errno)
if(ORRERY_SANITIZE)
  set(ORRERY_LOOP_OPTIONS -O1 -fno-math-errno)
endif()

# For what no kernel waits for. Without optimization it compiles in two thirds of the time.
add_library(orrery_cold_options INTERFACE)
if(NOT ORRERY_OPTIMIZE_COLD)
  target_compile_options(orrery_cold_options INTERFACE -O0)
endif()

# Dozens of test programs hold the same libraries: Binutils' other linker is
# quicker (1.6 s instead of 2.7 for a large one).
find_program(ORRERY_GOLD ld.gold)
if(ORRERY_FAST_LINK AND ORRERY_GOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_link_options(orrery_options INTERFACE -fuse-ld=gold)
endif()

find_program(ORRERY_CCACHE ccache)
if(ORRERY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What a precompiled header needs to be cached at all.
  set(launcher env CCACHE_SLOPPINESS=pch_defines,time_macros "${ORRERY_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
