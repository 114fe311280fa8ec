#!/bin/sh
# Gives each fuzz target inputs, an equal part of MINUTES each, and prints what was run. JOBS targets run at a time.
#   campaign.sh PROGRAM FOLDER MINUTES SEED JOBS [TARGET...]
# SEED: what is made up follows from it and from the corpus alone; 0: another one each time.
# FOLDER/corpus keeps what libFuzzer has found worth keeping, for the next campaign; FOLDER/findings the inputs
# of which something was wrong, with what was said of them beside it. Fails when there is one.
set -eu

program=$1
folder=$2
minutes=$3
seed=$4
jobs=$5
shift 5
here=$(cd "$(dirname "$0")" && pwd)
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1

# Bounds of one input: five seconds and a gigabyte, sanitizers included.
bounds="-timeout=5 -rss_limit_mb=1024"

# run_target TARGET SECONDS: prints the target's line; its inputs, those that were loaded and its findings are a line of
# $scratch/TARGET.counts.
run_target() {
  target=$1
  corpus=$folder/corpus/$target
  log=$folder/findings/$target.log
  mkdir -p "$corpus" "$scratch/$target"
  dictionary=$here/dictionaries/$target.dict
  status=0
  # shellcheck disable=SC2046,SC2086 # options
  TMPDIR=$scratch/$target "$program" --target="$target" $bounds -seed="$seed" -max_total_time="$2" -print_final_stats=1 \
    -max_len="$("$program" --list | awk -v target="$target" '$1 == target { print $2 }')" \
    $([ -f "$dictionary" ] && echo "-dict=$dictionary") -artifact_prefix="$folder/findings/$target-" \
    "$corpus" "$here/corpus/$target" $([ -d "$here/regressions/$target" ] && echo "$here/regressions/$target") >"$log" 2>&1 || status=$?
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | head -n 1)
  speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log" | head -n 1)
  loaded=$(sed -n 's/^heddle_fuzz: [a-z_]*: [0-9]* inputs, \([0-9]*\) loaded$/\1/p' "$log")
  findings=0
  [ "$status" -eq 0 ] || findings=1
  said=$(printf '%-18s %10s %8s %9s %8s' "$target" "${inputs:--}" \
    "$(echo "${loaded:--} ${inputs:-0}" | awk '{ if ($1 == "-" || $2 == 0) print "-"; else printf "%.1f%%", 100 * $1 / $2 }')" \
    "${speed:--}" "$findings")
  if [ "$status" -eq 0 ]; then
    rm -f "$log"
  else
    said=$(printf '%s\n%s\n  see %s' "$said" \
      "$(grep -m 3 -E 'runtime error|ERROR|SUMMARY|what\(\)' "$log" | cut -c 1-300 | sed 's/^/  /')" "$log")
  fi
  echo "$said"
  echo "${inputs:-0} ${loaded:-0} $findings" >"$scratch/$target.counts"
}

if [ -n "${HEDDLE_FUZZ_SCRATCH:-}" ]; then # called by itself, for one target
  scratch=$HEDDLE_FUZZ_SCRATCH
  run_target "$1" "$2"
  exit 0
fi

targets=$*
[ -n "$targets" ] || targets=$("$program" --list | cut -d ' ' -f 1)
# shellcheck disable=SC2086 # one word per target
seconds=$(echo "$minutes" "$jobs" $targets | awk '{ part = $1 * 60 * $2 / (NF - 2); print (part < 1 ? 1 : int(part)) }')

mkdir -p "$folder/findings"
scratch=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "$folder")/heddle_fuzz.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

printf '%-18s %10s %8s %9s %8s\n' target inputs loaded a_second findings
# shellcheck disable=SC2086 # one word per target
printf '%s\n' $targets | HEDDLE_FUZZ_SCRATCH=$scratch xargs -P "$jobs" -I TARGET \
  "$0" "$program" "$folder" "$minutes" "$seed" "$jobs" TARGET "$seconds"
cat "$scratch"/*.counts | awk '
  { inputs += $1; loaded += $2; findings += $3 }
  END {
    printf "%-18s %10d %8s\n", "all", inputs, inputs == 0 ? "-" : sprintf("%.1f%%", 100 * loaded / inputs)
    exit findings > 0
  }'
