// Figures of papers that are neither bars nor lines, by what their definitions name in `by`.
"use strict";

const kCyclesColumns = [{name: "from cycle", number: true, format: formats.count}, {name: "to", number: true, format: formats.count}];

/** PRO's figure 2: thread blocks of an SM under two schedulers; series are begins and ends of each. */
function drawTbIntervals(parent, {id, label, table}) {
  const sides = [0, 2].map((s) => ({name: table.series[s].name.replace(/, begins$/, ""), begins: s, ends: s + 1}));
  const lives = sides.flatMap((side, i) => table.rows.filter((row) => row.values[side.begins] !== null && row.values[side.ends] !== null)
    .map((row) => ({name: `${side.name}, ${row.label}`, colour: kPalette[i], start: row.values[side.begins], end: row.values[side.ends]})));
  addBands(parent, {id, label, rows: lives.map((life) => ({name: life.name, lanes: 1})), laneHeight: 12, xName: "core cycles",
    bands: lives.map((life, i) => ({row: i, lane: 0, start: life.start, end: life.end, colour: life.colour, key: "cycles",
      name: `${life.name}: cycles ${life.start} to ${life.end}`})),
    legend: sides.map((side, i) => ({name: side.name, colour: kPalette[i]})), columns: [{name: "thread block"}, ...kCyclesColumns],
    cells: (band) => [lives[band.row].name, band.start, band.end]});
}

/** WarpMan's figures 4, 9 and 11: rows are warps, then their RTRU. */
function drawWarpLives(parent, {id, label, table}) {
  const warps = table.rows.filter((row) => !row.summary && row.values[0] !== null && row.values[1] !== null);
  const end = d3.max(warps, (row) => row.values[1]);
  addBands(parent, {id, label, rows: warps.map((row) => ({name: row.label, lanes: 1})), laneHeight: 13,
    xName: "core cycles since the thread block's start", shade: {start: 0, end},
    bands: warps.map((row, i) => ({row: i, lane: 0, start: row.values[0], end: row.values[1], colour: kPalette[0], key: "cycles",
      name: `${row.label}: cycles ${row.values[0]} to ${row.values[1]}, ${row.values[2]} instructions`})),
    legend: [{name: "warp runs", colour: kPalette[0]}, {name: "its resources are held", colour: "var(--line)"}],
    columns: [{name: "warp"}, ...kCyclesColumns, {name: "instructions", number: true, format: formats.count}],
    cells: (band) => [warps[band.row].label, band.start, band.end, warps[band.row].values[2]]});
}

/** SRTF's figures 2, 3 and 5: begins and ends of an SM's thread blocks, and two models of when the last one ends. */
function drawStaircase(parent, {id, label, table}) {
  const {starts, ends, sm} = table.extra;
  const predicted = (model) => {
    const row = table.rows.find((candidate) => candidate.label === model);
    return row ? row.values[table.series.findIndex((one) => one.name === "predicted, cycles")] : null;
  };
  const over = (values) => values.map((value, i) => [i + 1, value]);
  const lines = [{name: "start", colour: kPalette[7], points: over(starts)}, {name: "end", colour: kPalette[0], points: over(ends)}];
  const regression = predicted("linear regression");
  if (typeof regression === "number" && ends.length > 1) {  // through the mean of the ends, to its value at the last
    lines.push({name: "line fitted to the ends", colour: kPalette[2], dashes: "6 3",
      points: [[1, 2 * d3.mean(ends) - regression], [ends.length, regression]]});
  }
  const staircase = predicted("staircase");
  if (typeof staircase === "number") {
    lines.push({name: "run time by equation 1", colour: kPalette[5], dashes: "3 3", points: [[1, staircase], [ends.length, staircase]]});
  }
  addLineChart(parent, {id, label, lines, xName: `thread blocks of SM ${sm} in the order of their ends`, yName: "core cycles",
    yFormat: formats.count});
}

