// What --interval writes of the scheduler's own state: its signals on one SM.
"use strict";

/** A signal's value at the end of each sample; null before the first. */
function signalValues(signal, samples) {
  const values = [];
  let next = 0;
  let value = null;
  for (let i = 0; i < samples; ++i) {
    if (next < signal.changes.length && signal.changes[next][0] === i) value = signal.changes[next++][1];
    values.push(value);
  }
  return values;
}

/** Signals of one kind whose names differ by their last number alone: entries of a table, places of an order. */
function signalGroups(signals) {
  const groups = d3.groups(signals, (signal) => signal.kind + " " + signal.name.replace(/\d+(?=\D*$)/, "#"));
  return groups.map((group) => ({kind: group[1][0].kind, signals: group[1],
    name: group[1].length > 1 ? group[1][0].name.replace(/\d+(?=\D*$)/, "") : group[1][0].name}));
}

/** Stretches of equal values as bands: [{start, end, value}]; a value holds from the end of the sample before. */
function stretches(values, lastCycles) {
  const found = [];
  for (const [i, value] of values.entries()) {
    const last = found[found.length - 1];
    if (last && last.value === value) last.end = lastCycles[i];
    else found.push({start: i ? lastCycles[i - 1] : 0, end: lastCycles[i], value});
  }
  return found;
}

const kMostBands = 6000;

/** A signal that has names, or a mask of which each bit that is ever set is a row. */
function addStateBands(section, {id, label, rows, legend, samples}) {
  const bands = rows.flatMap((row, r) => row.bands.map((band) => ({row: r, lane: 0, start: band.start, end: band.end,
    colour: band.colour, key: band.what, what: band.what, name: `${row.name}: ${band.what}, cycles ${band.start} to ${band.end}`})));
  if (!bands.length || bands.length > kMostBands) return false;
  addBands(section, {id, label, rows: rows.map((row) => ({name: row.name, lanes: 1})), bands,
    laneHeight: Math.max(4, Math.min(14, 420 / rows.length)), xName: "core cycles", legend, span: [0, samples[samples.length - 1]],
    columns: [{name: "signal"}, {name: "value"}, {name: "from cycle", number: true, format: formats.count},
      {name: "to", number: true, format: formats.count}],
    cells: (band) => [rows[band.row].name, band.what, band.start, band.end]});
  return true;
}

function addNamedSignals(section, group, id, label, samples) {
  const values = new Map();
  for (const signal of group.signals) {
    for (const [value, meaning] of Object.entries(signal.meanings)) values.set(Number(value), meaning);
  }
  const colour = (value) => kPalette[[...values.keys()].indexOf(value) % kPalette.length];
  const meaning = (value) => values.get(value) || String(value);
  return addStateBands(section, {id, label, samples, legend: [...values].map(([value, name]) => ({name, colour: colour(value)})),
    rows: group.signals.map((signal) => ({name: signal.name, bands: stretches(signalValues(signal, samples.length), samples)
      .map((band) => ({...band, colour: colour(band.value), what: meaning(band.value)}))}))});
}

/** Signals of which each has one of a few values: an order of thread blocks, say. */
function addPlaces(section, group, id, label, samples) {
  const bands = group.signals.map((signal) => ({name: signal.name, bands: stretches(signalValues(signal, samples.length), samples)}));
  const values = [...new Set(bands.flatMap((row) => row.bands.map((band) => band.value)))].sort((a, b) => a - b);
  const what = (value) => (group.name.includes("tb_order") ? `TB slot ${value}` : String(value));
  const colour = (value) => kPalette[values.indexOf(value)];
  return addStateBands(section, {id, label, samples, legend: values.map((value) => ({name: what(value), colour: colour(value)})),
    rows: bands.map((row) => ({name: row.name, bands: row.bands.map((band) => ({...band, colour: colour(band.value),
      what: what(band.value)}))}))});
}

