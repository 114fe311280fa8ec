#!/bin/sh
# check_headers.sh COMPILER FOLDER WORK: all headers that heddle.pc in FOLDER knows compile together, without a warning of
# those that platforms are compiled with: COMPILER's, and clang's where there is one.
set -eu
compiler="$1" folder="$2" work="$3"
rm -rf "$work"
mkdir -p "$work"
export PKG_CONFIG_PATH="$folder"
include="$(pkg-config --variable=includedir heddle)"
find "$include" -name '*.h' | sort | while read -r header; do echo "#include \"${header#"$include"/}\""; done > "$work/all.cpp"
[ "$(wc -l < "$work/all.cpp")" -gt 100 ] || { echo "there are hardly any headers in $include" >&2; exit 1; }
warnings="-Wall -Wextra -Wpedantic -Wshadow -Woverloaded-virtual -Werror"
# shellcheck disable=SC2046,SC2086 # one word per option
$compiler -std=c++17 -c $warnings "$work/all.cpp" -o "$work/all.o" $(pkg-config --cflags heddle)
if command -v clang++ > /dev/null; then
  # shellcheck disable=SC2046,SC2086
  clang++ -std=c++17 -fsyntax-only $warnings "$work/all.cpp" $(pkg-config --cflags heddle)
fi
