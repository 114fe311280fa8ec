#!/bin/sh
# Parameters that a twin is not made for are an error of elaboration that says what was expected.
#   check_parameters.sh [RTL]
set -eu
cd "${1:-"$(dirname "$0")/../../rtl"}"
sources=$(sed -nE 's/^(parts|schedulers|dispatch) //p' files.txt)
failed=0
while IFS='|' read -r module parameters expected; do
  # shellcheck disable=SC2086 # several words
  said=$(verilator --lint-only -Wno-lint --top-module "$module" $parameters $sources 2>&1) && said="nothing"
  case $said in
  *"$module: expected $expected"*) ;;
  *)
    echo "$module $parameters: expected \"expected $expected\", found: $(echo "$said" | head -n 1)"
    failed=1
    ;;
  esac
done <<'CASES'
heddle_pro|-GThreshold=1024|Threshold
heddle_pro|-GTieWidth=86|TieWidth
heddle_pro_choice|-GTbSlots=17|Warps from 1 to 64, TbSlots
heddle_warp_man|-GTbWidth=0|TbWidth
heddle_oaws_core|-GLanes=6|Lanes
heddle_oaws_learner|-GLoadsWidth=0|PcWidth and LoadsWidth
heddle_oaws_learner|-GMissWidth=0|PcWidth and LoadsWidth
heddle_mascar|-GFreeEntries=32|FreeEntries
heddle_ipaws_phases|-GLaunchWidth=1 -GDecisions=1|LaunchWidth
CASES
exit $failed
