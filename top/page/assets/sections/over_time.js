// What --interval writes of the machine: rates and occupancies over time, and issue slots by cause.
"use strict";

function runsWithIntervals(report) {
  return report.runs.filter((run) => run.intervals);
}

/** Core cycles of each sample. */
function sampleCycles(intervals) {
  const {first_cycle: first, last_cycle: last} = intervals.samples;
  return last.map((cycle, i) => cycle - first[i] + 1);
}

/** What is drawn of each run: of(samples, i, cycles, intervals) at sample i; null where there is nothing to divide by. */
const kCurves = [
  {id: "ipc", name: "warp instructions per core cycle", heading: "IPC",
    of: (s, i, cycles) => s.warp_instructions[i] / cycles},
  {id: "warps", name: "active warps of an SM", heading: "Active warps",
    of: (s, i, cycles, intervals) => s.warp_cycles[i] / cycles / intervals.sms},
  {id: "l1d", name: "L1D hits of its loads", heading: "L1D hit rate", format: formats.percent,
    of: (s, i) => (s.l1d_loads[i] ? s.l1d_hits[i] / s.l1d_loads[i] : null)},
  {id: "texture", name: "texture cache hits of its lines", heading: "Texture hit rate", format: formats.percent,
    of: (s, i) => {
      const lines = s.texture_hits[i] + s.texture_pending_hits[i] + s.texture_misses[i];
      return lines ? s.texture_hits[i] / lines : null;
    }},
  {id: "mshr", name: "MSHR entries used of an SM", heading: "MSHR occupancy",
    of: (s, i, cycles, intervals) => s.mshr_entry_cycles[i] / cycles / intervals.sms},
  {id: "dram", name: "DRAM bandwidth, GB/s", heading: "DRAM bandwidth",
    of: (s, i, cycles, intervals) => s.dram_data_bytes[i] / cycles * intervals.core_mhz / 1000},
];

/** The cycles of samples with under half of the run's mean IPC, and what the run would gain if they had the mean. */
function slowPart(run) {
  const cycles = sampleCycles(run.intervals);
  const instructions = run.intervals.samples.warp_instructions;
  const mean = d3.sum(instructions) / d3.sum(cycles);
  const slow = d3.range(cycles.length).filter((i) => instructions[i] / cycles[i] < mean / 2);
  const spent = d3.sum(slow, (i) => cycles[i]);
  const needed = mean ? d3.sum(slow, (i) => instructions[i]) / mean : spent;
  return {run, mean, share: spent / d3.sum(cycles), gain: d3.sum(cycles) / (d3.sum(cycles) - spent + needed)};
}

function showOverTime(report) {
  const runs = runsWithIntervals(report);
  if (!runs.length) return;
  const worst = runs.map(slowPart).sort((a, b) => b.share - a.share)[0];
  const {interval_cycles: every, merged} = worst.run.intervals;
  const rule = `Means of ${formats.count(every * merged)} core cycles each. ` + (worst.share > 0
    ? `${worst.run.label} has less than half of its mean IPC (${formats.number(worst.mean)}) in ` +
      `${formats.percent(worst.share)} of its cycles; with the mean in these at most ${formats.ratio(worst.gain)} times as fast.`
    : "No run falls below half of its mean IPC.");
  addSection("over-time", "Over time", rule, (section) => {
    const programs = d3.groups(runs, (run) => run.program);
    for (const curve of kCurves) {
      const charts = programs.map(([program, members]) => ({program, lines: members.map((run, i) => {
        const {samples} = run.intervals;
        const cycles = sampleCycles(run.intervals);
        return {name: run.label, colour: kPalette[i % kPalette.length], dashes: i >= kPalette.length ? "4 3" : null,
          points: samples.last_cycle.map((last, k) => [last, curve.of(samples, k, cycles[k], run.intervals)])};
      })})).filter(({lines}) => lines.some((line) => line.points.some((point) => point[1])));
      if (!charts.length) continue;
      section.append("h3").text(curve.heading);
      for (const {program, lines} of charts) {
        const place = programs.findIndex((entry) => entry[0] === program);
        addLineChart(section, {id: `over-time-${curve.id}` + (place ? `-${place}` : ""), lines, steps: true,
          label: `${curve.heading} over time` + (programs.length > 1 ? `: ${program}` : ""), xName: "core cycles",
          yName: curve.name, xFormat: formats.count, yFormat: curve.format, top: curve.format ? 1 : null});
      }
    }
    section.append("h3").text("Issue slots by cause");
    for (const run of runs) {
      const {samples, schedulers, sms} = run.intervals;
      const cycles = sampleCycles(run.intervals);
      const causes = kCauses.filter((cause) => d3.sum(samples["scheduler_" + cause.key]) > 0);
      addLineChart(section, {id: `over-time-causes-${run.id}`, label: `Issue slots by cause over time: ${run.label}`, stacked: true,
        steps: true, top: 1, xName: "core cycles", yName: "share of issue slots", xFormat: formats.count, yFormat: formats.percent,
        lines: causes.map((cause) => ({name: cause.name, colour: cause.colour, points: samples.last_cycle.map((last, i) =>
          [last, samples["scheduler_" + cause.key][i] / (cycles[i] * schedulers * sms)])}))})
        .insert("figcaption", ":first-child").text(run.label);
    }
    tellFirstOnly(section, report, "intervals", runs.length);
  });
}
