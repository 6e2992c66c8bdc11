# Collects the licence notices of what an installation contains or brings along, as the distribution's packages state
# them. Included while installing, or run alone:
#   cmake -D LIBRARIES=FOLDER -D NOTICES=FOLDER -P cmake/OrreryNotices.cmake
cmake_policy(VERSION 3.25)

# orrery_owners(VARIABLE FILE...): a line "PACKAGE, PACKAGE: FILE" for each of the files that belongs to a package.
function(orrery_owners variable)
  set(answer "")
  find_program(DPKG_QUERY dpkg-query NO_CACHE)
  if(DPKG_QUERY AND ARGN)
    # One command for all, which fails if one of them has no package.
    execute_process(COMMAND "${DPKG_QUERY}" -S ${ARGN} OUTPUT_VARIABLE answer ERROR_QUIET)
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${answer}")
  list(FILTER lines EXCLUDE REGEX "^diversion by ")
  set(${variable} "${lines}" PARENT_SCOPE)
endfunction()

# orrery_copy_notice(VARIABLE FOLDER LINE): copies the notices of the packages that the line names, and tells whether
# there is one. Packages of several architectures have one folder of documents.
function(orrery_copy_notice variable folder line)
  set(${variable} FALSE PARENT_SCOPE)
  string(REGEX REPLACE ": /.*$" "" packages "${line}")
  string(REGEX REPLACE ":[a-z0-9-]+" "" packages "${packages}")
  string(REPLACE ", " ";" packages "${packages}")
  foreach(package IN LISTS packages)
    set(notice "/usr/share/doc/${package}/copyright")
    if(EXISTS "${notice}")
      file(MAKE_DIRECTORY "${folder}")
      file(COPY_FILE "${notice}" "${folder}/${package}.txt")
      set(${variable} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# orrery_notices(FOLDER FILE...): copies the notice of each file's package to FOLDER/PACKAGE.txt, and sets unknown_parts to
# the names of the files without one.
function(orrery_notices folder)
  list(TRANSFORM ARGN REPLACE "^.*/" "" OUTPUT_VARIABLE unknown)
  orrery_owners(lines ${ARGN})
  foreach(line IN LISTS lines)
    orrery_copy_notice(copied "${folder}" "${line}")
    if(copied)
      get_filename_component(name "${line}" NAME)
      list(REMOVE_ITEM unknown "${name}")
    endif()
  endforeach()
  set(unknown_parts "${unknown}" PARENT_SCOPE)
endfunction()

# orrery_library_notices(FOLDER LIBRARIES): for all shared libraries in the folder LIBRARIES, without its subfolders. They
# are looked for where the system has its own: dpkg-query knows a file by its whole path, in /lib or in /usr/lib.
function(orrery_library_notices folder libraries)
  set(originals "")
  file(GLOB names RELATIVE "${libraries}" "${libraries}/*.so*")
  foreach(name IN LISTS names)
    file(GLOB found "/lib/${name}" "/lib/*/${name}" "/usr/lib/${name}" "/usr/lib/*/${name}")
    list(APPEND originals "/nowhere/${name}" ${found})
  endforeach()
  orrery_notices("${folder}" ${originals})
  set(unknown_parts "${unknown_parts}" PARENT_SCOPE)
endfunction()

# orrery_common_licences(FOLDER): copies the licence texts that notices in FOLDER refer to. Only Debian's systems have them.
function(orrery_common_licences folder)
  set(common /usr/share/common-licenses)
  set(texts "")
  file(GLOB notices "${folder}/*.txt")
  foreach(notice IN LISTS notices)
    file(STRINGS "${notice}" lines REGEX "${common}/")
    string(REGEX MATCHALL "${common}/[A-Za-z0-9.-]*[A-Za-z0-9]" found "${lines}")
    list(APPEND texts ${found})
  endforeach()
  list(REMOVE_DUPLICATES texts)
  foreach(text IN LISTS texts)
    if(EXISTS "${text}")
      get_filename_component(name "${text}" NAME)
      file(MAKE_DIRECTORY "${folder}/common-licenses")
      file(COPY_FILE "${text}" "${folder}/common-licenses/${name}")
    endif()
  endforeach()
endfunction()

# orrery_sources(FOLDER): writes the file SOURCES, which says where the sources of all packages with a notice in FOLDER are to
# be had. Whoever hands out libraries under the GPL or LGPL has to say so.
function(orrery_sources folder)
  find_program(DPKG_QUERY dpkg-query NO_CACHE)
  file(GLOB packages RELATIVE "${folder}" "${folder}/*.txt")
  list(TRANSFORM packages REPLACE "[.]txt$" "")
  if(NOT DPKG_QUERY OR NOT packages)
    return()
  endif()
  cmake_host_system_information(RESULT release QUERY DISTRIB_ID)
  set(place "apt source \\1=\\2")
  if(release STREQUAL "debian")
    set(place "https://snapshot.debian.org/package/\\1/\\2/")
  endif()
  execute_process(COMMAND "${DPKG_QUERY}" -W "-f=\${source:Package} \${source:Version}\n" ${packages} OUTPUT_VARIABLE answer)
  string(REGEX MATCHALL "[^\n]+" sources "${answer}")
  list(REMOVE_DUPLICATES sources)
  list(SORT sources)
  list(TRANSFORM sources REPLACE "^(.+) (.+)$" "\\1 \\2: ${place}")
  list(JOIN sources "\n" sources)
  file(WRITE "${folder}/SOURCES" "Parts of this installation come from packages of the distribution ${release}. Their notices are "
    "beside this file.\nTheir complete sources, as licences such as the GPL and LGPL promise them, are to be had there:\n\n${sources}\n")
endfunction()

# orrery_installed_notices(FOLDER LIBRARIES FILE...): notices of the libraries in the folder LIBRARIES, if it is named, and
# of the files. Whoever builds with libraries of no package is told what is lacking.
function(orrery_installed_notices folder libraries)
  cmake_path(ABSOLUTE_PATH folder)
  orrery_notices("${folder}" ${ARGN})
  set(unknown "${unknown_parts}")
  if(libraries)
    cmake_path(ABSOLUTE_PATH libraries)
    orrery_library_notices("${folder}" "${libraries}")
    list(APPEND unknown ${unknown_parts})
    orrery_common_licences("${folder}")
    orrery_sources("${folder}")
  endif()
  if(IS_DIRECTORY "${folder}")
    file(CHMOD_RECURSE "${folder}" FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ DIRECTORY_PERMISSIONS
      OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endif()
  if(unknown)
    list(JOIN unknown ", " names)
    message(NOTICE "No licence notice is known for ${names}: add it before you hand this installation out")
  endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  orrery_installed_notices("${NOTICES}" "${LIBRARIES}")
endif()
