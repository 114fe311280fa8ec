#!/bin/sh
# Runs each scheduler that has a twin in lock-step on seven kernels and prints a row for each run, as Markdown; ends at
# the first difference: lockstep_table.sh HEDDLE [SCHEDULER...]
set -eu

heddle=$1
shift
schedulers=${*:-lrr oldest gto two_level two_level_active least_issued ipaws pro swl oaws_static oaws_dynamic mascar ccws}
kernels="bfs:nodes=4096 histogram:words=32768 scalar_product:pairs=64 vector_add:n=65536 hotspot bitonic_sort pathfinder"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

number() { sed -n "s/.*\"$1\": *\([0-9a-z]*\).*/\1/p" "$out/run/lockstep.json"; }

echo "| scheduler | kernel | edges compared | choices |"
echo "| --- | --- | ---: | ---: |"
for scheduler in $schedulers; do
  edges=0
  grants=0
  for kernel in $kernels; do
    name=${kernel%%:*}
    param=""
    [ "$name" = "$kernel" ] || param="--param ${kernel#*:}"
    # shellcheck disable=SC2086 # none or two words
    "$heddle" run "$name" $param --scheduler "$scheduler" --impl lockstep --quiet --out "$out/run"
    echo "| \`$scheduler\` | $name | $(number edges) | $(number grants) |"
    edges=$((edges + $(number edges)))
    grants=$((grants + $(number grants)))
  done
  echo "| \`$scheduler\` | all | $edges | $grants |"
done
