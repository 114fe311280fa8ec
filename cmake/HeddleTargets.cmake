# How Heddle's libraries, program and tests are built.

set(HEDDLE_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang") # sc_object has a virtual trace() of its own, for other files
  list(APPEND HEDDLE_WARNINGS -Wno-overloaded-virtual)
endif()
if(HEDDLE_WERROR)
  list(APPEND HEDDLE_WARNINGS -Werror)
endif()

# What users of the libraries need too, and, in heddle_build_options, what only building them does.
add_library(heddle_options INTERFACE)
target_include_directories(heddle_options INTERFACE $<BUILD_INTERFACE:${HEDDLE_ROOT}> $<INSTALL_INTERFACE:include/heddle>)
target_compile_features(heddle_options INTERFACE cxx_std_17)
add_library(heddle_build_options INTERFACE)
# __FILE__ of assertions is the file's place in the repository: what is built can be moved, and is the same everywhere.
target_compile_options(heddle_build_options INTERFACE ${HEDDLE_WARNINGS} -ffp-contract=off -fmacro-prefix-map=${HEDDLE_ROOT}/=)
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

# heddle_sources(OUT FOLDER... [EXCLUDE regex]): the .cpp files in the folders and below them.
function(heddle_sources out)
  cmake_parse_arguments(ARG "" "EXCLUDE" "" ${ARGN})
  set(sources "")
  foreach(folder ${ARG_UNPARSED_ARGUMENTS})
    file(GLOB_RECURSE found RELATIVE ${HEDDLE_ROOT} CONFIGURE_DEPENDS ${HEDDLE_ROOT}/${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  if(ARG_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "^${ARG_EXCLUDE}")
  endif()
  if(NOT sources)
    message(FATAL_ERROR "Heddle: no sources in ${ARG_UNPARSED_ARGUMENTS} below ${HEDDLE_ROOT}")
  endif()
  list(TRANSFORM sources PREPEND ${HEDDLE_ROOT}/)
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# heddle_unity(TARGET): with HEDDLE_UNITY, files of TARGET are compiled two dozen at a time, but for those that
# unity_apart.txt names.
function(heddle_unity target)
  if(NOT HEDDLE_UNITY)
    return()
  endif()
  set(list ${HEDDLE_ROOT}/cmake/unity_apart.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} apart REGEX "^/")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24)
  get_target_property(sources ${target} SOURCES)
  foreach(expression ${apart})
    set(found ${sources})
    list(FILTER found INCLUDE REGEX "${expression}")
    set_source_files_properties(${found} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endfunction()

# heddle_library(NAME FOLDERS folders [EXCLUDE regex] DEPENDS targets [PRECOMPILE headers]): the static library
# heddle_NAME, which other projects know as Heddle::NAME. Other people's headers that most of its files include are
# compiled once, but for Dev: there a file that lacks an include of its own is an error.
function(heddle_library name)
  cmake_parse_arguments(ARG "" "EXCLUDE" "FOLDERS;DEPENDS;PRECOMPILE" ${ARGN})
  heddle_sources(sources ${ARG_FOLDERS} EXCLUDE "${ARG_EXCLUDE}")
  add_library(heddle_${name} STATIC ${sources})
  add_library(Heddle::${name} ALIAS heddle_${name})
  set_target_properties(heddle_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(heddle_${name} PUBLIC heddle_options ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:heddle_build_options>)
  if(ARG_PRECOMPILE AND NOT CMAKE_BUILD_TYPE STREQUAL "Dev")
    target_precompile_headers(heddle_${name} PRIVATE ${ARG_PRECOMPILE})
  endif()
  heddle_unity(heddle_${name})
endfunction()

# heddle_version(TARGET FILE): FILE of TARGET knows the version. The commit is a file of its own, looked after at each
# build, so that a commit recompiles that file alone.
function(heddle_version target file)
  set(commit_file ${PROJECT_BINARY_DIR}/commit.cpp)
  add_custom_target(heddle_commit BYPRODUCTS ${commit_file} COMMENT ""
                    COMMAND ${CMAKE_COMMAND} -DROOT=${HEDDLE_ROOT} -DOUT=${commit_file} -P ${HEDDLE_ROOT}/cmake/WriteCommit.cmake)
  target_sources(${target} PRIVATE ${commit_file})
  add_dependencies(${target} heddle_commit)
  set_source_files_properties(${HEDDLE_ROOT}/${file} TARGET_DIRECTORY ${target} PROPERTIES
                              COMPILE_DEFINITIONS HEDDLE_VERSION="${PROJECT_VERSION}")
endfunction()

# heddle_references(TARGET FOLDER): the table of the CPU references, one per folder NAME of FOLDER with a reference.cpp, which
# defines heddle::references::NAME, becomes a part of TARGET.
function(heddle_references target folder)
  file(GLOB found RELATIVE ${HEDDLE_ROOT}/${folder} CONFIGURE_DEPENDS ${HEDDLE_ROOT}/${folder}/*/reference.cpp)
  list(SORT found)
  set(declarations "")
  set(rows "")
  foreach(file ${found})
    get_filename_component(name ${file} DIRECTORY)
    string(APPEND declarations "void ${name}(ReferenceMemory& memory);\n")
    string(APPEND rows "      {\"${name}\", references::${name}},\n")
  endforeach()
  set(table ${PROJECT_BINARY_DIR}/reference_rows.cpp)
  file(CONFIGURE OUTPUT ${table} @ONLY CONTENT [=[#include "workloads/checks/reference_rows.h"

namespace heddle {

namespace references {
@declarations@}  // namespace references

const std::vector<ReferenceRow>& reference_rows() {
  static const std::vector<ReferenceRow> rows = {
@rows@  };
  return rows;
}

}  // namespace heddle
]=])
  target_sources(${target} PRIVATE ${table})
endfunction()

# heddle_page(TARGET FOLDER): what the report's page is made of becomes a part of TARGET, with D3 (Debian's node-d3).
function(heddle_page target folder)
  find_file(HEDDLE_D3 d3.min.js PATHS /usr/share/nodejs/d3/dist DOC "the charting library of reports")
  if(NOT HEDDLE_D3)
    message(FATAL_ERROR "Heddle: found no d3.min.js, expected that of Debian's package node-d3, or -DHEDDLE_D3=FILE")
  endif()
  set(parts ${PROJECT_BINARY_DIR}/page_parts.cpp)
  file(GLOB_RECURSE assets CONFIGURE_DEPENDS ${HEDDLE_ROOT}/${folder}/*)
  add_custom_command(OUTPUT ${parts} DEPENDS ${assets} ${HEDDLE_D3} ${HEDDLE_ROOT}/cmake/WritePage.cmake COMMENT ""
                     COMMAND ${CMAKE_COMMAND} -DASSETS=${HEDDLE_ROOT}/${folder} -DD3=${HEDDLE_D3} -DOUT=${parts}
                             -P ${HEDDLE_ROOT}/cmake/WritePage.cmake VERBATIM)
  target_sources(${target} PRIVATE ${parts})
endfunction()

# Where named workloads and configurations are found. build/share/heddle stands beside build/bin, as in an installation;
# projects that have Heddle as a part know the folder as Heddle_DATA_DIR.
function(heddle_data)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share)
  file(CREATE_LINK ${HEDDLE_ROOT} ${PROJECT_BINARY_DIR}/share/heddle SYMBOLIC)
  if(NOT PROJECT_IS_TOP_LEVEL)
    set(Heddle_DATA_DIR ${HEDDLE_ROOT} CACHE INTERNAL "Configurations and kernels that come with Heddle")
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

# heddle_profiled(TARGET...): optimised by profiles, when there are any (HEDDLE_PROFILE).
function(heddle_profiled)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${HEDDLE_PROFILE_OPTIONS})
  endforeach()
endfunction()

# heddle_optimise(TARGET...): what a simulated cycle runs through is compiled both for link-time optimisation and
# as ordinary objects, so that the program is optimised as a whole and the many tests link as quickly as ever.
set(HEDDLE_LTO_ACTIVE OFF)
if(HEDDLE_LTO AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT HEDDLE_SANITIZE)
  set(HEDDLE_LTO_ACTIVE ON)
endif()

function(heddle_optimise)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${HEDDLE_ARCH_OPTION} $<$<CONFIG:Release>:-O3>)
    if(HEDDLE_LTO_ACTIVE)
      target_compile_options(${target} PRIVATE -flto=auto -ffat-lto-objects)
    endif()
  endforeach()
  heddle_profiled(${ARGN})
endfunction()

# heddle_optimise_files(TARGET FILE...): what runs at each edge of a target that else does not; without link-time
# optimisation.
function(heddle_optimise_files target)
  list(TRANSFORM ARGN PREPEND ${HEDDLE_ROOT}/)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES
                              COMPILE_OPTIONS "${HEDDLE_ARCH_OPTION};$<$<CONFIG:Release>:-O3>"
                              SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()

function(heddle_optimise_link target)
  if(HEDDLE_LTO_ACTIVE)
    target_link_options(${target} PRIVATE -flto=auto -O2)
  endif()
endfunction()

# heddle_plain_link(TARGET): of the ordinary objects, for what simulates little or nothing.
function(heddle_plain_link target)
  if(HEDDLE_LTO_ACTIVE)
    target_link_options(${target} PRIVATE -fno-lto)
  endif()
endfunction()

# The lane handlers, compiled once for every x86-64 and once for AVX2; execution picks one at start. They have to
# agree to the bit: no contraction of a * b + c, no reassociation.
function(heddle_lanes target folder)
  heddle_sources(sources ${folder})
  set(builds baseline)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND builds avx2)
    target_compile_definitions(${target} PRIVATE HEDDLE_LANES_AVX2)
  endif()
  set(optimisation -O3)
  if(HEDDLE_SANITIZE)
    set(optimisation -O1) # instrumented -O3 takes minutes to compile
  endif()
  foreach(build ${builds})
    set(objects heddle_lanes_${build})
    add_library(${objects} OBJECT ${sources})
    target_link_libraries(${objects} PUBLIC heddle_options PRIVATE heddle_build_options)
    target_compile_definitions(${objects} PRIVATE HEDDLE_LANES=lanes_${build})
    target_compile_options(${objects} PRIVATE ${optimisation} -ffp-contract=off -fno-math-errno -fno-trapping-math
                                              -fno-strict-aliasing)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang") # which below -O3 says of each row that it vectorised nothing
      target_compile_options(${objects} PRIVATE -Wno-pass-failed)
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  if(TARGET heddle_lanes_avx2)
    target_compile_options(heddle_lanes_avx2 PRIVATE -mavx2 -mfma -mf16c)
  endif()
endfunction()

# heddle_test(FOLDER [EXCLUDE regex] [ALONE tests] LINK targets): sc_tests/FOLDER and the folders below it as the executable
# test_<FOLDER with _>, every test a process of its own under ctest, since SystemC allows one elaboration per process.
# The headers that most tests include are compiled once, for the first executable, and used by all: they take half of a
# test's time to compile. ALONE, a filter of GoogleTest, are those that measure time or take all
# processors: nothing runs beside them.
function(heddle_test folder)
  cmake_parse_arguments(ARG "" "EXCLUDE;ALONE" "LINK" ${ARGN})
  heddle_sources(sources sc_tests/${folder} EXCLUDE "${ARG_EXCLUDE}")
  string(REPLACE "/" "_" name ${folder})
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE ${ARG_LINK} heddle_test_support)
  heddle_plain_link(test_${name})
  target_compile_options(test_${name} PRIVATE -O0) # thousands of checks: compiling them costs more than running them
  get_property(precompiled GLOBAL PROPERTY HEDDLE_TEST_HEADERS)
  if(precompiled)
    target_precompile_headers(test_${name} REUSE_FROM ${precompiled})
  else()
    target_precompile_headers(test_${name} PRIVATE <gtest/gtest.h> <map> <string> <systemc> <tlm> <vector>)
    set_property(GLOBAL PROPERTY HEDDLE_TEST_HEADERS test_${name})
  endif()
  # PROPERTIES last: what follows a known word after it is lost without a message.
  heddle_unity(test_${name})
  set(discovery TEST_PREFIX "${folder}: " DISCOVERY_TIMEOUT 60 WORKING_DIRECTORY ${HEDDLE_ROOT} PROPERTIES TIMEOUT 300)
  if(ARG_ALONE)
    gtest_discover_tests(test_${name} TEST_FILTER "${ARG_ALONE}" ${discovery} RUN_SERIAL ON)
    gtest_discover_tests(test_${name} TEST_FILTER "-${ARG_ALONE}" ${discovery})
  else()
    gtest_discover_tests(test_${name} ${discovery})
  endif()
endfunction()
