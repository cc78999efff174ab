# Writes generated/case_schema.hpp: the text of config/case.schema.json as a string of the program.
set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/config/case.schema.json)
file(READ ${CMAKE_SOURCE_DIR}/config/case.schema.json TETRAWAVE_CASE_SCHEMA)
configure_file(${CMAKE_CURRENT_LIST_DIR}/case_schema.hpp.in ${CMAKE_BINARY_DIR}/generated/case_schema.hpp @ONLY)
