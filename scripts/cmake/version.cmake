# generated/version_data.hpp: version and git revision (taken when CMake configures).
execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE tetrawave_revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT tetrawave_revision)
  set(tetrawave_revision unknown)
endif()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/version_data.hpp CONTENT
"#pragma once\n#define TETRAWAVE_VERSION \"@PROJECT_VERSION@\"\n#define TETRAWAVE_GIT_REVISION \"@tetrawave_revision@\"\n#define TETRAWAVE_BUILD_TYPE \"@CMAKE_BUILD_TYPE@\"\n" @ONLY)
