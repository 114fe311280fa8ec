// What the resources of an SM let it hold, and what it held.
"use strict";

/** Launches of a table; those of many runs would be too many. */
const kMostLaunches = 200;

function showOccupancy(report) {
  const all = report.runs.flatMap((run) => run.launches.map((launch) => ({run, launch})));
  if (!all.length) return;
  const launches = all.slice(0, kMostLaunches);
  const low = all.filter(({launch}) => launch.occupancy < 0.5).length;
  const held = (run) => value(run, "achieved_occupancy");
  const gain = (run) => Math.min(1 / held(run), run.config["core.sms"] * run.config["core.schedulers"] / value(run, "ipc_warp"));
  const fewest = report.runs.filter((run) => held(run) > 0).sort((a, b) => held(a) - held(b))[0];
  const rule = "Warps that an SM holds by its resources, and that it held in the mean. " +
    (low ? `${low} of ${plural(all.length, "launch", "es")} could fill less than half of the warp slots. ` : "") +
    (fewest ? `${fewest.label} had ${formats.percent(held(fewest))} of them in use` + (report.runs.length > 1 ? ", the fewest" : "") +
      `; if speed grows with them, it is at most ${formats.ratio(gain(fewest))} times as high with all in use.` : "");
  addSection("occupancy", "Occupancy", rule, (section) => {
    addTable(section, "Occupancy of the launches", [{name: "run"}, {name: "kernel"}, {name: "grid"}, {name: "block"},
      {name: "registers", number: true}, {name: "shared bytes", number: true}, {name: "TBs per SM", number: true},
      {name: "theoretical", number: true, format: formats.percent},
      {name: "achieved", number: true, format: formats.percent}, {name: "limited by"},
      {name: "rounds of TBs", number: true, format: formats.tenths}],
    launches.map(({run, launch}) => [run.label, launch.kernel, launch.grid.join("x"), launch.block.join("x"),
      launch.registers, launch.shared_bytes, launch.tbs_per_sm, launch.occupancy,
      launch.metrics.achieved_occupancy === undefined ? null : launch.metrics.achieved_occupancy, launch.limiter,
      launch.tb_rounds]));
    const leftOut = all.length - launches.length + d3.sum(report.runs, (run) => run.launches_left_out || 0);
    if (leftOut) section.append("p").attr("class", "rule").text(`${plural(leftOut, "more launch", "es")} left out.`);
    addRegisters(section, report.runs);
  });
}

/** WarpMan's figure 3: the registers of an SM that the thread blocks it holds have, each kernel once. */
function addRegisters(section, runs) {
  const several = varying(runs, (run) => run.config["core.registers"]);
  const rows = new Map();
  for (const run of runs) {
    for (const launch of run.launches) {
      const registers = run.config["core.registers"];
      const threads = 32 * Math.ceil(launch.block.reduce((product, side) => product * side, 1) / 32);
      const tb = launch.registers * threads / registers;
      const label = `${launch.kernel} (${launch.block.join("x")})` + (several ? `, ${registers} registers` : "");
      if (!rows.has(label)) {
        rows.set(label, {label, tbs: launch.tbs_per_sm, free: 1 - tb * launch.tbs_per_sm, parts: Object.fromEntries(
          d3.range(launch.tbs_per_sm).map((i) => [`tb${i + 1}`, tb]))});
      }
    }
  }
  const shown = [...rows.values()];
  const tbs = d3.max(shown, (row) => row.tbs) || 0;
  const keys = d3.range(tbs).map((i) => ({key: `tb${i + 1}`, name: `TB ${i + 1}`, colour: kPalette[i % kPalette.length]}));
  addStackedBars(section, {id: "registers-chart", label: "Registers of an SM by thread block, the rest is free", rows: shown, keys,
    xName: "share of an SM's registers", format: formats.percent, wholes: 1, more: (row) => plural(row.tbs, "TB")})
    .insert("figcaption", ":first-child").text("Registers of an SM, by the thread blocks that it holds; " +
      `${formats.percent(d3.mean(shown, (row) => row.free))} of them are free in the mean.`);
}
