#!/bin/sh
# Synthesises a twin and prints what the netlist is, a line "NAME VALUE" each:
#   synthesise.sh MODULE [PARAMETERS [CONSTANTS [LEFT_OUT]]]
#   synthesise.sh --tools   only says when something that it needs is missing
# PARAMETERS: "NAME VALUE ..."; CONSTANTS: inputs that are constant, "PORT=0 PORT=1 ..."; LEFT_OUT: outputs that nobody
# uses. Printed: flip_flops; nand2, the area in NAND2-equivalents, and flip_flops_nand2, their part of it; fo4 of the
# longest path between flip-flops or ports, its way in and out of flip-flops included; from and to, where it runs: a
# port, or what a flip-flop keeps. Needs the Debian packages yosys, opensta and qflow-tech-osu018.
# KEEP=MODULE: its instances stay modules, each synthesised once per set of parameters and counted as often as it is
# there, so that large ones of many come to an end; nothing is optimised across their ports.
#
# Areas are from the cells' LEF: the liberty file has three of them wrong. The reset is left inactive, since the model
# does not price it: the library's only flip-flop with one takes 7.3 NAND2-equivalents instead of 4.
set -eu

module=$1 parameters=${2:-} constants=${3:-} left_out=${4:-}
here=$(cd "$(dirname "$0")" && pwd)
cells=${CELLS:-/usr/share/qflow/tech/osu018/osu018_stdcells}
packages="install the Debian packages yosys, opensta and qflow-tech-osu018"
for tool in yosys sta; do
  command -v $tool >/dev/null || {
    echo "found no $tool: $packages" >&2
    exit 2
  }
done
for file in "$cells.lib" "$cells.lef"; do
  [ -r "$file" ] || {
    echo "found no $file: $packages" >&2
    exit 2
  }
done
[ "$module" != --tools ] || exit 0
# Below rtl/, where yosys runs: its own path may have spaces in it.
listed=$(sed -n "s/^\(parts\|schedulers\|dispatch\) //p" "$here/../files.txt")
# The modules that it is made of alone, since names and numbers of others would change what is optimised.
needed=" $module "
before=""
while [ "$needed" != "$before" ]; do
  before=$needed
  sources=""
  for source in $listed; do
    name=$(basename "$source" .sv)
    case $needed in *" $name "*) ;; *) continue ;; esac
    sources="$sources $source"
    for used in $(sed 's|//.*||' "$here/../$source" | grep -o 'heddle_[a-z0-9_]*' | sort -u); do
      case $needed in *" $used "*) ;; *) needed="$needed$used " ;; esac
    done
  done
