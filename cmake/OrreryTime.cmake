# The time of the sources stands for that of packing, so that two builds of one commit have equal bytes: the time of the
# commit or, without git, the one that an archive of the sources gave its files. Run alone it prints the time:
#   cmake -P cmake/OrreryTime.cmake
cmake_policy(VERSION 3.25)

# orrery_source_time(): sets SOURCE_DATE_EPOCH, which CMake, cpack and gzip obey, in the environment if it is not there.
function(orrery_source_time)
  if(NOT "$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
    return()
  endif()
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH sources)
  set(time "")
  # Not the time of another repository that the sources were unpacked in.
  if(EXISTS "${sources}/.git")
    execute_process(COMMAND git -c "safe.directory=*" log -1 --format=%ct WORKING_DIRECTORY "${sources}"
      OUTPUT_VARIABLE time OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT time)
    file(TIMESTAMP "${sources}/CHANGELOG.md" time "%s")
  endif()
  set(ENV{SOURCE_DATE_EPOCH} "${time}")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  orrery_source_time()
  execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "$ENV{SOURCE_DATE_EPOCH}")
endif()
