// What is not the default, and the commands.
"use strict";

function showConfiguration(report) {
  addSection("configuration", "Configuration", "What differs from Heddle's defaults, and the command of each run.",
    (section) => {
      const keys = Object.keys(report.defaults).filter((key) =>
        report.runs.some((run) => String(run.config[key]) !== String(report.defaults[key])));
      const shown = report.runs.slice(0, 12);
      addTable(section, [{name: "key"}, {name: "default"}].concat(shown.map((run) => ({name: run.label}))),
        keys.map((key) => [key, String(report.defaults[key])].concat(shown.map((run) => String(run.config[key])))));
      for (const run of report.runs) section.append("p").append("code").text(run.command);
    });
}
