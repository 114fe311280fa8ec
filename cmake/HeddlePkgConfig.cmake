# heddle.pc, by which pkg-config knows the libraries: all of them at once, since the linker takes from archives only what
# is used. One text serves what is installed and the build folder (build/pkgconfig/heddle.pc).

set(HEDDLE_LIBRARIES base hw tlm ptx workloads modules machine top) # a library before those that need it
list(TRANSFORM HEDDLE_LIBRARIES PREPEND heddle_ OUTPUT_VARIABLE HEDDLE_LIBRARY_TARGETS)

# heddle_pkg_config(FILE PREFIX LIBDIR INCLUDEDIR DATADIR [flags]): folders may start from ${prefix}, which starts from
# PREFIX; flags are what the libraries were built with and their users need too.
function(heddle_pkg_config file prefix libdir includedir datadir)
  set(libraries ${HEDDLE_LIBRARY_TARGETS})
  list(REVERSE libraries)
  list(TRANSFORM libraries PREPEND -l)
  list(JOIN libraries " " libraries)
  list(JOIN ARGN " " flags)
  configure_file(${HEDDLE_ROOT}/cmake/heddle.pc.in ${file} @ONLY)
endfunction()

set(flags "")
if(HEDDLE_SANITIZE)
  list(APPEND flags -fsanitize=${HEDDLE_SANITIZE})
endif()
if(HEDDLE_PROFILE STREQUAL "generate")
  list(APPEND flags -fprofile-generate)
endif()
if(HEDDLE_LTO_ACTIVE)
  list(APPEND flags -fno-lto) # the archives have ordinary objects too, which link quickly
endif()
heddle_pkg_config(${PROJECT_BINARY_DIR}/pkgconfig/heddle.pc ${PROJECT_BINARY_DIR} "\${prefix}" ${HEDDLE_ROOT}
                  "\${prefix}/share/heddle" ${flags})
