// Papers' figures beside what the papers say: heddle reproduce.
"use strict";

const kSizeNames = {full: "full size", quick: "the quick sizes"};

/** What pages say of a paper: with two folders, also which of them it is from. */
function namePapers(report) {
  for (const paper of report.papers) {
    const folder = report.folders.indexOf(paper.folder);
    paper.key = report.folders.length > 1 ? `${paper.id}-${folder + 1}` : paper.id;
    paper.name = report.folders.length > 1 ? `${paper.paper}, ${paper.folder}` : paper.paper;
    for (const [number, figure] of paper.figures.entries()) figure.key = `${paper.key}-${figure.id || number}`;
  }
}

/** Paragraphs, lists and `code`, **bold** and [links] of Markdown, as far as definitions of figures have them. */
function addProse(parent, text) {
  for (const block of text.trim().split(/\n\s*\n/)) {
    if (!block) continue;
    const items = block.startsWith("- ") ? block.slice(2).split(/\n- /) : null;
    const list = items ? parent.append("ul") : null;
    for (const item of items || [block]) {
      const element = list ? list.append("li") : parent.append("p").attr("class", "prose");
      for (const part of item.replace(/\s*\n\s*/g, " ").split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/)) {
        if (part.startsWith("`") && part.length > 2) element.append("code").text(part.slice(1, -1));
        else if (part.startsWith("**") && part.length > 4) element.append("strong").text(part.slice(2, -2));
        else if (/^\[[^\]]+\]\(/.test(part)) element.append("span").text(part.slice(1, part.indexOf("](")));
        else element.append("span").text(part);
      }
    }
  }
}

function allHeadlines(papers) {
  return papers.flatMap((paper) => paper.headlines.map((headline) => ({...headline, of: paper})));
}

/** Points that were not run, or did not complete. */
function missingPoints(paper) {
  return d3.sum(paper.experiments, (experiment) => experiment.points - experiment.complete);
}

function reproductionVerdict(report) {
  const sentences = report.folders.map((folder) => {
    const papers = report.papers.filter((paper) => paper.folder === folder);
    const headlines = allHeadlines(papers);
    const ran = headlines.filter((headline) => headline.ours !== null);
    const within = ran.filter((headline) => headline.within_a_third === "yes").length;
    const quick = ran.filter((headline) => headline.full === null).length;
    const notes = [];
    if (quick) notes.push(`${quick === ran.length ? "all" : formats.count(quick)} of them at quick sizes`);
    if (ran.length < headlines.length) notes.push(`${formats.count(headlines.length - ran.length)} were not run`);
    const missing = d3.sum(papers, missingPoints);
    if (missing) {
      const points = d3.sum(papers, (paper) => d3.sum(paper.experiments, (experiment) => experiment.points));
      notes.push(`${formats.count(missing)} of ${plural(points, "point")} of experiments missing`);
    }
    const furthest = ran.filter((headline) => headline.share !== null).sort((a, b) => Math.abs(b.share - 1) - Math.abs(a.share - 1))[0];
    const worst = furthest && furthest.within_a_third === "no" ? ` Furthest off is ${furthest.of.paper}'s "${furthest.name}": ` +
      `${kPaperFormats[furthest.format](furthest.ours)}, in the paper ${kPaperFormats[furthest.format](furthest.paper)}.` : "";
    const first = ran.length ? `${within} of ${plural(ran.length, "headline figure")} come within a third of the paper's gain or number` :
      "No headline figure was run";
    return `${report.folders.length > 1 ? folder + ": " : ""}${first}${notes.length ? ` (${notes.join("; ")})` : ""}.${worst}`;
  });
  return sentences.join(" ");
}

