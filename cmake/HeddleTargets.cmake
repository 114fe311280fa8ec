# heddle_library(PATH [EXCLUDE files] [DEPENDS targets]): the sources directly in PATH (and, for a
# warp_scheduler or tb_dispatcher, in its policies/ and resources/ folders) as the static library heddle_<path with _>.
# A folder without sources becomes an interface library, so that headers-only blocks link alike.

set(HEDDLE_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor)
if(HEDDLE_WERROR)
  list(APPEND HEDDLE_WARNINGS -Werror)
endif()

add_library(heddle_options INTERFACE)
target_include_directories(heddle_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(heddle_options INTERFACE ${HEDDLE_WARNINGS} -ffp-contract=off)
if(HEDDLE_SANITIZE)
  target_compile_options(heddle_options INTERFACE -fsanitize=${HEDDLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(heddle_options INTERFACE -fsanitize=${HEDDLE_SANITIZE})
endif()
# Profiles lie beside the objects, so that both steps use one build folder. GCC's warnings about what it inlines by
# profile are about other people's headers.
set(HEDDLE_PROFILE_OPTIONS "")
if(HEDDLE_PROFILE STREQUAL "generate")
  set(HEDDLE_PROFILE_OPTIONS -fprofile-generate)
  target_link_options(heddle_options INTERFACE -fprofile-generate)
elseif(HEDDLE_PROFILE STREQUAL "use")
  set(HEDDLE_PROFILE_OPTIONS -fprofile-use -fprofile-correction -fprofile-partial-training
      -Wno-missing-profile -Wno-coverage-mismatch -Wno-error)
elseif(HEDDLE_PROFILE)
  message(FATAL_ERROR "HEDDLE_PROFILE: found '${HEDDLE_PROFILE}', expected generate, use or nothing")
endif()

function(heddle_target_name path out)
  string(REPLACE "/" "_" name ${path})
  set(${out} heddle_${name} PARENT_SCOPE)
endfunction()

function(heddle_library path)
  cmake_parse_arguments(ARG "" "" "EXCLUDE;DEPENDS" ${ARGN})
  heddle_target_name(${path} target)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${path}/*.cpp ${CMAKE_SOURCE_DIR}/${path}/policies/*.cpp
       ${CMAKE_SOURCE_DIR}/${path}/resources/*.cpp)
  foreach(excluded ${ARG_EXCLUDE})
    list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/${path}/${excluded})
  endforeach()
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC heddle_options ${ARG_DEPENDS})
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE heddle_options ${ARG_DEPENDS})
  endif()
  if(EXISTS ${CMAKE_SOURCE_DIR}/${path}/extra.cmake)
    include(${CMAKE_SOURCE_DIR}/${path}/extra.cmake)
  endif()
endfunction()

function(heddle_link path)
  heddle_target_name(${path} target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(${target} INTERFACE ${ARGN})
  else()
    target_link_libraries(${target} PUBLIC ${ARGN})
  endif()
endfunction()

# The program runs where it is built, so that the code of the simulated machine may use what the processor has
# (population count, bit manipulation). No result depends on it: contraction of floating point is off.
set(HEDDLE_ARCH_OPTION "")
if(HEDDLE_ARCH STREQUAL "auto")
  include(CheckCXXSourceRuns)
  set(CMAKE_REQUIRED_FLAGS -march=x86-64-v3)
  check_cxx_source_runs("int main() {
    return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"bmi2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
    HEDDLE_X86_64_V3)
  unset(CMAKE_REQUIRED_FLAGS)
  if(HEDDLE_X86_64_V3)
    set(HEDDLE_ARCH_OPTION -march=x86-64-v3)
  endif()
elseif(HEDDLE_ARCH)
  set(HEDDLE_ARCH_OPTION -march=${HEDDLE_ARCH})
endif()

function(heddle_compile_options options) # of the libraries in the folders that follow
  foreach(path ${ARGN})
    heddle_target_name(${path} target)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY" AND options)
      target_compile_options(${target} PRIVATE ${options})
    endif()
  endforeach()
endfunction()

# heddle_profiled(PATH...): optimised by profiles, when there are any (HEDDLE_PROFILE).
function(heddle_profiled)
  heddle_compile_options("${HEDDLE_PROFILE_OPTIONS}" ${ARGN})
endfunction()

# heddle_optimise(PATH...): what a simulated cycle runs through is compiled both for link-time optimisation and
# as ordinary objects, so that the program is optimised as a whole and the many tests link as quickly as ever.
set(HEDDLE_LTO_ACTIVE OFF)
if(HEDDLE_LTO AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT HEDDLE_SANITIZE)
  set(HEDDLE_LTO_ACTIVE ON)
endif()

function(heddle_optimise)
  set(options ${HEDDLE_ARCH_OPTION})
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    list(APPEND options -O3)
  endif()
  if(HEDDLE_LTO_ACTIVE)
    list(APPEND options -flto=auto -ffat-lto-objects)
  endif()
  heddle_compile_options("${options}" ${ARGN})
  heddle_profiled(${ARGN})
endfunction()

function(heddle_optimise_link target)
  if(HEDDLE_LTO_ACTIVE)
    target_link_options(${target} PRIVATE -flto=auto -O2)
  endif()
endfunction()

# heddle_test(PATH LINK targets): sc_tests/PATH/*.cpp as the executable test_<path with _>, every test
# a process of its own under ctest, since SystemC allows one elaboration per process.
function(heddle_test path)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sc_tests/${path}/*.cpp)
  if(NOT sources)
    return()
  endif()
  string(REPLACE "/" "_" name ${path})
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE ${ARG_LINK} heddle_test_main GTest::gtest GTest::gmock)
  if(HEDDLE_LTO_ACTIVE)
    target_link_options(test_${name} PRIVATE -fno-lto)
  endif()
  target_compile_options(test_${name} PRIVATE -O0) # thousands of checks: compiling them costs more than running them
  target_compile_definitions(test_${name} PRIVATE HEDDLE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  gtest_discover_tests(test_${name} TEST_PREFIX "${path}: " DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 300 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()
