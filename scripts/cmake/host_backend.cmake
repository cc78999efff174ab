# The CPU backend: memory, threads and launch, with the kernels of every instruction set (instruction_sets.cmake).
tw_folder(host DEPENDS tw_kernels tw_fem tw_statics OpenMP::OpenMP_CXX)
# Each of these is worth a compiler of its own.
file(GLOB heavy ${CMAKE_SOURCE_DIR}/src/engines/host/*.cpp)
set_source_files_properties(${heavy} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# All engines once more, of which nothing but the sizes is used.
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/engines/memory_plan.cpp PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -O1)
foreach(isa ${isas})
  target_sources(tw_host PRIVATE $<TARGET_OBJECTS:tw_host_${isa}>)
  target_compile_definitions(tw_host PUBLIC TW_HAS_ISA_${isa})
endforeach()
