// LD/ST units, L1D, and the lives of memory requests.
"use strict";

const kLdst = ["progress", "coalescing", "mshr", "interconnect", "shared_conflict", "constant_miss", "write_back",
  "replay"].map((key, i) => ({key, name: key.replace("_", " "), colour: kPalette[i % kPalette.length]}));

const kL1d = [
  {key: "hits_intra_warp", name: "hit, the warp's own line", colour: "#0072b2"},
  {key: "hits_inter_warp", name: "hit, another warp's line", colour: "#56b4e9"},
  {key: "pending_hits", name: "line under way", colour: "#e69f00"},
  {key: "misses", name: "miss", colour: "#d55e00"},
];

const kStages = ["ldst", "l1d", "mshr", "memory_port", "request_network", "l2_queue", "l2", "dram_queue", "dram",
  "reply_queue", "reply_network", "fill"];

const kStageKeys = kStages.map((key, i) => ({key, name: key.replace(/_/g, " "), colour: i < kPalette.length ? kPalette[i] :
  d3.color(kPalette[i - kPalette.length]).brighter(0.9).toString()}));

function showLdst(report) {
  const rows = report.runs.map((run) => {
    const parts = Object.fromEntries(kLdst.map((key) => [key.key, value(run, "sm.ldst.cycles." + key.key) || 0]));
    const whole = d3.sum(Object.values(parts)) + (value(run, "sm.ldst.cycles.idle") || 0) || 1;
    return {label: run.label, parts: Object.fromEntries(Object.entries(parts).map(([k, v]) => [k, v / whole]))};
  });
  const waits = kLdst.filter((key) => key.key !== "progress" && key.key !== "coalescing");
  const worst = rows.flatMap((row) => waits.map((key) => ({row, key, share: row.parts[key.key]})))
    .sort((a, b) => b.share - a.share)[0];
  const rule = "What the LD/ST units did, of all their cycles; what is missing to the whole was idle." + (worst.share > 0 ?
    ` They stood still longest in ${worst.row.label}: ${formats.percent(worst.share)} for ${worst.key.name}; without that they ` +
    `take at most ${formats.ratio(1 / (1 - worst.share))} times as many accesses.` : "");
  addSection("ldst", "LD/ST unit", rule,
    (section) => addStackedBars(section, {id: "ldst-chart", label: "Cycles of the LD/ST units by what they did", rows,
      keys: kLdst, format: formats.percent}));
}

function showL1d(report) {
  const rows = report.runs.filter((run) => value(run, "sm.l1d.loads") > 0).map((run) => ({label: run.label,
    parts: Object.fromEntries(kL1d.map((key) => [key.key, value(run, "sm.l1d." + key.key) / value(run, "sm.l1d.loads")]))}));
  if (!rows.length) return;
  const worst = rows.slice().sort((a, b) => b.parts.misses - a.parts.misses)[0];
  const memory = d3.max(report.runs, (run) => d3.sum(["scoreboard_memory", "pipeline_ldst"], (cause) =>
    value(run, "scheduler_share_" + cause) || 0));
  const rule = `Loads by what they found. ${worst.label} misses most: ${formats.percent(worst.parts.misses)}. Waiting for memory ` +
    `and the LD/ST unit takes at most ${formats.percent(memory)} of a run's issue slots, which is all that hits could gain.`;
  addSection("l1d", "L1D", rule,
    (section) => addStackedBars(section, {id: "l1d-chart", label: "L1D loads by what they found", rows, keys: kL1d,
      format: formats.percent, wholes: 1}));
}

function showLatency(report) {
  const kinds = ["loads_l1_hit", "loads_l2_hit", "loads_dram", "stores", "atomics"];
  const rows = report.runs.slice(0, 24).flatMap((run) => kinds
    .filter((kind) => value(run, `request_lifetime_${kind}`) > 0)
    .map((kind) => ({label: `${run.label}: ${kind.replace(/_/g, " ")}`,
      parts: Object.fromEntries(kStages.map((stage) => [stage, value(run, `request_lifetime_${kind}_${stage}`) || 0]))})));
  if (!rows.length) return;
  const worst = rows.flatMap((row) => kStageKeys.map((key) => ({row, key, cycles: row.parts[key.key], whole: d3.sum(
    Object.values(row.parts))}))).sort((a, b) => b.cycles - a.cycles)[0];
  const rule = "Mean core cycles from a request's generation to its result, by where they are spent; the stages add up. The " +
    `longest stage is ${worst.key.name} of ${worst.row.label}: ${formats.number(worst.cycles)} of ${formats.number(worst.whole)} ` +
    "cycles, which is what a request could gain there at most.";
  addSection("latency", "Lives of memory requests", rule, (section) => addStackedBars(section, {id: "latency-chart",
    label: "Lifetime of memory requests by stage, core cycles", rows, keys: kStageKeys, unit: "cycles", format: formats.number}));
}
