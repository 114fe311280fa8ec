#!/bin/sh
# What sampling gains and costs: runs workloads whole and with --sample, and prints, as a table in Markdown, the cycles
# of both, how far they differ, what the sampled run says of its error, and how much faster it was.
#   accuracy.sh HEDDLE [large | made_up | long | WORKLOAD...]
# Without workloads it runs eight kernels at their papers' sizes; `large`: on grids of 290 to 730 rounds. `made_up`:
# made-up grids of 24 to 240 rounds, of 1 to 8 small thread blocks (TBs) on an SM; `long`: grids of 60 rounds in which
# one TB, the first one or the one a third of the way, takes as long as half the launch to three launches. A workload is
# NAME, NAME:SIZE or either with parameters: "black_scholes:paper options=1966080". SCHEDULERS names the
# schedulers, OUT the folder in which runs are kept: one that is there is not run again. FULL may be a database of
# `heddle sweep` that has whole runs of those without parameters, and FULL_HEDDLE the program that reads it.
# Times are processor seconds of the simulation alone (speed.json).
set -eu

if [ $# -lt 1 ]; then
  echo "usage: $0 HEDDLE [large | made_up | long | WORKLOAD...]" >&2
  exit 2
fi
heddle="$1"
shift
[ $# -gt 0 ] || set -- back_propagation:paper black_scholes:paper bplus_tree:paper convolution_separable:paper \
  fdtd_2d:paper histogram64:paper hotspot:paper vector_add:paper
if [ "$1" = large ]; then
  set -- "back_propagation:paper tbs=49152" "black_scholes:paper options=7864320" \
    "bplus_tree:paper finds=40000 ranges=24000" "convolution_separable:paper width=6144 height=6144" \
    "fdtd_2d:paper rows=4096 columns=4096" "histogram64:paper bytes=536870912" "hotspot:paper n=2048 passes=1" \
    "vector_add:paper n=16777216"
fi
made_up="$(dirname "$0")/made_up.yaml"
if [ "$1" = made_up ]; then
  SCHEDULERS="${SCHEDULERS:-gto lrr}"
  shift
  i=0
  for threads in 32 64 128; do
    for held in 8 2 1; do
      for elements in 131072 1048576 16777216; do
        rounds=$(echo 24 60 120 240 | cut -d ' ' -f $((i / 2 % 4 + 1)))
        set -- "$@" "$made_up rounds=$rounds held=$held threads=$threads shared_bytes=$((held == 8 ? 0 : 48000 / held)) \
          elements=$elements loads=$((i % 2 * 3 + 1)) operations=$(((i + i / 3) % 2 * 40)) stores=$((i / 5 % 2))"
        i=$((i + 1))
      done
    done
  done
fi
if [ "$1" = long ]; then
  SCHEDULERS="${SCHEDULERS:-gto lrr}"
  shift
  for held in 8 2 1; do
    for long_tb in 0 $((20 * held * 15)); do
      for rounds in 30 60 180; do
        set -- "$@" "$made_up held=$held shared_bytes=$((held == 8 ? 0 : 48000 / held)) long_tb=$long_tb \
          long_loads=$((4 * rounds))"
      done
    done
  done
fi
out="${OUT:-heddle-out/sampling}"

# number FILE KEY: the first figure of that name; that of the whole run comes before those of launches.
number() { sed -n "s/.*\"$2\": *\([0-9.e+-]*\).*/\1/p" "$1" | head -n 1; }

# run_once FOLDER ARGUMENTS...
run_once() {
  folder="$1"
  shift
  [ -s "$folder/stats.json" ] || "$heddle" run "$@" --quiet --out "$folder" >&2
}

for entry in "$@"; do
  workload="${entry%% *}"
  parameters=""
  for parameter in ${entry#"$workload"}; do parameters="$parameters --param $parameter"; done
  for scheduler in ${SCHEDULERS:-gto lrr pro oaws_dynamic}; do
    name="$(echo "${entry##*/}" | tr -s ' :=' '_')-$scheduler"
    # shellcheck disable=SC2086 # words
    run_once "$out/$name-sampled" "$workload" $parameters --scheduler "$scheduler" --sample
    full=""
    if [ -n "${FULL:-}" ] && [ -z "$parameters" ]; then
      full="$("${FULL_HEDDLE:-$heddle}" results export --wide --db "$FULL" --where "workload=$workload" \
        --where "scheduler=$scheduler" --where "status=complete" --metric cycles |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i } NR == 2 { print $at["cycles"], $at["cpu_seconds"] }')"
    fi
    if [ -z "$full" ]; then
      # shellcheck disable=SC2086 # words
      run_once "$out/$name-full" "$workload" $parameters --scheduler "$scheduler"
      full="$(sed -n '/^  "metrics"/,$p' "$out/$name-full/stats.json" | sed -n 's/.*"cycles": \([0-9]*\).*/\1/p' | head -n 1)"
      full="$full $(number "$out/$name-full/speed.json" cpu_seconds)"
    fi
    stats="$out/$name-sampled/stats.json"
    estimate="$(sed -n '/^  "metrics"/,$p' "$stats" | sed -n 's/.*"cycles": \([0-9]*\).*/\1/p' | head -n 1)"
    half="$(sed -n '/^  "sampling"/,/^  "checks"/p' "$stats" | sed -n '/half_intervals/,$p' | sed -n 's/.*"cycles": \([0-9.e+-]*\).*/\1/p' | head -n 1)"
    shown="${workload##*/}"
    echo "${shown%.yaml}$parameters|$scheduler|$full|$estimate|${half:-0}|$(number "$stats" simulated_cycles)|$(number "$out/$name-sampled/speed.json" cpu_seconds)"
  done
done | sed 's/ --param / /g' | awk -F'|' '
  BEGIN {
    print "| workload | scheduler | cycles | sampled | difference | 95%: +/- | cycles simulated | times as fast |"
    print "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
  }
  {
    split($3, full, " ")
    difference = $4 / full[1] - 1
    size = difference < 0 ? -difference : difference
    ++count
    differences += size
    # The mean of factors, whichever way they go.
    factors += log(1 + size)
    gains += log(full[2] / $7)
    if (size > worst) worst = size
    if (size <= $5 / $4) ++held
    printf "| %s | %s | %d | %d | %+.2f%% | %.2f%% | %.1f%% | %.1f |\n", $1, $2, full[1], $4, 100 * difference,
           100 * $5 / $4, 100 * $6 / full[1], full[2] / $7
    whole[$1, $2] = full[1]
    sampled[$1, $2] = $4
    if (!($1 in seen)) { seen[$1] = 1; workloads[++w] = $1 }
    if (!($2 in known)) { known[$2] = 1; schedulers[++s] = $2 }
  }
  END {
    for (i = 1; i <= w; ++i)
      for (a = 1; a <= s; ++a)
        for (b = a + 1; b <= s; ++b) {
          x = whole[workloads[i], schedulers[a]]; y = whole[workloads[i], schedulers[b]]
          if (x == "" || y == "" || (x > y ? x / y : y / x) <= 1.02) continue
          ++pairs
          if ((x > y) == (sampled[workloads[i], schedulers[a]] > sampled[workloads[i], schedulers[b]])) ++kept
        }
    printf "\nDifference: %.2f%% in the geometric mean, %.2f%% at most; %d of %d within the interval. ", \
           100 * (exp(factors / count) - 1), 100 * worst, held, count
    printf "%d of %d pairs of schedulers that differ by over 2%% in their order. ", kept, pairs
    printf "%.1f times as fast in the geometric mean.\n", exp(gains / count)
  }'
