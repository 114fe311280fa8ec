// Charts as SVG by D3: each has a title for screen readers, a table of its numbers behind it, and can be saved as
// SVG and PNG. Colours are of Okabe and Ito's palette, which colour-blind people tell apart; shades of one colour
// are ordered from dark to light.
"use strict";

const kPalette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7f7f7f"];

/** The palette, and darker and lighter shades of it, for what has more kinds than there are colours. */
const kShades = kPalette.concat(["#003f66", "#8a5f00", "#7fd6bd", "#8c4870", "#c3e3f7", "#f7b489", "#8aa84f", "#c8c8c8"]);

const formats = {
  count: (v) => d3.format(",")(Math.round(v)),
  percent: (v) => d3.format(".1%")(v),
  ratio: (v) => d3.format(".3f")(v),
  tenths: (v) => d3.format(",.1f")(v),
  number: (v) => (Math.abs(v) >= 1000 ? d3.format(",.0f")(v) : d3.format(".4~g")(v)),
};

/** A section with a heading, a rule in words, and what `fill` puts below. */
function addSection(id, heading, rule, fill) {
  const section = d3.select("#sections").append("section").attr("id", id).attr("aria-labelledby", id + "-h");
  section.append("h2").attr("id", id + "-h").text(heading);
  if (rule) section.append("p").attr("class", "rule").text(rule);
  d3.select("#contents").append("a").attr("href", "#" + id).text(heading);
  fill(section);
}

/** columns: [{name, number: true}], rows: lists of cells. `label` is for screen readers; `differs` marks rows. */
function addTable(parent, label, columns, rows, differs) {
  const table = parent.append("div").attr("class", "scroll").attr("role", "region").attr("tabindex", 0)
    .attr("aria-label", label).append("table");
  table.append("thead").append("tr").selectAll("th").data(columns).enter().append("th").attr("scope", "col")
    .attr("class", (column) => (column.number ? "number" : null)).text((column) => column.name);
  const body = table.append("tbody").selectAll("tr").data(rows).enter().append("tr");
  if (differs) body.classed("differs", (row, i) => differs(row, i));
  body.selectAll("td").data((row) => row).enter().append("td")
    .attr("class", (cell, i) => (columns[i].number ? "number" : null))
    .text((cell, i) => (cell === null || cell === undefined ? "-" : columns[i].format && typeof cell === "number"
      ? columns[i].format(cell) : cell));
  return table;
}

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** What the legend of a chart says, as SVG above it, in lines as wide as the chart; nothing without a legend. */
function addSavedLegend(copy, legend) {
  if (!legend) return;
  const [width, height] = [Number(copy.getAttribute("width")), Number(copy.getAttribute("height"))];
  const row = 18;
  const group = d3.select(copy).append("g");
  let [x, y] = [8, row];
  for (const entry of legend.querySelectorAll("span")) {
    const long = 22 + 7 * entry.textContent.length;
    if (x > 8 && x + long > width) [x, y] = [8, y + row];
    const mark = group.append("rect").attr("x", x).attr("y", y - 10).attr("width", 10).attr("height", 10);
    if (entry.classList.contains("hollow")) {
      mark.attr("fill", "none").attr("stroke", "var(--ink)").attr("transform", `rotate(45 ${x + 5} ${y - 5}) `);
    } else {
      mark.attr("fill", entry.style.getPropertyValue("--colour")).attr("stroke", "var(--line)");
    }
    group.append("text").attr("x", x + 15).attr("y", y).text(entry.textContent);
    x += long + 8;
  }
  const taken = y + row / 2;
  group.attr("transform", `translate(0,${-taken})`);
  copy.setAttribute("height", height + taken);
  copy.setAttribute("viewBox", `0 ${-taken} ${width} ${height + taken}`);
}

