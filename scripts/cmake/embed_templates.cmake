# Writes generated/case_templates.hpp: the cases of `tetrawave new`, config/templates/KIND.yaml with the geometry that
# the line `# geometry: PATH` of each names (a file of cases/).
file(GLOB templates CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/config/templates/*.yaml)
set(entries "")
set(count 0)
foreach(template ${templates})
  get_filename_component(kind ${template} NAME_WE)
  file(READ ${template} text)
  set(geometry "")
  set(geometry_name "")
  if(text MATCHES "# geometry: ([^\n]+)\n")
    set(geometry_file ${CMAKE_SOURCE_DIR}/${CMAKE_MATCH_1})
    string(REPLACE "# geometry: ${CMAKE_MATCH_1}\n" "" text "${text}")
    file(READ ${geometry_file} geometry)
    get_filename_component(geometry_name ${geometry_file} NAME)
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${geometry_file})
  endif()
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${template})
  string(APPEND entries "    {\"${kind}\", R\"case(${text})case\", \"${geometry_name}\", R\"geo(${geometry})geo\"},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/case_templates.hpp CONTENT
"// Generated from config/templates by scripts/cmake/embed_templates.cmake.
#pragma once

#include <array>
#include <string_view>

namespace tetrawave::app {

struct CaseTemplate {
  std::string_view kind;
  std::string_view text;
  std::string_view geometry_name;  ///< as the text names it; empty: a box
  std::string_view geometry;
};

inline constexpr std::array<CaseTemplate, ${count}> case_templates{{
${entries}}};

}  // namespace tetrawave::app
" @ONLY)
