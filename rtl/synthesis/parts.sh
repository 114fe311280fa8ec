#!/bin/sh
# Synthesises parts and prints what the model asks for them beside the netlists:
#   parts.sh ESTIMATES [NAME]
# ESTIMATES is the program whose lines say what is synthesised (build/bin/heddle_rtl_estimates), NAME a regular
# expression of the rows that are wanted. Needs what synthesise.sh does.
set -eu

estimates=$1
wanted=${2:-.}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "| part | flip-flops: model | netlist | NAND2-eq: model | netlist | model off by | FO4: model | netlist | model off by |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
"$estimates" | grep -E "^[^;]*($wanted)" | while IFS=";" read -r name module parameters constants left_out flip_flops area fo4; do
  "$here/synthesise.sh" "heddle_$module" "$parameters" "$constants" "$left_out" >"$work/result"
  awk -v name="$name" -v model_ff="$flip_flops" -v model_area="$area" -v model_fo4="$fo4" '
    function off(model, netlist,   by) {
      if (netlist <= 0 || model <= 0) return "-"
      by = 100 * (model / netlist - 1)
      return sprintf(by > 20 || by < -20 ? "**%+.0f%%**" : "%+.0f%%", by)
    }
    { netlist[$1] = $2 }
    END {
      ff = netlist["flip_flops"]
      printf "| %s | %d | %s | %d | %.0f | %s | %s | %.0f | %s |\n", name, model_ff,
             ff == model_ff ? ff : "**" ff "**", model_area, netlist["nand2"], off(model_area, netlist["nand2"]),
             (model_fo4 > 0 ? sprintf("%.0f", model_fo4) : "-"), netlist["fo4"], off(model_fo4, netlist["fo4"])
    }' "$work/result"
done
