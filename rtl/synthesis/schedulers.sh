#!/bin/sh
# Synthesises the schedulers that have a twin, at several sizes, and prints what the model asks for one SM with two
# schedulers beside the netlists, as Markdown: schedulers.sh HEDDLE [NAME]
# NAME is a regular expression of the schedulers that are wanted. Needs python3 and what synthesise.sh
# does.
set -eu

heddle=$1
wanted=${2:-.}
echo "| scheduler | warps | flip-flops: model | netlist | NAND2-eq: model | netlist | model off by | FO4: model | netlist | model off by |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
for scheduler in lrr oldest gto two_level two_level_active least_issued ipaws pro swl oaws_static oaws_dynamic mascar ccws; do
  echo "$scheduler" | grep -Eq "$wanted" || continue
  for warps in 8 16 24 32 48; do
    keep=""
    # In one piece the victim tags of many warps take yosys long: those of one are synthesised, and counted.
    [ "$scheduler $warps" = "ccws 8" ] || [ "$scheduler" != ccws ] || keep=heddle_table
    KEEP=$keep "$heddle" cost --scheduler "$scheduler" --set core.warps=$warps --set core.threads=$((32 * warps)) --set core.tb_slots=4 \
      --synthesize --format json | python3 -c "
import json, sys
netlist = json.load(sys.stdin)['netlist']
model = netlist['model']
def off(figure):
    by = 100 * (model[figure] / netlist[figure] - 1)
    return f'**{by:+.0f}%**' if abs(by) > 20 else f'{by:+.0f}%'
def equal(figure):
    return f'{netlist[figure]}' if netlist[figure] == model[figure] else f'**{netlist[figure]}**'
print(f\"| \`$scheduler\` | $warps | {model['flip_flops']} | {equal('flip_flops')} | {model['nand2']:.0f} | {netlist['nand2']:.0f} | \"
      f\"{off('nand2')} | {model['fo4']:.0f} | {netlist['fo4']:.0f} | {off('fo4')} |\")
"
  done
done