/** The chart as it is saved: with its legend, and colours that come from the page's style written into it. */
function savedSvg(svg) {
  const copy = svg.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const rules = document.createElementNS("http://www.w3.org/2000/svg", "style");
  const named = ["--ink", "--quiet", "--line", "--paper"].map((name) => `${name}:${colour(name)};`).join("");
  rules.textContent = `svg{${named}background:${colour("--paper")};font:12px sans-serif}text{fill:${colour("--ink")}}` +
    `.axis path,.axis line,.grid{stroke:${colour("--line")};fill:none}.outline{stroke:${colour("--paper")}}` +
    `.axis text{font-size:11px}.beside{paint-order:stroke;stroke:${colour("--paper")};stroke-width:3px}.base{stroke:${colour("--quiet")}}`;
  copy.insertBefore(rules, copy.firstChild);
  addSavedLegend(copy, svg.closest("figure").querySelector(".legend"));
  return copy;
}

function textOf(svg) {
  return new XMLSerializer().serializeToString(svg);
}

function savePng(svg, name) {
  const scale = 2;
  const saved = savedSvg(svg);
  const picture = new Image();
  picture.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = saved.getAttribute("width") * scale;
    canvas.height = saved.getAttribute("height") * scale;
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.drawImage(picture, 0, 0);
    canvas.toBlob((blob) => save(name, blob), "image/png");
  };
  picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(textOf(saved));
}

/** Names of colours, before the element that `before` finds or as the last one. */
function addLegend(parent, entries, before) {
  const legend = before ? parent.insert("div", before) : parent.append("div");
  legend.attr("class", "legend").selectAll("span").data(entries).enter().append("span")
    .style("--colour", (entry) => entry.colour || null).classed("hollow", (entry) => entry.hollow).text((entry) => entry.name);
  return legend;
}

/** A figure: the chart that `draw` puts into an svg of the given size, its buttons, and its table. */
function addFigure(parent, {id, label, width, height, legend, columns, rows, draw}) {
  const figure = parent.append("figure").attr("id", id);
  if (legend) addLegend(figure, legend);
  const svg = figure.append("div").attr("class", "chart").append("svg").attr("width", width).attr("height", height)
    .attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img").attr("tabindex", 0).attr("aria-label", label);
  svg.append("title").text(label);
  draw(svg);
  const tools = figure.append("div").attr("class", "tools");
  tools.append("button").attr("type", "button").text("SVG").attr("aria-label", "Save as SVG: " + label)
    .on("click", () => save(id + ".svg", new Blob([textOf(savedSvg(svg.node()))], {type: "image/svg+xml"})));
  tools.append("button").attr("type", "button").text("PNG").attr("aria-label", "Save as PNG: " + label)
    .on("click", () => savePng(svg.node(), id + ".png"));
  addFolded(figure, "Numbers", (details) => addTable(details, "Numbers: " + label, columns, rows));
  return figure;
}

/** What is folded away until it is asked for, and made only then; all of it in a page opened at `#numbers`. */
function addFolded(parent, summary, fill) {
  const details = parent.append("details");
  details.append("summary").text(summary);
  let filled = false;
  const open = () => {
    if (!filled) fill(details);
    filled = true;
  };
  details.on("toggle", open);
  if (window.location.hash === "#numbers") {
    details.property("open", true);
    open();
  }
  return details;
}

const kRowHeight = 22;

/** Charts are as wide as the page has room for; on a telephone they scroll. */
const kWidth = Math.max(360, Math.min(1150, document.getElementById("sections").clientWidth));
const kTicks = Math.max(4, Math.min(10, Math.round(kWidth / 110)));

/** An axis with as many digits as its steps need: "20%", not "20.0%", and no half of what is counted. */
function withTicks(axis, count, format) {
  if (format === formats.percent) return axis.ticks(count, "%");
  const most = format === formats.count ? Math.max(1, Math.floor(axis.scale().domain()[1])) : count;
  return axis.ticks(Math.min(count, most));
}

/** Rows of bars that are drawn: more can't be told apart, and a thousand take seconds. */
const kMostBars = 60;
const kLabelSigns = 2 * Math.min(22, Math.round(kWidth / 42));

function labelWidth(labels) {
  return 12 + 7 * Math.min(kLabelSigns, d3.max(labels.concat([""]), (label) => label.length));
}

