// Energy by block.
"use strict";

/** Names of those that are not their keys with blanks. */
const kEnergyBlocks = {l1d: "L1D", mshr: "MSHR", l2: "L2", dram: "DRAM", sm: "SMs, leakage",
  l2_and_interconnect: "L2 and interconnect, leakage", clock: "clock and rest"};

/** Energy of the launches and SMs of a run; each launch has it when it has the machine to itself. */
function addEnergyOfParts(section, run, keys) {
  const launches = run.launches.filter((launch) => keys.some((key) => launch.metrics["energy_" + key.key] > 0));
  if (launches.length > 1) {
    addStackedBars(section, {id: "energy-launches", label: "Energy of each launch by block, mJ",
      rows: launches.map((launch) => ({label: `${launch.id} ${launch.kernel}`, parts: Object.fromEntries(keys.map((key) =>
        [key.key, launch.metrics["energy_" + key.key] / 1e6]))})), keys, unit: "mJ", xName: "energy, mJ", format: formats.number})
      .insert("figcaption", ":first-child").text("Of each launch, mJ");
    tellNotHere(section, run.launches_left_out, "launch", "es", " with fewer cycles");
  }
  addStackedBars(section, {id: "energy-sms", label: "Energy of each SM, mJ; what lies outside of the SMs is in none",
    rows: run.energy_parts.sms.map((sm) => ({label: `SM ${sm.sm}`, parts: {dynamic: sm.dynamic / 1e6, static: sm.static / 1e6}})),
    keys: [{key: "dynamic", name: "dynamic", colour: kPalette[0]}, {key: "static", name: "static", colour: kPalette[4]}],
    unit: "mJ", xName: "energy, mJ", format: formats.number})
    .insert("figcaption", ":first-child").text("Of each SM, mJ; what lies outside of the SMs is in none");
}

function showEnergy(report) {
  const runs = report.runs.filter((run) => value(run, "energy") > 0);
  if (!runs.length) return;
  const blocks = [...new Set(runs.flatMap((run) => run.energy_parts.blocks))];  // of all tables
  const keys = blocks.map((block, i) => ({key: block, name: kEnergyBlocks[block] || block.replace(/_/g, " "),
    colour: kShades[i % kShades.length]}));
  const rows = runs.map((run) => ({label: run.label, run, parts: Object.fromEntries(blocks.map((block) =>
    [block, value(run, "energy_" + block) / 1e6]))}));
  const share = d3.mean(runs, (run) => value(run, "energy_static_share"));
  addSection("energy", "Energy", `By block, in mJ; ${formats.percent(share)} goes with time in the mean, which is what runs ` +
    "save at most by being shorter. Each total may " +
    `lie between ${formats.number(d3.min(runs, (run) => value(run, "energy_low") / value(run, "energy")))} and ` +
    `${formats.number(d3.max(runs, (run) => value(run, "energy_high") / value(run, "energy")))} times what is shown; ` +
    "ratios between schedulers are surer than millijoules.", (section) => {
    addStackedBars(section, {id: "energy-chart", label: "Energy by block, mJ", rows, keys, unit: "mJ", xName: "energy, mJ", format: formats.number});
    if (runs.length === 1) addEnergyOfParts(section, runs[0], keys);
  });
}
