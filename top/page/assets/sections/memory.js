// LD/ST units, L1D, and the lives of memory requests.
"use strict";

const kLdst = [
  {key: "progress", name: "progress", colour: "#0072b2"},
  {key: "coalescing", name: "coalescing", colour: "#56b4e9"},
  {key: "texture_address", name: "texture addresses", colour: "#c3e3f7"},
  {key: "shared_conflict", name: "shared-memory conflict", colour: "#e69f00"},
  {key: "mshr", name: "MSHR", colour: "#d55e00"},
  {key: "interconnect", name: "interconnect", colour: "#cc79a7"},
  {key: "texture_cache", name: "texture cache", colour: "#8aa84f"},
  {key: "constant_miss", name: "constant miss", colour: "#009e73"},
  {key: "write_back", name: "write-back", colour: "#f0e442"},
  {key: "replay", name: "replay", colour: "#7f7f7f"},
];

/** Causes in which the unit works; in the others it stands still. */
const kLdstWork = ["progress", "coalescing", "texture_address", "shared_conflict"];

const kL1d = [
  {key: "hits_intra_warp", name: "hit, the warp's own line", colour: "#0072b2"},
  {key: "hits_inter_warp", name: "hit, another warp's line", colour: "#56b4e9"},
  {key: "pending_hits", name: "line under way", colour: "#e69f00"},
  {key: "misses", name: "miss", colour: "#d55e00"},
];

const kTexture = [
  {key: "hits", name: "hit", colour: "#56b4e9"},
  {key: "pending_hits", name: "line under way", colour: "#e69f00"},
  {key: "misses", name: "miss", colour: "#d55e00"},
];

/** Where a request spends its life, in their order. */
const kStageKeys = Object.entries({ldst: "LD/ST unit", l1d: "L1D", mshr: "MSHR", memory_port: "memory port",
  request_network: "request network", l2_queue: "L2 queue", l2: "L2", dram_queue: "DRAM queue", dram: "DRAM",
  reply_queue: "reply queue", reply_network: "reply network", fill: "fill"})
  .map(([key, name], i) => ({key, name, colour: kShades[i]}));

/** What served a request. */
const kServed = {loads_l1_hit: "loads, L1D", loads_l2_hit: "loads, L2", loads_dram: "loads, DRAM", stores: "stores",
  atomics: "atomics"};

function showLdst(report) {
  const rows = report.runs.map((run) => {
    const parts = Object.fromEntries(kLdst.map((key) => [key.key, value(run, "sm.ldst.cycles." + key.key) || 0]));
    const whole = d3.sum(Object.values(parts)) + (value(run, "sm.ldst.cycles.idle") || 0) || 1;
    return {label: run.label, parts: Object.fromEntries(Object.entries(parts).map(([k, v]) => [k, v / whole]))};
  });
  const work = (row) => d3.sum(kLdstWork, (key) => row.parts[key]);
  const busiest = d3.greatest(rows, work);
  const worst = d3.greatest(rows.flatMap((row) => kLdst.filter((key) => !kLdstWork.includes(key.key))
    .map((key) => ({row, key, share: row.parts[key.key]}))), (wait) => wait.share);
  const rule = `What the LD/ST units did, of all their cycles; what is missing to the whole was idle. ${busiest.label} ` +
    `works in ${formats.percent(work(busiest))} of them` + (report.runs.length > 1 ? ", the most" : "") +
    `: the units take at most ${formats.ratio(1 / Math.max(work(busiest), 0.001))} times as much. ` + (worst.share > 0 ?
    `They stand still longest in ${worst.row.label}: ${formats.percent(worst.share)} for ${worst.key.name}; without that at ` +
    `most ${formats.ratio(1 / (1 - worst.share))} times as many accesses.` : "They never stand still.");
  addSection("ldst", "LD/ST unit", rule,
    (section) => addStackedBars(section, {id: "ldst-chart", label: "Cycles of the LD/ST units by what they did", rows,
      keys: kLdst, xName: "share of the units' cycles", format: formats.percent}));
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
      xName: "share of the loads looked up", format: formats.percent, wholes: 1}));
}

function showTextureCache(report) {
  const rows = report.runs.filter((run) => value(run, "texture_hit_rate") !== null).map((run) => ({label: run.label, run,
    parts: Object.fromEntries(kTexture.map((key) => [key.key, value(run, "sm.texture." + key.key) /
      d3.sum(kTexture, (other) => value(run, "sm.texture." + other.key))]))}));
  if (!rows.length) return;
  const worst = d3.greatest(rows, (row) => row.parts.misses);
  const cycles = (run, key) => value(run, "sm.ldst.cycles." + key) || 0;
  const all = (run) => d3.sum(kLdst, (key) => cycles(run, key.key)) + cycles(run, "idle") || 1;
  const addresses = d3.greatest(rows, (row) => cycles(row.run, "texture_address") / all(row.run));
  const held = d3.max(rows, (row) => cycles(row.run, "texture_cache") / all(row.run));
  const rule = `Lines of texels by what their look-up found. ${worst.label} misses most: ${formats.percent(worst.parts.misses)}. ` +
    `Misses do not stop the look-ups behind them; the cache is full and holds the LD/ST unit up in at most ` +
    `${formats.percent(held)} of its cycles, which is what a larger one could gain. Fetches of ${addresses.label} take ` +
    `${formats.percent(cycles(addresses.run, "texture_address") / all(addresses.run))} of them for the addresses of further lines.`;
  addSection("texture", "Texture cache", rule,
    (section) => addStackedBars(section, {id: "texture-chart", label: "Lines of textures by what their look-up found", rows,
      keys: kTexture, xName: "share of the lines looked up", format: formats.percent, wholes: 1}));
}

function showLatency(report) {
  const rows = report.runs.slice(0, 24).flatMap((run) => Object.keys(kServed)
    .filter((kind) => value(run, `request_lifetime_${kind}`) > 0)
    .map((kind) => ({label: `${run.label}: ${kServed[kind]}`, parts: Object.fromEntries(kStageKeys.map((stage) =>
      [stage.key, value(run, `request_lifetime_${kind}_${stage.key}`) || 0]))})));
  if (!rows.length) return;
  const worst = rows.flatMap((row) => kStageKeys.map((key) => ({row, key, cycles: row.parts[key.key], whole: d3.sum(
    Object.values(row.parts))}))).sort((a, b) => b.cycles - a.cycles)[0];
  const rule = "Mean core cycles from a request's generation to its result, by where they are spent; the stages add up. The " +
    `longest stage is ${worst.key.name} of ${worst.row.label}: ${formats.number(worst.cycles)} of ${formats.number(worst.whole)} ` +
    "cycles, which is what a request could gain there at most.";
  addSection("latency", "Lives of memory requests", rule, (section) => addStackedBars(section, {id: "latency-chart",
    label: "Lifetime of memory requests by stage, core cycles", rows, keys: kStageKeys, unit: "cycles",
    xName: "core cycles, mean of the requests", format: formats.number}));
}