function showHeadlines(report) {
  const headlines = allHeadlines(report.papers);
  if (!headlines.length) return;
  const rule = "What the papers are about. Aimed at is a third of the paper's gain, what is above 1, or of its number where it is no " +
    "gain. \u201cHere\u201d is of full size where that was run, else of the quick sizes. Rows that are further off are marked.";
  addSection("headlines", "Headline figures", rule, (section) => {
    const ran = headlines.filter((headline) => headline.ours !== null);
    if (ran.length) {
      const label = (headline) => (headline.name.startsWith(headline.of.name) ? headline.name : `${headline.of.name}: ${headline.name}`);
      addPaperBars(section, {id: "headlines-chart", label: "Headline figures, here and in the papers",
        figure: {format: "ratio", unit: "", reference: ran.some((headline) => headline.gain) ? 1 : null, paper: ran.map((headline) =>
          ({row: label(headline), series: "here", value: headline.paper, bound: "", section: headline.section}))},
        table: {row_heading: "", series: [{name: "here"}], rows: ran.map((headline) => ({label: label(headline), values: [headline.ours]}))}});
    }
    const shown = (headline, key) => (headline[key] === null ? null : kPaperFormats[headline.format](headline[key]));
    addTable(section, "Headline figures", [{name: "paper"}, {name: "figure"}, {name: "section"}, {name: "the paper", number: true},
      {name: "here", number: true}, {name: "here over the paper", number: true, format: formats.ratio},
      {name: "of its gain", number: true, format: formats.percent}, {name: "within a third"}, {name: "full size", number: true},
      {name: "quick", number: true}],
    headlines.map((headline) => [headline.of.name, headline.name, headline.section, shown(headline, "paper"), shown(headline, "ours"),
      headline.ratio, headline.share, headline.within_a_third, shown(headline, "full"), shown(headline, "quick")]),
    (row) => row[7] === "no");
  });
}

/** What the paper gives for single values, ours, and how far they are apart. */
function addComparison(parent, figure, table) {
  const format = kPaperFormats[figure.format];
  const rows = figure.paper.map((number) => {
    const row = table.rows.find((candidate) => candidate.label === number.row);
    const s = table.series.findIndex((one) => one.name === number.series);
    const own = row && row.counts ? kPaperFormats.count : format;
    const ours = row && s >= 0 ? row.values[s] : null;
    return [number.row, number.series, shownNumber(number, own), ours === null ? null : own(ours),
      ours === null || number.value === 0 ? null : ours / number.value, number.section];
  });
  if (!rows.length) return;
  const name = `${figure.name}: the paper's numbers and ours`;
  addFolded(parent, "The paper's numbers and ours", (details) => addTable(details, name, [{name: table.row_heading || ""}, {name: ""},
    {name: "the paper", number: true}, {name: "here", number: true}, {name: "here over the paper", number: true, format: formats.ratio},
    {name: "section"}], rows));
}

/** A figure from its table of one size. */
function addPaperFigure(parent, figure, table, id) {
  const chart = {id, label: `${figure.name}: ${figure.title}`, figure, table};
  const drawing = kPaperDrawings[figure.by];
  const numbers = () => {
    const {columns, rows} = paperTable(figure, table);
    addTable(parent, chart.label, columns, rows);
  };
  if (!table.rows.length) {
    parent.append("p").attr("class", "rule").text("No point of it is there.");
  } else if (figure.drawing === "table" || !table.series.length) {
    numbers();
  } else if (drawing) {
    if (drawing.has(table)) drawing.draw(parent, chart);
    numbers();
  } else {
    (figure.drawing === "lines" ? addPaperLines : addPaperBars)(parent, chart);
  }
  addComparison(parent, figure, table);
}

/** Which size a table is of, and what of it is not there. */
function tableSentence(paper, figure, size) {
  const table = figure.tables[size];
  const told = [`Of ${kSizeNames[size]}.`];
  if (table.filled < table.size) told.push(`${formats.count(table.filled)} of ${formats.count(table.size)} values are there.`);
  const experiments = paper.experiments.filter((one) => one.size === size && figure.experiments.includes(one.name));
  if (table.filled < table.size && experiments.length && experiments.every((one) => one.complete === one.points)) {
    told.push("The runs, all complete, have nothing of the others.");
  }
  for (const experiment of experiments) {
    const missing = experiment.points - experiment.complete;
    if (missing) {
      told.push(`Of experiment ${experiment.name} ${formats.count(missing)} of ${plural(experiment.points, "point")} ` +
        `${missing === 1 ? "is" : "are"} missing.`);
    }
  }
  return told.join(" ");
}

