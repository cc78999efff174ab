# The CPU backend: memory, threads and launch, with the kernels of every instruction set (instruction_sets.cmake).
tw_folder(host DEPENDS tw_kernels tw_fem tw_statics OpenMP::OpenMP_CXX)
# Each engine is worth a compiler of its own. They alone see all kernels; the other two see some, and leave their neighbours
# as they are when one of these changes.
set(heavy engine_single.cpp engine_double.cpp unfused.cpp)
list(TRANSFORM heavy PREPEND ${CMAKE_SOURCE_DIR}/src/engines/host/)
set_source_files_properties(${heavy} ${CMAKE_SOURCE_DIR}/src/host/isa/teams.cpp ${CMAKE_SOURCE_DIR}/src/modes/fetd/fetd.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# Engines launch kernels and have no loops of their own: -O1 compiles them in three quarters of the time.
if(NOT TETRAWAVE_QUICK)
  list(APPEND heavy ${CMAKE_SOURCE_DIR}/cuda/launch/engine_single.cpp ${CMAKE_SOURCE_DIR}/cuda/launch/engine_double.cpp)
endif()
set_source_files_properties(${heavy} PROPERTIES COMPILE_OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O1>)
foreach(isa ${isas})
  target_sources(tw_host PRIVATE $<TARGET_OBJECTS:tw_host_${isa}>)
  target_compile_definitions(tw_host PUBLIC TW_HAS_ISA_${isa})
endforeach()