function drawBoxes(parent, {id, label, figure, table}) {
  addBoxes(parent, {id, label, boxes: table.extra, unit: figure.unit, reference: figure.reference, format: kPaperFormats.ratio});
}

/** SRTF's figures 12 and 13: thread blocks of the first SMs under each policy; below them what a dispatch policy waited for. */
function drawDispatch(parent, {id, label, table}) {
  const kernels = [...new Set(table.extra.flatMap((picture) => picture.kernels))];
  const colour = (kernel) => kPalette[kernels.indexOf(kernel) % kPalette.length];
  const longest = d3.max(table.extra, (picture) => picture.end);
  table.extra.forEach((picture, p) => {
    const bands = picture.sms.flatMap((sm, row) => sm.tbs.map(([launch, slot, start, end]) => ({row, lane: slot, start, end,
      colour: colour(picture.kernels[launch]), key: picture.kernels[launch], what: picture.kernels[launch],
      name: `${picture.kernels[launch]}: SM ${row}, cycles ${start} to ${end}`}))
      .concat(sm.intervals.filter(([kind]) => kIntervals[kind]).map(([kind, start, end]) => ({row, lane: 0, under: true, start, end,
        colour: kIntervals[kind].colour, key: kind, what: kIntervals[kind].name,
        name: `${kIntervals[kind].name}: SM ${row}, cycles ${start} to ${end}`}))));
    if (!bands.length) return;
    parent.append("h4").text(picture.name);
    const lanes = picture.sms.map((sm) => 1 + (d3.max(sm.tbs, (tb) => tb[1]) || 0));
    addBands(parent, {id: `${id}-${p}`, label: `${label}, ${picture.name}`, bands, span: [0, longest], xName: "core cycles",
      rows: picture.sms.map((sm, i) => ({name: `SM ${i}`, lanes: lanes[i], under: sm.intervals.length > 0})),
      laneHeight: Math.max(2, Math.min(8, 300 / d3.sum(lanes))),
      legend: kernels.map((kernel) => ({name: kernel, colour: colour(kernel)})).concat(Object.keys(kIntervals)
        .filter((kind) => bands.some((band) => band.key === kind)).map((kind) => kIntervals[kind])),
      columns: [{name: "what"}, {name: "where"}, ...kCyclesColumns], cells: (band) => [band.what, `SM ${band.row}`, band.start, band.end]});
  });
}

/** The study: what combinations of policies cost and gain, and the front of those that none is as cheap and as fast as. */
function drawPareto(parent, {id, label, figure, table}) {
  const kinds = {front: {kind: "of the front", colour: kPalette[5]}, other: {kind: "others", colour: kPalette[4]}};
  const points = table.extra.map(([name, cost, speed, energy, front]) => ({name: name || "none", text: front ? name : "", x: cost, y: speed,
    ...(front ? kinds.front : kinds.other)}));
  const front = points.filter((point) => point.kind === kinds.front.kind);
  const steps = front.flatMap((point, i) => (i ? [[point.x, front[i - 1].y], [point.x, point.y]] : [[point.x, point.y]]));
  addScatter(parent, {id, label, points, lines: [{name: "", points: steps}], logX: true, fit: true, xName: "NAND2-equivalents per SM",
    yName: figure.unit || "speed-up", format: formats.number});
}

/** Each draws what evaluate() of the class of that name puts into a figure's table; `has` says whether that is there. */
const kPaperDrawings = {
  tb_intervals: {draw: drawTbIntervals, has: (table) => table.rows.some((row) => row.values.some((value) => value !== null))},
  warp_lives: {draw: drawWarpLives, has: (table) => table.rows.some((row) => !row.summary && row.values[1] !== null)},
  staircase: {draw: drawStaircase, has: (table) => table.extra && table.extra.ends.length > 0},
  log_boxes: {draw: drawBoxes, has: (table) => table.extra && table.extra.length > 0},
  dispatch_timeline: {draw: drawDispatch, has: (table) => table.extra && table.extra.length > 0},
  pareto: {draw: drawPareto, has: (table) => table.extra && table.extra.length > 0},
};
