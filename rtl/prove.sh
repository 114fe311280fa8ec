#!/usr/bin/env bash
# Proves the properties of the twins for any inputs and any number of cycles, by k-induction, at ENTRIES entries of a part and
# warps of a scheduler:
#   prove.sh [ENTRIES [NAME]]
# 8 when not given; NAME is a regular expression of the proofs that are wanted, of modules in files.txt. Properties whose
# names end in _A are proven. Those in _M say what a part's user has to keep to: they are assumed of the twin's own inputs,
# and proven of those of the parts inside it. With more than 8 entries all properties of the parts inside are assumed.
# RTL=DIR: of other sources than those beside this file. PROOF_SECONDS=N: ends each of a proof's runs of the solver
# after N seconds; 0, or not given: never. PROOF_JOBS=N: so many proofs at once, as many as processors when not given; what
# is said does not depend on it. PROOF_SOLVER=z3 (with yosys-smtbmc), which names what fails, or cadical, which takes a step
# for a question of bits alone and ends with large ones where z3 does not. When not given: z3 at up to 8 entries but for what
# is large, cadical for that and at more. Needs the Debian package yosys, and the solver.
set -eu

entries=${1:-8}
wanted=${2:-.}
rtl=$(cd "${RTL:-$(dirname "$0")}" && pwd)
case $entries in
'' | *[!0-9]*)
  echo "prove.sh: entries: found $entries, expected a number" >&2
  exit 2
  ;;
esac
case ${PROOF_SOLVER:-z3} in
z3 | cadical) ;;
*)
  echo "prove.sh: PROOF_SOLVER: found $PROOF_SOLVER, expected z3 or cadical" >&2
  exit 2
  ;;
esac
# need TOOL: the Debian package of this name.
need() {
  command -v "$1" >/dev/null || {
    echo "prove.sh: found no $1: install the Debian package $1" >&2
    exit 2
  }
}
need yosys
case ${PROOF_SECONDS:-0} in
*[!0-9]*)
  echo "prove.sh: PROOF_SECONDS: found $PROOF_SECONDS, expected a number of seconds" >&2
  exit 2
  ;;
esac
jobs=${PROOF_JOBS:-$(nproc)}
case $jobs in
'' | *[!0-9]* | 0)
  echo "prove.sh: PROOF_JOBS: found $jobs, expected a number of proofs from 1 on" >&2
  exit 2
  ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Each proof is a process group, so that it ends with its solver.
set -m
trap 'for proof in $(jobs -p); do kill -- -"$proof" || true; done 2>/dev/null; exit 130' INT TERM
# Below rtl/, where yosys runs: its own path may have spaces in it.
sources=$(sed -n "s/^\(parts\|schedulers\|dispatch\) //p" "$rtl/files.txt" | tr '\n' ' ')
failed=0
asked=0    # proofs
told=0     # of them, those of which the outcome is printed
# What takes longest begins first, so that no processor waits for it in the end.
longest='^heddle_(swl|ipaws_judge|table|pro|pro_proof|.*_sorter|.*_sorter_proof|age_list|two_level_active|ccws.*|oaws_dynamic)$'

# What z3 takes long for, or does not end with.
large='^heddle_(pro|pro_proof|ccws.*|.*_sorter|.*_sorter_proof|swl|ipaws_judge|table)$'

# run COMMAND: what it says goes to the log. timeout makes a process group of its own, which ends with it.
run() {
  local status=0
  timeout "${PROOF_SECONDS:-0}" "$@" >"$work/log" 2>&1 &
  wait $! || status=$?
  [ $status != 124 ] || echo "given up" >"$work/log"
  return $status
}

# excluded MODEL CYCLES [CONSTRAINT]: whether no run of so many cycles breaks a property in its last one alone. What cadical is
# asked is written by yosys, which is given a second to answer it itself.
excluded() {
  local n at="" status=0
  for n in $(seq $(($2 - 1))); do
    at+="-set-at $n trigger 0 "
  done
  run yosys -q "$work/$1.il" \
    -p "sat -seq $2 ${3:-} $at-set-at $2 trigger 1 -dump_cnf $work/run.cnf -timeout 1 top" || return
  run cadical -q "$work/run.cnf" || status=$?
  [ $status = 20 ] # unsatisfiable
}