/** Of a long name the two ends. */
function shortened(name) {
  const half = kLabelSigns / 2 - 1;
  return name.length > kLabelSigns ? `${name.slice(0, half)}\u2026${name.slice(-half)}` : name;
}

/** What the horizontal axis below bars counts, in its unit. */
function addAxisName(svg, name, margin, height) {
  svg.append("text").attr("x", (margin.left + kWidth - margin.right) / 2).attr("y", height - 6)
    .attr("text-anchor", "middle").text(name);
}

/** A row's name to the left of x; all of a long one for who points at it. */
function addLabel(svg, name, x, y) {
  const text = svg.append("text").attr("x", x - 6).attr("y", y).attr("dy", "0.35em").attr("text-anchor", "end")
    .text(shortened(name));
  if (name.length > kLabelSigns) text.append("title").text(name);
}

/** Under a chart that does not draw all: parts [{drawn, all, name}] of it. */
function tellLeftOut(figure, parts) {
  const cut = parts.filter((part) => part.drawn < part.all);
  if (cut.length) {
    figure.append("p").attr("class", "rule").text("Drawn are " + cut.map((part) => `the first ${formats.count(part.drawn)} of ` +
      `${formats.count(part.all)}${part.name}`).join(", and ") + "; the numbers have all.");
  }
}

/** Below a chart of single launches, or the like, of which the page has not all: the numbers lack the others, too. */
function tellNotHere(section, count, one, ending, which = "") {
  if (count) section.append("p").attr("class", "rule").text(`Not on this page: ${plural(count, one, ending)}${which}.`);
}

/** Horizontal bars from parts: rows [{label, parts: {key: value}}], keys [{key, name, colour}] from left to right. `xName`:
 * what the axis counts. */
function addStackedBars(parent, {id, label, rows, keys, unit, format, wholes, more, xName}) {
  const used = keys.filter((key) => rows.some((row) => row.parts[key.key] > 0));
  const drawn = rows.slice(0, kMostBars);
  const margin = {top: 4, right: 60, bottom: 40, left: labelWidth(drawn.map((row) => row.label))};
  const height = margin.top + margin.bottom + kRowHeight * drawn.length;
  const sum = (row) => d3.sum(used, (key) => row.parts[key.key] || 0);
  const most = wholes || d3.max(drawn, sum) || 1;
  const figure = addFigure(parent, {
    id, label, width: kWidth, height, legend: used.map((key) => ({name: key.name, colour: key.colour})),
    columns: [{name: ""}].concat(used.map((key) => ({name: key.name + (unit ? ` (${unit})` : ""), number: true, format}))),
    rows: rows.map((row) => [row.label].concat(used.map((key) => row.parts[key.key] || 0))),
    draw(svg) {
      const x = d3.scaleLinear([0, most], [margin.left, kWidth - margin.right]);
      const y = d3.scaleBand(d3.range(drawn.length), [margin.top, height - margin.bottom]).padding(0.15);
      svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
        .call(withTicks(d3.axisBottom(x), kTicks, format));
      addAxisName(svg, xName, margin, height);
      drawn.forEach((row, i) => {
        addLabel(svg, row.label, margin.left, y(i) + y.bandwidth() / 2);
        let at = 0;
        for (const key of used) {
          const value = row.parts[key.key] || 0;
          if (value <= 0) continue;
          svg.append("rect").attr("class", "outline").attr("x", x(at)).attr("y", y(i)).attr("height", y.bandwidth())
            .attr("width", Math.max(0, x(at + value) - x(at))).attr("fill", key.colour)
            .attr("data-row", row.label).attr("data-key", key.key).attr("data-value", value)
            .append("title").text(`${row.label}: ${key.name} ${format(value)}`);
          at += value;
        }
        if (more) {
          svg.append("text").attr("class", "beside").attr("x", x(at) + 4).attr("y", y(i) + y.bandwidth() / 2)
            .attr("dy", "0.35em").text(more(row));
        }
      });
    },
  });
  tellLeftOut(figure, [{drawn: drawn.length, all: rows.length, name: ""}]);
  return figure;
}

