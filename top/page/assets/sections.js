// The sections of the report: what each shows of the runs, and its rule in words.
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
  {key: "pipeline_ldst", name: "LD/ST busy (LG or MIO Throttle)", colour: "#6fd0b4"},
  {key: "pipeline_policy", name: "held back by policy", colour: "#cc79a7"},
  {key: "idle_barrier", name: "barrier (Barrier)", colour: "#56b4e9"},
  {key: "idle_membar", name: "membar (Membar)", colour: "#8fcdf0"},
  {key: "idle_flush", name: "taken branch (Branch Resolving)", colour: "#3d3d3d"},
  {key: "idle_fetch", name: "fetch (No Instruction)", colour: "#6d6d6d"},
  {key: "idle_drain", name: "drain (Drain)", colour: "#9a9a9a"},
  {key: "idle_no_warp", name: "no active warp", colour: "#c8c8c8"},
];

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

const plural = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** Whether the values of a column differ between runs. */
function varying(runs, value) {
  return new Set(runs.map(value)).size > 1;
}

function nameRuns(report) {
  const runs = report.runs;
  const axes = Object.keys(report.defaults).filter((key) => key !== "scheduler.name" &&
    varying(runs, (run) => String(run.config[key])));
  for (const run of runs) {
    run.program = run.size ? `${run.workload}:${run.size}` : run.workload;
    const parts = [];
    if (report.folders.length > 1) parts.push(run.folder);
    if (varying(runs, (r) => r.scheduler)) parts.push(run.scheduler);
    if (varying(runs, (r) => r.config_name)) parts.push(run.config_name);
    for (const axis of axes.slice(0, 3)) parts.push(`${axis.split(".").slice(-2).join(".")}=${run.config[axis]}`);
    run.variant = parts.join(", ") || run.scheduler;
    run.label = varying(runs, (r) => r.program) ? `${run.program}, ${run.variant}` : run.variant;
  }
}

function value(run, name) {
  const found = run.metrics[name];
  return found === undefined ? null : found;
}

function geometricMean(values) {
  return Math.exp(d3.mean(values.map(Math.log)));
}

/** Cycles of each variant against those of the first, by program; only complete runs count. */
function speedups(runs) {
  const variants = [...new Set(runs.map((run) => run.variant))];
  const programs = [...new Set(runs.map((run) => run.program))];
  const find = (program, variant) => runs.find((run) => run.program === program && run.variant === variant &&
    run.status === "complete");
  const groups = programs.map((program) => {
    const base = find(program, variants[0]);
    return {label: program, bars: variants.map((name, i) => {
      const run = find(program, name);
      return {name, colour: kPalette[i % kPalette.length],
        value: base && run ? value(base, "cycles") / value(run, "cycles") : null};
    })};
  });
  if (programs.length > 1) {
    groups.push({label: "geometric mean", bars: variants.map((name, i) => {
      const all = groups.map((group) => group.bars[i].value);
      return {name, colour: kPalette[i % kPalette.length],
        value: all.every((v) => v !== null) ? geometricMean(all) : null};
    })});
  }
  return {variants, programs, groups};
}

/** Within this the two are level. */
const kTie = 0.01;

function verdictOf(report) {
  const runs = report.runs;
  const failed = runs.filter((run) => run.checks.some((check) => !check.passed));
  const partial = runs.filter((run) => run.status !== "complete");
  const notes = [];
  if (failed.length) notes.push(`${plural(failed.length, "run")} with wrong output`);
  if (partial.length) notes.push(`${plural(partial.length, "run")} not complete`);
  const note = notes.length ? ` (${notes.join("; ")})` : "";
  const {variants, programs, groups} = speedups(runs);
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
  if (ahead < kTie) return `${best.name} and ${second.name} are level${over} (within 1%).${note}`;
  const wins = groups.slice(0, programs.length).filter((group) => {
    const bar = group.bars.find((candidate) => candidate.name === best.name);
    return group.bars.every((other) => other === bar || other.value === null || bar.value > other.value * (1 + kTie));
  }).length;
  const won = programs.length > 1 ? `; it wins ${wins} of them by more than 1%` : "";
  return `${best.name} is ahead of ${second.name} by ${formats.percent(ahead)}${over}${won}.${note}`;
}

