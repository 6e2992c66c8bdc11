# ORRERY_UNITY=ON compiles several files of a library at once. A cold build is then much faster; a build after a change
# is slower, and a change of one file may make others compile again. For machines that build once.
option(ORRERY_UNITY "Compile several source files at once: faster from nothing, slower after a change" OFF)

# orrery_unity(TARGET): joins the files of a library, after all of them are known. tools/join_sources.py says which.
function(orrery_unity target)
  if(NOT ORRERY_UNITY)
    return()
  endif()
  orrery_plain_sources(${target} files)
  string(REPLACE ";" "\n" lines "${files}")
  file(WRITE "${PROJECT_BINARY_DIR}/unity/${target}.txt" "${lines}\n")
  execute_process(COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/tools/join_sources.py"
      "${PROJECT_BINARY_DIR}/unity/alone.txt"
    INPUT_FILE "${PROJECT_BINARY_DIR}/unity/${target}.txt" OUTPUT_VARIABLE joined COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" joined "${joined}")
  foreach(line IN LISTS joined)
    string(REPLACE "\t" ";" line "${line}")
    list(GET line 0 file)
    list(GET line 1 group)
    set_property(SOURCE "${file}" TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP "${group}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
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
