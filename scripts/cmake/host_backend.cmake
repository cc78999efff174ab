# The CPU backend: its kernels are compiled once per instruction set, and the best one is chosen at run time.
tw_folder(host DEPENDS tw_march OpenMP::OpenMP_CXX)
foreach(isa v2 v3 v4)
  add_library(tw_host_${isa} OBJECT ${CMAKE_SOURCE_DIR}/src/host/isa/${isa}.cpp)
  target_link_libraries(tw_host_${isa} PRIVATE tw_kernels OpenMP::OpenMP_CXX)
  target_compile_options(tw_host_${isa} PRIVATE -O3 -march=x86-64-${isa} -ffp-contract=fast -fno-math-errno -fno-trapping-math)
  target_sources(tw_host PRIVATE $<TARGET_OBJECTS:tw_host_${isa}>)
endforeach()
target_compile_options(tw_host_v4 PRIVATE -mprefer-vector-width=512)
