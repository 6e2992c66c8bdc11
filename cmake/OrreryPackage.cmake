# What belongs to the desktop and the shell, and the Debian packages that `cpack` makes in a build folder.
# Components: program has it in the tree that can be moved. debian and debian_mpi are the packages orrery and
# orrery-mpi; their libraries are those of the distribution, so they have files of our own only.
set(desktop_dir "${PROJECT_SOURCE_DIR}/assets/desktop")
set(document_dir "${CMAKE_INSTALL_DATADIR}/doc/orrery")

# orrery_install_shared(COMPONENT [EXCLUDE_FROM_ALL]): all that lies in share/ beside the data.
function(orrery_install_shared component)
  set(for_component COMPONENT ${component} ${ARGN})
  # There is one where help2man is.
  install(FILES "${PROJECT_BINARY_DIR}/share/man/man1/orrery.1" OPTIONAL
    DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" ${for_component})
  install(FILES "${PROJECT_BINARY_DIR}/share/bash-completion/completions/orrery"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" ${for_component})
  install(FILES "${desktop_dir}/orrery.desktop"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" ${for_component})
  install(FILES "${desktop_dir}/org.orrery_lab.orrery.metainfo.xml"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo" ${for_component})
  install(FILES "${desktop_dir}/orrery.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" ${for_component})
  install(FILES "${desktop_dir}/orrery.svg"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps" ${for_component})
  foreach(size 48 128 256)
    install(FILES "${desktop_dir}/orrery-${size}.png"
      DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps" RENAME orrery.png ${for_component})
  endforeach()
endfunction()

# Follows the version, which cpack knows (OrreryPackageCheck.cmake). Packages for several releases can lie in one folder,
# and an upgrade of the release brings a newer package.
cmake_host_system_information(RESULT release QUERY DISTRIB_INFO)
set(release_suffix "")
if(release_ID)
  string(REPLACE "debian" "deb" release_suffix "~${release_ID}${release_VERSION_ID}")
  # Debian's next release does not say its number yet; when it does, its packages are newer.
  if(NOT release_VERSION_ID)
    set(number_of_forky 14)
    set(number_of_duke 15)
    string(APPEND release_suffix "${number_of_${release_VERSION_CODENAME}}~${release_VERSION_CODENAME}")
  endif()
endif()

include(OrreryMaintainer)
orrery_maintainer(CPACK_PACKAGE_CONTACT)

# orrery_compress(COMPONENT FILE...): with gzip, as Debian wants it, in the package's staging folder. A file that is not
# there is passed over.
function(orrery_compress component)
  find_program(GZIP_PROGRAM gzip)
  if(GZIP_PROGRAM)
    list(TRANSFORM ARGN PREPEND "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/")
    foreach(file IN LISTS ARGN)
      install(CODE "if(EXISTS \"${file}\")
  execute_process(COMMAND \"${GZIP_PROGRAM}\" -9nf \"${file}\" COMMAND_ERROR_IS_FATAL ANY)
endif()" COMPONENT ${component} EXCLUDE_FROM_ALL)
    endforeach()
  endif()
endfunction()

# orrery_install_changelog(PACKAGE COMPONENT): in Debian's form, with version and time of the sources, which
# cpack knows (OrreryPackageCheck.cmake).
function(orrery_install_changelog package component)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/changelog.in" "${PROJECT_BINARY_DIR}/changelogs/${package}.in" @ONLY)
  set(folder "${CMAKE_INSTALL_DATADIR}/doc/${package}")
  install(CODE "string(TIMESTAMP package_date \"%a, %d %b %Y %H:%M:%S +0000\" UTC)
    configure_file([[${PROJECT_BINARY_DIR}/changelogs/${package}.in]]
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/changelog\" NO_SOURCE_PERMISSIONS)" COMPONENT ${component} EXCLUDE_FROM_ALL)
  orrery_compress(${component} "${folder}/changelog")
endfunction()

orrery_install_shared(program)
orrery_install_shared(debian EXCLUDE_FROM_ALL)
install(TARGETS orrery RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT debian EXCLUDE_FROM_ALL)
install(TARGETS orrery_reader RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/orrery" COMPONENT debian EXCLUDE_FROM_ALL)
# There are no libraries of ours: the loader need not look for them, and before LD_LIBRARY_PATH.
foreach(program "${CMAKE_INSTALL_BINDIR}/orrery" "${CMAKE_INSTALL_LIBEXECDIR}/orrery/orrery_reader")
  install(CODE "file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${program}\")" COMPONENT debian EXCLUDE_FROM_ALL)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/assets/published_codes.json" "${PROJECT_SOURCE_DIR}/assets/nvrtc.list" DESTINATION "${data_dir}" COMPONENT debian EXCLUDE_FROM_ALL)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/assets/ladders" "${PROJECT_SOURCE_DIR}/assets/demos" "${model_pictures_dir}" DESTINATION "${data_dir}" COMPONENT debian EXCLUDE_FROM_ALL)
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" copyright)
string(APPEND copyright "\nThe program contains parts of other projects, under licences of their own: third_party/README.md beside\n"
  "this file lists them, and licences/ has their notices.\n")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/copyright" CONTENT "${copyright}" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/copyright" DESTINATION "${document_dir}" COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${document_dir}" COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md"
  DESTINATION "${document_dir}" COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES "${PROJECT_SOURCE_DIR}/third_party/README.md" DESTINATION "${document_dir}/third_party"
  COMPONENT debian EXCLUDE_FROM_ALL)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${document_dir}" COMPONENT debian EXCLUDE_FROM_ALL)
orrery_install_notices("${document_dir}/licences" "" "${contained_parts}" COMPONENT debian EXCLUDE_FROM_ALL)
orrery_compress(debian "${CMAKE_INSTALL_MANDIR}/man1/orrery.1" "${document_dir}/CHANGELOG.md")
orrery_install_changelog(orrery debian)
if(TARGET orrery_hdf5)
  install(TARGETS orrery_hdf5 LIBRARY DESTINATION "${ORRERY_MODULE_FOLDER}" COMPONENT debian EXCLUDE_FROM_ALL)
endif()
if(TARGET orrery_mpi)
  install(TARGETS orrery_mpi LIBRARY DESTINATION "${ORRERY_MODULE_FOLDER}" COMPONENT debian_mpi EXCLUDE_FROM_ALL)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/orrery-mpi" RENAME copyright
    COMPONENT debian_mpi EXCLUDE_FROM_ALL)
  orrery_install_changelog(orrery-mpi debian_mpi)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME orrery)
# Each description begins with a summary of its own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/OrreryPackageFolders.cmake")
set(CPACK_COMPONENTS_ALL debian)
if(TARGET orrery_mpi)
  list(APPEND CPACK_COMPONENTS_ALL debian_mpi)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEBIAN_PACKAGE_NAME orrery)
# OpenGL is opened at run time, so its packages are not seen in the program.
set(CPACK_DEBIAN_DEBIAN_PACKAGE_DEPENDS "libegl1, libgl1")
set(CPACK_DEBIAN_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri, fonts-dejavu-core, ffmpeg")
# The driver and the run-time compiler are opened at run time too; without them the processor computes. `connect` starts
# ssh and a browser, `doctor --fix nvrtc` pip.
set(CPACK_DEBIAN_DEBIAN_PACKAGE_SUGGESTS
  "libcuda1, nvidia-cuda-toolkit, orrery-mpi, openssh-client, xdg-utils, python3-pip")
set(CPACK_COMPONENT_DEBIAN_DESCRIPTION "live laboratory for galaxy N-body simulations
Moves the bodies of a galaxy under their own gravity and draws them while
they move. A panel switches how the forces are computed, on the processor
or on an NVIDIA GPU. It shows the rate of each variant, and whether its
answer is right.")
set(CPACK_DEBIAN_DEBIAN_MPI_PACKAGE_NAME orrery-mpi)
set(CPACK_DEBIAN_DEBIAN_MPI_PACKAGE_RECOMMENDS "openmpi-bin")
set(CPACK_COMPONENT_DEBIAN_MPI_DESCRIPTION "live laboratory for galaxy N-body simulations - several processes
Lets several processes share the work of orrery.
They are started by mpirun of Open MPI.")
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/OrreryPackageCheck.cmake")
set(CPACK_ORRERY_RELEASE "${release_suffix}")
set(CPACK_ORRERY_PROGRAM "${PROJECT_BINARY_DIR}/app/orrery")
set(CPACK_ORRERY_BUILD "${PROJECT_BINARY_DIR}")
include(CPack)

# The program alone, without tests and benchmarks, and then its packages.
add_custom_target(debian_packages COMMAND "${CMAKE_CPACK_COMMAND}" DEPENDS orrery $<TARGET_NAME_IF_EXISTS:manual>
  WORKING_DIRECTORY "${PROJECT_BINARY_DIR}" USES_TERMINAL COMMENT "Debian packages" VERBATIM)