# from_reset CYCLES: whether all properties hold in so many cycles, of which the first one is in reset.
from_reset() {
  local n
  if [ "$solver" = z3 ]; then
    run yosys-smtbmc -s z3 --unroll --noincr --smtc "$work/reset.smtc" -t "0:$1:$1" "$work/model.smt2"
    return
  fi
  for n in $(seq "$1"); do
    excluded start "$n" "$reset" || return
  done
}

# follows: whether they hold in a cycle when they have in as many before it as the proof has steps.
follows() {
  if [ "$solver" = z3 ]; then
    run yosys-smtbmc -s z3 --unroll --noincr -i -t "$steps:$steps" "$work/model.smt2"
  else
    excluded step $((steps + 1))
  fi
}

# why: the first line of the log that tells it, or that the solver was given up.
why() {
  grep -m1 -E 'Assert failed|given up|[Ee]rror|ERROR' "$work/log" ||
    ! grep -q '^s SATISFIABLE' "$work/log" || echo "one of them fails; PROOF_SOLVER=z3 says which"
}

# prove MODULE STEPS "PARAMETER VALUE ...": is to be proven by induction: what holds in STEPS cycles holds in the next one;
# 0 of what has no state.
prove() {
  [[ "$1 ($3)" =~ $wanted ]] || return 0
  grep -q "/${1%_proof}\.sv\$" "$rtl/files.txt" || return 0
  asked=$((asked + 1))
  modules[asked]=$1
  solvers[asked]=${PROOF_SOLVER:-z3}
  if [ "$entries" -gt 8 ] || [[ $1 =~ $large ]]; then
    solvers[asked]=${PROOF_SOLVER:-cadical}
  fi
  need "${solvers[asked]}"
  steps_of[asked]=$2
  parameters_of[asked]=$3
}

# begin WHICH: the proofs that were asked for, those that take longest or the others.
begin() {
  local n takes_long
  for n in $(seq "$asked"); do
    takes_long=others
    [[ ! "${modules[n]}" =~ $longest ]] || takes_long=longest
    [ $takes_long = "$1" ] || continue
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
      wait -n || true
      tell
    done
    prove_one "$n" &
  done
}

