// What the warps of an SM did and when, of a run with --timeline: a small viewer of its timeline.json.
"use strict";

const kTimelineMargin = {top: 26, right: 28, bottom: 6, left: 96};
const kTimelineRow = {launch: 13, tb: 12, warp: 9, counter: 34, request: 8, gap: 8};
const kTimelineRequests = 24;
const kShortestWindow = 8;

const kNoWarpColour = "#e4e4e0";

/** The states of a timeline with their colours, as keys of charts. */
function timelineStates(timeline) {
  return timeline.states.map((state) => ({key: state.name, colour: kStateColours[state.name] || kNoWarpColour,
    name: state.nsight ? `${state.label} (${state.nsight})` : state.label}));
}

function unpackLives(flat) {
  const lives = [];
  for (let i = 0; i < flat.length; i += 6) {
    lives.push({start: flat[i], end: flat[i] + flat[i + 1], launch: flat[i + 2], tb: flat[i + 3], warp: flat[i + 4],
      merged: flat[i + 5]});
  }
  return lives;
}

/** The states of a warp slot in their order; they tile its lives. */
function unpackStates(lives, flat) {
  const slices = [];
  let at = 0;
  for (const life of lives) {
    for (let time = life.start; time < life.end; at += 2) {
      slices.push({start: time, end: time + flat[at + 1], state: flat[at], life});
      time += flat[at + 1];
    }
  }
  return slices;
}

function unpackTimeline(packed) {
  const slot = (lives) => ({lives});
  return {...packed,
    places: new Map([...new Set(Object.values(packed.kernels))].map((kernel, i) => [kernel, i])),
    launches: packed.launches.map((track) => ({name: track.name, lives: unpackLives(track.lives)})),
    sms: packed.sms.map((sm) => ({...sm, tbs: sm.tbs.map((lives) => slot(unpackLives(lives))),
      warps: sm.warps.map((warp) => {
        const lives = unpackLives(warp.lives);
        return {lives, slices: unpackStates(lives, warp.states)};
      })}))};
}

/** Those of `spans`, which follow each other, that have a part in [from, to). */
function spansWithin(spans, from, to) {
  const first = d3.bisector((span) => span.end).right(spans, from);
  const end = d3.bisector((span) => span.start).left(spans, to);
  return spans.slice(first, end);
}

/**
 * Bars of spans within a window, none narrower than a pixel: what is shorter is drawn together with its neighbours, in
 * the kind that holds longest. `put` is called with kind, left and right.
 */
function pixelBars(spans, x, kindOf, put) {
  const [from, to] = x.domain();
  const pixel = (to - from) / (x.range()[1] - x.range()[0]);
  let shares = new Map();
  let start = 0;
  let end = 0;
  const flush = () => {
    if (shares.size) put(d3.greatest(shares, (a, b) => a[1] - b[1])[0], x(start), Math.max(x(end), x(start) + 0.4));
    shares = new Map();
  };
  for (const span of spansWithin(spans, from, to)) {
    const left = Math.max(span.start, from);
    const right = Math.min(span.end, to);
    const kind = kindOf(span);
    if (right - left >= pixel || left > end) flush();
    if (!shares.size) start = left;
    end = right;
    shares.set(kind, (shares.get(kind) || 0) + right - left);
    if (end - start >= pixel) flush();
  }
  flush();
}

const barPath = (left, right, top, height) =>
  `M${left.toFixed(1)},${top}H${right.toFixed(1)}v${height}H${left.toFixed(1)}z`;