done
file=$(for source in $sources; do echo "$source"; done | grep "/$module\.sv\$" || true)
[ -n "$file" ] || {
  echo "found no module $module in rtl/files.txt" >&2
  exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# The liberty file with the areas of the LEF.
awk '/^MACRO/ { cell = $2 } /^ *SIZE/ && cell != "" { print cell, $2 * $4; cell = "" }' "$cells.lef" >"$work/areas"
awk 'NR == FNR { area[$1] = $2; next }
     /^ *cell *\(/ { cell = $0; sub(/.*\( */, "", cell); sub(/ *\).*/, "", cell); gsub(/"/, "", cell) }
     /^ *area *:/ && cell in area { print "  area : " area[cell] ";"; next }
     { print }' "$work/areas" "$cells.lib" >"$work/cells.lib"
for script in abc.script tree.script; do sed "s|read_constr |&synthesis/|" "$here/$script" >"$work/$script"; done

cat >"$work/no_reset.v" <<'EOF_V'
module \$adff (CLK, ARST, D, Q);
  parameter WIDTH = 1;
  parameter CLK_POLARITY = 1;
  parameter ARST_POLARITY = 0;
  parameter ARST_VALUE = 0;
  input CLK, ARST;
  input [WIDTH-1:0] D;
  output [WIDTH-1:0] Q;
  \$dff #(.WIDTH(WIDTH), .CLK_POLARITY(CLK_POLARITY)) kept (.CLK(CLK), .D(D), .Q(Q));
endmodule
EOF_V

settings=""
# shellcheck disable=SC2086 # pairs of words
set -- $parameters
while [ $# -gt 1 ]; do
  settings="$settings -set $1 $2"
  shift 2
done
{
  echo "read_verilog -defer -noautowire -sv $sources"
  [ -z "$settings" ] || echo "chparam$settings $module"
  echo "hierarchy -check -top $module; rename -top top"
  case $needed in
  *" heddle_prefix_or "*)
    # Prefix trees keep their form, which mapping for area would make chains of again.
    echo "proc; opt_clean"
    echo "techmap *heddle_prefix_or*; simplemap *heddle_prefix_or*; abc -liberty $work/cells.lib -script $work/tree.script *heddle_prefix_or*"
    echo "read_liberty -lib -ignore_miss_func $work/cells.lib"
    ;;
  esac
  echo "proc"
  if [ -n "${KEEP:-}" ]; then
    # An inactive reset is no constant inside of a module that stays one: its flip-flops are made without.
    echo "techmap -map $work/no_reset.v *$KEEP*; setattr -mod -set keep_hierarchy 1 *$KEEP*"
  fi
  echo "flatten; opt_clean"
  ones=""
  ! grep -q "rst_ni" "$here/../$file" || ones=rst_ni
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
  echo "opt_clean; synth -nofsm -flatten -top top"
  echo "dfflibmap -liberty $work/cells.lib"
  echo "abc -liberty $work/cells.lib -script $work/abc.script"
  echo "splitnets; opt_clean -purge"
  echo "tee -o $work/stat stat -liberty $work/cells.lib"
  echo "write_verilog -noattr -noexpr $work/netlist.v"
} >"$work/run.ys"
(cd "$here/.." && exec yosys -q "$work/run.ys") >"$work/log" 2>&1 || {
  printf '%s\n' "yosys fails for $module: $(grep -m1 ERROR "$work/log")" >&2
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
report_checks
exit
EOF
sta -no_splash -exit "$work/run.tcl" >"$work/paths" 2>&1 || {
  echo "OpenSTA fails for $module: $(grep -m1 -i error "$work/paths")" >&2
  exit 1
}

# Flip-flops have numbers for names in the netlist: what they keep is at their output. A cell goes over several lines.
awk '/^ *DFF/ { cell = $2 } /\.Q\(/ && cell != "" {
  net = $0; sub(/.*\.Q\( */, "", net); sub(/ *\).*/, "", net); gsub(/^\\| +$/, "", net)
  print cell, net; cell = "" }' "$work/netlist.v" >"$work/kept"
awk -v fo4_ps=99 '
  FILENAME ~ /areas$/ { if ($1 == "NAND2X1") nand2 = $2; area[$1] = $2; next }
  FILENAME ~ /kept$/ { kept[$1] = $2; next }
  FILENAME ~ /stat$/ {
    if (/^=== /) flip_flops = flip_flops_area = 0 # of a module; the last ones are all together
    if ($1 ~ /^DFF/) { flip_flops += $2; flip_flops_area += $2 * area[$1] }
    if (/Chip area/) total = $NF
    next
  }
  /worst slack/ { slack = $NF }
  /^Startpoint:/ && from == "" { from = $2 in kept ? kept[$2] : $2 }
  /^Endpoint:/ && to == "" { to = $2 in kept ? kept[$2] : $2 }
  END {
    printf "flip_flops %d\n", flip_flops
    printf "nand2 %.1f\n", total / nand2
    printf "flip_flops_nand2 %.1f\n", flip_flops_area / nand2
    printf "fo4 %.2f\n", (1000 - slack) * 1000 / fo4_ps # docs/hardware-cost.md has an FO4 of these cells
    if (from != "") printf "from %s\n", from
    if (to != "") printf "to %s\n", to
  }' "$work/areas" "$work/kept" "$work/stat" "$work/paths"
