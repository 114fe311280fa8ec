# The CPU references of the built-in kernels, one per folder of kernels/.
file(GLOB kernel_references CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workloads/kernels/*/reference.cpp)
target_sources(heddle_workloads PRIVATE ${kernel_references})