/** Rows from top to bottom of what an SM has to show: [{kind, name, top, height, ...}]. */
function timelineRows(timeline, sm) {
  const rows = [];
  let top = kTimelineMargin.top;
  const add = (kind, name, more) => {
    rows.push({kind, name, top, height: kTimelineRow[kind], ...more});
    top += kTimelineRow[kind];
  };
  const close = () => { top += kTimelineRow.gap; };
  timeline.launches.filter((track) => track.lives.length).forEach((track) => add("launch", track.name, {spans: track.lives}));
  close();
  sm.tbs.forEach((slot, i) => slot.lives.length && add("tb", `TB slot ${i}`, {spans: slot.lives}));
  close();
  sm.warps.forEach((slot, i) => slot.lives.length && add("warp", `warp slot ${i}`, {spans: slot.slices, label: i % 4 === 0}));
  close();
  for (const name of Object.keys(sm.counters)) {
    if (!sm.counters[name].some((value, i) => i % 2 === 1 && value > 0)) continue;
    add("counter", name, {points: sm.counters[name]});
    close();
  }
  const requests = timeline.requests.filter((request) => request.sm === sm.sm);
  if (requests.length) {
    d3.range(Math.min(kTimelineRequests, requests.length)).forEach((i) =>
      add("request", i === 0 ? "requests" : "", {requests, place: i}));
  }
  return {rows, height: top + kTimelineMargin.bottom};
}

/** Colours of launches: of one kernel two shades in turn. */
function launchColour(timeline, life) {
  const place = timeline.places.get(timeline.kernels[life.launch]) || 0;
  const colour = d3.color(kPalette[place % kPalette.length]);
  return (life.launch % 2 ? colour.brighter(0.6) : colour).toString();
}

function lifeName(timeline, life, what) {
  if (life.merged > 1) return `${life.merged} ${{launch: "launches", tb: "TBs", warp: "warps"}[what]}`;
  const kernel = timeline.kernels[life.launch] || "kernel";
  if (what === "launch") return `${kernel}, launch ${life.launch}`;
  return `${kernel}, launch ${life.launch}, TB ${life.tb}${what === "warp" ? `, warp ${life.warp}` : ""}`;
}