function worstCause(run) {
  const lost = kCauses.filter((cause) => cause.key !== "issued")
    .map((cause) => ({name: cause.name, share: value(run, "scheduler_share_" + cause.key) || 0}));
  const worst = lost.sort((a, b) => b.share - a.share)[0];
  return worst.share > 0 ? worst : null;
}

function showRuns(report) {
  addSection("runs", "Runs", "", (section) => {
    const percent = {number: true, format: formats.percent};
    addTable(section, [{name: "program"}, {name: "variant"}, {name: "status"}, {name: "output"},
      {name: "cycles", number: true, format: formats.count}, {name: "IPC", number: true, format: formats.ratio},
      {name: "of peak issue", ...percent}, {name: "of DRAM peak", ...percent},
      {name: "energy (mJ)", number: true, format: formats.ratio},
      {name: "energy x delay (nJ s)", number: true, format: formats.number}],
    report.runs.map((run) => [run.program, run.variant, run.status,
      run.checks.length === 0 ? "not checked" : run.checks.every((check) => check.passed) ? "right" : "WRONG",
      value(run, "cycles"), value(run, "ipc_warp"),
      value(run, "ipc_warp") / (run.config["core.sms"] * run.config["core.schedulers"]),
      value(run, "dram_utilization"), value(run, "energy") === null ? null : value(run, "energy") / 1e6,
      value(run, "energy_delay_product")]),
    (row) => row[2] !== "complete" || row[3] === "WRONG");
  });
}

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
      keys: kCauses, format: formats.percent, wholes: 1});
    const single = report.runs.length === 1 && report.runs[0].launches.length > 1;
    if (single) {
      addStackedBars(section, {id: "issue-launches", label: "Issue slots by cause of each launch",
        rows: report.runs[0].launches.slice(0, 60).map((launch) => ({label: `${launch.id} ${launch.kernel}`,
          parts: Object.fromEntries(kCauses.map((c) => [c.key, launch.metrics["scheduler_share_" + c.key] || 0]))})),
        keys: kCauses, format: formats.percent, wholes: 1});
    }
  });
}

function showOccupancy(report) {
  const launches = report.runs.flatMap((run) => run.launches.slice(0, 40).map((launch) => ({run, launch})));
  if (!launches.length) return;
  const low = launches.filter(({launch}) => launch.occupancy < 0.5).length;
  const rule = `Warps that an SM holds by its resources, and that it held in the mean. ` +
    (low ? `${low} of ${launches.length} launches could fill less than half of the warp slots.` : "");
  addSection("occupancy", "Occupancy", rule, (section) => {
    addTable(section, [{name: "run"}, {name: "kernel"}, {name: "grid"}, {name: "block"},
      {name: "registers", number: true}, {name: "shared bytes", number: true}, {name: "TBs per SM", number: true},
      {name: "theoretical", number: true, format: formats.percent},
      {name: "achieved", number: true, format: formats.percent}, {name: "limited by"},
      {name: "rounds of TBs", number: true, format: formats.number}],
    launches.map(({run, launch}) => [run.label, launch.kernel, launch.grid.join("x"), launch.block.join("x"),
      launch.registers, launch.shared_bytes, launch.tbs_per_sm, launch.occupancy,
      launch.metrics.achieved_occupancy === undefined ? null : launch.metrics.achieved_occupancy, launch.limiter,
      launch.tb_rounds]));
  });
}

function showLdst(report) {
  const rows = report.runs.map((run) => {
    const parts = Object.fromEntries(kLdst.map((key) => [key.key, value(run, "sm.ldst.cycles." + key.key) || 0]));
    const whole = d3.sum(Object.values(parts)) + (value(run, "sm.ldst.cycles.idle") || 0) || 1;
    return {label: run.label, parts: Object.fromEntries(Object.entries(parts).map(([k, v]) => [k, v / whole]))};
  });
  addSection("ldst", "LD/ST unit", "What the LD/ST units did, of all their cycles; what is missing to the whole was idle.",
    (section) => addStackedBars(section, {id: "ldst-chart", label: "Cycles of the LD/ST units by what they did", rows,
      keys: kLdst, format: formats.percent}));
}

