# The CPU backend: memory, threads and launch, with the kernels of every instruction set (instruction_sets.cmake).
tw_folder(host DEPENDS tw_kernels tw_fem tw_statics OpenMP::OpenMP_CXX)
# Each engine is worth a compiler of its own; the other two alone of their rooms see kernels, and leave their neighbours as they
# are when a kernel changes.
file(GLOB heavy ${CMAKE_SOURCE_DIR}/src/engines/host/*.cpp)
set_source_files_properties(${heavy} ${CMAKE_SOURCE_DIR}/src/host/isa/teams.cpp ${CMAKE_SOURCE_DIR}/src/modes/fetd/fetd.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# Engines launch kernels and have no loops of their own: -O1 compiles them in three quarters of the time.
if(NOT TETRAWAVE_QUICK)
  list(APPEND heavy ${CMAKE_SOURCE_DIR}/cuda/launch/engine_single.cpp ${CMAKE_SOURCE_DIR}/cuda/launch/engine_double.cpp)
endif()
set_source_files_properties(${heavy} PROPERTIES COMPILE_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O1>)
# All engines once more, of which nothing but the sizes is used.
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/engines/memory_plan.cpp PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS -O1)
foreach(isa ${isas})
  target_sources(tw_host PRIVATE $<TARGET_OBJECTS:tw_host_${isa}>)
  target_compile_definitions(tw_host PUBLIC TW_HAS_ISA_${isa})
endforeach()