/** The viewer of one run: a figure with buttons, keys, and a line that says what is under the pointer. */
function addTimeline(parent, run, id) {
  const timeline = unpackTimeline(run.timeline);
  const states = timelineStates(timeline);
  const whole = [timeline.first_cycle, timeline.end_cycle];
  const view = {sm: timeline.sms[0], window: whole};
  const columns = states.filter((state) => d3.some(Object.values(timeline.state_cycles), (cycles) => cycles[state.key] > 0));
  const stages = kStageKeys.filter((key) => timeline.requests.some((request) => request.way.some((visit) => visit[0] === key.key)));
  let content = null;
  const figure = addFigure(parent, {
    id, label: `Timeline: ${run.label}`, width: kWidth, height: timelineRows(timeline, view.sm).height,
    legend: columns,
    columns: [{name: ""}, {name: "warp cycles", number: true, format: formats.count}].concat(
      columns.map((state) => ({name: state.name, number: true, format: formats.count}))),
    rows: Object.entries(timeline.state_cycles).map(([sm, cycles]) => [sm, d3.sum(Object.values(cycles))].concat(
      columns.map((state) => cycles[state.key]))),
    draw(svg) { content = svg.append("g"); },
  });
  const svg = figure.select("svg").attr("aria-keyshortcuts", "+ - 0 ArrowLeft ArrowRight ArrowUp ArrowDown")
    .style("touch-action", "pan-y");
  if (stages.length) addLegend(figure, stages, ".chart").insert("b", ":first-child").text("requests:");
  const bar = figure.insert("div", ".legend").attr("class", "tools");
  const told = figure.insert("p", ".legend").attr("class", "rule").attr("role", "status");
  const scale = () => d3.scaleLinear(view.window, [kTimelineMargin.left, kWidth - kTimelineMargin.right]);

  function show(from, to) {
    const cycles = Math.max(kShortestWindow, Math.min(to - from, whole[1] - whole[0]));
    const start = Math.max(whole[0], Math.min(Math.round(from), whole[1] - cycles));
    view.window = [start, Math.min(whole[1], Math.round(start + cycles))];
    draw();
  }
  function zoom(factor, around) {
    const [from, to] = view.window;
    const centre = around === undefined ? (from + to) / 2 : around;
    show(centre - (centre - from) * factor, centre + (to - centre) * factor);
  }
  function move(share) {
    const [from, to] = view.window;
    show(from + share * (to - from), to + share * (to - from));
  }
  function chooseSm(place) {
    view.sm = timeline.sms[(place + timeline.sms.length) % timeline.sms.length];
    select.property("value", view.sm.sm);
    draw();
  }

  function drawBars(row, x, kind) {
    const byColour = new Map();
    pixelBars(row.spans, x, (life) => launchColour(timeline, life), (colour, left, right) =>
      byColour.set(colour, (byColour.get(colour) || "") + barPath(left, right, row.top, row.height - 1.5)));
    for (const [colour, path] of byColour) content.append("path").attr("fill", colour).attr("d", path);
    for (const life of spansWithin(row.spans, ...x.domain())) {
      const text = life.merged > 1 ? lifeName(timeline, life, kind) : kind === "tb" ? `TB ${life.tb}` : timeline.kernels[life.launch] || "";
      const left = Math.max(x(life.start), x.range()[0]);
      const right = Math.min(x(life.end), x.range()[1]);
      if (right - left > 0.5) {
        content.append("line").attr("class", "outline").attr("x1", left).attr("x2", left).attr("y1", row.top)
          .attr("y2", row.top + row.height - 1.5);
      }
      if (right - left < 8 + 6 * text.length) continue;
      content.append("text").attr("x", left + 3).attr("y", row.top + row.height - 4).style("font-size", "9px")
        .style("fill", d3.lab(launchColour(timeline, life)).l > 55 ? "#000" : "#fff").text(text);
    }
  }
  function drawStates(rows, x) {
    const paths = states.map(() => "");
    const cycles = states.map(() => 0);
    for (const row of rows) {
      pixelBars(row.spans, x, (slice) => slice.state, (state, left, right) => {
        paths[state] += barPath(left, right, row.top, row.height - 1);
      });
      for (const slice of spansWithin(row.spans, ...x.domain())) {
        cycles[slice.state] += Math.min(slice.end, view.window[1]) - Math.max(slice.start, view.window[0]);
      }
    }
    states.forEach((state, i) => cycles[i] && content.append("path").attr("d", paths[i]).attr("fill", state.colour)
      .attr("data-row", `SM ${view.sm.sm}`).attr("data-key", state.key).attr("data-value", cycles[i]));
  }
  function drawCounter(row, x) {
    const points = d3.range(0, row.points.length, 2).map((i) => [row.points[i], row.points[i + 1]]);
    const most = d3.max(points, (point) => point[1]) || 1;
    const y = d3.scaleLinear([0, most], [row.top + row.height, row.top + 2]);
    const [from, to] = x.domain();
    const first = Math.max(0, d3.bisector((point) => point[0]).right(points, from) - 1);
    const inside = points.slice(first, d3.bisector((point) => point[0]).right(points, to));
    if (!inside.length) return;
    const line = inside.map((point) => [Math.max(from, point[0]), point[1]]).concat([[to, inside[inside.length - 1][1]]]);
    content.append("path").attr("fill", "#56b4e9").attr("data-row", `SM ${view.sm.sm}`).attr("data-key", row.name)
      .attr("data-value", d3.sum(d3.pairs(line), ([a, b]) => a[1] * (b[0] - a[0])))
      .attr("d", d3.area().curve(d3.curveStepAfter).x((p) => x(p[0])).y0(y(0)).y1((p) => y(p[1]))(line));
    content.append("text").attr("x", kTimelineMargin.left - 6).attr("y", row.top + row.height - 2).attr("text-anchor", "end")
      .style("font-size", "9px").text(`to ${formats.number(most)}`);
  }
  const endOf = (request) => d3.max(request.way, (visit) => visit[1] + visit[2]);
  function drawRequests(rows, x) {
    const [from, to] = x.domain();
    const shown = rows[0].requests.filter((request) => request.way[0][1] < to && endOf(request) > from).slice(0, rows.length);
    shown.forEach((request, i) => {
      rows[i].shown = request;
      for (const [stage, start, cycles] of request.way) {
        const left = Math.max(x(start), x.range()[0]);
        const right = Math.min(x(start + cycles), x.range()[1]);
        if (right <= left) continue;
        content.append("rect").attr("x", left).attr("width", right - left).attr("y", rows[i].top)
          .attr("height", rows[i].height - 2).attr("fill", (stages.find((key) => key.key === stage) || {}).colour)
          .attr("data-row", `request ${request.request}`).attr("data-key", stage).attr("data-value", cycles);
      }
    });
  }
  function draw() {
    const {rows, height} = timelineRows(timeline, view.sm);
    const x = scale();
    view.rows = rows;
    content.selectAll("*").remove();
    svg.attr("height", height).attr("viewBox", `0 0 ${kWidth} ${height}`)
      .attr("aria-label", `Timeline of SM ${view.sm.sm} of ${run.label}, cycles ${view.window[0]} to ${view.window[1]}`);
    content.append("g").attr("class", "axis").attr("transform", `translate(0,${kTimelineMargin.top - 4})`)
      .call(d3.axisTop(x).ticks(kTicks));
    for (const row of rows) {
      if (row.kind === "warp" && !row.label) continue;
      content.append("text").attr("x", kTimelineMargin.left - 6).attr("y", row.top + Math.min(row.height, 12) / 2)
        .attr("dy", "0.35em").attr("text-anchor", "end").style("font-size", "10px").text(row.name);
    }
    const of = (kind) => rows.filter((row) => row.kind === kind);
    for (const kind of ["launch", "tb"]) of(kind).forEach((row) => drawBars(row, x, kind));
    drawStates(of("warp"), x);
    of("counter").forEach((row) => drawCounter(row, x));
    if (of("request").length) drawRequests(of("request"), x);
    told.text(where());
  }

  const where = () => `SM ${view.sm.sm}, cycles ${formats.count(view.window[0])} to ${formats.count(view.window[1])}.`;

  /** What is at a point of the chart, in words. */
  function at(px, py) {
    const row = view.rows.find((entry) => py >= entry.top && py < entry.top + entry.height);
    const cycle = scale().invert(px);
    if (!row || cycle < view.window[0] || cycle >= view.window[1]) return null;
    const place = `SM ${view.sm.sm}, cycle ${formats.count(Math.floor(cycle))}, ${row.name || "request"}: `;
    if (row.kind === "counter") {
      const last = d3.range(0, row.points.length, 2).filter((i) => row.points[i] <= cycle).pop();
      return last === undefined ? null : place + formats.number(row.points[last + 1]);
    }
    if (row.kind === "request") {
      if (!row.shown) return null;
      const {kind, address, warp_slot, pc, way} = row.shown;
      return `${kind} of ${address} by warp slot ${warp_slot} at ${pc}: ` +
        way.map(([stage, , cycles, place]) => `${stage} ${formats.number(cycles)} (${place})`).join(", ");
    }
    const span = row.spans.find((entry) => cycle >= entry.start && cycle < entry.end);
    if (!span) return place + "empty";
    const length = `${formats.count(span.start)} to ${formats.count(span.end)}`;
    return row.kind === "warp" ? `${place}${lifeName(timeline, span.life, "warp")}, ${states[span.state].name}, ${length}`
      : `${place}${lifeName(timeline, span, row.kind)}, ${length}`;
  }

  const select = bar.append("label").text("SM ").append("select").on("change", () =>
    chooseSm(timeline.sms.findIndex((sm) => String(sm.sm) === select.property("value"))));
  select.selectAll("option").data(timeline.sms).enter().append("option").attr("value", (sm) => sm.sm).text((sm) => sm.sm);
  for (const [text, label, act] of [["+", "Zoom in", () => zoom(0.5)], ["\u2212", "Zoom out", () => zoom(2)],
    ["\u2190", "Earlier", () => move(-0.5)], ["\u2192", "Later", () => move(0.5)], ["All", "The whole timeline", () => show(...whole)]]) {
    bar.append("button").attr("type", "button").attr("aria-label", label).attr("title", label).text(text).on("click", act);
  }
  const keys = {"+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": () => show(...whole),
    ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25),
    ArrowUp: () => chooseSm(timeline.sms.indexOf(view.sm) - 1), ArrowDown: () => chooseSm(timeline.sms.indexOf(view.sm) + 1)};
  const chart = svg.node();
  const pointer = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  let dragged = null;
  const listeners = {
    keydown(event) {
      if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      keys[event.key]();
    },
    pointerdown(event) {
      dragged = {at: pointer(event)[0], window: view.window};
      chart.setPointerCapture(event.pointerId);
    },
    pointerup() { dragged = null; },
    pointercancel() { dragged = null; },
    pointermove(event) {
      const point = pointer(event);
      if (dragged) {
        const [from, to] = dragged.window;
        const x = scale().domain(dragged.window);
        const by = x.invert(dragged.at) - x.invert(point[0]);
        show(from + by, to + by);
      } else {
        told.text(at(...point) || where());
      }
    },
    wheel(event) {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.5 : 1 / 1.5, scale().invert(pointer(event)[0]));
    },
  };
  for (const [name, listen] of Object.entries(listeners)) chart.addEventListener(name, listen);
  draw();
}

