// What the sections know of runs: names that tell them apart, their figures, and speed-ups.
"use strict";

const plural = (count, one, ending = "s") => `${formats.count(count)} ${one}${count === 1 ? "" : ending}`;

/** Whether the values of a column differ between runs. */
function varying(runs, value) {
  return new Set(runs.map(value)).size > 1;
}

/** Whether a key of the configuration differs between two folders and not within them: the folder tells it, too. */
function differsByFolder(report, key) {
  return report.folders.length > 1 && report.folders.every((folder) => !varying(report.runs.filter((run) =>
    run.folder === folder), (run) => String(run.config[key])));
}

/** With --sample, whether there was enough of the program to be sampled or not. */
function asksForSampling(run) {
  return run.command.split(" ").some((word) => word === "--sample" || word.startsWith("--sample="));
}

function nameRuns(report) {
  const runs = report.runs;
  for (const [i, run] of runs.entries()) {
    run.id = `r${i}`;
    run.program = run.size ? `${run.workload}:${run.size}` : run.workload;
  }
  for (const [i, pair] of report.timed_pairs.entries()) pair.id = `p${i}`;
  const differ = (key) => varying(runs, (run) => run[key]);
  const [programs, schedulers, configs] = [differ("program"), differ("scheduler"), differ("config_name")];
  const axes = report.changed_keys.filter((key) => key !== "scheduler.name" &&
    varying(runs, (run) => String(run.config[key])) && !differsByFolder(report, key)).slice(0, 3);
  const samplings = varying(runs, asksForSampling) && (report.folders.length === 1 || report.folders.some((folder) =>
    varying(runs.filter((run) => run.folder === folder), asksForSampling)));
  // A name says by itself what it is of, a number does not.
  const named = (axis, at) => (typeof at === "string" ? at : `${axis.split(".").slice(-2).join(".")}=${at}`);
  for (const run of runs) {
    const parts = [];
    if (report.folders.length > 1) parts.push(run.folder);
    if (schedulers) parts.push(run.scheduler);
    if (configs) parts.push(run.config_name);
    for (const axis of axes) parts.push(named(axis, run.config[axis]));
    run.sampling = samplings ? (asksForSampling(run) ? "--sample" : "in full") : "";
    if (run.sampling) parts.push(run.sampling);
    run.variant = parts.join(", ") || run.scheduler;
    run.label = (programs || runs.length === 1 ? `${run.program}, ${run.variant}` : run.variant) + (run.sampled ? " (sampled)" : "");
  }
}

function value(run, name) {
  const found = run.metrics[name];
  return found === undefined ? null : found;
}

function geometricMean(values) {
  return Math.exp(d3.mean(values.map(Math.log)));
}

/** The runs of programs that all variants have runs of: means of others would be of different programs. */
function ofCommonPrograms(runs) {
  const variants = new Set(runs.map((run) => run.variant)).size;
  const common = new Set(d3.groups(runs, (run) => run.program)
    .filter(([, members]) => new Set(members.map((run) => run.variant)).size === variants).map(([program]) => program));
  return runs.filter((run) => common.has(run.program));
}

/** Cycles of each variant against those of the first, by program; only complete runs count. */
function speedups(runs) {
  const variants = [...new Set(runs.map((run) => run.variant))];
  const programs = [...new Set(runs.map((run) => run.program))];
  const complete = new Map();
  for (const run of runs) {
    const key = JSON.stringify([run.program, run.variant]);
    if (run.status === "complete" && !complete.has(key)) complete.set(key, run);
  }
  const find = (program, variant) => complete.get(JSON.stringify([program, variant]));
  const groups = programs.map((program) => {
    const base = find(program, variants[0]);
    const estimated = runs.some((run) => run.program === program && run.sampled);
    return {program, label: program + (estimated ? " (sampled)" : ""), bars: variants.map((name, i) => {
      const run = find(program, name);
      return {name, colour: kPalette[i % kPalette.length],
        value: base && run ? value(base, "cycles") / value(run, "cycles") : null};
    })};
  });
  if (programs.length > 1) {
    groups.push({label: "geometric mean", mean: true, bars: variants.map((name, i) => {
      const all = groups.map((group) => group.bars[i].value);
      return {name, colour: kPalette[i % kPalette.length],
        value: all.every((v) => v !== null) ? geometricMean(all) : null};
    })});
  }
  return {variants, programs, groups, complete: find};
}

/**
 * How many times as fast one variant is as another, at the ends of the 95% confidence intervals of their cycles, in the
 * geometric mean of the programs; of runs that are not sampled both are the same.
 */
function speedupEnds(speedup, name, other) {
  const ends = speedup.programs.map((program) => {
    const [run, base] = [speedup.complete(program, name), speedup.complete(program, other)];
    const [cycles, ofBase] = [value(run, "cycles"), value(base, "cycles")];
    const fewest = cycles - run.half_cycles;
    return {low: Math.max(ofBase - base.half_cycles, 0) / (cycles + run.half_cycles),
      high: fewest > 0 ? (ofBase + base.half_cycles) / fewest : Infinity};
  });
  return {low: geometricMean(ends.map((end) => end.low)), high: geometricMean(ends.map((end) => end.high))};
}

/** Intervals overlap, so that nobody can say which is faster. */
function isOpen({low, high}) {
  return low < high && low <= 1 && high >= 1;
}

/** Within this the two are level. */
const kTie = 0.01;
