#!/bin/sh
# Gives each fuzz target inputs in turn, an equal part of MINUTES each, and prints what was run.
#   campaign.sh PROGRAM FOLDER MINUTES SEED [TARGET...]
# SEED: what is made up follows from it and from the corpus alone; 0: another one each time.
# FOLDER/corpus keeps what libFuzzer has found worth keeping, for the next campaign; FOLDER/findings the inputs
# of which something was wrong, with what was said of them beside it. Fails when there is one.
set -eu

program=$1
folder=$2
minutes=$3
seed=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
targets=$*
[ -n "$targets" ] || targets=$("$program" --list | cut -d ' ' -f 1)
# shellcheck disable=SC2086 # one word per target
seconds=$(echo "$minutes" $targets | awk '{ part = $1 * 60 / (NF - 1); print (part < 1 ? 1 : int(part)) }')

# Bounds of one input: five seconds and a gigabyte, sanitizers included.
bounds="-timeout=5 -rss_limit_mb=1024"

mkdir -p "$folder/findings"
scratch=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "$folder")/heddle_fuzz.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

printf '%-18s %10s %8s %9s %8s\n' target inputs loaded a_second findings
total=0
all_loaded=0
failed=0
for target in $targets; do
  corpus=$folder/corpus/$target
  log=$folder/findings/$target.log
  mkdir -p "$corpus"
  dictionary=$here/dictionaries/$target.dict
  status=0
  # shellcheck disable=SC2086 # options
  TMPDIR=$scratch "$program" --target="$target" $bounds -seed="$seed" -max_total_time="$seconds" -print_final_stats=1 \
    -max_len="$("$program" --list | awk -v target="$target" '$1 == target { print $2 }')" \
    $([ -f "$dictionary" ] && echo "-dict=$dictionary") -artifact_prefix="$folder/findings/$target-" \
    "$corpus" "$here/corpus/$target" $([ -d "$here/regressions/$target" ] && echo "$here/regressions/$target") >"$log" 2>&1 || status=$?
  inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | head -n 1)
  speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log" | head -n 1)
  loaded=$(sed -n 's/^heddle_fuzz: [a-z_]*: [0-9]* inputs, \([0-9]*\) loaded$/\1/p' "$log")
  findings=0
  if [ "$status" -ne 0 ]; then
    findings=1
    failed=1
  else
    rm -f "$log"
  fi
  printf '%-18s %10s %8s %9s %8s\n' "$target" "${inputs:--}" \
    "$(echo "${loaded:--} ${inputs:-0}" | awk '{ if ($1 == "-" || $2 == 0) print "-"; else printf "%.1f%%", 100 * $1 / $2 }')" \
    "${speed:--}" "$findings"
  if [ "$status" -ne 0 ]; then
    grep -m 3 -E 'runtime error|ERROR|SUMMARY|what\(\)' "$log" | cut -c 1-300 | sed 's/^/  /' || true
    echo "  see $log"
  fi
  total=$((total + ${inputs:-0}))
  all_loaded=$((all_loaded + ${loaded:-0}))
done
printf '%-18s %10s %8s\n' all "$total" \
  "$(echo "$all_loaded $total" | awk '{ if ($2 == 0) print "-"; else printf "%.1f%%", 100 * $1 / $2 }')"
exit $failed
