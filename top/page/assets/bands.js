// Charts of what happens when and where: lives as bands over time, and values by place and time as shades.
"use strict";

/**
 * Lives over time: rows [{name, lanes}] from top to bottom, bands [{row, lane, start, end, name, colour, key, outlined}].
 * A band with `under` is a thin one below the others of its row. `span`: [first, last] of the time axis, which is that
 * of the bands otherwise. Of rows that are low only some have their names.
 */
function addBands(parent, {id, label, rows, bands, legend, laneHeight, xName, columns, cells, shade, span}) {
  const margin = {top: 4, right: 20, bottom: 40, left: labelWidth(rows.map((row) => row.name))};
  const gap = rows.some((row) => row.lanes > 1) ? 5 : 2;
  let height = margin.top;
  const tops = rows.map((row) => {
    const top = height;
    height += row.lanes * laneHeight + (row.under ? 5 : 0) + gap;
    return top;
  });
  height += margin.bottom;
  // Time begins at 0, unless most of it would be empty.
  const least = d3.min(bands, (band) => band.start);
  const end = d3.max(bands, (band) => band.end) || 1;
  const [first, last] = span || [least > end / 4 ? least : 0, end];
  const nameEvery = Math.ceil(11 / d3.min(rows, (row) => row.lanes * laneHeight + gap));
  return addFigure(parent, {
    id, label, width: kWidth, height, legend, columns, rows: bands.map(cells),
    draw(svg) {
      const x = d3.scaleLinear([first, last], [margin.left, kWidth - margin.right]);
      svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
        .call(d3.axisBottom(x).ticks(kTicks));
      svg.append("text").attr("x", (margin.left + kWidth - margin.right) / 2).attr("y", height - 6)
        .attr("text-anchor", "middle").text(xName);
      rows.forEach((row, i) => {
        if (i % nameEvery === 0) addLabel(svg, row.name, margin.left, tops[i] + row.lanes * laneHeight / 2);
        if (shade) {
          svg.append("rect").attr("x", x(shade.start)).attr("width", x(shade.end) - x(shade.start)).attr("y", tops[i])
            .attr("height", row.lanes * laneHeight).attr("fill", "var(--line)");
        }
      });
      for (const band of bands) {
        const top = band.under ? tops[band.row] + rows[band.row].lanes * laneHeight + 1 : tops[band.row] + band.lane * laneHeight;
        svg.append("rect").attr("class", "outline").attr("x", x(band.start)).attr("y", top)
          .attr("width", Math.max(band.under ? 2 : 0.5, x(band.end) - x(band.start))).attr("height", band.under ? 4 : laneHeight)
          .attr("fill", band.colour).attr("data-row", rows[band.row].name).attr("data-key", band.key)
          .attr("data-value", band.end - band.start).append("title").text(band.name);
      }
    },
  });
}

/** Values by row and column as shades of one colour: values[row][column]; a column is `step` of the axis wide. */
function addShades(parent, {id, label, rows, values, step, xName, yName, valueName, format}) {
  const margin = {top: 4, right: 20, bottom: 40, left: 72};
  const rowHeight = Math.max(5, Math.min(14, 480 / rows.length));
  const height = margin.top + margin.bottom + rows.length * rowHeight;
  const columns = d3.max(values, (row) => row.length);
  const most = d3.max(values, (row) => d3.max(row)) || 1;
  const shade = (value) => d3.interpolateRgb("#cfe3f1", "#003f66")(value / most);
  return addFigure(parent, {
    id, label, width: kWidth, height,
    legend: [{name: `${valueName}: 1`, colour: shade(0)}, {name: format(most), colour: shade(most)}],
    columns: [{name: yName}].concat(d3.range(columns).map((i) => ({name: formats.count((i + 1) * step), number: true, format}))),
    rows: rows.map((name, r) => [name].concat(values[r])),
    draw(svg) {
      const x = d3.scaleLinear([0, columns * step], [margin.left, kWidth - margin.right]);
      const width = x(step) - x(0);
      svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
        .call(d3.axisBottom(x).ticks(kTicks));
      svg.append("text").attr("x", (margin.left + kWidth - margin.right) / 2).attr("y", height - 6)
        .attr("text-anchor", "middle").text(xName);
      svg.append("text").attr("transform", `translate(14,${height / 2}) rotate(-90)`).attr("text-anchor", "middle").text(yName);
      rows.forEach((name, r) => {
        if (rowHeight >= 13 || r % 4 === 0) addLabel(svg, name, margin.left, margin.top + (r + 0.5) * rowHeight);
        values[r].forEach((value, c) => {
          if (!value) return;
          svg.append("rect").attr("x", x(c * step)).attr("y", margin.top + r * rowHeight).attr("width", width + 0.3)
            .attr("height", rowHeight - 0.5).attr("fill", shade(value)).attr("data-row", name).attr("data-key", (c + 1) * step)
            .attr("data-value", value);
        });
      });
    },
  });
}
