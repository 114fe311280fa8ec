// What the resources of an SM let it hold, and what it held.
"use strict";

function showOccupancy(report) {
  const launches = report.runs.flatMap((run) => run.launches.slice(0, 40).map((launch) => ({run, launch})));
  if (!launches.length) return;
  const low = launches.filter(({launch}) => launch.occupancy < 0.5).length;
  const rule = `Warps that an SM holds by its resources, and that it held in the mean. ` +
    (low ? `${low} of ${launches.length} launches could fill less than half of the warp slots.` : "");
  addSection("occupancy", "Occupancy", rule, (section) => {
    addTable(section, [{name: "run"}, {name: "kernel"}, {name: "grid"}, {name: "block"},
      {name: "registers", number: true}, {name: "shared bytes", number: true}, {name: "TBs per SM", number: true},
      {name: "theoretical", number: true, format: formats.percent},
      {name: "achieved", number: true, format: formats.percent}, {name: "limited by"},
      {name: "rounds of TBs", number: true, format: formats.number}],
    launches.map(({run, launch}) => [run.label, launch.kernel, launch.grid.join("x"), launch.block.join("x"),
      launch.registers, launch.shared_bytes, launch.tbs_per_sm, launch.occupancy,
      launch.metrics.achieved_occupancy === undefined ? null : launch.metrics.achieved_occupancy, launch.limiter,
      launch.tb_rounds]));
  });
}
