#!/usr/bin/env bash
# Fills the generated tables of a page: what stands between `<!-- table: heddle ARGUMENTS -->` and `<!-- end -->` becomes
# what that command prints; likewise behind `<!-- measured in DATABASE: heddle ARGUMENTS -->`, when that file is there.
#   fill_tables.sh PROGRAM PAGE
set -euo pipefail

program=${1:?"usage: $0 PROGRAM PAGE"}
page=${2:?"usage: $0 PROGRAM PAGE"}
filled=$(mktemp)
trap 'rm -f "$filled"' EXIT

inside=no
while IFS= read -r line; do
  if [ "$line" = "<!-- end -->" ]; then
    inside=no
  fi
  [ "$inside" = yes ] || printf '%s\n' "$line"
  what=${line%%: *}
  if [ "$what" = "<!-- table" ] || { [ "${what% in *}" = "<!-- measured" ] && [ -e "${what##* in }" ]; }; then
    read -ra command <<<"${line#*: }"
    "$program" "${command[@]:1:${#command[@]}-2}" # without "heddle" and "-->"
    inside=yes
  fi
done <"$page" >"$filled"
cat "$filled" >"$page"