function addMask(section, group, id, label, samples, step, run) {
  const {bits} = group.signals[0];
  const kind = bits === run.config["core.tb_slots"] ? "TB slot" : bits >= run.config["core.warps"] ? "warp slot" : "bit";
  const rows = group.signals.flatMap((signal) => {
    const values = signalValues(signal, samples.length).map((value) => BigInt("0x" + (value || "0")));
    const ever = values.reduce((all, value) => all | value, 0n);
    const prefix = group.signals.length > 1 ? signal.name + " " : "";
    return d3.range(signal.bits).map(BigInt).filter((bit) => (ever >> bit) & 1n).map((bit) => ({name: `${prefix}${kind} ${bit}`,
      bands: stretches(values.map((value) => (value >> bit) & 1n), samples).filter((band) => band.value)
        .map((band) => ({...band, colour: kPalette[0], what: "set"}))}));
  });
  return addStateBands(section, {id, label, rows, samples, legend: [{name: "set", colour: kPalette[0]}]});
}

function addNumbers(section, group, id, label, samples, step) {
  const values = group.signals.map((signal) => signalValues(signal, samples.length));
  if (group.signals.length > 1 && new Set(values.flat()).size <= kPalette.length) return addPlaces(section, group, id, label, samples);
  if (group.signals.length > kPalette.length) {
    addShades(section, {id, label, rows: group.signals.map((signal) => signal.name.match(/\d+(?=\D*$)/)[0]), values, step,
      xName: "core cycles", yName: group.name, valueName: "value", format: formats.number});
  } else {
    addLineChart(section, {id, label, steps: true, xName: "core cycles", yName: group.name, xFormat: formats.count,
      lines: group.signals.map((signal, i) => ({name: signal.name, colour: kPalette[i],
        points: samples.map((last, k) => [last, values[i][k]])}))});
  }
  return true;
}

function showPolicyState(report) {
  const runs = runsWithIntervals(report).filter((run) => run.intervals.state.signals.length);
  if (!runs.length) return;
  const changes = (run) => d3.sum(run.intervals.state.signals, (signal) => signal.changes.length - 1);
  const rule = "What the scheduler's own signals say at the end of each interval, on one SM. " + runs.map((run) => {
    const still = run.intervals.state.signals.filter((signal) => signal.changes.length === 1).length;
    return `${run.label}: ${plural(changes(run), "change")} seen in ${plural(run.intervals.samples.last_cycle.length, "sample")}` +
      (still ? `, ${still} of ${plural(run.intervals.state.signals.length, "signal")} never` : "");
  }).join("; ") + ".";
  addSection("policy-state", "The scheduler's state", rule, (section) => {
    for (const run of runs) {
      const {state, samples, interval_cycles: every, merged} = run.intervals;
      section.append("h3").text(`${run.label}, SM ${state.sm}`);
      const still = [];
      const tooMany = [];
      for (const [i, group] of signalGroups(state.signals).entries()) {
        if (group.signals.every((signal) => signal.changes.length === 1)) {
          still.push(...group.signals.map((signal) => signal.name));
          continue;
        }
        const id = `policy-state-${run.id}-${i}`;
        const label = `${group.name} over time on SM ${state.sm}: ${run.label}`;
        const add = {names: addNamedSignals, mask: addMask, number: addNumbers}[group.kind] || addNumbers;
        const before = section.node().childElementCount;
        if (!add(section, group, id, label, samples.last_cycle, every * merged, run)) tooMany.push(group.name);
        else if (section.node().childElementCount > before) {
          section.select(`#${id}`).insert("figcaption", ":first-child").text(group.name);
        }
      }
      const more = [];
      if (still.length) more.push(`Without a change: ${still.join(", ")}.`);
      if (tooMany.length) more.push(`Too many changes to draw: ${tooMany.join(", ")}; intervals.sqlite has them.`);
      if (state.left_out) more.push(`${plural(state.left_out, "more signal")} left out.`);
      if (more.length) section.append("p").attr("class", "rule").text(more.join(" "));
    }
    tellFirstOnly(section, report, "intervals", runsWithIntervals(report).length);
  });
}
