#!/bin/sh
# Runs the twins of what gives thread blocks to SMs in lock-step, that of the Simple Slicing predictor on pairs of programs
# that share the machine, that of the workload buffer on kernels whose blocks start in part, and prints a row for each run,
# as Markdown; ends at the first difference: dispatch_table.sh HEDDLE. Needs python3.
set -eu

heddle=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

echo "| pair | policy | mixed SMs | edges compared | choices by a prediction | predictions |"
echo "| --- | --- | --- | ---: | ---: | ---: |"
row() {
  policy=$1 mixed=$2
  shift 2
  "$heddle" run "$@" --arrival 0 --arrival 1000 --config srtf --set tb_dispatcher.policy="$policy" \
    --set tb_dispatcher.mixed_sms="$mixed" --twin simple_slicing --impl lockstep --quiet --out "$out/run"
  python3 - "$out/run" "$1 and $2" "$policy" "$mixed" <<'END'
import json, sys
folder, pair, policy, mixed = sys.argv[1:]
compared = json.load(open(folder + "/lockstep.json"))
predictions = json.load(open(folder + "/stats.json"))["metrics"]["tb_dispatcher." + policy]["predictions"]
yes = "yes" if mixed == "true" else "no"
print(f"| {pair} | `{policy}` | {yes} | {compared['edges']:,} | {compared['grants']:,} | {predictions:,} |")
END
}

row srtf false matrix_multiply black_scholes
row srtf false hotspot black_scholes
row srtf true hotspot black_scholes
row srtf false pathfinder bfs
row srtf true scalar_product histogram
row srtf false bitonic_sort vector_add
row srtf_slice_unaware false hotspot pathfinder

echo
echo "| kernel | edges compared | TBs | of them in part | warps issued later |"
echo "| --- | ---: | ---: | ---: | ---: |"
for kernel in matrix_multiply ray_tracing hotspot srad sorting_network back_propagation stencil; do
  "$heddle" run $kernel --config warpman --set core.resources.management=warp_temporal_spatial --twin workload_buffer \
    --impl lockstep --quiet --out "$out/run"
  python3 - "$out/run" "$kernel" <<'END'
import json, sys
folder, kernel = sys.argv[1:]
compared = json.load(open(folder + "/lockstep.json"))
tbs = json.load(open(folder + "/stats.json"))["metrics"]["tb_dispatcher"]
later = compared["grants"] - tbs["tbs_dispatched"]
print(f"| {kernel} | {compared['edges']:,} | {tbs['tbs_dispatched']:,} | {tbs['partial_tbs']:,} | {later:,} |")
END
done
