# The install tree is relocatable: bin/, lib/ (shared libraries of packages, none of the driver), share/orrery/.
# Components: program, tests (bin/tests/, every test program but one), and gpu_tests (bin/tests/test_gpu).
# tests/ and app/ are complete when this is included: ORRERY_TEST_TARGETS lists the test programs.
file(RELATIVE_PATH bin_to_lib "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set(data_dir "${CMAKE_INSTALL_DATADIR}/orrery")

# Left to the machine: the C library and its parts, the loader, what belongs to the display server and to the
# graphics or CUDA driver. The C++ library too: drivers load it into the same process, and a newer driver would
# not run on an older copy of ours.
set(machine_libraries
  [[^ld-linux]] [[^libc\.so]] [[^libm\.so]] [[^libmvec\.so]] [[^libpthread\.so]] [[^libdl\.so]] [[^librt\.so]]
  [[^libresolv\.so]] [[^libutil\.so]] [[^linux-vdso]] [[^libstdc\+\+\.so]] [[^libgcc_s\.so]]
  [[^libGL]] [[^libEGL]] [[^libOpenGL]] [[^libgbm]] [[^libdrm]] [[^libvulkan]]
  [[^libxkb]] [[^libwayland]] [[^libdecor]]
  [[^libcuda\.so]] [[^libnv]])
option(ORRERY_INSTALL_X11 "Install libX11 and what it needs too, for machines without any display software" OFF)
# Cairo's share of X11 comes along: a machine that has libX11 need not have it.
if(NOT ORRERY_INSTALL_X11)
  list(APPEND machine_libraries [[^libX11]] [[^libXau]] [[^libXdmcp]] [[^libxcb\.so]])
endif()

# orrery_install_libraries(SET COMPONENT): the shared libraries that the set's programs need go to lib/.
function(orrery_install_libraries set component)
  install(RUNTIME_DEPENDENCY_SET ${set}
    PRE_EXCLUDE_REGEXES ${machine_libraries}
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${component})
endfunction()

# The newer kind of run path serves only the libraries that the program itself asks for; the older one also those that
# its libraries need, such as Cairo's pixman and fontconfig, which are on no link line of ours.
function(orrery_set_run_path path)
  set_target_properties(${ARGN} PROPERTIES INSTALL_RPATH "${path}")
  foreach(target IN LISTS ARGN)
    target_link_options(${target} PRIVATE LINKER:--disable-new-dtags)
  endforeach()
endfunction()

orrery_set_run_path("$ORIGIN/${bin_to_lib}" orrery)
install(TARGETS orrery RUNTIME_DEPENDENCY_SET orrery_program_libraries
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
file(RELATIVE_PATH reader_to_lib "${CMAKE_INSTALL_FULL_LIBEXECDIR}/orrery" "${CMAKE_INSTALL_FULL_LIBDIR}")
orrery_set_run_path("$ORIGIN/${reader_to_lib}" orrery_reader)
install(TARGETS orrery_reader RUNTIME_DEPENDENCY_SET orrery_program_libraries
  RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/orrery" COMPONENT program)
orrery_install_libraries(orrery_program_libraries program)

# Test programs that were not built are left out (./run builds the program only). A runtime dependency set would
# stop at the first of them: so the libraries of those that are there are found here.
function(orrery_install_tests component)
  orrery_set_run_path("$ORIGIN/../${bin_to_lib}" ${ARGN})
  install(TARGETS ${ARGN} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}/tests" COMPONENT ${component} OPTIONAL)
  list(TRANSFORM ARGN REPLACE ".+" "[[$<TARGET_FILE:\\0>]]" OUTPUT_VARIABLE programs)
  list(TRANSFORM machine_libraries REPLACE ".+" "[[\\0]]" OUTPUT_VARIABLE left_out)
  list(JOIN programs " " programs)
  list(JOIN left_out " " left_out)
  install(CODE "
    set(orrery_tests)
    foreach(orrery_each IN ITEMS ${programs})
      if(EXISTS \${orrery_each})
        list(APPEND orrery_tests \${orrery_each})
      endif()
    endforeach()
    if(orrery_tests)
      file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \${orrery_tests} RESOLVED_DEPENDENCIES_VAR orrery_libraries
        PRE_EXCLUDE_REGEXES ${left_out})
      file(INSTALL DESTINATION \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR} TYPE SHARED_LIBRARY
        FILES \${orrery_libraries} FOLLOW_SYMLINK_CHAIN)
    endif()" COMPONENT ${component})
endfunction()

get_property(test_targets GLOBAL PROPERTY ORRERY_TEST_TARGETS)
if(test_targets)
  orrery_install_tests(tests ${test_targets})
endif()
if(TARGET test_gpu)
  orrery_install_tests(gpu_tests test_gpu)
endif()

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${data_dir}/licences" COMPONENT program)
install(FILES "${PROJECT_SOURCE_DIR}/third_party/README.md" DESTINATION "${data_dir}/licences"
  RENAME third_party.md COMPONENT program)
# What becomes part of the program: code in headers, static libraries, a font, and the OpenGL loader that glad writes.
set(contained_parts "${ORRERY_GLAD}" "${ORRERY_FONT}" "${IMGUI_LIBRARY}" "${STB_LIBRARY}")
foreach(header CLI/CLI.hpp boost/beast/websocket.hpp fast_float/fast_float.h fmt/format.h glm/glm.hpp hwy/highway.h
    nlohmann/json.hpp spdlog/spdlog.h Imath/half.h OpenEXR/ImfRgbaFile.h)
  find_file(header_file ${header} NO_CACHE)
  list(APPEND contained_parts "${header_file}")
  unset(header_file)
endforeach()

# orrery_install_notices(FOLDER LIBRARIES PARTS [OPTIONS OF install]): notices of the files PARTS and of what was installed
# in the folder LIBRARIES before, if it is named.
function(orrery_install_notices folder libraries parts)
  list(FILTER parts INCLUDE REGEX "^/")
  list(TRANSFORM parts REPLACE ".+" "[[\\0]]")
  list(JOIN parts " " parts)
  install(CODE "include([[${PROJECT_SOURCE_DIR}/cmake/OrreryNotices.cmake]])
    set(orrery_root \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    orrery_installed_notices(\"\${orrery_root}/${folder}\" \"${libraries}\" ${parts})" ${ARGN})
endfunction()
set(program_parts "${contained_parts}")
if(TARGET orrery_contained_hdf5)
  list(APPEND program_parts "${ORRERY_HDF5_ARCHIVE}")
endif()
orrery_install_notices("${data_dir}/licences" "\${orrery_root}/${CMAKE_INSTALL_LIBDIR}" "${program_parts}" COMPONENT program)
# In the sources assets/models is a link to it, which an installation would copy as a link.
set(model_pictures_dir "${PROJECT_SOURCE_DIR}/docs/images/models")
install(DIRECTORY "${model_pictures_dir}" DESTINATION "${data_dir}" COMPONENT program)
if(EXISTS "${PROJECT_SOURCE_DIR}/assets")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/assets/" DESTINATION "${data_dir}" COMPONENT program
    PATTERN desktop EXCLUDE PATTERN models EXCLUDE)
endif()

include(OrreryPackage)
