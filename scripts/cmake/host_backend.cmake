# The CPU backend: a translation unit per list of kernels (src/kernels/list.hpp) and instruction set; the best set is
# chosen at run time.
set(TETRAWAVE_KERNEL_LISTS TW_COMMON_KERNELS TW_CENTRAL_KERNELS TW_STORED_KERNELS TW_PART_KERNELS TW_DFDD_KERNELS
  TW_UPWIND_KERNELS)

tw_folder(host DEPENDS tw_march tw_fem OpenMP::OpenMP_CXX)
set(vector_bytes_of_v2 16)
set(vector_bytes_of_v3 32)
set(vector_bytes_of_v4 64)
foreach(isa v2 v3 v4)
  set(vector_bytes ${vector_bytes_of_${isa}})
  set(units "")
  foreach(list ${TETRAWAVE_KERNEL_LISTS})
    set(unit ${CMAKE_BINARY_DIR}/generated/host_${isa}_${list}.cpp)
    configure_file(${CMAKE_SOURCE_DIR}/src/host/isa/blocks.cpp.in ${unit} @ONLY)
    list(APPEND units ${unit})
  endforeach()
  add_library(tw_host_${isa} OBJECT ${units})
  target_link_libraries(tw_host_${isa} PRIVATE tw_kernels OpenMP::OpenMP_CXX)
  target_compile_options(tw_host_${isa} PRIVATE -O3 -march=x86-64-${isa} -ffp-contract=fast -fno-math-errno -fno-trapping-math)
  target_sources(tw_host PRIVATE $<TARGET_OBJECTS:tw_host_${isa}>)
endforeach()
target_compile_options(tw_host_v4 PRIVATE -mprefer-vector-width=512)
