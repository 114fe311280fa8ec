# The Debian package, for any x86-64: `make package` configures and builds it. Code for this processor alone is refused.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_CONTACT "Heddle <heddle@localhost>" CACHE STRING "The package's maintainer: NAME <ADDRESS>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level model of a GPU in SystemC and TLM-2.0")
set(CPACK_PACKAGE_DESCRIPTION "Heddle runs CUDA kernels, as PTX, on a model of a Fermi-like GPU, checks their
results, and tells where every cycle of its warp schedulers and every cycle of a
memory request went. Warp and thread-block schedulers are chosen by name, priced
in bits, gates and energy, and shown as waveforms.
.
The package has the program, the libraries and headers for SystemC platforms of
your own (CMake: find_package(Heddle), pkg-config: heddle), configurations and
kernels.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What the libraries are compiled against; the program runs without.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, cmake, pkg-config, libsystemc-dev, libyaml-cpp-dev, libfmt-dev, nlohmann-json3-dev, libsqlite3-dev, libboost-program-options-dev")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

if(HEDDLE_ARCH_OPTION)
  file(WRITE ${PROJECT_BINARY_DIR}/package/cpack.cmake
       "message(FATAL_ERROR \"built with ${HEDDLE_ARCH_OPTION}: a package for any processor takes -DHEDDLE_ARCH= (make package)\")\n")
  set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/package/cpack.cmake)
endif()

file(WRITE ${PROJECT_BINARY_DIR}/package/copyright
     "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: heddle

Files: *
Copyright: the authors of Heddle
License: Apache-2.0
 On Debian systems the text of the licence is in /usr/share/common-licenses/Apache-2.0.
")
install(FILES ${PROJECT_BINARY_DIR}/package/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
include(CPack)
