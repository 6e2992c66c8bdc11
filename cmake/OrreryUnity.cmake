# ORRERY_UNITY=ON compiles several files of a library at once. A cold build is then much faster; a build after a change
# is slower, and a change of one file may make others compile again. For machines that build once.
option(ORRERY_UNITY "Compile several source files at once: faster from nothing, slower after a change" OFF)

# orrery_unity(TARGET...): the files of these are joined, by orrery_join_sources when all of them are known.
function(orrery_unity)
  set_property(GLOBAL APPEND PROPERTY ORRERY_JOINED ${ARGN})
endfunction()

# tools/join_sources.py says which files go together.
function(orrery_join_sources)
  if(NOT ORRERY_UNITY)
    return()
  endif()
  get_property(targets GLOBAL PROPERTY ORRERY_JOINED)
  set(lines "")
  foreach(target IN LISTS targets)
    orrery_plain_sources(${target} files)
    list(TRANSFORM files PREPEND "${target}\t")
    list(APPEND lines ${files})
  endforeach()
  string(REPLACE ";" "\n" lines "${lines}")
  file(WRITE "${PROJECT_BINARY_DIR}/unity/joined_sources.txt" "${lines}\n")
  execute_process(COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/tools/join_sources.py"
      "${PROJECT_BINARY_DIR}/unity/alone.txt"
    INPUT_FILE "${PROJECT_BINARY_DIR}/unity/joined_sources.txt" OUTPUT_VARIABLE joined COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" joined "${joined}")
  foreach(line IN LISTS joined)
    string(REPLACE "\t" ";" line "${line}")
    list(POP_FRONT line target file group)
    set_property(SOURCE "${file}" TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP "${group}")
  endforeach()
  set_target_properties(${targets} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# The C++ files of a target that are compiled like its others, as absolute paths.
function(orrery_plain_sources target result)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(plain "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}" NORMALIZE)
    set(own "")
    foreach(property SKIP_UNITY_BUILD_INCLUSION SKIP_PRECOMPILE_HEADERS COMPILE_OPTIONS COMPILE_DEFINITIONS)
      get_property(value SOURCE "${source}" TARGET_DIRECTORY ${target} PROPERTY ${property})
      string(APPEND own "${value}")
    endforeach()
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${source}" generated)
    if(own STREQUAL "" AND NOT generated AND source MATCHES "\\.cpp$")
      list(APPEND plain "${source}")
    endif()
  endforeach()
  set(${result} "${plain}" PARENT_SCOPE)
endfunction()
