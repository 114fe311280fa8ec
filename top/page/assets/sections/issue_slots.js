// What became of the cycles of the warp schedulers.
"use strict";

/** Causes of issue slots from good to bad, with the nearest name of Nsight Compute where there is one. */
const kCauses = [
  {key: "issued", name: "issued (Selected)", colour: "#0072b2"},
  {key: "scoreboard_memory", name: "memory (Long Scoreboard)", colour: "#d55e00"},
  {key: "scoreboard_shared", name: "shared memory (Short Scoreboard)", colour: "#e69f00"},
  {key: "scoreboard_sfu", name: "SFU result (Short Scoreboard)", colour: "#f0b860"},
  {key: "scoreboard_alu", name: "SP result (Wait)", colour: "#f0e442"},
  {key: "pipeline_sp", name: "SP busy (Math Pipe Throttle)", colour: "#004d3a"},
  {key: "pipeline_sfu", name: "SFU busy (MIO Throttle)", colour: "#009e73"},
  {key: "pipeline_ldst", name: "LD/ST busy (LG, MIO or Tex Throttle)", colour: "#6fd0b4"},
  {key: "pipeline_policy", name: "held back by policy", colour: "#cc79a7"},
  {key: "idle_barrier", name: "barrier (Barrier)", colour: "#56b4e9"},
  {key: "idle_membar", name: "membar (Membar)", colour: "#8fcdf0"},
  {key: "idle_flush", name: "taken branch (Branch Resolving)", colour: "#3d3d3d"},
  {key: "idle_fetch", name: "fetch (No Instruction)", colour: "#6d6d6d"},
  {key: "idle_drain", name: "drain (Drain)", colour: "#9a9a9a"},
  {key: "idle_no_warp", name: "no active warp", colour: "#c8c8c8"},
];

function worstCause(run) {
  const lost = kCauses.filter((cause) => cause.key !== "issued")
    .map((cause) => ({name: cause.name, share: value(run, "scheduler_share_" + cause.key) || 0}));
  const worst = lost.sort((a, b) => b.share - a.share)[0];
  return worst.share > 0 ? worst : null;
}

function showIssueSlots(report) {
  const rows = report.runs.map((run) => ({label: run.label,
    parts: Object.fromEntries(kCauses.map((cause) => [cause.key, value(run, "scheduler_share_" + cause.key) || 0]))}));
  const worst = report.runs.map((run) => ({run, cause: worstCause(run)})).filter((entry) => entry.cause)
    .sort((a, b) => b.cause.share - a.cause.share)[0];
  const rule = worst ? `Each cycle of a scheduler has one cause, that of its oldest warp. Most is lost by ` +
    `${worst.run.label}: ${formats.percent(worst.cause.share)} to ${worst.cause.name}; without that at most ` +
    `${formats.ratio(1 / (1 - worst.cause.share))} times as fast.` : "";
  addSection("issue", "Issue slots by cause", rule, (section) => {
    addStackedBars(section, {id: "issue-chart", label: "Issue slots by cause, share of scheduler cycles", rows,
      keys: kCauses, xName: "share of the scheduler cycles", format: formats.percent, wholes: 1});
    const single = report.runs.length === 1 && report.runs[0].launches.length > 1;
    if (single) {
      addStackedBars(section, {id: "issue-launches", label: "Issue slots by cause of each launch",
        rows: report.runs[0].launches.map((launch) => ({label: `${launch.id} ${launch.kernel}`,
          parts: Object.fromEntries(kCauses.map((c) => [c.key, launch.metrics["scheduler_share_" + c.key] || 0]))})),
        keys: kCauses, xName: "share of the scheduler cycles", format: formats.percent, wholes: 1});
      tellNotHere(section, report.runs[0].launches_left_out, "launch", "es", " with fewer cycles");
    }
  });
}
