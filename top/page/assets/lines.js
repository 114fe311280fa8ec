// Charts over an axis of numbers: lines, and histograms.
"use strict";

/** The frame of a chart with two numeric axes: draws them, with their names, into svg. */
function drawAxes(svg, {x, y, width, height, margin, xName, yName, xFormat, yFormat, xTicks, tickFormat}) {
  svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
    .call(xTicks ? d3.axisBottom(x).tickValues(xTicks).tickFormat(tickFormat || formats.number) : withTicks(d3.axisBottom(x), kTicks, xFormat));
  svg.append("g").attr("class", "axis").attr("transform", `translate(${margin.left},0)`)
    .call(withTicks(d3.axisLeft(y), 6, yFormat));
  svg.append("text").attr("x", (margin.left + width - margin.right) / 2).attr("y", height - 6)
    .attr("text-anchor", "middle").text(xName);
  svg.append("text").attr("transform", `translate(14,${height / 2}) rotate(-90)`).attr("text-anchor", "middle").text(yName);
}

/** Of more points than this a chart has the lines only: dots would hide each other, and take the browser's time. */
const kMostDots = 400;

/**
 * Lines over a common axis: lines [{name, colour, points: [[x, y]], dashes}], a table with a row for each x. `stacked`: the
 * areas under the lines, one on the other; all lines have the same x then. `steps`: a value holds from the x before it.
 * Without it the few x that there are have the ticks. `xNames`: what x of 1, 2 and so on are called. `level`: a value to draw a
 * line at. `beside`: numbers of papers, [{at, number}]; `numbers`: {columns, rows} of the table, when it is another one.
 */
function addLineChart(parent, {id, label, lines, xName, yName, xFormat, yFormat, stacked, steps, top, marks, xNames, level, beside,
  numbers}) {
  const height = 300;
  const margin = {top: 10, right: 20, bottom: 40, left: 72};
  const all = lines.flatMap((line) => line.points);
  const xs = [...new Set(all.map((point) => point[0]))].sort((a, b) => a - b);
  const values = lines.map((line) => new Map(line.points));
  const at = (i, x) => (values[i].get(x) === undefined ? null : values[i].get(x));
  const given = (beside || []).map((mark) => mark.number.value).concat(level === undefined || level === null ? [] : [level]);
  const most = stacked ? d3.max(xs, (x) => d3.sum(lines, (line, i) => at(i, x) || 0)) :
    d3.max(all.map((point) => point[1]).concat(given));
  const named = xNames ? d3.range(1, xNames.length + 1) : xs;
  const everyNth = xNames ? Math.ceil(xNames.length * (14 + 6.6 * d3.max(xNames, (name) => name.length)) / kWidth) : 1;
  return addFigure(parent, {
    id, label, width: kWidth, height, legend: lines.map((line) => ({name: line.name, colour: line.colour}))
      .concat(beside && beside.length ? [kHollow] : []),
    columns: [{name: xName, number: true, format: xFormat || formats.number}].concat(lines.map((line) =>
      ({name: line.name, number: true, format: yFormat || formats.number}))),
    rows: xs.map((x) => [x].concat(lines.map((line, i) => at(i, x)))), ...numbers,
    draw(svg) {
      const x = d3.scaleLinear([steps ? 0 : d3.min(named), d3.max(named)], [margin.left, kWidth - margin.right]);
      const y = d3.scaleLinear([Math.min(0, d3.min(all, (point) => point[1]) || 0, ...given), top || most || 1],
        [height - margin.bottom, margin.top]);
      if (!top) y.nice(6);
      drawAxes(svg, {x, y, width: kWidth, height, margin, xName, yName, xFormat, yFormat,
        xTicks: xNames ? named.filter((at) => (at - 1) % everyNth === 0) : !steps && xs.length <= kTicks ? xs : null,
        tickFormat: xNames ? (at) => xNames[at - 1] : null});
      if (level !== undefined && level !== null) {
        svg.append("line").attr("class", "base").attr("x1", margin.left).attr("x2", kWidth - margin.right).attr("y1", y(level))
          .attr("y2", y(level)).attr("stroke-dasharray", "4 3");
      }
      const curve = steps ? d3.curveStepBefore : d3.curveLinear;
      const below = new Map();
      for (const line of lines) {
        const begun = steps && line.points.length ? [[0, line.points[0][1]]].concat(line.points) : line.points;
        const path = svg.append("path").attr("data-row", line.name)
          .attr("data-points", line.points.map((point) => point.join(",")).join(" "));
        if (stacked) {
          path.attr("fill", line.colour).attr("class", "outline").attr("d", d3.area().curve(curve).x((p) => x(p[0]))
            .y0((p) => y(below.get(p[0]) || 0)).y1((p) => y((below.get(p[0]) || 0) + p[1]))(begun));
          for (const [at, value] of begun) below.set(at, (below.get(at) || 0) + value);
        } else {
          path.attr("fill", "none").attr("stroke", line.colour).attr("stroke-width", 1.8)
            .attr("stroke-dasharray", line.dashes || null)
            .attr("d", d3.line().curve(curve).defined((p) => p[1] !== null).x((p) => x(p[0])).y((p) => y(p[1]))(begun));
          if (line.points.length <= 40 && all.length <= kMostDots) {
            svg.append("g").selectAll("circle").data(line.points.filter((p) => p[1] !== null)).enter().append("circle")
              .attr("class", "outline").attr("cx", (p) => x(p[0])).attr("cy", (p) => y(p[1])).attr("r", 4)
              .attr("fill", line.colour).append("title").text((p) => `${line.name}: ${(xFormat || formats.number)(p[0])}, ` +
                `${(yFormat || formats.number)(p[1])}`);
          }
        }
        path.append("title").text(line.name);
      }
      for (const mark of beside || []) {
        addPaperMark(svg, {x: x(mark.at), y: y(mark.number.value), number: mark.number, row: mark.number.row, series: mark.number.series,
          format: yFormat, upright: true});
      }
      for (const mark of marks || []) {
        svg.append("line").attr("class", "grid").attr("x1", x(mark.x)).attr("x2", x(mark.x)).attr("y1", margin.top)
          .attr("y2", height - margin.bottom).attr("stroke-dasharray", "4 3").append("title").text(mark.name);
      }
    },
  });
}

