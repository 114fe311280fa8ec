// Charts of papers' figures: our values filled, the paper's numbers as hollow marks beside them.
"use strict";

const kPaperFormats = {
  percent: formats.percent,
  ratio: (v) => (Math.abs(v) >= 1000 ? formats.count(v) : formats.ratio(v)),
  count: (v) => (Math.abs(v) >= 1000 || Number.isInteger(v) ? formats.count(v) : d3.format(".2f")(v)),
};

const kHollow = {name: "the paper's number", hollow: true};

/** A figure's numbers of the paper, by row and series. */
function paperNumbers(figure) {
  const numbers = new Map(figure.paper.map((number) => [JSON.stringify([number.row, number.series]), number]));
  return (row, series) => numbers.get(JSON.stringify([row, series])) || null;
}

/** "1.120", "at least 1.300". */
function shownNumber(number, format) {
  return (number.bound ? number.bound + " " : "") + format(number.value);
}

/** A diamond; of a bound a triangle that points where the value may lie, to the right or, if `upright`, upwards. */
function addPaperMark(svg, {x, y, number, row, series, format, upright}) {
  const turned = {"": 0, "at least": upright ? 0 : 90, "at most": upright ? 180 : -90}[number.bound];
  svg.append("path").attr("class", "hollow").attr("fill", "var(--paper)").attr("stroke", "var(--ink)")
    .attr("transform", `translate(${x},${y}) rotate(${turned})`)
    .attr("d", d3.symbol().type(number.bound ? d3.symbolTriangle : d3.symbolDiamond).size(44)())
    .attr("data-row", row).attr("data-series", series).attr("data-paper", number.value)
    .append("title").text(`${row}, ${series}: the paper has ${shownNumber(number, format)} (section ${number.section})`);
}

/** All values of a figure as text, with a column for the paper's beside those of a series that it has numbers for. */
function paperTable(figure, table) {
  const format = kPaperFormats[figure.format];
  const numbers = paperNumbers(figure);
  const series = table.series.map((one) => ({name: one.name, given: table.rows.some((row) => numbers(row.label, one.name))}));
  const columns = series.flatMap(({name, given}) => [{name, number: true}].concat(given ? [{name: `${name}, the paper`, number: true}] : []));
  const rows = table.rows.map((row) => {
    const own = row.counts ? kPaperFormats.count : format;
    return [row.label].concat(series.flatMap(({name, given}, s) => {
      const number = numbers(row.label, name);
      const ours = row.values[s] === null ? null : own(row.values[s]);
      return given ? [ours, number ? shownNumber(number, own) : null] : [ours];
    }));
  });
  return {columns: [{name: table.row_heading || ""}].concat(columns), rows};
}

/** Bars of a group: each has the places of the series that lie on each other in it, from the left. */
function barsOfSeries(series) {
  const part = (one) => (one.bar && one.name.startsWith(one.bar + ", ") ? one.name.slice(one.bar.length + 2) : one.name);
  const parts = [...new Set(series.map(part))];
  const bars = new Map();
  series.forEach((one, i) => {
    const key = one.bar ? "bar " + one.bar : "series " + i;
    if (!bars.has(key)) bars.set(key, {name: one.bar || "", places: []});
    bars.get(key).places.push(i);
  });
  return {bars: [...bars.values()], parts, colours: series.map((one) => kShades[parts.indexOf(part(one)) % kShades.length])};
}

