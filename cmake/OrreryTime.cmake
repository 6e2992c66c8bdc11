# The commit that the sources are: of git, or of an archive that git made of them (commit.txt). Its time stands for that of
# packing, so that two builds of one commit have equal bytes, and packages of two commits have different versions. Run
# alone it prints the time and the version of the packages:
#   cmake -P cmake/OrreryTime.cmake
cmake_policy(VERSION 3.25)

# orrery_commit(VARIABLE): a list of time, hash and what else is known of the commit; empty if it is not known.
function(orrery_commit variable)
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH sources)
  set(said "")
  # Not that of another repository that the sources were unpacked in.
  if(EXISTS "${sources}/.git")
    set(git git -c "safe.directory=*")
    execute_process(COMMAND ${git} log -1 "--format=%ct %H %D" WORKING_DIRECTORY "${sources}"
      OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${git} status --porcelain WORKING_DIRECTORY "${sources}" OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND said ", changed")
    endif()
  elseif(EXISTS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/commit.txt")
    file(STRINGS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/commit.txt" said LIMIT_COUNT 1)
  endif()
  if(said MATCHES "^([0-9]+) ([0-9a-f]+) ?(.*)$")
    set(${variable} "${CMAKE_MATCH_1};${CMAKE_MATCH_2};${CMAKE_MATCH_3}" PARENT_SCOPE)
  else()
    set(${variable} "" PARENT_SCOPE)
  endif()
endfunction()

# orrery_source_time(): sets SOURCE_DATE_EPOCH, which CMake, cpack and gzip obey, in the environment if it is not there.
# Without a commit it is the time that an archive of the sources gave their files.
function(orrery_source_time)
  if(NOT "$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
    return()
  endif()
  orrery_commit(commit)
  if(commit)
    list(GET commit 0 time)
  else()
    file(TIMESTAMP "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../CHANGELOG.md" time "%s")
  endif()
  set(ENV{SOURCE_DATE_EPOCH} "${time}")
endfunction()

# orrery_revision(VARIABLE VERSION): what follows that version in names of packages: +gitTIME.HASH, newer than the release,
# and nothing for the release itself (tag vVERSION) and for sources of no known commit.
function(orrery_revision variable version)
  set(${variable} "" PARENT_SCOPE)
  orrery_commit(commit)
  if(NOT commit)
    return()
  endif()
  list(POP_FRONT commit time hash)
  set(changed "")
  if(commit MATCHES "changed$")
    set(changed ".changed")
  elseif(", ${commit}," MATCHES ", tag: v${version},")
    return()
  endif()
  set(kept "$ENV{SOURCE_DATE_EPOCH}")
  set(ENV{SOURCE_DATE_EPOCH} "${time}")
  string(TIMESTAMP date "%Y%m%d%H%M%S" UTC)
  set(ENV{SOURCE_DATE_EPOCH} "${kept}")
  string(SUBSTRING "${hash}" 0 8 hash)
  set(${variable} "+git${date}.${hash}${changed}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../CMakeLists.txt" version REGEX "^project\\(orrery VERSION ")
  string(REGEX REPLACE "^project\\(orrery VERSION ([0-9.]+).*" "\\1" version "${version}")
  orrery_source_time()
  orrery_revision(revision "${version}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "$ENV{SOURCE_DATE_EPOCH} ${version}${revision}")
endif()
