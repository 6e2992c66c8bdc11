# The target orrery_contained_hdf5: the module of HDF5 with libhdf5 inside, for installations that bring their libraries
# along. The shared libhdf5 loads two dozen libraries that serve its access to remote files only (curl, OpenSSL,
# Kerberos, LDAP); the linker takes none of that code out of the static one.
find_library(ORRERY_HDF5_ARCHIVE NAMES libhdf5.a libhdf5_serial.a HINTS ${HDF5_LIBRARY_DIRS} ${HDF5_LIBDIR})
find_library(ORRERY_SZIP_LIBRARY sz)
if(NOT ORRERY_HDF5_ARCHIVE OR NOT ORRERY_SZIP_LIBRARY)
  message(FATAL_ERROR "ORRERY_INSTALL_HDF5 needs the static libhdf5 and libsz, which libhdf5-dev of Debian brings: "
    "install them, or leave that option out")
endif()
add_library(orrery_contained_hdf5 MODULE hdf5_module.cpp hdf5_contained.cpp)
target_include_directories(orrery_contained_hdf5 SYSTEM PRIVATE ${HDF5_INCLUDE_DIRS})
target_link_libraries(orrery_contained_hdf5 PRIVATE orrery_options "${ORRERY_HDF5_ARCHIVE}" "${ORRERY_SZIP_LIBRARY}"
  ZLIB::ZLIB m ${CMAKE_DL_LIBS})
# Its functions stay its own. What it cannot find, or would have to be patched at each start, fails here already.
target_link_options(orrery_contained_hdf5 PRIVATE LINKER:--exclude-libs,ALL LINKER:-z,defs LINKER:-z,text
  LINKER:--wrap=stderr LINKER:--wrap=stdout)
set_target_properties(orrery_contained_hdf5 PROPERTIES PREFIX "" OUTPUT_NAME orrery_hdf5
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/contained")
add_dependencies(orrery_sim orrery_contained_hdf5)
install(TARGETS orrery_contained_hdf5 RUNTIME_DEPENDENCY_SET orrery_program_libraries
  LIBRARY DESTINATION "${ORRERY_MODULE_FOLDER}" COMPONENT program)
