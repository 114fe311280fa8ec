# The lane handlers, compiled once for every x86-64 and once for AVX2; execute picks one at start. They
# have to agree to the bit: no contraction of a * b + c, no reassociation.
file(GLOB lane_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workloads/ptx/lanes/*.cpp)
set(lane_builds baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND lane_builds avx2)
  target_compile_definitions(${target} PRIVATE HEDDLE_LANES_AVX2)
endif()
set(lane_optimisation -O3)
if(HEDDLE_SANITIZE)
  set(lane_optimisation -O1) # instrumented -O3 takes minutes to compile
endif()
foreach(build ${lane_builds})
  add_library(heddle_workloads_ptx_lanes_${build} OBJECT ${lane_sources})
  target_link_libraries(heddle_workloads_ptx_lanes_${build} PUBLIC heddle_options)
  target_compile_definitions(heddle_workloads_ptx_lanes_${build} PRIVATE HEDDLE_LANES=lanes_${build})
  target_compile_options(heddle_workloads_ptx_lanes_${build} PRIVATE ${lane_optimisation} -ffp-contract=off -fno-math-errno
                                                                     -fno-trapping-math -fno-strict-aliasing)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:heddle_workloads_ptx_lanes_${build}>)
endforeach()
if(TARGET heddle_workloads_ptx_lanes_avx2)
  target_compile_options(heddle_workloads_ptx_lanes_avx2 PRIVATE -mavx2 -mfma -mf16c)
endif()

# Kernels and the host share it; the front ends in workloads/ link this library anyway.
target_sources(${target} PRIVATE ${CMAKE_SOURCE_DIR}/workloads/device_memory.cpp)
