# With TETRAWAVE_RELOCATABLE an installation runs from wherever it is put, on machines without the packages that it was
# built with: libraries lie in lib/, OpenMPI's plugins and mpirun with them (wheels and release tarballs).
option(TETRAWAVE_RELOCATABLE "Install the libraries that the programs need, with their licences, beside them" OFF)
if(NOT TETRAWAVE_RELOCATABLE)
  return()
endif()
set(HDF5_USE_STATIC_LIBRARIES ON)  # Debian's shared one brings curl, OpenSSL, Kerberos, .. for files in the cloud
# DT_RPATH, not DT_RUNPATH: it also holds for what the libraries themselves need, and for cuDSS, which is opened when it
# is asked for. Of a wheel, the other folders are those of the packages gmsh and nvidia-* in its environment.
add_link_options(-Wl,--as-needed -Wl,--disable-new-dtags)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
if(SKBUILD)
  list(APPEND CMAKE_INSTALL_RPATH "$ORIGIN/../../../.." "$ORIGIN/../../nvidia/cu13/lib" "$ORIGIN/../../nvidia/nccl/lib")
endif()

# To be called after all install(TARGETS ..).
function(tw_install_libraries)
  if(SKBUILD AND TETRAWAVE_HAVE_MUMPS)  # for the registry's OpenMPI, which has no Fortran interface
    add_library(mpi_fortran SHARED ${CMAKE_SOURCE_DIR}/tools/mpi_fortran/mpi_fortran.cpp)
    target_link_libraries(mpi_fortran PRIVATE tw_options MPI::MPI_CXX)
    target_compile_definitions(mpi_fortran PRIVATE OMPI_SKIP_MPICXX)
    set_target_properties(mpi_fortran PROPERTIES OUTPUT_NAME mpi_mpifh SOVERSION 40 CXX_VISIBILITY_PRESET default)
    install(TARGETS mpi_fortran LIBRARY DESTINATION lib/mpi_fortran NAMELINK_SKIP)
  endif()
  find_program(TETRAWAVE_PYTHON3 python3 PATHS /usr/bin REQUIRED)
  set(provided)
  if(SKBUILD)
    set(provided ${GMSH_LIBRARY})  # that of the gmsh package, on which the wheel depends
  endif()
  install(CODE "execute_process(COMMAND ${TETRAWAVE_PYTHON3} ${CMAKE_SOURCE_DIR}/scripts/copy_libraries.py
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" ${provided} COMMAND_ERROR_IS_FATAL ANY)")
  if(SKBUILD AND TETRAWAVE_HAVE_CUDA AND NCCL_LIBRARY)
    file(WRITE ${CMAKE_BINARY_DIR}/needs_nccl "")
    install(FILES ${CMAKE_BINARY_DIR}/needs_nccl DESTINATION ${CMAKE_INSTALL_DATADIR}/tetrawave)
  endif()
  if(SKBUILD)  # the wheel: what editors know of a case
    install(CODE "execute_process(COMMAND ${TETRAWAVE_PYTHON3} ${CMAKE_SOURCE_DIR}/tools/python/make_types.py
      \"\${CMAKE_INSTALL_PREFIX}/case_types.pyi\" COMMAND_ERROR_IS_FATAL ANY)")
  endif()
endfunction()
