#!/bin/sh
# Synthesises the twins of the thread-block dispatcher, at several sizes, and prints what the model asks for one SM beside
# the netlists, as Markdown: dispatch.sh HEDDLE. Needs python3 and what synthesise.sh does.
set -eu

heddle=$1
echo "| twin | sizes | flip-flops: model | netlist | NAND2-eq: model | netlist | model off by | FO4: model | netlist | model off by |"
echo "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
row() {
  twin=$1 sizes=$2
  shift 2
  "$heddle" cost "$@" --twin "$twin" --synthesize --format json | python3 -c "
import json, sys
netlist = json.load(sys.stdin)['netlist']
model = netlist['model']
def off(figure):
    by = 100 * (model[figure] / netlist[figure] - 1)
    return f'**{by:+.0f}%**' if abs(by) > 20 else f'{by:+.0f}%'
def equal(figure):
    return f'{netlist[figure]}' if netlist[figure] == model[figure] else f'**{netlist[figure]}**'
print(f\"| \`$twin\` | $sizes | {model['flip_flops']} | {equal('flip_flops')} | {model['nand2']:.0f} | {netlist['nand2']:.0f} | \"
      f\"{off('nand2')} | {model['fo4']:.0f} | {netlist['fo4']:.0f} | {off('fo4')} |\")
"
}

for kernels in 2 4 8; do
  row simple_slicing "$kernels kernels" --config srtf --set tb_dispatcher.policy=srtf --set tb_dispatcher.max_kernels=$kernels
done
for warps in 8 24 48; do
  row workload_buffer "$warps warps" --config warpman --set core.resources.management=warp_temporal_spatial \
    --set core.warps=$warps --set core.threads=$((32 * warps))
done
