# generated/version_data.hpp: version, git revision and libraries (taken when CMake configures).
execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE tetrawave_revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(DEFINED ENV{TETRAWAVE_REVISION})
  set(tetrawave_revision $ENV{TETRAWAVE_REVISION})  # of a copy without .git
elseif(NOT tetrawave_revision)
  set(tetrawave_revision unknown)
endif()
set(tetrawave_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
set(tetrawave_libraries "MPI ${MPI_CXX_VERSION}, HDF5 ${HDF5_VERSION}, yaml-cpp ${yaml-cpp_VERSION}, spdlog ${spdlog_VERSION}, CLI11 ${CLI11_VERSION}")
if(TETRAWAVE_HAVE_CUDA)
  string(APPEND tetrawave_libraries ", CUDA ${CUDAToolkit_VERSION}")
endif()
file(READ ${CMAKE_SOURCE_DIR}/config/case.schema.json schema)
string(JSON case_version GET "${schema}" x-version)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/version_data.hpp CONTENT
"#pragma once
#define TETRAWAVE_VERSION \"@PROJECT_VERSION@\"
#define TETRAWAVE_CASE_VERSION \"@case_version@\"
#define TETRAWAVE_GIT_REVISION \"@tetrawave_revision@\"
#define TETRAWAVE_BUILD_TYPE \"@CMAKE_BUILD_TYPE@\"
#define TETRAWAVE_COMPILER \"@tetrawave_compiler@\"
#define TETRAWAVE_LIBRARIES \"@tetrawave_libraries@\"
" @ONLY)
