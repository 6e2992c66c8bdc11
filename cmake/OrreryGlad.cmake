# The OpenGL 4.5 core loader is generated while building by glad 2 (Debian: python3-glad; PyPI: glad2), which brings the
# specification along (reproducible mode): nothing is fetched from the network.
function(orrery_is_glad_2 result program)
  execute_process(COMMAND "${program}" --help OUTPUT_VARIABLE help ERROR_QUIET)
  # glad 1 has a command of the same name.
  if(NOT help MATCHES "--merge")
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
find_program(ORRERY_GLAD glad HINTS /usr/bin VALIDATOR orrery_is_glad_2)
if(NOT ORRERY_GLAD)
  message(FATAL_ERROR "there is no glad 2 to generate the OpenGL loader: install the package python3-glad "
    "(elsewhere: glad2 of PyPI), then configure again")
endif()

set(glad_dir "${PROJECT_BINARY_DIR}/glad")
add_custom_command(OUTPUT "${glad_dir}/src/gl.c" "${glad_dir}/include/glad/gl.h" "${glad_dir}/include/KHR/khrplatform.h"
  COMMAND "${ORRERY_GLAD}" --reproducible --quiet --out-path "${glad_dir}" --api gl:core=4.5 --extensions GL_KHR_debug c
  DEPENDS "${ORRERY_GLAD}" COMMENT "Generating the OpenGL loader" VERBATIM)
add_library(orrery_glad STATIC "${glad_dir}/src/gl.c" "${glad_dir}/include/glad/gl.h")
target_include_directories(orrery_glad SYSTEM PUBLIC "${glad_dir}/include")
target_link_libraries(orrery_glad PUBLIC ${CMAKE_DL_LIBS})
