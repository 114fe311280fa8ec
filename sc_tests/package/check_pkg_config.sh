#!/bin/sh
# check_pkg_config.sh COMPILER FOLDER EXAMPLE WORK: the example, built by what heddle.pc in FOLDER says, runs.
set -eu
compiler="$1" folder="$2" example="$3" work="$4"
rm -rf "$work"
mkdir -p "$work"
export PKG_CONFIG_PATH="$folder"
data="$(pkg-config --variable=datadir heddle)"
# shellcheck disable=SC2046,SC2086 # one word per option
$compiler -std=c++17 -DHEDDLE_DATA_DIR="\"$data\"" -c "$example/main.cpp" -o "$work/example.o" $(pkg-config --cflags heddle)
# shellcheck disable=SC2046,SC2086
$compiler "$work/example.o" -o "$work/example" $(pkg-config --libs heddle)
"$work/example"
