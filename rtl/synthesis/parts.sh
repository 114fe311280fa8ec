#!/bin/sh
# Synthesises parts and prints what the model asks for them beside the netlists:
#   parts.sh ESTIMATES [NAME]
# ESTIMATES is the program whose lines say what is synthesised (build/bin/heddle_rtl_estimates), NAME a regular
# expression of the rows that are wanted. Needs the Debian packages yosys, opensta and qflow-tech-osu018.
#
# Areas are from the cells' LEF: the liberty file has three of them wrong. The reset is left inactive, since the model
# does not price it: the library's only flip-flop with one takes 7.3 NAND2-equivalents instead of 4.
set -eu

estimates=$1
wanted=${2:-.}
here=$(cd "$(dirname "$0")" && pwd)
cells=${CELLS:-/usr/share/qflow/tech/osu018/osu018_stdcells}
for tool in yosys sta; do
  command -v $tool >/dev/null || {
    echo "parts.sh: found no $tool: install the Debian packages yosys, opensta and qflow-tech-osu018" >&2
    exit 2
  }
done
for file in "$cells.lib" "$cells.lef"; do
  [ -r "$file" ] || {
    echo "parts.sh: found no $file: install the Debian package qflow-tech-osu018" >&2
    exit 2
  }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The liberty file with the areas of the LEF.
awk '/^MACRO/ { cell = $2 } /^ *SIZE/ && cell != "" { print cell, $2 * $4; cell = "" }' "$cells.lef" >"$work/areas"
awk 'NR == FNR { area[$1] = $2; next }
     /^ *cell *\(/ { cell = $0; sub(/.*\( */, "", cell); sub(/ *\).*/, "", cell); gsub(/"/, "", cell) }
     /^ *area *:/ && cell in area { print "  area : " area[cell] ";"; next }
     { print }' "$work/areas" "$cells.lib" >"$work/cells.lib"
nand2=$(awk '$1 == "NAND2X1" { print $2 }' "$work/areas")
fo4_ps=99 # docs/hardware-cost.md

sed "s|read_constr |&$here/|" "$here/abc.script" >"$work/abc.script"
sources=$(sed -n "s|^parts |$here/../|p" "$here/../files.txt" | tr '\n' ' ')

# synthesise MODULE PARAMETERS CONSTANTS LEFT_OUT: flip-flops, area and picoseconds of the longest path.
synthesise() {
  module=heddle_$1
  settings=""
  # shellcheck disable=SC2086 # pairs of words
  set -- "$2" "$3" "$4" $2
  parameters=$1 constants=$2 left_out=$3
  shift 3
  while [ $# -gt 1 ]; do
    settings="$settings -set $1 $2"
    shift 2
  done
  {
    echo "read_verilog -defer -sv $sources"
    [ -z "$parameters" ] || echo "chparam$settings $module"
    echo "hierarchy -check -top $module; rename -top top"
    echo "proc; flatten; opt_clean"
    ones=""
    ! grep -q "rst_ni" "$here"/../parts/*/"$module.sv" || ones=rst_ni
    for port in $constants; do
      case $port in *=1) ones="$ones ${port%=1}" ;; esac
    done
    for port in $ones; do echo "delete -input top/$port"; done
    [ -z "$ones" ] || echo "setundef -undriven -one top"
    for port in $constants; do
      case $port in *=0) echo "delete -input top/${port%=0}" ;; esac
    done
    echo "setundef -undriven -zero top"
    for port in $left_out; do echo "delete -output top/$port"; done
    echo "opt_clean; synth -flatten -top top"
    echo "dfflibmap -liberty $work/cells.lib"
    echo "abc -liberty $work/cells.lib -script $work/abc.script"
    echo "splitnets; opt_clean -purge"
    echo "tee -o $work/stat stat -liberty $work/cells.lib"
    echo "write_verilog -noattr -noexpr $work/netlist.v"
  } >"$work/run.ys"
  yosys -q "$work/run.ys" >"$work/log" 2>&1 || {
    echo "parts.sh: yosys fails for $module: $(grep -m1 ERROR "$work/log")" >&2
    exit 1
  }
  cat >"$work/run.tcl" <<EOF
read_liberty $work/cells.lib
read_verilog $work/netlist.v
link_design top
set clock [get_ports -quiet clk_i]
if {\$clock == ""} { create_clock -name clk -period 1000 } else { create_clock -name clk -period 1000 \$clock }
# A flip-flop's delay and set-up, which the model has in every path: 4 FO4.
foreach port [all_inputs] {
  if {[get_property \$port full_name] != "clk_i"} {
    set_input_delay 0.28 -clock clk \$port
    set_driving_cell -lib_cell BUFX4 \$port
  }
}
set_output_delay 0.116 -clock clk [all_outputs]
report_worst_slack
exit
EOF
  slack=$(sta -no_splash -exit "$work/run.tcl" 2>&1 | awk '/worst slack/ { print $NF }')
  cells_ff=$(awk '/DFF/ { sum += $2 } END { print sum + 0 }' "$work/stat")
  cells_area=$(awk '/Chip area/ { print $NF }' "$work/stat")
  echo "$cells_ff $cells_area $slack"
}

echo "| part | flip-flops: model | netlist | NAND2-eq: model | netlist | model off by | FO4: model | netlist | model off by |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
"$estimates" | grep -E "^[^;]*($wanted)" | while IFS=";" read -r name module parameters constants left_out flip_flops area fo4; do
  synthesise "$module" "$parameters" "$constants" "$left_out" >"$work/result"
  awk -v name="$name" -v model_ff="$flip_flops" -v model_area="$area" -v model_fo4="$fo4" -v nand2="$nand2" -v ps="$fo4_ps" '
    function off(model, netlist,   by) {
      if (netlist <= 0 || model <= 0) return "-"
      by = 100 * (model / netlist - 1)
      return sprintf(by > 20 || by < -20 ? "**%+.0f%%**" : "%+.0f%%", by)
    }
    { area = $2 / nand2; fo4 = (1000 - $3) * 1000 / ps
      printf "| %s | %d | %s | %d | %.0f | %s | %s | %.0f | %s |\n", name, model_ff,
             $1 == model_ff ? $1 : "**" $1 "**", model_area, area, off(model_area, area), (model_fo4 > 0 ? sprintf("%.0f", model_fo4) : "-"), fo4,
             off(model_fo4, fo4) }' "$work/result"
done
