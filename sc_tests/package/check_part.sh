#!/bin/sh
# check_part.sh CMAKE GENERATOR SOURCES WORK: a project that has Heddle's sources as a part is configured as it wants to
# be: its file is compiled with its own flags, and of Heddle it gets the libraries alone. (.ci/run builds such a project.)
set -eu
cmake="$1" generator="$2" sources="$3" work="$4"
rm -rf "$work"
mkdir -p "$work"
cat > "$work/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.22)
project(whole LANGUAGES CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_subdirectory($sources heddle)
foreach(variable CMAKE_BUILD_TYPE CMAKE_CXX_STANDARD CMAKE_RUNTIME_OUTPUT_DIRECTORY)
  if(\${variable})
    message(FATAL_ERROR "\${variable} is set to '\${\${variable}}'")
  endif()
endforeach()
if(NOT CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  message(FATAL_ERROR "CMAKE_CXX_FLAGS_RELEASE is set to '\${CMAKE_CXX_FLAGS_RELEASE}'")
endif()
if(NOT EXISTS \${Heddle_DATA_DIR}/configs/gtx480.yaml)
  message(FATAL_ERROR "Heddle_DATA_DIR is '\${Heddle_DATA_DIR}'")
endif()
foreach(target heddle test_hw install)
  if(TARGET \${target})
    message(FATAL_ERROR "there is a target \${target}")
  endif()
endforeach()
add_executable(whole main.cpp)
target_link_libraries(whole PRIVATE Heddle::base Heddle::hw Heddle::tlm Heddle::ptx Heddle::workloads Heddle::modules
                                    Heddle::machine Heddle::top)
EOF
echo 'int main() {}' > "$work/main.cpp"
env -u CXXFLAGS "$cmake" -S "$work" -B "$work/build" -G "$generator" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
command="$(grep '"command".*whole.dir/main.cpp' "$work/build/compile_commands.json")"
for flag in -W -march -O -flto -ffp-contract; do
  case "$command" in *" $flag"*) echo "a flag of Heddle's in: $command" >&2; exit 1 ;; esac
done
if grep -qe '-march' "$work/build/compile_commands.json"; then echo "code for one processor alone" >&2; exit 1; fi
