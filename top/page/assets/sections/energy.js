// Energy by block.
"use strict";

function showEnergy(report) {
  const runs = report.runs.filter((run) => value(run, "energy") > 0);
  if (!runs.length) return;
  const blocks = runs[0].energy_blocks;
  const keys = blocks.map((block, i) => ({key: block, name: block.replace(/_/g, " "), colour: i < kPalette.length ?
    kPalette[i] : d3.color(kPalette[i - kPalette.length]).brighter(0.9).toString()}));
  const rows = runs.map((run) => ({label: run.label, run, parts: Object.fromEntries(blocks.map((block) =>
    [block, value(run, "energy_" + block) / 1e6]))}));
  const share = d3.mean(runs, (run) => value(run, "energy_static_share"));
  addSection("energy", "Energy", `By block, in mJ; ${formats.percent(share)} goes with time in the mean, which is what runs ` +
    "save at most by being shorter. Each total may " +
    `lie between ${formats.number(d3.min(runs, (run) => value(run, "energy_low") / value(run, "energy")))} and ` +
    `${formats.number(d3.max(runs, (run) => value(run, "energy_high") / value(run, "energy")))} times what is shown; ` +
    "ratios between schedulers are surer than millijoules.", (section) => addStackedBars(section, {id: "energy-chart",
    label: "Energy by block, mJ", rows, keys, unit: "mJ", format: formats.number}));
}