# prove_one NUMBER: what has been found, into the result of the proof's folder.
prove_one() {
  local work=$folder/$1 module=${modules[$1]} solver=${solvers[$1]} steps=${steps_of[$1]} parameters=${parameters_of[$1]}
  local file proof="" settings result count reset
  local failing='Assert failed\|^s SATISFIABLE'
  trap 'kill $(jobs -p) 2>/dev/null; exit 130' TERM
  mkdir "$work"
  file=$rtl/$(sed -n "s,^[a-z]* \(.*/${module%_proof}\.sv\)\$,\1,p" "$rtl/files.txt")
  [ ! -f "$rtl/formal/$module.sv" ] || proof=formal/$module.sv
  case $module in *_sorter_proof) proof="formal/heddle_sort_rule.sv $proof" ;; esac
  settings=$(echo "$parameters" | sed "s/\([A-Za-z]*\) \([0-9][0-9']*[b0-9]*\)/-set \1 \2/g")
  {
    echo "read_verilog -defer -noautowire -formal -sv $sources $proof"
    echo "chparam $settings $module"
    echo "hierarchy -check -top $module; rename -top top"
    echo "proc; flatten; opt_clean"
    # Of these the inputs may be what their parts do not allow: what those ask for is assumed. That of PRO's counts proves
    # it, and leaves what the parts promise to their own proofs; a sort may be due in any cycle there.
    case $module in
    heddle_pro_proof) echo "chformal -assert2assume c:*_M c:*i_*.* %d; chformal -remove c:*CountsEachCycle_M c:*i_control.* c:*i_*.*_A" ;;
    *_proof | heddle_ccws | heddle_ccws_tags | heddle_oaws_static | heddle_oaws_dynamic | heddle_oaws_learner | heddle_pro)
      echo "chformal -assert2assume c:*_M" ;;
    *) echo "chformal -assert2assume c:*_M c:*i_*.* %d" ;;
    esac
    # With the parts' promises to prove as well, z3 does not end at 24 entries. The proof of a part itself assumes none of
    # that part's promises, but for how a sort ends, and that of a twin none of the modules that are it.
    # shellcheck disable=SC2016 # the name that yosys has for it
    case $module in
    heddle_*_sorter_proof) echo 'chformal -assert2assume c:*i_sorter.* t:$assert %i' ;;
    heddle_age_*_proof) echo 'chformal -remove c:*i_*.*' ;;
    heddle_counter_array_proof | heddle_simple_slicing | heddle_pro_proof) ;;
    *) [ "$entries" -le 8 ] || echo 'chformal -assert2assume c:*i_*.* t:$assert %i' ;;
    esac
    # What is looked at in the cycle behind is looked at at once, so that a cycle less has to be assumed.
    echo "chformal -early; async2sync; opt -fast; dffunmap"
    # Of orders that shift or are sorted in groups a proof of gates takes z3 a fraction of the time that one of words takes;
    # of sums of many and of tables it is the other way round.
    case $module-$solver in
    heddle_group_sorter* | heddle_in_place_sorter* | heddle_pro-z3 | heddle_pro_choice-z3 | heddle_two_level_active-z3)
      echo "simplemap; techmap; abc -g AND,XOR,MUX; opt_clean; dffunmap; opt_clean" ;;
    esac
    # shellcheck disable=SC2016 # the name that yosys has for it
    echo "tee -q -o $work/count select -count "'t:$assert'
    # Without memories, of which there are none, z3 takes it for bits alone, which is much quicker.
    [ "$solver" = cadical ] || echo "write_smt2 -nomem -wires $work/model.smt2"
    # trigger: some property fails, and all that is assumed has held so far.
    # To yosys the first cycle of a run is one of the start, which that of a step is not: of a step it is left open.
    # shellcheck disable=SC2016 # the name that yosys has for it
    if [ "$solver" = cadical ]; then
      echo "design -save proof; miter -assert top; opt_clean; write_rtlil $work/start.il"
      echo 'design -load proof; delete t:$initstate'
      echo "miter -assert top; opt_clean; write_rtlil $work/step.il"
    fi
  } >"$work/run.ys"
  reset=""
  echo "initial" >"$work/reset.smtc"
  if grep -q rst_ni "$file" || [[ $module =~ _proof$ ]]; then
    reset="-set-at 1 rst_ni 0"
    echo "assume (= [rst_ni] false)" >>"$work/reset.smtc"
  fi
  if ! (cd "$rtl" && exec yosys -q "$work/run.ys") >"$work/log" 2>&1; then
    result="not read: $(why)"
  elif [ "$steps" != 0 ] && ! from_reset "$steps"; then
    result="wrong from reset on: $(why)"
  elif ! follows; then
    result="not proven in $steps steps: $(why)"
    # Is it wrong, or do properties only not follow from themselves?
    if grep -q "$failing" "$work/log" && ! from_reset $((steps + 2)) && grep -q "$failing" "$work/log"; then
      result="wrong from reset on: $(why)"
    fi
  else
    result=proven
  fi
  count=$(sed -n 's/^\([0-9]*\) objects.*/\1/p' "$work/count" 2>/dev/null || true)
  echo "$module ($parameters): ${count:-no} properties: $result" >"$work/result.tmp"
  mv "$work/result.tmp" "$work/result"
}

# tell: prints what is known, in the order in which the proofs were asked for.
tell() {
  while [ -f "$folder/$((told + 1))/result" ]; do
    told=$((told + 1))
    cat "$folder/$told/result"
    grep -q ': proven$' "$folder/$told/result" || failed=1
    rm -r "${folder:?}/$told"
  done
}

