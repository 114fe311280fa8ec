// What a scheduler's parts cost, and what for.
"use strict";

/** What the gates are for. */
const kPurposes = [["storage", "storage"], ["read_muxes", "read multiplexers"], ["writes", "writing"], ["comparators", "comparators"],
  ["adders", "adders"], ["selection", "selection"]].map(([key, name], i) => ({key, name, colour: kPalette[i]}));

function showCost(report) {
  const runs = report.runs.filter((run) => run.cost);
  if (!runs.length) return;
  const variants = [...new Set(runs.map((run) => run.variant))];
  const common = ofCommonPrograms(runs.filter((run) => run.status === "complete"));
  const points = variants.map((variant, i) => {
    const own = common.filter((run) => run.variant === variant);
    return {name: variant, text: variant, kind: variant, colour: kPalette[i % kPalette.length], x: own.length ? own[0].cost.nand2 : 0,
      y: own.length ? geometricMean(own.map((run) => value(run, "ipc_warp"))) : 0};
  }).filter((point) => point.y > 0);
  const front = points.slice().sort((a, b) => a.x - b.x || b.y - a.y).reduce((kept, point) =>
    (!kept.length || point.y > kept[kept.length - 1].y ? kept.concat([point]) : kept), []);
  const [cheapest, dearest] = [front[0], front[front.length - 1]];
  addSection("cost", "Cost of the schedulers", "NAND2-equivalents per SM against IPC. " + (front.length ?
    `Not to be had better for less: ${front.map((point) => point.name).join("; ")}.` : "") + (front.length > 1 ? ` From the first to the last of them: ` +
    `${formats.percent(dearest.y / cheapest.y - 1)} more IPC for ${formats.count(dearest.x - cheapest.x)} NAND2-equivalents.` : ""),
  (section) => {
    if (points.length > 1) {
      addScatter(section, {id: "cost-chart", fit: true, label: "Cost against IPC, with the Pareto front", points,
        lines: [{name: "", points: front.map((point) => [point.x, point.y])}], xName: "NAND2-equivalents per SM",
        yName: "IPC" + (runs.length > points.length ? ", geometric mean" : ""), format: formats.number});
    }
    const priced = variants.map((variant) => runs.find((run) => run.variant === variant))
      .filter((run) => run.cost.nand2 > 0 && Object.keys(run.cost.nand2_by_purpose).length);
    if (priced.length) {
      addStackedBars(section, {id: "cost-purposes", label: "NAND2-equivalents per SM by purpose", rows: priced.map((run) =>
        ({label: run.variant, parts: run.cost.nand2_by_purpose})), keys: kPurposes, xName: "NAND2-equivalents per SM",
        format: formats.count})
        .insert("figcaption", ":first-child").text("NAND2-equivalents per SM by purpose");
    }
    for (const variant of variants.slice(0, 12)) {
      const run = runs.find((candidate) => candidate.variant === variant);
      const summary = `${variant}: ${formats.count(run.cost.bits)} bits and ${formats.count(run.cost.nand2)} NAND2-equivalents per SM`;
      if (!run.cost.structures.length) {
        section.append("p").text(summary);
        continue;
      }
      const details = addFolded(section, summary, (folded) => addTable(folded, "Structures of " + variant, [{name: "block"},
        {name: "structure"}, {name: "kind"}, {name: "bits", number: true,
        format: formats.count}, {name: "of them in the paper", number: true, format: formats.count},
      {name: "NAND2-equivalents", number: true, format: formats.count},
      {name: "depth (FO4)", number: true, format: formats.number}],
      run.cost.structures.map((s) => [s.block, s.structure, s.kind, s.bits, s.paper_bits, s.nand2, s.depth_fo4])));
      if (variants.length === 1) details.property("open", true);
    }
  });
}
