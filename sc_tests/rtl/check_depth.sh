#!/bin/sh
# What an SM keeps for PRO beside its price is not synthesised with it: here its depth is held, in gates of two inputs, so
# that a count of warps does not become a chain of them.
#   check_depth.sh [RTL]
set -eu
cd "${1:-"$(dirname "$0")/../../rtl"}"
most=35
sources=$(sed -nE 's/^(parts|schedulers) //p' files.txt | tr '\n' ' ')
depth=$(yosys -p "read_verilog -defer -noautowire -sv $sources; chparam -set NumWarps 48 heddle_tb_table; \
  hierarchy -check -top heddle_tb_table; synth -flatten -nofsm; abc -g AND,OR,XOR,MUX; opt_clean; ltp -noff" |
  sed -n 's/^Longest topological path .*(length=\([0-9]*\)).*/\1/p')
[ "${depth:-$((most + 1))}" -le $most ] || {
  echo "heddle_tb_table: expected $most gates at most, one behind the other, found ${depth:-no path}"
  exit 1
}
