// The lines of kernels, with what each did and what warps waited for at it: runs with --profile.
"use strict";

const kStateBarWidth = 120;

function lineCycles(keys, line) {
  return d3.sum(keys, (key) => line.cycles[key.place]);
}

/** Value of a line's memory figure; null when it has none. */
function memoryFigure(line, name) {
  return line.memory && line.memory[name] !== undefined ? line.memory[name] : null;
}

function quotient(part, whole) {
  return part === null || !whole ? null : part / whole;
}

/** The columns of numbers: heading, explanation, value of a line, format. */
function sourceColumns(keys, all) {
  return [
    {key: "share", name: "warp cycles", title: "share of the run's warp cycles", format: formats.percent,
      value: (line) => lineCycles(keys, line) / all},
    {key: "issued", name: "issued", title: "warp instructions", format: formats.count, value: (line) => line.issued},
    {key: "lanes", name: "lanes", title: "lanes that executed, per warp instruction", format: formats.number,
      value: (line) => quotient(line.lanes, line.issued)},
    {key: "accesses", name: "lines per access", title: "accesses to the L1D or the texture cache, per warp instruction",
      format: formats.number, value: (line) => quotient(memoryFigure(line, "accesses") === null ?
        memoryFigure(line, "texture_lines") : memoryFigure(line, "accesses"), line.issued)},
    {key: "hits", name: "hits", title: "of what was looked up in the L1D or the texture cache", format: formats.percent,
      value: (line) => quotient(memoryFigure(line, "l1d_hits") === null ? memoryFigure(line, "texture_hits") :
        memoryFigure(line, "l1d_hits"), d3.sum(["l1d_hits", "l1d_merged", "l1d_misses", "texture_hits", "texture_pending_hits",
        "texture_misses"], (name) => memoryFigure(line, name)))},
    {key: "used", name: "bytes used", title: "bytes that lanes asked for, of those moved to and from the L1D",
      format: formats.percent, value: (line) => quotient(memoryFigure(line, "bytes"), memoryFigure(line, "moved_bytes"))},
    {key: "conflicts", name: "bank conflicts", title: "cycles of the shared-memory banks after the first, per warp instruction",
      format: formats.number, value: (line) => quotient(memoryFigure(line, "bank_conflict_cycles"), line.issued)},
    {key: "latency", name: "latency", title: "mean cycles from issue to result", format: formats.count,
      value: (line) => quotient(memoryFigure(line, "result_cycles"), memoryFigure(line, "results"))},
  ];
}

/** A bar of the line's states, as long as its part of the hottest line's cycles. */
function addStateBar(cell, keys, line, most) {
  const svg = cell.append("svg").attr("width", kStateBarWidth).attr("height", 12).attr("aria-hidden", "true");
  let at = 0;
  for (const key of keys) {
    const cycles = line.cycles[key.place];
    if (cycles === 0) continue;
    const width = cycles / most * kStateBarWidth;
    svg.append("rect").attr("x", at).attr("width", width).attr("height", 12).attr("fill", key.colour)
      .attr("data-index", line.index).attr("data-key", key.key).attr("data-value", cycles)
      .append("title").text(`${key.name}: ${formats.count(cycles)} warp cycles`);
    at += width;
  }
}

/** "memory 91.0%": the state in which most of the line's warp cycles go by, issuing aside. */
function mostly(keys, line) {
  const waits = keys.filter((key) => key.key !== "selected");
  const worst = waits[d3.maxIndex(waits, (key) => line.cycles[key.place])];
  const cycles = line.cycles[worst.place];
  return cycles === 0 ? "" : `${worst.label} ${formats.percent(cycles / lineCycles(keys, line))}`;
}

/** The line of a run in which most warp cycles go by, and what its waits are at most worth. */
function hottestLine(run, keys) {
  const lines = run.source.kernels.flatMap((kernel) => kernel.lines.map((line) => ({kernel, line,
    cycles: lineCycles(keys, line)})));
  const hottest = d3.greatest(lines, (entry) => entry.cycles);
  const waits = hottest.cycles - hottest.line.cycles[keys.find((key) => key.key === "selected").place];
  const left = 1 - waits / run.profile.warp_cycles;
  return {...hottest, run, gain: Math.min(1 / slotsUsed(run.profile), 1 / Math.max(left, 0.001))};
}

function ruleOfSource(runs, keys) {
  const {run, kernel, line, cycles, gain} = d3.greatest(runs.map((one) => hottestLine(one, keys)), (entry) => entry.gain);
  return "A wait stands at the line that wants to issue, one at a barrier, membar or exit at that. " +
    `${run.label}: line ${line.line} of ${kernel.name} takes ${formats.percent(cycles / run.profile.warp_cycles)} of ` +
    `the warp cycles, ${mostly(keys, line) || "issuing"}; were its waits gone, at most ${formats.ratio(gain)} times as fast.`;
}

