# orrery_embed(TARGET NAME header FILES f...): makes each file a string in the generated header
# <NAME>.h, as  inline constexpr std::string_view <file name with _ for other characters>, and lists them with
# their file names in the array embedded_files.
# GCC limits no string literal's length; the raw delimiter is one that no source of ours contains.
function(orrery_embed target name)
  cmake_parse_arguments(arg "" "NAMESPACE" "FILES" ${ARGN})
  set(header "${CMAKE_CURRENT_BINARY_DIR}/generated/${name}.h")
  set(content "#pragma once\n#include <string_view>\nnamespace ${arg_NAMESPACE} {\n")
  set(list "")
  foreach(file IN LISTS arg_FILES)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    get_filename_component(base "${file}" NAME)
    string(MAKE_C_IDENTIFIER "${base}" identifier)
    file(READ "${file}" text)
    string(APPEND content "inline constexpr std::string_view ${identifier} = R\"orrery(${text})orrery\";\n")
    string(APPEND list "  {\"${base}\", ${identifier}},\n")
  endforeach()
  string(APPEND content "struct EmbeddedFile { std::string_view name, text; };\n")
  string(APPEND content "inline constexpr EmbeddedFile embedded_files[] = {\n${list}};\n")
  string(APPEND content "}  // namespace ${arg_NAMESPACE}\n")
  file(CONFIGURE OUTPUT "${header}" CONTENT "${content}" @ONLY)
  target_sources(${target} PRIVATE "${header}")
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/generated")
endfunction()
