// Instructions per cycle against those per byte of DRAM.
"use strict";

/** Bytes per core cycle that each level delivers at most. */
function roofs(config) {
  const core = config["clock.core_mhz"];
  const sms = config["core.sms"];
  const issue = sms * config["core.schedulers"] * 32;
  return {issue, bytes: [
    {name: "L1D", bytes: sms * config["l1d.cache.line_bytes"]},
    {name: "L2", bytes: config["dram.channels"] * config["l2.slices_per_channel"] * config["l2.port_bytes"] *
      config["clock.l2_mhz"] / core},
    {name: "DRAM", bytes: config["dram.channels"] * config["dram.bus_bytes"] * config["dram.data_rate"] *
      config["clock.dram_mhz"] / core},
  ]};
}

const dramOf = (machine) => machine.bytes[2].bytes;

function showRoofline(report) {
  const variants = [...new Set(report.runs.map((run) => run.variant))];
  const first = new Map();
  for (const run of report.runs) {
    if (!first.has(run.program)) first.set(run.program, run);
  }
  const points = report.runs.map((run) => ({name: run.label, text: first.get(run.program) === run ? run.program : null, kind: run.variant,
    colour: kPalette[variants.indexOf(run.variant) % kPalette.length], machine: roofs(run.config),
    x: value(run, "sm.thread_instructions") / value(run, "partition.dram.data_bytes"), y: value(run, "ipc_thread")}))
    .filter((point) => isFinite(point.x) && point.x > 0 && point.y > 0);
  if (!points.length) return;
  // Of several machines the roofs that no point should lie above.
  const drawn = d3.greatest(points, (p, q) => p.machine.issue - q.machine.issue || dramOf(p.machine) - dramOf(q.machine));
  const {issue, bytes} = drawn.machine;
  const differ = varying(points, (point) => JSON.stringify(point.machine));
  const left = Math.min(0.05, d3.min(points, (p) => p.x) / 2);
  const right = Math.max(40, d3.max(points, (p) => p.x) * 2);
  const lines = [{name: "peak issue", points: [[left, issue], [right, issue]]}].concat(bytes.map((roof) => ({
    name: roof.name, named: "start", dashes: roof.name === "DRAM" ? null : "4 3",
    points: [[left, left * roof.bytes], [Math.min(right, issue / roof.bytes), Math.min(right * roof.bytes, issue)]]})));
  const bound = points.filter((point) => point.x * dramOf(point.machine) < point.machine.issue).length;
  const reach = (point) => point.y / Math.min(point.machine.issue, point.x * dramOf(point.machine));
  const low = points.slice().sort((p, q) => reach(p) - reach(q))[0];
  addSection("roofline", "Roofline", `Thread instructions per cycle against those per byte of DRAM. ${bound} of ` +
    `${plural(points.length, "point")} ${bound === 1 ? "lies" : "lie"} left of the ridge, where DRAM ` +
    (differ ? "" : `(${formats.number(bytes[2].bytes)} bytes a cycle) `) + "is the roof. " +
    `${points.length > 1 ? "Farthest below is " : ""}${low.name} ${points.length > 1 ? "with" : "reaches"} ` +
    `${formats.percent(reach(low))} of its roof: at most ${formats.ratio(1 / reach(low))} times as fast. ` +
    (differ ? `The machines differ; drawn are the roofs of ${drawn.name}, which can issue most. ` : "") + "The L1D's and L2's roofs " +
    "are where DRAM's bytes would all be theirs.", (section) => addScatter(section, {id: "roofline-chart",
    label: "Roofline: thread instructions per cycle and per byte of DRAM", points, lines, logX: true, logY: true,
    xName: "thread instructions per byte of DRAM", yName: "thread instructions per cycle", format: formats.number}));
}