function addFigureOfPaper(section, paper, figure) {
  section.append("h3").attr("id", `h-${figure.key}`).text(`${figure.name}: ${figure.title}`);
  const where = figure.section ? `Section ${figure.section} of the paper. ` : "";
  section.append("p").attr("class", "rule").text(where + (figure.size ? tableSentence(paper, figure, figure.size) : "Not run yet."));
  if (figure.size) addPaperFigure(section, figure, figure.tables[figure.size], figure.key);
  if (figure.size === "full" && figure.tables.quick) {
    addFolded(section, `At ${kSizeNames.quick}`, (details) => {
      details.append("p").attr("class", "rule").text(tableSentence(paper, figure, "quick"));
      addPaperFigure(details, figure, figure.tables.quick, `${figure.key}-quick`);
    });
  }
  if (figure.note) addProse(section, figure.note);
  section.append("p").append("code").text(figure.command);
}

function showPaper(report, paper) {
  const drawn = paper.figures.filter((figure) => figure.size).length;
  const rule = `${paper.authors}: ${paper.title}. ${drawn} of ${plural(paper.figures.length, "figure")} and tables were run, on the machine ` +
    `${paper.config}. The paper's numbers are hollow, as far as its text and tables give them.`;
  addSection(`paper-${paper.key}`, paper.name, rule, (section) => {
    for (const command of paper.commands) section.append("p").append("code").text(command);
    if (paper.about) addFolded(section, "What stands for what", (details) => addProse(details, paper.about));
    for (const headline of paper.headlines.filter((one) => one.investigated)) {
      addProse(section, `**${headline.name}.** ${headline.investigated}`);
    }
    if (paper.experiments.length) {
      addFolded(section, "What was run", (details) => addTable(details, `What was run of ${paper.name}`, [{name: "experiment"},
        {name: "size"}, {name: "points", number: true, format: formats.count}, {name: "complete", number: true, format: formats.count},
        {name: "processor time (s)", number: true, format: formats.count}], paper.experiments.map((one) =>
        [one.name, one.size, one.points, one.complete, one.cpu_seconds]), (row) => row[3] < row[2]));
    }
    const failed = paper.experiments.flatMap((one) => one.failed.map((point) => `${one.name}, ${one.size}: ${point}`));
    if (failed.length) {
      section.append("p").attr("class", "rule").text("Points that did not complete:");
      section.append("ul").attr("class", "failed").selectAll("li").data(failed).enter().append("li").text((point) => point);
    }
    for (const figure of paper.figures) addFigureOfPaper(section, paper, figure);
  });
}

/** Of two folders: values of figures that both have at a size. */
function showReproducedDifferences(report) {
  if (report.folders.length !== 2) return;
  const [ofA, ofB] = report.folders.map((folder) => new Map(report.papers.filter((paper) => paper.folder === folder)
    .map((paper) => [paper.id, paper])));
  const rows = [];
  let unmatched = 0;
  for (const paper of ofA.values()) {
    paper.figures.forEach((figure, f) => {
      for (const size of Object.keys(kSizeNames)) {
        const [one, two] = [paper, ofB.get(paper.id)].map((other) => (other ? other.figures[f].tables[size] : undefined));
        if (one && two) rows.push(...differencesOfTables(`${paper.paper}, ${figure.name}, ${size}`, one, two));
        else if (one || two) ++unmatched;
      }
    });
  }
  for (const paper of ofB.values()) {
    if (!ofA.has(paper.id)) unmatched += d3.sum(paper.figures, (figure) => Object.keys(figure.tables).length);
  }
  addFolderDifferences(report, rows, ["figure, row", "series"],
    unmatched ? ` ${plural(unmatched, "table")} of one folder without its like in the other.` : "");
}

function differencesOfTables(name, one, two) {
  const values = new Map(two.rows.flatMap((row) => row.values.map((value, s) => [JSON.stringify([row.label, two.series[s].name]), value])));
  return one.rows.flatMap((row) => row.values.map((value, s) => {
    const other = values.get(JSON.stringify([row.label, one.series[s].name]));
    return value === null || other === null || other === undefined ? null :
      [`${name}: ${row.label}`, one.series[s].name, value, other, relativeDifference(value, other)];
  })).filter((entry) => entry);
}

function showReproduction(report) {
  namePapers(report);
  showHeadlines(report);
  showReproducedDifferences(report);
  for (const paper of report.papers) showPaper(report, paper);
}
