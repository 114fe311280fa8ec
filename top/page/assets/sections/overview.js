// The verdict in a sentence, and a table of the runs.
"use strict";

function verdictOf(report) {
  const runs = report.runs;
  if (!runs.length) {
    return `${plural(report.timed_pairs.length, "pair")} of kernels whose thread blocks last drawn times: where these ran, and ` +
      "what was predicted of them.";
  }
  const failed = runs.filter((run) => run.checks.some((check) => !check.passed));
  const partial = runs.filter((run) => run.status !== "complete");
  const notes = [];
  if (failed.length) notes.push(`${plural(failed.length, "run")} with wrong output`);
  if (partial.length) notes.push(`${plural(partial.length, "run")} not complete`);
  const sampled = runs.filter((run) => run.sampled);
  if (sampled.length) notes.push(`${plural(sampled.length, "run")} sampled`);
  const note = notes.length ? ` (${notes.join("; ")})` : "";
  const speedup = speedups(runs);
  const {variants, programs, groups} = speedup;
  if (variants.length < 2) {
    const run = runs[0];
    const cause = worstCause(run);
    const lost = cause ? `; most issue slots were lost to ${cause.name}, ${formats.percent(cause.share)}` : "";
    return `${run.program} under ${run.scheduler}: ${formats.count(value(run, "cycles"))} cycles, IPC ` +
      `${formats.ratio(value(run, "ipc_warp"))}${lost}.${note}`;
  }
  const last = groups[groups.length - 1];
  const ranked = last.bars.filter((bar) => bar.value !== null).sort((a, b) => b.value - a.value);
  if (ranked.length < 2) return `No two variants are complete on all programs.${note}`;
  const best = ranked[0];
  const second = ranked[1];
  const ahead = best.value / second.value - 1;
  const over = programs.length > 1 ? ` in the geometric mean of ${programs.length} programs` : ` on ${programs[0]}`;
  const open = ranked.slice(1).map((bar) => ({name: bar.name, ends: speedupEnds(speedup, best.name, bar.name)}))
    .filter((rival) => isOpen(rival.ends));
  if (open.length) {
    const rivals = open.map(({name, ends}) => `${name} (${formats.ratio(ends.low)} to ${formats.ratio(ends.high)} times as fast)`);
    return `${best.name}${over} can't be told apart from ${rivals.join(", ")}: the 95% confidence intervals of their cycles ` +
      `overlap. Runs without --sample can tell.${note}`;
  }
  if (ahead < kTie) return `${best.name} and ${second.name} are level${over} (within 1%).${note}`;
  const wins = groups.slice(0, programs.length).filter((group) => {
    const bar = group.bars.find((candidate) => candidate.name === best.name);
    return group.bars.every((other) => other === bar || other.value === null || (bar.value > other.value * (1 + kTie) &&
      !isOpen(speedupEnds({...speedup, programs: [group.program]}, best.name, other.name))));
  }).length;
  const won = programs.length > 1 ? `; it wins ${wins} of them by more than 1%` : "";
  return `${best.name} is ahead of ${second.name} by ${formats.percent(ahead)}${over}${won}.${note}`;
}

function showRuns(report) {
  const peak = (run) => run.config["core.sms"] * run.config["core.schedulers"];
  const nearest = report.runs.slice().sort((a, b) => value(b, "ipc_warp") / peak(b) - value(a, "ipc_warp") / peak(a))[0];
  const share = value(nearest, "ipc_warp") / peak(nearest);
  const without = report.points_without_figures;
  const rule = `${plural(report.runs.length, "run")}${without ? `; ${plural(without, "point")} of experiments without figures` : ""}. Of what its schedulers could issue at most, ${nearest.label} issues ` +
    `${formats.percent(share)}, ` + (report.runs.length > 1 ? "the largest share: " : "") +
    `no change of this machine's policies makes it more than ${formats.ratio(1 / share)} times as fast.`;
  addSection("runs", "Runs", share > 0 || without ? rule : "", (section) => {
    const percent = {number: true, format: formats.percent};
    addTable(section, "Runs", [{name: "program"}, {name: "variant"}, {name: "status"}, {name: "output"},
      {name: "cycles", number: true, format: formats.count}, {name: "IPC", number: true, format: formats.ratio},
      {name: "of peak issue", ...percent}, {name: "of DRAM peak", ...percent},
      {name: "energy (mJ)", number: true, format: formats.ratio},
      {name: "energy x delay (nJ s)", number: true, format: formats.number}],
    report.runs.map((run) => [run.program, run.variant, run.status === "complete" && run.sampled ? "sampled" : run.status,
      run.checks.length === 0 ? "not checked" : run.checks.every((check) => check.passed) ? "right" : "WRONG",
      value(run, "cycles"), value(run, "ipc_warp"),
      value(run, "ipc_warp") / peak(run),
      value(run, "dram_utilization"), value(run, "energy") === null ? null : value(run, "energy") / 1e6,
      value(run, "energy_delay_product")]),
    (row) => !["complete", "sampled"].includes(row[2]) || row[3] === "WRONG");
  });
}
