# orrery_precompile(TARGET [HEADER...]): parses what most files begin with once for the target, which halves the time of
# a cold build. A file still includes what it uses: ORRERY_PRECOMPILED=OFF builds without.
option(ORRERY_PRECOMPILED "Precompile the headers that most files include" ON)

function(orrery_precompile target)
  if(NOT ORRERY_PRECOMPILED)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <chrono> <cmath> <cstddef> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span>
    <string> <string_view> <utility> <vector> ${ARGN})
  orrery_preprocess_precompiled(${target})
endfunction()

# orrery_reuse_precompiled(TARGET OWNER): the header of another target with the same options.
function(orrery_reuse_precompiled target owner)
  if(ORRERY_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    orrery_preprocess_precompiled(${target})
  endif()
endfunction()

# ccache must see which headers a precompiled one stands for.
function(orrery_preprocess_precompiled target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endfunction()

# orrery_not_precompiled(TARGET FILE...): files with options of their own, which a precompiled header cannot have.
function(orrery_not_precompiled target)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
endfunction()