/** What a page leaves out of a run's timeline, and what the file did. */
function leftOutOfTimeline(timeline) {
  const out = timeline.left_out.slice();
  if (timeline.quantum > 1) out.push(`here, states shorter than ${plural(timeline.quantum, "cycle")} are merged with those beside them`);
  if (timeline.sms_left_out) out.push(`here, ${plural(timeline.sms_left_out, "SM")}`);
  if (timeline.requests.length < timeline.requests_in_file) {
    out.push(`here, ${formats.count(timeline.requests_in_file - timeline.requests.length)} of ` +
      `${formats.count(timeline.requests_in_file)} followed memory requests`);
  }
  return out.length ? `Left out: ${out.join("; ")}.` : "";
}

function showTimeline(report) {
  const runs = report.runs.filter((run) => run.timeline);
  if (!runs.length) return;
  const shares = runs.filter((run) => run.timeline.states).flatMap((run) => {
    const all = Object.values(run.timeline.state_cycles);
    const whole = d3.sum(all, (cycles) => d3.sum(Object.values(cycles)));
    return whole ? timelineStates(run.timeline).map((state) => ({run, state,
      share: d3.sum(all, (cycles) => cycles[state.key] || 0) / whole})) : [];
  });
  const worst = d3.greatest(shares.filter((entry) => !["selected", "not_selected"].includes(entry.state.key)),
    (a, b) => a.share - b.share);
  const rule = "Each row is a slot of one SM, and its colour what the warp there does. Buttons, dragging, and Ctrl with the " +
    "wheel move and zoom, as do the keys +, -, 0 and the arrows." + (worst ? ` In ${worst.run.label}, warps spend most, ` +
    `${formats.percent(worst.share)} of their cycles, in one state: ${worst.state.name}. Without it they would live ` +
    `${formats.percent(worst.share)} shorter at most.` : "");
  addSection("timeline", "Timeline of warps", rule, (section) => {
    for (const run of runs) {
      section.append("h3").text(run.label);
      if (!run.timeline.states) {
        section.append("p").attr("class", "rule").text(`Its timeline.json has ${formats.count(run.timeline.too_large_bytes / 1e6)} ` +
          "MB, too many for this page: open it in Perfetto, or ask for a window, fewer SMs or fewer events.");
        continue;
      }
      if (run.timeline.sms.length) addTimeline(section, run, `timeline-${report.runs.indexOf(run)}`);
      const out = leftOutOfTimeline(run.timeline);
      if (out) section.append("p").attr("class", "rule").text(out);
    }
    if (report.first_only.includes("timeline")) {
      section.append("p").attr("class", "rule").text(`The timelines of the first ${runs.length} runs that have one are shown.`);
    }
  });
}