/** A group of horizontal bars for each row of a figure's table. Many bars are thin ones, as none is left out. */
function addPaperBars(parent, {id, label, figure, table}) {
  const format = kPaperFormats[figure.format];
  const numbers = paperNumbers(figure);
  const rows = table.rows.filter((row) => !row.counts);
  const {bars, parts, colours} = barsOfSeries(table.series);
  const names = bars.some((bar) => bar.name);
  const count = rows.length * bars.length;
  const barHeight = count <= 60 ? 15 : names || count <= 130 ? 11 : 6;
  const gap = Math.round(barHeight / 2.5);
  const namesWidth = names ? 10 + 5.5 * d3.max(bars, (bar) => bar.name.length) : 0;
  const margin = {top: 4, right: 64, bottom: figure.unit ? 40 : 24, left: labelWidth(rows.map((row) => row.label)) + namesWidth};
  const height = margin.top + margin.bottom + rows.length * (bars.length * barHeight + gap) + gap;
  const ends = rows.flatMap((row) => bars.map((bar) => Number(d3.sum(bar.places, (s) => row.values[s] || 0).toPrecision(6))));
  const given = rows.flatMap((row) => table.series.map((one) => numbers(row.label, one.name)).filter((n) => n).map((n) => n.value));
  const all = ends.concat(given, [0, figure.reference || 0]);
  const legend = (parts.length > 1 ? parts.map((name, i) => ({name, colour: kShades[i % kShades.length]})) : [])
    .concat(given.length ? [kHollow] : []);
  return addFigure(parent, {
    id, label, width: kWidth, height, legend, ...paperTable(figure, table),
    draw(svg) {
      const x = d3.scaleLinear(d3.extent(all), [margin.left, kWidth - margin.right]).nice(kTicks);
      svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
        .call(withTicks(d3.axisBottom(x), kTicks, format));
      if (figure.unit) {
        svg.append("text").attr("x", (margin.left + kWidth - margin.right) / 2).attr("y", height - 6)
          .attr("text-anchor", "middle").text(figure.unit);
      }
      const below = svg.append("g");
      if (figure.reference !== null) {
        svg.append("line").attr("class", "base").attr("x1", x(figure.reference)).attr("x2", x(figure.reference))
          .attr("y1", margin.top).attr("y2", height - margin.bottom).attr("stroke-dasharray", "4 3");
      }
      let top = margin.top;
      rows.forEach((row, r) => {
        if (row.summary && r > 0 && !rows[r - 1].summary) {
          svg.append("line").attr("class", "grid").attr("x1", 0).attr("x2", kWidth).attr("y1", top + gap / 2).attr("y2", top + gap / 2);
          top += gap;
        }
        addLabel(svg, row.label, margin.left - namesWidth, top + bars.length * barHeight / 2);
        for (const bar of bars) {
          let at = 0;
          const marks = [];
          for (const s of bar.places) {
            const value = row.values[s];
            const number = numbers(row.label, table.series[s].name);
            if (number) marks.push({x: x(at + number.value), y: top + barHeight / 2, number, row: row.label, series: table.series[s].name, format});
            if (value === null) continue;
            below.append("rect").attr("class", "outline").attr("x", Math.min(x(at), x(at + value))).attr("y", top)
              .attr("height", barHeight - 1).attr("width", Math.abs(x(at + value) - x(at))).attr("fill", colours[s])
              .attr("data-row", row.label).attr("data-key", table.series[s].name).attr("data-value", value)
              .append("title").text(`${row.label}, ${table.series[s].name}: ${format(value)}`);
            at += value;
          }
          if (bar.name) {
            svg.append("text").attr("x", margin.left - 4).attr("y", top + barHeight / 2).attr("dy", "0.35em")
              .attr("text-anchor", "end").attr("font-size", 9).text(bar.name);
          } else if (barHeight > 11 && row.values[bar.places[0]] !== null) {
            const right = Math.max(x(0), x(at), ...marks.map((mark) => mark.x + 6));
            svg.append("text").attr("class", "beside").attr("x", right + 4).attr("y", top + barHeight / 2).attr("dy", "0.35em")
              .text(format(row.values[bar.places[0]]));
          }
          for (const mark of marks) addPaperMark(svg, mark);
          top += barHeight;
        }
        top += gap;
      });
    },
  });
}

