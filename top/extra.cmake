# The program's version and the folder in which named workloads and configurations are looked up.
target_compile_definitions(heddle_top PRIVATE HEDDLE_VERSION="${PROJECT_VERSION}"
                           HEDDLE_PROJECT_DIR="${CMAKE_SOURCE_DIR}")
