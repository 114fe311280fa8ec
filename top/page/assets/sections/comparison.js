// Variants against the first, and two folders against each other.
"use strict";

function showSpeedups(report) {
  const {variants, programs, groups} = speedups(report.runs);
  if (variants.length < 2) return;
  const best = groups.slice(0, programs.length).flatMap((group) => group.bars.map((bar) => ({group, bar})))
    .filter(({bar}) => bar.value !== null).sort((a, b) => b.bar.value - a.bar.value)[0];
  const rule = `Cycles of ${variants[0]} over those of each variant; the dashed line is 1. Within 1% two are level.` +
    (best && best.bar.value > 1 + kTie ? ` Most is gained by ${best.bar.name} on ${best.group.label}: ` +
    `${formats.ratio(best.bar.value)}.` : " None gains more.");
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

/** By which share of it the second is larger; nothing of 0. */
function relativeDifference(one, two) {
  return one === 0 ? (two === 0 ? 0 : null) : two / one - 1;
}

/** A table of what differs between two folders: rows [what, figure, of the first, of the second, relativeDifference()]. */
function addFolderDifferences(report, rows, names, more) {
  const far = rows.filter((row) => row[4] === null || Math.abs(row[4]) > kTie).length;
  const rule = `${far} of ${rows.length} figures differ by more than 1%; they are marked.${more}`;
  addSection("differences", "The two folders", rule,
    (section) => addTable(section, "Figures of the two folders", [{name: names[0]}, {name: names[1]},
      {name: report.folders[0], number: true, format: formats.number}, {name: report.folders[1], number: true, format: formats.number},
      {name: "difference", number: true, format: formats.percent}], rows,
    (row) => row[4] === null || Math.abs(row[4]) > kTie));
}

function showDifferences(report) {
  if (report.folders.length !== 2) return;
  const [ofA, ofB] = report.folders.map((folder) => report.runs.filter((run) => run.folder === folder));
  const axes = Object.keys(report.defaults).filter((name) => name !== "scheduler.name" && [ofA, ofB].some((runs) =>
    varying(runs, (run) => String(run.config[name]))));
  const key = (run) => JSON.stringify([run.program, run.scheduler, run.config_name, run.sampling, axes.map((name) => run.config[name])]);
  const point = (run) => [run.program, run.scheduler, run.sampling, ...axes.slice(0, 3).map((name) => `${name}=${run.config[name]}`)]
    .filter((part) => part).join(", ");
  const others = new Map(ofB.map((run) => [key(run), run]));
  const ones = new Map(ofA.map((run) => [key(run), run]));
  const unmatched = [...ones.keys()].filter((k) => !others.has(k)).length + [...others.keys()].filter((k) => !ones.has(k)).length;
  const names = ["cycles", "ipc_warp", "l1d_miss_rate", "l2_miss_rate", "dram_utilization", "achieved_occupancy", "energy"];
  const rows = ofA.filter((run) => others.has(key(run))).flatMap((run) => names
    .filter((name) => value(run, name) !== null && value(others.get(key(run)), name) !== null)
    .map((name) => {
      const one = value(run, name);
      const two = value(others.get(key(run)), name);
      const cut = [run, others.get(key(run))].some((of) => of.status !== "complete");
      return [point(run) + (cut ? " (not complete)" : ""), name, one, two, relativeDifference(one, two)];
    }));
  const most = rows.filter((row) => row[1] === "cycles").sort((x, y) => Math.abs(y[4]) - Math.abs(x[4]))[0];
  addFolderDifferences(report, rows, ["run", "metric"], (most ? ` Cycles differ most on ${most[0]}: ${formats.percent(most[4])}.` : "") +
    (unmatched ? ` ${plural(unmatched, "run")} of one folder without its like in the other.` : ""));
}