/** Groups of horizontal bars around a base line: groups [{label, mean, bars: [{name, colour, value}]}]. Of many groups some
 * are drawn only, means among them, with as many bars as there are colours, or if `whole` with all of them. */
function addGroupedBars(parent, {id, label, groups: all, base, format, valueName, whole}) {
  const most = d3.max(all, (group) => group.bars.length);
  const room = whole ? most : Math.min(most, Math.max(kPalette.length, Math.floor(2 * kMostBars / all.length)));
  const means = all.filter((group) => group.mean);
  const others = all.filter((group) => !group.mean);
  const drawn = others.slice(0, whole ? Math.floor(2 * kMostBars / most) : kMostBars);
  const groups = drawn.concat(means).map((group) => ({...group, bars: group.bars.slice(0, room)}));
  const barsOf = (some) => some.flatMap((group) => group.bars.map((bar) => ({group: group.label, ...bar})));
  const bars = barsOf(groups);
  const names = [...new Map(bars.map((bar) => [bar.name, bar.colour])).entries()];
  const named = names.length > kPalette.length;  // more than there are colours: each bar has its name beside it
  const margin = {top: 4, right: named ? 60 + labelWidth(names.map((name) => name[0])) : 60, bottom: 40,
    left: labelWidth(groups.map((group) => group.label))};
  const gap = 6;
  const barHeight = 15;
  const height = margin.top + margin.bottom + groups.length * gap + bars.length * barHeight;
  const figure = addFigure(parent, {
    id, label, width: kWidth, height, legend: named ? null : names.map(([name, colour]) => ({name, colour})),
    columns: [{name: ""}, {name: "variant"}, {name: valueName, number: true, format}],
    rows: barsOf(all).map((bar) => [bar.group, bar.name, bar.value]),
    draw(svg) {
      const x = d3.scaleLinear([0, Math.max(base * 1.05, d3.max(bars, (bar) => bar.value) || 1)],
        [margin.left, kWidth - margin.right]);
      svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
        .call(d3.axisBottom(x).ticks(kTicks));
      addAxisName(svg, valueName, margin, height);
      const rects = svg.append("g");
      svg.append("line").attr("class", "base").attr("x1", x(base)).attr("x2", x(base)).attr("y1", margin.top)
        .attr("y2", height - margin.bottom).attr("stroke-dasharray", "4 3");
      let top = margin.top;
      for (const group of groups) {
        addLabel(svg, group.label, margin.left, top + group.bars.length * barHeight / 2);
        for (const bar of group.bars) {
          if (bar.value !== null) {
            rects.append("rect").attr("class", "outline").attr("x", x(0)).attr("y", top).attr("height", barHeight - 1)
              .attr("width", x(bar.value) - x(0)).attr("fill", bar.colour)
              .attr("data-row", group.label).attr("data-key", bar.name).attr("data-value", bar.value)
              .append("title").text(`${group.label}, ${bar.name}: ${format(bar.value)}`);
            svg.append("text").attr("class", "beside").attr("x", x(bar.value) + 4).attr("y", top + barHeight / 2).attr("dy", "0.35em")
              .text(named ? `${format(bar.value)}  ${shortened(bar.name)}` : format(bar.value));
          }
          top += barHeight;
        }
        top += gap;
      }
    },
  });
  tellLeftOut(figure, [{drawn: drawn.length, all: others.length, name: " groups"},
    {drawn: room, all: most, name: " bars of each"}]);
  return figure;
}

/** Names in a legend of points; each point has its name by itself. */
const kMostNames = 30;

/** Writes the names that points have in `text` beside them, where there is room: the others have theirs in the title. Of
 * many points none has, as there would be room for some only. */
