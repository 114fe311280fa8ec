# Verilated SystemVerilog in C++ programs, where Verilator is installed.
find_program(HEDDLE_VERILATOR verilator DOC "Verilator 5, which the tests of the SystemVerilog twins need")
if(HEDDLE_VERILATOR)
  execute_process(COMMAND ${HEDDLE_VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE HEDDLE_VERILATOR_ROOT
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()

# heddle_verilated(NAME TOP module SOURCES files): the library NAME has the class Vmodule of the module `TOP`, whose
# assertions end the program. Any warning of Verilator's lint is an error. It is three units of compilation, which are
# cheaper than Verilator's many; what runs once is not optimized.
function(heddle_verilated name)
  cmake_parse_arguments(ARG "" "TOP" "SOURCES" ${ARGN})
  set(folder ${PROJECT_BINARY_DIR}/verilated/${ARG_TOP})
  set(stem ${folder}/V${ARG_TOP}.unit)
  set(all ${stem}.once.cpp ${stem}.0.cpp ${stem}.1.cpp)
  add_custom_command(
    OUTPUT ${all}
    DEPENDS ${ARG_SOURCES} ${HEDDLE_ROOT}/cmake/VerilatedUnits.cmake
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${HEDDLE_VERILATOR} --cc --assert -Wall -O3 --top-module ${ARG_TOP} --Mdir ${folder} -Wno-PINMISSING -Wno-DECLFILENAME
            ${ARG_SOURCES}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DSTEM=${stem} -P ${HEDDLE_ROOT}/cmake/VerilatedUnits.cmake
    COMMENT "Verilating ${ARG_TOP}" VERBATIM)
  set(runtime ${HEDDLE_VERILATOR_ROOT}/include)
  add_library(${name} STATIC ${all} ${runtime}/verilated.cpp ${runtime}/verilated_dpi.cpp ${runtime}/verilated_threads.cpp)
  target_include_directories(${name} SYSTEM PUBLIC ${folder} ${runtime} ${runtime}/vltstd)
  target_compile_definitions(${name} PUBLIC VM_COVERAGE=0 VM_SC=0 VM_TRACE=0 VM_TRACE_FST=0 VM_TRACE_VCD=0)
  target_compile_options(${name} PRIVATE -w -O1)
  set_source_files_properties(${stem}.once.cpp PROPERTIES COMPILE_OPTIONS -O0)
  target_link_libraries(${name} PUBLIC heddle_options Threads::Threads $<$<CXX_COMPILER_ID:Clang>:atomic>)
endfunction()