function showL1d(report) {
  const rows = report.runs.filter((run) => value(run, "sm.l1d.loads") > 0).map((run) => ({label: run.label,
    parts: Object.fromEntries(kL1d.map((key) => [key.key, value(run, "sm.l1d." + key.key) / value(run, "sm.l1d.loads")]))}));
  if (!rows.length) return;
  const worst = rows.slice().sort((a, b) => b.parts.misses - a.parts.misses)[0];
  addSection("l1d", "L1D", `Loads by what they found. ${worst.label} misses most: ${formats.percent(worst.parts.misses)}.`,
    (section) => addStackedBars(section, {id: "l1d-chart", label: "L1D loads by what they found", rows, keys: kL1d,
      format: formats.percent, wholes: 1}));
}

function showLatency(report) {
  const kinds = ["loads_l1_hit", "loads_l2_hit", "loads_dram", "stores", "atomics"];
  const keys = kStages.map((key, i) => ({key, name: key.replace(/_/g, " "), colour: i < kPalette.length ? kPalette[i] :
    d3.color(kPalette[i - kPalette.length]).brighter(0.9).toString()}));
  const rows = report.runs.slice(0, 24).flatMap((run) => kinds
    .filter((kind) => value(run, `request_lifetime_${kind}`) > 0)
    .map((kind) => ({label: `${run.label}: ${kind.replace(/_/g, " ")}`,
      parts: Object.fromEntries(kStages.map((stage) => [stage, value(run, `request_lifetime_${kind}_${stage}`) || 0]))})));
  if (!rows.length) return;
  addSection("latency", "Lives of memory requests", "Mean core cycles from a request's generation to its result, by where " +
    "they are spent; the stages add up.", (section) => addStackedBars(section, {id: "latency-chart",
    label: "Lifetime of memory requests by stage, core cycles", rows, keys, unit: "cycles", format: formats.number}));
}

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

function showRoofline(report) {
  const config = report.runs[0].config;
  const {issue, bytes} = roofs(config);
  const variants = [...new Set(report.runs.map((run) => run.variant))];
  const points = report.runs.map((run) => ({name: run.label, kind: run.variant,
    colour: kPalette[variants.indexOf(run.variant) % kPalette.length],
    x: value(run, "sm.thread_instructions") / value(run, "partition.dram.data_bytes"), y: value(run, "ipc_thread")}))
    .filter((point) => isFinite(point.x) && point.x > 0 && point.y > 0);
  if (!points.length) return;
  const left = Math.min(0.05, d3.min(points, (p) => p.x) / 2);
  const right = Math.max(40, d3.max(points, (p) => p.x) * 2);
  const lines = [{name: "peak issue", points: [[left, issue], [right, issue]]}].concat(bytes.map((roof) => ({
    name: roof.name, dashes: roof.name === "DRAM" ? null : "4 3",
    points: [[left, left * roof.bytes], [Math.min(right, issue / roof.bytes), Math.min(right * roof.bytes, issue)]]})));
  const dram = bytes[2].bytes;
  const bound = points.filter((point) => point.x * dram < issue).length;
  addSection("roofline", "Roofline", `Thread instructions per cycle against those per byte of DRAM. ${bound} of ` +
    `${points.length} lie left of the ridge, where DRAM (${formats.number(dram)} bytes a cycle) is the roof. The L1D's ` +
    "and L2's roofs are where DRAM's bytes would all be theirs.", (section) => addScatter(section, {id: "roofline-chart",
    label: "Roofline: thread instructions per cycle and per byte of DRAM", points, lines, logX: true, logY: true,
    xName: "thread instructions per byte of DRAM", yName: "thread instructions per cycle", format: formats.number}));
}

