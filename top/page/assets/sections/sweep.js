// Runs over a configuration key with several numbers: heddle sweep.
"use strict";

/** Keys of the configuration whose values are numbers, at least two of them within a folder. */
function sweptKeys(report) {
  const {runs} = report;
  const numeric = (key) => runs.every((run) => typeof run.config[key] === "number");
  const keys = report.changed_keys.filter((key) => numeric(key) && varying(runs, (run) => run.config[key]) &&
    !differsByFolder(report, key));
  // Keys that always change together are one axis, by its first name: what one setting implies.
  const pattern = (key) => {
    const first = new Map();
    for (const [i, run] of runs.entries()) {
      if (!first.has(run.config[key])) first.set(run.config[key], i);
    }
    return runs.map((run) => first.get(run.config[key])).join();
  };
  const patterns = new Map();
  for (const key of keys) {
    const found = pattern(key);
    if (!patterns.has(found)) patterns.set(found, key);
  }
  return [...patterns.values()].slice(0, 3);
}

/** Lines over `key`: runs that agree in program, scheduler and all other swept keys, with a point for each value. */
function sweptLines(runs, key, others, figure) {
  const [programs, schedulers] = [varying(runs, (run) => run.program), varying(runs, (run) => run.scheduler)];
  const name = (run) => [programs ? run.program : "", schedulers ? run.scheduler : "", run.sampling,
    ...others.map((other) => `${other.split(".").slice(-2).join(".")}=${run.config[other]}`)].filter((part) => part).join(", ") ||
    run.program;
  const groups = d3.groups(runs.filter((run) => run.status === "complete" && figure(run) !== null), name);
  return groups.map(([line, members], i) => ({name: line, colour: kPalette[i % kPalette.length],
    dashes: i >= kPalette.length ? "5 3" : null,
    points: members.map((run) => [run.config[key], figure(run)]).sort((a, b) => a[0] - b[0])}))
    .filter((line) => new Set(line.points.map((point) => point[0])).size === line.points.length && line.points.length > 1);
}

function showSweep(report) {
  if (report.runs.length < 2) return;
  const keys = sweptKeys(report);
  const charts = keys.flatMap((key) => [
    {figure: "ipc_warp", name: "IPC", format: formats.ratio},
    {figure: "energy", name: "energy (mJ)", format: formats.number, scale: 1e-6},
    {figure: "l1d_miss_rate", name: "L1D miss rate", format: formats.percent},
  ].map((chart) => ({...chart, key, lines: sweptLines(report.runs, key, keys.filter((other) => other !== key), (run) =>
    (value(run, chart.figure) === null ? null : value(run, chart.figure) * (chart.scale || 1)))}))
    .filter((chart) => chart.lines.length));
  if (!charts.length) return;
  const spans = charts.filter((chart) => chart.figure === "ipc_warp").flatMap((chart) => chart.lines.map((line) => {
    const best = line.points.slice().sort((a, b) => b[1] - a[1])[0];
    return {chart, line, best, gain: best[1] / d3.min(line.points, (point) => point[1])};
  })).sort((a, b) => b.gain - a.gain);
  const most = spans[0];
  const rule = most ? `IPC depends most on ${most.chart.key} in ${most.line.name}: ${formats.ratio(most.gain)} times as high at ` +
    `${formats.number(most.best[0])} as where it is lowest. ` + (spans.every((span) => span.gain < 1 + kTie) ?
    "Nowhere does it change by more than 1%." : "") : "";
  addSection("sweep", "Over the swept keys", rule, (section) => {
    for (const chart of charts) {
      addLineChart(section, {id: `sweep-${chart.key.replace(/\./g, "-")}-${chart.figure}`,
        label: `${chart.name} over ${chart.key}`, lines: chart.lines, xName: chart.key, yName: chart.name, yFormat: chart.format});
    }
  });
}
