# generated/kernel_terms.hpp: the reference matrices as straight-line code, generated/host_terms.hpp: that of CPUs,
# generated/tile_terms.hpp: as tiles for tensor cores, generated/series_terms.hpp: those of DFDD-ELD's series, written by
# a small program of the build.
add_executable(tetrawave-tables ${CMAKE_SOURCE_DIR}/tools/tables/main.cpp ${CMAKE_SOURCE_DIR}/tools/tables/products.cpp
  ${CMAKE_SOURCE_DIR}/tools/tables/bernstein.cpp ${CMAKE_SOURCE_DIR}/tools/tables/curl_series.cpp
  ${CMAKE_SOURCE_DIR}/tools/tables/shared_sums.cpp ${CMAKE_SOURCE_DIR}/tools/tables/tiles.cpp)
target_include_directories(tetrawave-tables PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(tetrawave-tables PRIVATE tw_basis)
set(kernel_terms ${CMAKE_BINARY_DIR}/generated/kernel_terms.hpp)
set(host_terms ${CMAKE_BINARY_DIR}/generated/host_terms.hpp)
set(tile_terms ${CMAKE_BINARY_DIR}/generated/tile_terms.hpp)
set(series_terms ${CMAKE_BINARY_DIR}/generated/series_terms.hpp)
add_custom_command(OUTPUT ${kernel_terms} ${host_terms} ${tile_terms} ${series_terms}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/generated
  COMMAND tetrawave-tables ${kernel_terms} ${host_terms} ${tile_terms} ${series_terms}
  DEPENDS tetrawave-tables VERBATIM)
add_custom_target(tw_kernel_terms_file DEPENDS ${kernel_terms})
add_library(tw_kernel_terms INTERFACE)
add_dependencies(tw_kernel_terms tw_kernel_terms_file)
