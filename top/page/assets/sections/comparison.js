// Variants against the first, and two folders against each other.
"use strict";

function showSpeedups(report) {
  const {variants, programs, groups} = speedups(report.runs);
  if (variants.length < 2) return;
  const rule = `Cycles of ${variants[0]} over those of each variant; the dashed line is 1. Within 1% two are level.`;
  addSection("speedup", "Speed-up", rule, (section) => {
    addGroupedBars(section, {id: "speedup-chart", label: "Speed-up over " + variants[0] + " by program", groups, base: 1,
      format: formats.ratio, valueName: "speed-up"});
    const shallow = report.runs.filter((run) => run.launches.length && d3.max(run.launches, (l) => l.tb_rounds) < 2);
    if (shallow.length) {
      section.append("p").attr("class", "rule").text(`${plural(shallow.length, "run")} of ${report.runs.length} ` +
        `(${[...new Set(shallow.map((run) => run.program))].join(", ")}) have under two rounds of thread blocks: what ` +
        "the last round does decides there.");
    }
  });
}

function showDifferences(report) {
  if (report.folders.length !== 2) return;
  const [a, b] = report.folders;
  const key = (run) => JSON.stringify([run.program, run.scheduler, run.config_name]);
  const others = new Map(report.runs.filter((run) => run.folder === b).map((run) => [key(run), run]));
  const names = ["cycles", "ipc_warp", "l1d_miss_rate", "l2_miss_rate", "dram_utilization", "achieved_occupancy", "energy"];
  const rows = report.runs.filter((run) => run.folder === a && others.has(key(run))).flatMap((run) => names
    .filter((name) => value(run, name) !== null && value(others.get(key(run)), name) !== null)
    .map((name) => {
      const one = value(run, name);
      const two = value(others.get(key(run)), name);
      return [`${run.program}, ${run.scheduler}`, name, one, two, one === 0 ? (two === 0 ? 0 : null) : two / one - 1];
    }));
  const far = rows.filter((row) => row[4] === null || Math.abs(row[4]) > kTie).length;
  addSection("differences", "The two folders", `${far} of ${rows.length} figures differ by more than 1%; they are marked.`,
    (section) => addTable(section, [{name: "run"}, {name: "metric"}, {name: a, number: true, format: formats.number},
      {name: b, number: true, format: formats.number}, {name: "difference", number: true, format: formats.percent}], rows,
    (row) => row[4] === null || Math.abs(row[4]) > kTie));
}