function showEnergy(report) {
  const runs = report.runs.filter((run) => value(run, "energy") > 0);
  if (!runs.length) return;
  const blocks = runs[0].energy_blocks;
  const keys = blocks.map((block, i) => ({key: block, name: block.replace(/_/g, " "), colour: i < kPalette.length ?
    kPalette[i] : d3.color(kPalette[i - kPalette.length]).brighter(0.9).toString()}));
  const rows = runs.map((run) => ({label: run.label, run, parts: Object.fromEntries(blocks.map((block) =>
    [block, value(run, "energy_" + block) / 1e6]))}));
  const share = d3.mean(runs, (run) => value(run, "energy_static_share"));
  addSection("energy", "Energy", `By block, in mJ; ${formats.percent(share)} goes with time in the mean. Each total may ` +
    `lie between ${formats.number(d3.min(runs, (run) => value(run, "energy_low") / value(run, "energy")))} and ` +
    `${formats.number(d3.max(runs, (run) => value(run, "energy_high") / value(run, "energy")))} times what is shown; ` +
    "ratios between schedulers are surer than millijoules.", (section) => addStackedBars(section, {id: "energy-chart",
    label: "Energy by block, mJ", rows, keys, unit: "mJ", format: formats.number}));
}

function showCost(report) {
  const runs = report.runs.filter((run) => run.cost);
  if (!runs.length) return;
  const variants = [...new Set(runs.map((run) => run.variant))];
  const points = variants.map((variant, i) => {
    const own = runs.filter((run) => run.variant === variant && run.status === "complete");
    return {name: variant, kind: variant, colour: kPalette[i % kPalette.length], x: own.length ? own[0].cost.nand2 : 0,
      y: own.length ? geometricMean(own.map((run) => value(run, "ipc_warp"))) : 0};
  }).filter((point) => point.y > 0);
  const front = points.slice().sort((a, b) => a.x - b.x || b.y - a.y).reduce((kept, point) =>
    (!kept.length || point.y > kept[kept.length - 1].y ? kept.concat([point]) : kept), []);
  addSection("cost", "Cost of the schedulers", `NAND2-equivalents per SM against IPC. Not to be had better for less: ` +
    `${front.map((point) => point.name).join("; ")}.`, (section) => {
    if (points.length > 1) {
      addScatter(section, {id: "cost-chart", label: "Cost against IPC, with the Pareto front", points,
        lines: [{name: "", points: front.map((point) => [point.x, point.y])}], xName: "NAND2-equivalents per SM",
        yName: "IPC" + (runs.length > points.length ? ", geometric mean" : ""), format: formats.number});
    }
    for (const variant of variants.slice(0, 12)) {
      const run = runs.find((candidate) => candidate.variant === variant);
      const details = section.append("details").property("open", variants.length === 1);
      details.append("summary").text(`${variant}: ${formats.count(run.cost.bits)} bits and ` +
        `${formats.count(run.cost.nand2)} NAND2-equivalents per SM`);
      addTable(details, [{name: "block"}, {name: "structure"}, {name: "kind"}, {name: "bits", number: true,
        format: formats.count}, {name: "of them in the paper", number: true, format: formats.count},
      {name: "NAND2-equivalents", number: true, format: formats.count},
      {name: "depth (FO4)", number: true, format: formats.number}],
      run.cost.structures.map((s) => [s.block, s.structure, s.kind, s.bits, s.paper_bits, s.nand2, s.depth_fo4]));
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

function showConfiguration(report) {
  addSection("configuration", "Configuration", "What differs from Heddle's defaults, and the command of each run.",
    (section) => {
      const keys = Object.keys(report.defaults).filter((key) =>
        report.runs.some((run) => String(run.config[key]) !== String(report.defaults[key])));
      const shown = report.runs.slice(0, 12);
      addTable(section, [{name: "key"}, {name: "default"}].concat(shown.map((run) => ({name: run.label}))),
        keys.map((key) => [key, String(report.defaults[key])].concat(shown.map((run) => String(run.config[key])))));
      for (const run of report.runs) section.append("p").append("code").text(run.command);
    });
}
