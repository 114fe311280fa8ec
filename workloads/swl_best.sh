#!/bin/sh
# SWL-Best: runs a workload under swl+gto for each number of warps, and reports the best one of each kernel.
#   swl_best.sh HEDDLE WORKLOAD [heddle run options]
# WARPS gives the numbers to try (default: 1 to 6, 8, 12, 16, 24, 32, 48).
# Prints a line per kernel: its cycles at each number, summed over its launches, and the number with the fewest
# (the smallest of several).
set -eu

if [ $# -lt 2 ]; then
  echo "usage: $0 HEDDLE WORKLOAD [heddle run options]" >&2
  exit 2
fi
heddle="$1"
workload="$2"
shift 2
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

for warps in ${WARPS:-1 2 3 4 5 6 8 12 16 24 32 48}; do
  "$heddle" run "$workload" "$@" --set "scheduler.swl.warps=$warps" --scheduler swl+gto --quiet --out "$work" >&2
  # "launches" holds, for each launch, its kernel and after that its cycles, each on a line.
  sed -n '/^  "launches"/,/^  "instances"/p' "$work/stats.json" |
    sed -n -e 's/^ *"kernel": "\(.*\)",$/kernel \1/p' -e 's/^ *"cycles": \([0-9]*\),$/cycles \1/p' |
    awk -v warps="$warps" '$1 == "kernel" { kernel = $2 } $1 == "cycles" { print kernel, warps, $2 }'
done | awk '
  !($1 in seen) { order[++kernels] = $1; seen[$1] = 1 }
  !(($1, $2) in cycles) { tried[$1] = tried[$1] " " $2 }
  { cycles[$1, $2] += $3 }
  END {
    for (k = 1; k <= kernels; ++k) {
      kernel = order[k]
      count = split(tried[kernel], numbers, " ")
      line = ""
      best_cycles = -1
      for (i = 1; i <= count; ++i) {
        c = cycles[kernel, numbers[i]]
        line = line " " numbers[i] ":" c
        if (best_cycles < 0 || c < best_cycles) { best_cycles = c; best_warps = numbers[i] }
      }
      printf "%s best=%s cycles=%d |%s\n", kernel, best_warps, best_cycles, line
    }
  }'
