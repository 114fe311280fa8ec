#!/bin/sh
# The CPU time of bfs with a scheduler's twin compared and in the model's place, and that of the model alone, as a row of
# Markdown for each scheduler; the median of as many runs as RUNS says, 5 by default, of a twin that has been built:
# lockstep_time.sh HEDDLE [SCHEDULER...]. OPTIONS are further ones of `heddle run`.
set -eu

heddle=$1
shift
schedulers=${*:-lrr gto pro ipaws oaws_dynamic}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# run SCHEDULER OPTION...
run() {
  scheduler=$1
  shift
  # shellcheck disable=SC2086 # words
  "$heddle" run bfs --param nodes=4096 --scheduler "$scheduler" --quiet --out "$out/run" ${OPTIONS:-} "$@"
}

# seconds SCHEDULER OPTION...: the median
seconds() {
  for _ in $(seq "${RUNS:-5}"); do
    run "$@" >&2
    sed -n 's/.*"cpu_seconds": *\([0-9.e-]*\).*/\1/p' "$out/run/speed.json"
  done | sort -g | awk '{ of[NR] = $1 } END { print of[int((NR + 1) / 2)] }'
}

echo "| scheduler | edges | model (s) | lockstep (s) | rtl (s) | lockstep / model | rtl / model |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
for scheduler in $schedulers; do
  run "$scheduler" --impl lockstep
  edges=$(sed -n 's/.*"edges": *\([0-9]*\).*/\1/p' "$out/run/lockstep.json")
  model=$(seconds "$scheduler" --set scheduler.timing=hardware --impl model)
  lockstep=$(seconds "$scheduler" --impl lockstep)
  rtl=$(seconds "$scheduler" --impl rtl)
  awk -v s="$scheduler" -v e="$edges" -v m="$model" -v l="$lockstep" -v r="$rtl" \
    'BEGIN { printf "| `%s` | %d | %.2f | %.2f | %.2f | %.1f | %.1f |\n", s, e, m, l, r, l / m, r / m }'
done