/** Counts in bins of equal width: sets [{name, colour, counts}], side by side in each bin. `open`: bins are (from, to]. */
function addHistogram(parent, {id, label, bin, sets, xName, yName, format, open}) {
  const height = 260;
  const margin = {top: 10, right: 20, bottom: 40, left: 72};
  const bins = d3.max(sets, (set) => set.counts.length);
  const name = (i) => (open ? `(${format(i * bin)}, ${format((i + 1) * bin)}]` : `${format(i * bin)} to ${format((i + 1) * bin)}`);
  return addFigure(parent, {
    id, label, width: kWidth, height, legend: sets.map((set) => ({name: set.name, colour: set.colour})),
    columns: [{name: xName}].concat(sets.map((set) => ({name: set.name, number: true, format: formats.count}))),
    rows: d3.range(bins).map((i) => [name(i)].concat(sets.map((set) => set.counts[i] || 0))),
    draw(svg) {
      const x = d3.scaleLinear([0, bins * bin], [margin.left, kWidth - margin.right]);
      const y = d3.scaleLinear([0, d3.max(sets, (set) => d3.max(set.counts)) || 1], [height - margin.bottom, margin.top]).nice(6);
      drawAxes(svg, {x, y, width: kWidth, height, margin, xName, yName, xFormat: format, yFormat: formats.count});
      const step = (x(bin) - x(0)) / sets.length;
      sets.forEach((set, s) => set.counts.forEach((count, i) => {
        if (!count) return;
        svg.append("rect").attr("class", "outline").attr("x", x(i * bin) + s * step).attr("y", y(count)).attr("width", step)
          .attr("height", y(0) - y(count)).attr("fill", set.colour).attr("data-row", set.name).attr("data-key", name(i))
          .attr("data-value", count).append("title").text(`${set.name}, ${name(i)}: ${formats.count(count)}`);
      }));
    },
  });
}