prove heddle_adder 0 "Width 16 AmountWidth 9 Saturate 1'b1"
prove heddle_adder 0 "Width 16 AmountWidth 9 Saturate 1'b0"
prove heddle_population_count 0 "Inputs $entries"
prove heddle_prefix_or 0 "Inputs $entries"
prove heddle_prefix_or 0 "Inputs 23"
prove heddle_fixed_selector 0 "Inputs $entries"
prove heddle_rotating_selector 0 "Inputs $entries"
prove heddle_ordered_selector 0 "Inputs $entries"
prove heddle_minimum_tree 0 "Inputs $entries Width 4"
prove heddle_counter_array_proof 1 "Entries $entries Saturate 1'b1 SameEntry 1"
prove heddle_counter_array_proof 1 "Entries $entries Saturate 1'b0 SameEntry 1"
prove heddle_counter_array_proof 1 "Entries $entries Width 3 AmountWidth 3 Saturate 1'b1 SameEntry 1"
prove heddle_counter_array_proof 1 "Entries $entries Saturate 1'b1 SameEntry 3"
prove heddle_counter_array_proof 1 "Entries $entries Saturate 1'b1 SameEntry 0 Adders 1 CountsInPlace 1'b1"
prove heddle_decaying_counters 1 "Entries $entries Width 5 Floor 5"
prove heddle_fifo_queue 1 "Entries $entries Width 3"
prove heddle_table 1 "Sets 2 Ways $((entries / 2)) TagWidth 3 FieldsWidth 2"
prove heddle_table 1 "Sets 1 Ways $entries TagWidth 3 FieldsWidth 2"
prove heddle_ratio_unit 1 "FactorWidth 4 MultiplierWidth 3 DivisorWidth 4 ResultWidth 5"
# At any size matrix and selection are proven by the _proof modules: of any three entries, and entry by entry.
small=$((entries > 8 ? 8 : entries))
prove heddle_age_matrix 1 "Entries $small"
prove heddle_age_matrix_proof 1 "Entries $entries"
prove heddle_age_select 0 "Entries $small"
prove heddle_age_select_proof 1 "Entries $entries"
prove heddle_age_order 1 "Entries $entries"
prove heddle_age_first_n 0 "Entries $entries"
prove heddle_age_list 1 "Entries $entries"
two=$((entries > 3 ? 2 : 1)) # comparators
prove heddle_in_place_sorter 1 "Entries $((entries > 6 ? 6 : entries)) KeyWidth 2 Comparators $two"
prove heddle_in_place_sorter 1 "Entries $entries KeyWidth 2 Comparators 1 CyclesPerCompare 2 Buffered 1'b0 Dynamic 1'b0"
prove heddle_in_place_sorter_proof 1 "Entries $entries KeyWidth 2 Comparators $two CyclesPerCompare 1"
prove heddle_in_place_sorter_proof 1 "Entries $entries KeyWidth 2 CyclesPerCompare 2 Dynamic 1'b0"
prove heddle_sort_control 1 "Entries $entries Comparators $two CyclesPerCompare 3"
prove heddle_group_sorter 1 "Entries 4 Groups 2 KeyWidth 2"
prove heddle_group_sorter 1 "Entries $entries Groups 1 KeyWidth 2 Comparators $two CyclesPerCompare 2"
prove heddle_group_sorter_proof 1 "Entries 4 Groups 2 KeyWidth 2 Comparators 2 CyclesPerCompare 1"
prove heddle_group_sorter_proof 1 "Entries 4 Groups 1 KeyWidth 3 KeysDiffer 1'b1"
# What is compared has been read in the cycle before.
prove heddle_group_sorter_proof 2 "Entries $entries Groups 1 KeyWidth 2 CyclesPerCompare 2"
prove heddle_pro_choice 0 "Warps $entries TbSlots 8 RankWidth 6"
prove heddle_pro_proof 1 "NumWarps $entries"
prove heddle_pro 1 "NumWarps $entries TbSlots 2 ProgressWidth 6 Threshold 9 DueWidth 4 TieWidth 2"
prove heddle_ipaws_judge 1 "NumWarps $entries CounterWidth 2 StallCycles 2 ScoreCycles 1 AddCycles 1 DecideCycles 1"
prove heddle_ipaws_judge 1 "NumWarps 4 CounterWidth 3 ConvexEighths 15 WarpsOfInterest 1'b0 StallCycles 1 ScoreCycles 2 AddCycles 2 DecideCycles 2"
prove heddle_ipaws_phases 1 "NumWarps $entries TbSlots 3 CounterWidth 3 LaunchWidth 4 Decisions 4"
prove heddle_ipaws_phases 1 "NumWarps $entries TbSlots 3 CounterWidth 3 LaunchWidth 4 Decisions 1 Shared 1'b0 FirstTried 1'b0 OldestEnds 1'b1"
prove heddle_swl 1 "NumWarps $entries"
prove heddle_ccws_tags 1 "NumWarps $entries LineWidth 4 Sets 2 Ways 2"
prove heddle_ccws_scores 1 "NumWarps $entries TotalWidth 4 MultiplierWidth 3 ScoreWidth 4 BaseScore 3"
prove heddle_ccws_cutoff 1 "NumWarps $entries ScoreWidth 3 BaseScore 3 Throttle 3 CyclesPerCompare 2 CyclesPerWalk 2 SettleCycles 2"
prove heddle_ccws 1 "NumWarps $entries LineWidth 3 VtaWays 2 TotalWidth 3 ScoreWidth 3 BaseScore 3 Throttle 2"
prove heddle_oaws_static 1 "NumWarps $entries MshrEntries 4 Carried 3 DlcEntries 2 PcWidth 4 Lanes 8"
prove heddle_oaws_static 1 "NumWarps $entries MshrEntries 8 Carried 2 DlcEntries 2 PcWidth 4 Lanes 4 ShareFactor 1351"
prove heddle_oaws_core 1 "NumWarps $entries MshrEntries 8 Carried 3 PcWidth 4 Lanes 8 RankWidth 3"
prove heddle_oaws_learner 1 "DlcEntries 3 PcWidth 3 LoadsWidth 3 AmountWidth 7 Sets 4 MissWidth 2 OcwMin 2 OcwMax $entries CntStart 4 CntMax 6"
prove heddle_oaws_dynamic 1 "NumWarps $entries NumSchedulers 2 MshrEntries 4 Carried 2 DlcEntries 2 PcWidth 4 Lanes 4 Sets 2 CntStart 2 CntMax 3"
prove heddle_mascar 1 "NumWarps $entries NumSchedulers 2 MshrEntries 5 MissQueue 3"
prove heddle_simple_slicing 1 "Kernels 3 TbSlots 2 CycleWidth 4 BlockWidth 3"
prove heddle_simple_slicing 1 "Kernels 2 TbSlots 3 CycleWidth 4 BlockWidth 3 CyclesPerStep 2 Slices 1'b0"
prove heddle_warp_man 1 "NumWarps $entries TbSlots 3 TbWidth 3 WarpIdWidth 2"
prove heddle_warp_man 1 "NumWarps 5 TbSlots 2 TbWidth 2 WarpIdWidth 3"
prove heddle_lrr 1 "Warps $entries"
prove heddle_oldest 1 "Warps $entries"
prove heddle_gto 1 "Warps $entries"
prove heddle_least_issued 1 "Warps $entries Width 4"
prove heddle_two_level 1 "Warps $entries GroupWarps 4"
prove heddle_two_level_active 1 "Warps $entries ActiveWarps 3"
prove heddle_two_level_active 1 "Warps $entries ActiveWarps $entries"
begin longest
begin others
while [ -n "$(jobs -rp)" ]; do
  wait -n || true
  tell
done
tell
if [ "$told" -lt "$asked" ]; then
  echo "prove.sh: proof $((told + 1)) of $asked has ended without a result" >&2
  exit 2
fi
if [ "$asked" = 0 ]; then
  echo "prove.sh: no proof is of '$wanted', of what files.txt has" >&2
  exit 2
fi
exit $failed
