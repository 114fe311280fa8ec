// What is not the default, and the commands.
"use strict";

function showConfiguration(report) {
  const keys = Object.keys(report.defaults).filter((key) =>
    report.runs.some((run) => String(run.config[key]) !== String(report.defaults[key])));
  const differing = new Set(keys.filter((key) => varying(report.runs, (run) => String(run.config[key]))));
  const rule = `${plural(keys.length, "key")} differ${keys.length === 1 ? "s" : ""} from Heddle's defaults` +
    (report.runs.length > 1 ? `, ${differing.size} of them between the runs (marked)` : "") + "; and the command of each run.";
  addSection("configuration", "Configuration", rule,
    (section) => {
      const shown = report.runs.slice(0, 12);
      if (keys.length) {
        addTable(section, "Configuration", [{name: "key"}, {name: "default"}].concat(shown.map((run) => ({name: run.label}))),
          keys.map((key) => [key, String(report.defaults[key])].concat(shown.map((run) => String(run.config[key])))),
          (row) => differing.has(row[0]));
        if (shown.length < report.runs.length) {
          section.append("p").attr("class", "rule").text(`The first ${shown.length} of ${report.runs.length} runs.`);
        }
      }
      for (const run of report.runs) section.append("p").append("code").text(run.command);
    });
}
