// Puts the report together.
"use strict";

/** What shows each section, in their order. One that has nothing to show adds none. */
const kSections = [
  showRuns,
  showSpeedups,
  showSweep,
  showPairs,
  showDifferences,
  showIssueSlots,
  showWarpStates,
  showFunnel,
  showOccupancy,
  showLdst,
  showL1d,
  showTextureCache,
  showLatency,
  showSource,
  showRoofline,
  showOverTime,
  showPolicyState,
  showTbTimeline,
  showWarpLives,
  showWarpInstructions,
  showAllocation,
  showIssuePattern,
  showPredictions,
  showTimeline,
  showEnergy,
  showCost,
  showConfiguration,
];

/** Those that need no figures of a machine: all that there is of pairs of timed kernels. */
const kLogSections = [showTbTimeline, showPredictions];

function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  d3.select("#theme").text(dark ? "Light" : "Dark").attr("aria-pressed", String(dark));
}

/** Completes what the data say once for all runs. `changed_keys`: those that any run sets, the defaults' in their order. */
function unfold(report) {
  const changed = new Set(report.runs.flatMap((run) => Object.keys(run.config)));
  report.changed_keys = [...new Set([...Object.keys(report.defaults), ...changed])].filter((key) => changed.has(key));
  for (const run of report.runs) {
    run.config = Object.assign(Object.create(report.defaults), run.config);
    if (run.cost !== undefined) run.cost = report.costs[run.cost];
    run.metrics = {};
    for (const [i, name] of report.metric_names.entries()) {
      if (run.values[i] !== null && run.values[i] !== undefined) run.metrics[name] = run.values[i];
    }
  }
}

function show() {
  const report = JSON.parse(document.getElementById("data").textContent);
  if (!report.papers) {
    unfold(report);
    nameRuns(report);
  }
  setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches);
  d3.select("#theme").on("click", () => setTheme(document.documentElement.dataset.theme !== "dark"));
  d3.select("#title").text(report.title);
  document.title = report.title;
  d3.select("#verdict").text(report.papers ? reproductionVerdict(report) : verdictOf(report));
  for (const showSection of report.papers ? [showReproduction] : report.runs.length ? kSections : kLogSections) showSection(report);
  d3.select("#about").text(`Made by heddle ${report.version} from ${report.folders.join(", ")}.`);
  document.documentElement.dataset.ready = "true";
  document.documentElement.dataset.milliseconds = String(Math.round(performance.now()));
}

show();