/** A line for each series over the rows, which are numbers, or evenly spaced. */
function addPaperLines(parent, {id, label, figure, table}) {
  const format = kPaperFormats[figure.format];
  const rows = table.rows.filter((row) => !row.counts);
  const numeric = rows.every((row) => row.label.trim() !== "" && Number.isFinite(Number(row.label)));
  const at = (row) => (numeric ? Number(row.label) : rows.indexOf(row) + 1);
  const places = new Map(rows.map((row) => [row.label, at(row)]));
  return addLineChart(parent, {id, label, xName: table.row_heading || "", yName: figure.unit, yFormat: format,
    xNames: numeric ? null : rows.map((row) => row.label), level: figure.reference, numbers: paperTable(figure, table),
    lines: table.series.map((one, s) => ({name: one.name, colour: kShades[s % kShades.length], dashes: s >= kShades.length ? "5 3" : null,
      points: rows.map((row) => [at(row), row.values[s]]).filter((point) => point[1] !== null)})),
    beside: figure.paper.filter((number) => places.has(number.row) && table.series.some((one) => one.name === number.series))
      .map((number) => ({at: places.get(number.row), number}))});
}

/** Box plots, one below the other: boxes [{group, series, numbers, outliers}] as a figure's `extra` has them; numbers are
 * least, lower quartile, median, upper quartile, most, and the ends of the whiskers. */
function addBoxes(parent, {id, label, boxes, unit, reference, format}) {
  const kinds = [...new Set(boxes.map((box) => box.series))];
  const colour = (box) => kPalette[kinds.indexOf(box.series) % kPalette.length];
  const name = (box) => [box.group, box.series].filter((part) => part).join(", ");
  const margin = {top: 4, right: 20, bottom: 40, left: labelWidth(boxes.map(name))};
  const height = margin.top + margin.bottom + kRowHeight * boxes.length;
  const values = boxes.flatMap((box) => [box.numbers[0], box.numbers[4]]).concat([0, reference || 0]);
  return addFigure(parent, {
    id, label, width: kWidth, height, legend: kinds.length > 1 ? kinds.map((kind, i) => ({name: kind, colour: kPalette[i % kPalette.length]})) : null,
    columns: [{name: ""}].concat(["least", "lower quartile", "median", "upper quartile", "most", "low whisker", "high whisker"]
      .map((column) => ({name: column, number: true, format})), [{name: "outliers", number: true}]),
    rows: boxes.map((box) => [name(box), ...box.numbers, box.outliers.length]),
    draw(svg) {
      const x = d3.scaleLinear(d3.extent(values), [margin.left, kWidth - margin.right]).nice(kTicks);
      svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
        .call(withTicks(d3.axisBottom(x), kTicks, format));
      svg.append("text").attr("x", (margin.left + kWidth - margin.right) / 2).attr("y", height - 6)
        .attr("text-anchor", "middle").text(unit);
      if (reference !== null) {
        svg.append("line").attr("class", "base").attr("x1", x(reference)).attr("x2", x(reference)).attr("y1", margin.top)
          .attr("y2", height - margin.bottom).attr("stroke-dasharray", "4 3");
      }
      boxes.forEach((box, i) => {
        const [, lower, median, upper, , low, high] = box.numbers;
        const top = margin.top + i * kRowHeight + 3;
        const tall = kRowHeight - 6;
        const upright = (value, from, to, ink) => svg.append("line").attr("x1", x(value)).attr("x2", x(value)).attr("y1", from)
          .attr("y2", to).attr("stroke", ink);
        addLabel(svg, name(box), margin.left, top + tall / 2);
        svg.append("line").attr("x1", x(low)).attr("x2", x(high)).attr("y1", top + tall / 2).attr("y2", top + tall / 2)
          .attr("stroke", "var(--quiet)");
        upright(low, top + 3, top + tall - 3, "var(--quiet)");
        upright(high, top + 3, top + tall - 3, "var(--quiet)");
        svg.append("rect").attr("x", x(lower)).attr("width", Math.max(1, x(upper) - x(lower))).attr("y", top).attr("height", tall)
          .attr("fill", colour(box)).attr("data-row", box.group).attr("data-key", box.series).attr("data-value", median)
          .append("title").text(`${name(box)}: quartiles ${format(lower)} and ${format(upper)}, median ${format(median)}`);
        upright(median, top, top + tall, "var(--paper)").attr("stroke-width", 2);
        for (const outlier of new Set(box.outliers)) {
          svg.append("circle").attr("cx", x(outlier)).attr("cy", top + tall / 2).attr("r", 2).attr("fill", colour(box))
            .append("title").text(`${name(box)}: ${format(outlier)}`);
        }
      });
    },
  });
}