/** The lines of one kernel, in the order that `state` says. */
function fillSource(area, run, kernel, keys, state) {
  const columns = sourceColumns(keys, run.profile.warp_cycles);
  const most = d3.max(kernel.lines, (line) => lineCycles(keys, line)) || 1;
  const wanted = state.search.toLowerCase();
  const lines = kernel.lines.filter((line) => `${line.text} ${line.source || ""} ${line.line}`.toLowerCase().includes(wanted));
  const column = columns.find((candidate) => candidate.key === state.sort);
  if (column) lines.sort((a, b) => d3.descending(column.value(a), column.value(b)) || a.index - b.index);
  area.selectAll("*").remove();
  const shown = columns.filter((candidate) => kernel.lines.some((line) => candidate.value(line) !== null));
  const withSource = kernel.lines.some((line) => line.source);
  const table = area.append("div").attr("class", "scroll source").append("table").attr("id", "source-table")
    .attr("aria-label", `Lines of ${kernel.name}`);
  const head = table.append("thead").append("tr");
  const again = () => fillSource(area, run, kernel, keys, state);
  const addSorter = (name, title, sort) => head.append("th").attr("scope", "col")
    .attr("aria-sort", state.sort === sort ? (sort === "" ? "ascending" : "descending") : null)
    .append("button").attr("type", "button").attr("title", title).text(name)
    .on("click", () => { state.sort = sort; again(); });
  addSorter("line", "in the order of the PTX", "");
  if (withSource) head.append("th").attr("scope", "col").text("source");
  head.append("th").attr("scope", "col").text("instruction");
  for (const entry of shown) addSorter(entry.name, entry.title, entry.key);
  head.append("th").attr("scope", "col").text("warps at it, by state");
  head.append("th").attr("scope", "col").text("mostly");
  const body = table.append("tbody");
  for (const line of lines) {
    const row = body.append("tr").attr("data-index", line.index);
    row.append("td").attr("class", "number").text(line.line || "-");
    if (withSource) row.append("td").text(line.source || "");
    row.append("td").append("code").attr("title", line.text).text(line.text);
    for (const entry of shown) {
      const number = entry.value(line);
      row.append("td").attr("class", "number").attr("data-key", entry.key).attr("data-value", number)
        .text(number === null ? "" : entry.format(number));
    }
    addStateBar(row.append("td"), keys, line, most);
    row.append("td").text(mostly(keys, line));
  }
  if (!lines.length) area.append("p").text("No line has that text.");
}

function addChoice(parent, label, names, chosen) {
  const choice = parent.append("label").text(label + " ").append("select");
  choice.selectAll("option").data(names).enter().append("option").attr("value", (name, i) => i).text((name) => name);
  choice.on("change", () => chosen(Number(choice.property("value"))));
}

function showSource(report) {
  const runs = profiledRuns(report).filter((run) => run.source && run.source.kernels.length > 0);
  if (!runs.length) return;
  const keys = stateKeys(report);
  addSection("source", "Source", ruleOfSource(runs, keys), (section) => {
    tellFirstOnly(section, report, "source", runs.length);
    const lines = runs.flatMap((one) => one.source.kernels).flatMap((one) => one.lines);
    const used = keys.filter((key) => lines.some((line) => line.cycles[key.place] > 0));
    addLegend(section, used);
    const tools = section.append("div").attr("class", "tools");
    const left = section.append("p");
    const state = {sort: "", search: ""};
    let run = runs[0];
    let kernel = null;
    const area = section.append("div").attr("id", "source-lines");
    const show = () => fillSource(area, run, kernel, keys, state);
    const kernels = tools.append("span");
    const showRun = (place) => {
      run = runs[place];
      // The first kernel is that with the most warp cycles.
      kernel = run.source.kernels[0];
      left.text(run.source.left_out ? `${plural(run.source.left_out, "line")} with fewer warp cycles left out.` : "");
      kernels.selectAll("*").remove();
      addChoice(kernels, "Kernel", run.source.kernels.map((one) => one.name), (at) => {
        kernel = run.source.kernels[at];
        show();
      });
      show();
    };
    addChoice(tools, "Run", runs.map((one) => one.label), showRun);
    tools.append(() => kernels.node());
    const box = tools.append("label").text("Search ").append("input").attr("type", "search").attr("id", "source-search");
    box.on("input", () => { state.search = box.property("value"); show(); });
    showRun(0);
  });
}
