# What `cmake --install` leaves below the prefix, and the Debian package. Nothing installed names the prefix, so that
# the tree can be moved: CMake's and pkg-config's files start from where they lie, the program from where it runs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(HEDDLE_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Heddle)
set(HEDDLE_DATA_DIR ${CMAKE_INSTALL_DATADIR}/heddle)

if(HEDDLE_PROGRAM)
  install(TARGETS heddle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # Manual pages and scripts of completion: made by the program, from its help, where shells and man(1) look for them.
  # Debian's zsh looks into vendor-completions below /usr, and into site-functions below /usr/local.
  set(guide ${PROJECT_BINARY_DIR}/package/guide)
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:heddle>\" __guide \"${guide}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY ${guide}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${guide}/bash/heddle DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  set(functions site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
    set(functions vendor-completions)
  endif()
  install(FILES ${guide}/zsh/_heddle DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${functions})
endif()
set_target_properties(heddle_options PROPERTIES EXPORT_NAME options)
install(TARGETS heddle_options ${HEDDLE_LIBRARY_TARGETS} EXPORT HeddleTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# Archives of ordinary objects: those for link-time optimisation are read by this very compiler only.
if(HEDDLE_LTO_ACTIVE)
  foreach(target ${HEDDLE_LIBRARY_TARGETS})
    install(CODE "execute_process(COMMAND ${CMAKE_OBJCOPY} --wildcard --remove-section=.gnu.lto_*
        --remove-section=.gnu.debuglto_* --strip-symbol=__gnu_lto_v1
        \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/lib${target}.a\" COMMAND_ERROR_IS_FATAL ANY)")
  endforeach()
endif()

# Headers include each other by their place in the repository; include/heddle is that root.
foreach(folder base hw tlm modules workloads/launch workloads/ptx workloads/expression workloads/checks
               workloads/description workloads/host workloads/timed workloads/papers
               top/support top/text top/config top/machine top/waves top/intervals top/timeline top/options top/batch top/pairs top/experiment top/pair_runs top/energy top/profile top/page top/report top/catalog top/reproduction top/guide top/rtl top/commands)
  get_filename_component(parent ${folder} DIRECTORY)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle/${parent}
          FILES_MATCHING PATTERN "*.h" PATTERN workloads/ptx/lanes EXCLUDE)
endforeach()
# Of the lane handlers what execution includes; the rest is compiled once per kind of processor.
install(FILES workloads/ptx/lanes/bound_operation.h workloads/ptx/lanes/lane_build.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle/workloads/ptx/lanes)

install(DIRECTORY configs experiments DESTINATION ${HEDDLE_DATA_DIR} FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY workloads/kernels workloads/timed workloads/papers DESTINATION ${HEDDLE_DATA_DIR}/workloads
        FILES_MATCHING PATTERN "*.yaml" PATTERN "*.ptx")
install(DIRECTORY rtl DESTINATION ${HEDDLE_DATA_DIR})
install(FILES LICENSE DESTINATION ${HEDDLE_DATA_DIR})
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT HeddleTargets NAMESPACE Heddle:: DESTINATION ${HEDDLE_PACKAGE_DIR})
configure_package_config_file(cmake/HeddleConfig.cmake.in ${PROJECT_BINARY_DIR}/package/HeddleConfig.cmake
                              INSTALL_DESTINATION ${HEDDLE_PACKAGE_DIR} PATH_VARS HEDDLE_DATA_DIR)
# Until 1.0.0 a minor version may change any interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/HeddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/HeddleConfig.cmake ${PROJECT_BINARY_DIR}/package/HeddleConfigVersion.cmake
        DESTINATION ${HEDDLE_PACKAGE_DIR})

file(RELATIVE_PATH prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" prefix ${prefix})
heddle_pkg_config(${PROJECT_BINARY_DIR}/package/heddle.pc "\${pcfiledir}/${prefix}" "\${prefix}/${CMAKE_INSTALL_LIBDIR}"
                  "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}/heddle" "\${prefix}/${HEDDLE_DATA_DIR}")
install(FILES ${PROJECT_BINARY_DIR}/package/heddle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL)
  include(cmake/HeddlePackage.cmake)
endif()
