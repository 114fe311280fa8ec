#!/bin/sh
# Proves that the netlist of a twin does what its SystemVerilog does, for any inputs and any number of cycles, the reset
# included (yosys):
#   equivalence.sh [ENTRIES [NAME]]
# at ENTRIES entries of a part and warps of a scheduler, 8 when not given; NAME is a regular expression of the rows that are
# wanted, of modules in files.txt. Registers keep their names through synthesis, and are matched by them; outputs and next states are then proven
# equal. The ratio unit's are equal only in states that it comes to: there the two are proven from reset on, by
# induction. NETLIST_EDIT: a script of sed that is let loose on each netlist, so that tests see that a wrong one is found.
# Needs the Debian packages yosys and qflow-tech-osu018.
set -eu

entries=${1:-8}
wanted=${2:-.}
rtl=$(cd "$(dirname "$0")" && pwd)
liberty=${CELLS:-/usr/share/qflow/tech/osu018/osu018_stdcells}.lib
command -v yosys >/dev/null || {
  echo "equivalence.sh: found no yosys: install the Debian package yosys" >&2
  exit 2
}
[ -r "$liberty" ] || {
  echo "equivalence.sh: found no $liberty: install the Debian package qflow-tech-osu018" >&2
  exit 2
}
case $entries in
'' | *[!0-9]*)
  echo "equivalence.sh: entries: found $entries, expected a number" >&2
  exit 2
  ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# Below rtl/, where yosys runs: its own path may have spaces in it.
sources=$(sed -n "s/^\(parts\|schedulers\|dispatch\) //p" "$rtl/files.txt" | tr '\n' ' ')
for script in abc.script tree.script; do
  sed "s|read_constr |&synthesis/|" "$rtl/synthesis/$script" >"$work/$script"
done
cp "$liberty" "$work/cells.lib"
failed=0
compared=0

# equal MODULE "PARAMETER VALUE ..." [reachable]: reachable compares outputs from reset on alone.
equal() {
  module=$1 parameters=$2 how=${3:-}
  echo "$module ($parameters)" | grep -Eq "$wanted" || return 0
  grep -q "/$module\.sv$" "$rtl/files.txt" || return 0
  settings=$(echo "$parameters" | sed "s/\([A-Za-z]*\) \([0-9][0-9']*[b0-9]*\)/-set \1 \2/g")
  {
    echo "read_verilog -defer -noautowire -sv $sources"
    echo "chparam $settings $module"
    echo "hierarchy -check -top $module; rename -top gold"
    echo "proc; opt_clean; design -save parts"
    echo "flatten; opt_clean; setundef -undriven -zero gold"
    echo "design -save gold"
    # As synthesise.sh does: prefix trees keep their form. Names of selectors are none to match by, as what nobody reads of
    # them has no driver.
    echo "design -load parts"
    echo "techmap *heddle_prefix_or*; simplemap *heddle_prefix_or*; abc -liberty $work/cells.lib -script $work/tree.script *heddle_prefix_or*"
    echo "read_liberty -lib -ignore_miss_func $work/cells.lib"
    echo "rename -hide *heddle_prefix_or* *heddle_fixed_selector* *heddle_rotating_selector*"
    echo "flatten; opt_clean; setundef -undriven -zero gold"
    echo "rename gold gate; synth -nofsm -flatten -top gate"
    echo "dfflibmap -liberty $work/cells.lib; abc -liberty $work/cells.lib -script $work/abc.script; opt_clean -purge"
    echo "write_verilog -noattr -noexpr $work/netlist.v"
    [ -z "${NETLIST_EDIT:-}" ] ||
      echo "!sed -i '$NETLIST_EDIT' $work/netlist.v
design -reset; read_verilog $work/netlist.v; hierarchy -top gate"
    echo "design -stash gate"
    echo "design -load gold; design -copy-from gate -as gate gate"
    echo "read_liberty -ignore_miss_func $work/cells.lib; flatten gate; proc; opt_clean; async2sync"
    if [ "$how" = reachable ]; then
      echo "miter -equiv -make_assert -flatten gold gate miter; hierarchy -top miter; opt_clean"
      echo "sat -verify -prove-asserts -tempinduct -maxsteps 40 -set-at 1 in_rst_ni 0 miter"
    else
      echo "equiv_make gold gate equiv; hierarchy -top equiv; opt_clean"
      echo "equiv_struct; equiv_simple -undef -seq 2; equiv_induct -undef -seq 3; equiv_status -assert"
    fi
  } >"$work/run.ys"
  compared=$((compared + 1))
  rm -f "$work/netlist.v"
  if (cd "$rtl" && exec yosys -q "$work/run.ys") >"$work/log" 2>&1; then
    result=equal
  else
    result="not proven equal: $(grep -m1 ERROR "$work/log" || echo "yosys fails")"
    failed=1
  fi
  cells=$(grep -c '^  [A-Z0-9]* _' "$work/netlist.v" 2>/dev/null || true)
  echo "$module ($parameters): ${cells:-no} cells: $result"
}

