// What a thread-block policy predicted, against what came to pass.
"use strict";

function showPredictions(report) {
  const runs = report.runs.concat(report.timed_pairs).filter((run) => run.predictions &&
    run.predictions.actual.some((cycles) => cycles > 0));
  if (!runs.length) return;
  // Of an SM on which a kernel didn't run after all the truth is 0.
  const ratios = (run, kernel) => run.predictions.predicted.map((predicted, i) => ({kernel: run.predictions.kernel[i],
    ratio: predicted / run.predictions.actual[i]})).filter((entry) => isFinite(entry.ratio) && (!kernel || entry.kernel === kernel))
    .map((entry) => entry.ratio);
  const near = (run) => {
    const all = ratios(run);
    return all.filter((ratio) => Math.abs(ratio - 1) <= 0.1).length / all.length;
  };
  const rule = runs.map((run) => `${run.label}: predicted over true run times are ` +
    `${formats.ratio(d3.median(ratios(run)))} in the median, ${formats.percent(near(run))} of them within 10% of the truth`)
    .join(". ") + ". On the dashed line a prediction is right; below it, too short.";
  addSection("predictions", "Predictions against the truth", rule, (section) => {
    for (const run of runs) {
      const {kernel, sm, cycle, predicted, actual, left_out: leftOut} = run.predictions;
      const kernels = [...new Set(kernel)];
      const points = kernel.map((name, i) => ({name: `${name}, SM ${sm[i]}, cycle ${cycle[i]}`, kind: name,
        colour: kPalette[kernels.indexOf(name) % kPalette.length], x: actual[i], y: predicted[i]}));
      const most = Math.max(d3.max(actual), d3.max(predicted));
      section.append("h3").text(run.label);
      addScatter(section, {id: `predictions-${run.id}`, label: `Predicted against true cycles of a kernel on an SM: ${run.label}`,
        points, lines: [{name: "right", dashes: "4 3", points: [[0, 0], [most, most]]}], xName: "true cycles",
        yName: "predicted cycles", format: formats.count});
      addTable(section, "Predictions of " + run.label, [{name: "kernel"}, {name: "predictions", number: true, format: formats.count},
        {name: "predicted over true: least", number: true, format: formats.ratio},
        {name: "median", number: true, format: formats.ratio}, {name: "most", number: true, format: formats.ratio}],
      kernels.filter((name) => ratios(run, name).length).map((name) => [name, ratios(run, name).length, d3.min(ratios(run, name)),
        d3.median(ratios(run, name)), d3.max(ratios(run, name))]));
      if (leftOut) section.append("p").attr("class", "rule").text(`${plural(leftOut, "prediction")} left out of the chart.`);
    }
  });
}
