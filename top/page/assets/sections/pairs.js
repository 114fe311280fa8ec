// Kernels that ran at the same time: how they fared together against alone.
"use strict";

const kMultiprogram = [
  {key: "stp", name: "STP", text: "system throughput: sum of cycles alone over cycles; more is better"},
  {key: "antt", name: "ANTT", text: "mean slowdown; less is better"},
  {key: "strict_f", name: "StrictF", text: "smallest slowdown over the largest; 1 is fair"},
];

function showPairs(report) {
  const runs = report.runs.filter((run) => run.streams && run.streams.stp !== undefined);
  if (!runs.length) return;
  const variants = [...new Set(runs.map((run) => run.variant))];
  const programs = [...new Set(runs.map((run) => run.program))];
  const common = ofCommonPrograms(runs);
  const find = (program, variant) => runs.filter((run) => run.program === program && run.variant === variant);
  const mean = (members, key) => (members.length ? geometricMean(members.map((run) => run.streams[key])) : null);
  const groups = (key) => programs.concat(programs.length > 1 ? ["geometric mean"] : []).map((program) => ({label: program,
    mean: program === "geometric mean", bars: variants.map((variant, i) => ({name: variant, colour: kPalette[i % kPalette.length], value: program === "geometric mean" ?
      mean(common.filter((run) => run.variant === variant), key) : mean(find(program, variant), key)}))}));
  const by = (key, sign) => variants.map((variant) => ({variant, value: mean(common.filter((run) => run.variant === variant), key)}))
    .sort((a, b) => sign * (a.value - b.value))[0];
  const stp = by("stp", -1);
  const antt = by("antt", 1);
  const fair = by("strict_f", -1);
  const shared = new Set(common.map((run) => run.program)).size;
  const rule = !shared ? "None of these ran under all of them." : variants.length > 1 ? `Most throughput: ${stp.variant} (STP ${formats.ratio(stp.value)}). Least slowdown: ` +
    `${antt.variant} (ANTT ${formats.ratio(antt.value)}). Fairest: ${fair.variant} (StrictF ${formats.ratio(fair.value)}). ` +
    `Geometric means${shared < programs.length ? ` of the ${shared} of ${programs.length} that ran under all of them` : ""}.` : `STP ${formats.ratio(stp.value)}, ANTT ${formats.ratio(antt.value)}, StrictF ${formats.ratio(fair.value)}; ` +
    `at most ${d3.max(runs, (run) => run.streams.list.length)} streams could do as well together as alone.`;
  addSection("pairs", "Kernels at the same time", rule, (section) => {
    for (const figure of kMultiprogram) {
      addGroupedBars(section, {id: `pairs-${figure.key}`, label: `${figure.name} by pair: ${figure.text}`,
        groups: groups(figure.key), base: 1, format: formats.ratio, valueName: figure.name})
        .insert("figcaption", ":first-child").text(`${figure.name}: ${figure.text}`);
    }
    addTable(section, "Streams", [{name: "run"}, {name: "stream"}, {name: "arrival", number: true, format: formats.count},
      {name: "cycles", number: true, format: formats.count}, {name: "cycles alone", number: true, format: formats.count},
      {name: "slowdown", number: true, format: formats.ratio}],
    runs.flatMap((run) => run.streams.list.map((stream) => [run.label, stream.name, stream.arrival, stream.cycles, stream.alone,
      stream.slowdown])));
  });
}