half=$(((entries + 1) / 2))
equal heddle_bit_vector "Width $entries"
equal heddle_pipeline "Width $entries Stages 3"
equal heddle_register "Width $entries"
equal heddle_adder "Width $entries AmountWidth $half Saturate 1'b1"
equal heddle_adder "Width $entries AmountWidth $half Saturate 1'b0"
equal heddle_comparator "Width $entries"
equal heddle_prefix_or "Inputs $entries"
equal heddle_fixed_selector "Inputs $entries"
equal heddle_minimum_tree "Inputs $entries Width 6"
equal heddle_multiplexer "Inputs $entries Width 4"
equal heddle_ordered_selector "Inputs $entries"
equal heddle_population_count "Inputs $entries"
equal heddle_ratio_unit "FactorWidth 5 MultiplierWidth 3 DivisorWidth 4 ResultWidth 6"
equal heddle_request_groups "Inputs $entries Groups 3"
equal heddle_rotating_selector "Inputs $entries"
equal heddle_counter_array "Entries $entries Width 6 Saturate 1'b1"
equal heddle_counter_array "Entries $entries Width 6 Adders 2 SameEntry 1"
equal heddle_counter_array "Entries $entries Width 6 Adders 0 CountsInPlace 1'b1 Clear 1'b1"
equal heddle_decaying_counters "Entries $entries Width 5 Floor 5"
equal heddle_fifo_queue "Entries $entries Width 5"
equal heddle_table "Sets 2 Ways $half TagWidth 5 FieldsWidth 4"
equal heddle_table "Sets 1 Ways $entries TagWidth 5 FieldsWidth 4"
equal heddle_age_first_n "Entries $entries"
equal heddle_age_list "Entries $entries"
equal heddle_age_matrix "Entries $entries"
equal heddle_age_select "Entries $entries"
equal heddle_age_order "Entries $entries"
equal heddle_age_rank "Entries $entries"
equal heddle_in_place_sorter "Entries $entries KeyWidth 4"
equal heddle_sort_control "Entries $entries Comparators 2 CyclesPerCompare 3"
equal heddle_group_sorter "Entries $entries Groups 2 KeyWidth 4 CyclesPerCompare 2"
equal heddle_ipaws_judge "NumWarps $entries CounterWidth 4"
equal heddle_ipaws_phases "NumWarps $entries TbSlots 3 CounterWidth 4 LaunchWidth 6 Decisions 4"
equal heddle_pro_choice "Warps $entries TbSlots 4 RankWidth 3"
equal heddle_tb_table "NumWarps $entries TbSlots 2 TieWidth 5"
equal heddle_swl "NumWarps $entries"
equal heddle_ccws_tags "NumWarps $entries LineWidth 5 Sets 2 Ways 2"
equal heddle_ccws_scores "NumWarps $entries TotalWidth 4 MultiplierWidth 4 ScoreWidth 4 BaseScore 5"
equal heddle_ccws_cutoff "NumWarps $entries ScoreWidth 4 BaseScore 5 Throttle 2 CyclesPerCompare 2 CyclesPerWalk 2 SettleCycles 2"
equal heddle_oaws_static "NumWarps $entries MshrEntries 8 Carried 5 DlcEntries 4 PcWidth 6"
equal heddle_oaws_learner "DlcEntries 4 PcWidth 6 LoadsWidth 3 AmountWidth 7 Sets 4 OcwMax $entries CntStart 4 CntMax 7"
equal heddle_oaws_dynamic "NumWarps $entries MshrEntries 8 Carried 5 DlcEntries 4 PcWidth 6 Sets 4"
equal heddle_mascar "NumWarps $entries NumSchedulers 2"
equal heddle_mascar_both "NumWarps $entries NumSchedulers 2"
equal heddle_simple_slicing "Kernels 3 TbSlots 3 CycleWidth 5 BlockWidth 4"
equal heddle_warp_man "NumWarps $entries TbSlots 4 TbWidth 6 WarpIdWidth 3"
equal heddle_lrr "Warps $entries"
equal heddle_oldest "Warps $entries"
equal heddle_gto "Warps $entries"
equal heddle_least_issued "Warps $entries Width 6"
equal heddle_two_level "Warps $entries GroupWarps 4"
equal heddle_two_level_active "Warps $entries ActiveWarps 3"
if [ "$compared" = 0 ]; then
  echo "equivalence.sh: no row is of '$wanted', of what files.txt has" >&2
  exit 2
fi
exit $failed
