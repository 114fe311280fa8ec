#!/bin/sh
# Proves the properties in the SystemVerilog by k-induction (yosys-smtbmc, z3): prove.sh [WARPS] [NAME...]
# WARPS, 8 when not given, are those of a scheduler; NAMEs are of the proofs below, all when none is given.
# Needs the Debian packages yosys and z3. RTL=DIR: of other sources than those beside this file.
set -u

rtl=${RTL:-$(dirname "$0")}
warps=8
case ${1:-} in [0-9]*) warps=$1; shift ;; esac
for tool in yosys yosys-smtbmc z3; do
  command -v $tool >/dev/null || { echo "prove.sh: $tool is not installed: install the Debian packages yosys and z3" >&2; exit 2; }
done
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# prove TOP "PARAMETER VALUE ..." FILE...
prove() {
  top=$1
  parameters=$2
  shift 2
  case " $wanted " in *" $top "* | "  ") ;; *) return ;; esac
  files=""
  for file in "$@"; do files="$files $rtl/$file"; done
  settings=$(echo "$parameters" | sed "s/[A-Za-z][A-Za-z]* [0-9][0-9]*/-set &/g")
  if yosys -q -p "read_verilog -defer -formal -sv $files; chparam $settings $top; hierarchy -top $top; proc; flatten; opt -fast; \
      async2sync; opt -fast; dffunmap; write_smt2 -wires $work/$top.smt2" >"$work/log" 2>&1 &&
    yosys-smtbmc -s z3 --unroll -t 2 "$work/$top.smt2" >"$work/log" 2>&1 &&
    yosys-smtbmc -s z3 --unroll -i -t 2 "$work/$top.smt2" >"$work/log" 2>&1; then
    echo "$top ($parameters): proven"
  else
    echo "$top ($parameters): not proven"
    grep -E 'ERROR|Assert failed' "$work/log" | head -5
    failed=1
  fi
}

wanted="$*"
rotating=parts/logic/heddle_rotating_selector.sv
age="parts/order/heddle_age_matrix.sv parts/order/heddle_age_order.sv"
prove heddle_rotating_selector "Inputs $warps" $rotating
prove heddle_age_matrix_proof "Entries $warps" parts/order/heddle_age_matrix.sv formal/heddle_age_matrix_proof.sv
prove heddle_lrr "Warps $warps" $rotating schedulers/heddle_lrr.sv
prove heddle_oldest "Warps $warps" $age schedulers/heddle_oldest.sv
prove heddle_gto "Warps $warps" $age schedulers/heddle_gto.sv
prove heddle_two_level "Warps $warps GroupWarps 4" $rotating schedulers/heddle_lrr.sv schedulers/heddle_two_level.sv
exit $failed