function addNames(svg, points, width) {
  if (points.filter((point) => point.text).length > kMostNames) return;
  const taken = points.map(({at}) => ({left: at[0] - 5, right: at[0] + 5, top: at[1] - 5, bottom: at[1] + 5}));
  for (const {text, at} of points) {
    if (!text) continue;
    const length = 6.6 * text.length;
    const places = [[7, 4], [-7 - length, 4], [-length / 2, -9], [-length / 2, 18]].map(([dx, dy]) => ({left: at[0] + dx,
      right: at[0] + dx + length, top: at[1] + dy - 10, bottom: at[1] + dy + 3}));
    const free = places.find((place) => place.left >= 0 && place.right <= width && taken.every((other) => place.right <= other.left ||
      place.left >= other.right || place.bottom <= other.top || place.top >= other.bottom));
    if (!free) continue;
    taken.push(free);
    svg.append("text").attr("class", "beside").attr("x", free.left).attr("y", free.bottom - 3).text(text);
  }
}

/** Points over two axes; a scale may be logarithmic. lines: [{name, points: [[x, y]]}] are drawn below them,
 * each with its name at its last point, or left of its first if it is `named: "start"`. `fit`: the axis of y need not begin
 * at 0. */
function addScatter(parent, {id, label, points, lines, xName, yName, logX, logY, format, fit}) {
  const width = Math.min(kWidth, 900);
  const height = 380;
  const margin = {top: 12, right: 100, bottom: 40, left: 64};
  const all = points.map((point) => [point.x, point.y]).concat((lines || []).flatMap((line) => line.points));
  const scale = (log, values, range) => {
    const positive = values.filter((value) => value > 0);
    if (log) return d3.scaleLog([d3.min(positive) / 2.5, d3.max(positive) * 1.5], range);
    return d3.scaleLinear([0, (d3.max(values) || 1) * 1.08], range).nice();
  };
  const names = [...new Map(points.map((point) => [point.kind, point.colour])).entries()];
  return addFigure(parent, {
    id, label, width, height, legend: names.length > kMostNames ? null : names.map(([name, colour]) => ({name, colour})),
    columns: [{name: ""}, {name: xName, number: true, format}, {name: yName, number: true, format}],
    rows: points.map((point) => [point.name, point.x, point.y]),
    draw(svg) {
      const x = scale(logX, all.map((p) => p[0]), [margin.left, width - margin.right]);
      const y = scale(logY, all.map((p) => p[1]), [height - margin.bottom, margin.top]);
      const [least, most] = d3.extent(points, (point) => point.y);
      if (fit && most > least) y.domain([Math.max(0, least - (most - least) / 4), most + (most - least) / 4]).nice();
      svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
        .call(d3.axisBottom(x).ticks(6, logX ? "~g" : undefined));
      svg.append("g").attr("class", "axis").attr("transform", `translate(${margin.left},0)`)
        .call(d3.axisLeft(y).ticks(6, logY ? "~g" : undefined));
      svg.append("text").attr("x", (margin.left + width - margin.right) / 2).attr("y", height - 6)
        .attr("text-anchor", "middle").text(xName);
      svg.append("text").attr("transform", `translate(14,${height / 2}) rotate(-90)`).attr("text-anchor", "middle")
        .text(yName);
      for (const line of lines || []) {
        svg.append("path").attr("d", d3.line().x((p) => x(p[0])).y((p) => y(p[1]))(line.points)).attr("fill", "none")
          .attr("stroke", "var(--quiet)").attr("stroke-dasharray", line.dashes || null);
        const end = line.points[line.named === "start" ? 0 : line.points.length - 1];
        const start = line.named === "start";
        svg.append("text").attr("x", x(end[0]) + (start ? -4 : 4)).attr("y", y(end[1])).attr("dy", "0.35em")
          .attr("text-anchor", start ? "end" : "start").text(line.name);
      }
      for (const point of points) {
        svg.append("circle").attr("class", "outline").attr("cx", x(point.x)).attr("cy", y(point.y)).attr("r", 5)
          .attr("fill", point.colour).attr("data-row", point.name).attr("data-x", point.x).attr("data-y", point.y)
          .append("title").text(`${point.name}: ${format(point.x)}, ${format(point.y)}`);
      }
      addNames(svg, points.map((point) => ({text: point.text, at: [x(point.x), y(point.y)]})), width);
    },
  });
}
