// What --tb-log writes: lives of thread blocks and warps, what they allocated, and what each warp issued.
"use strict";

/** Runs with a log, the first of them when they are many. */
function loggedRuns(report) {
  return report.runs.concat(report.timed_pairs).filter((run) => run.thread_blocks && run.thread_blocks.tbs.tb.length);
}

/** Says so when runs with such files have been left out. */
function tellFirstOnly(section, report, part, shown) {
  if (report.first_only.includes(part)) {
    section.append("p").attr("class", "rule").text(`Only the first ${shown} runs with a log are shown.`);
  }
}

/** Launches by colour; the launches of one kernel that follow each other differ in shade. */
function launchColours(launches) {
  const kernels = [...new Set(launches.map((launch) => launch.kernel))];
  const seen = new Map();
  return launches.map((launch) => {
    const nth = seen.get(launch.kernel) || 0;
    seen.set(launch.kernel, nth + 1);
    const colour = d3.color(kPalette[kernels.indexOf(launch.kernel) % kPalette.length]);
    return (nth % 2 ? colour.brighter(0.7) : colour).toString();
  });
}

const kIntervals = {
  to_be_sampled: {name: "kernel waits to be sampled", colour: "#7f7f7f"},
  sampled: {name: "kernel is sampled", colour: "var(--ink)"},
  hand_off: {name: "hand-off: waits for room", colour: "#d55e00"},
};

/** Of the time from the first TB to the last one's end: what SMs spent after their own last TB, in the mean. */
function tailShare(tbs) {
  const ends = new Map();
  tbs.sm.forEach((sm, i) => ends.set(sm, Math.max(ends.get(sm) || 0, tbs.end[i])));
  const last = d3.max(tbs.end);
  return (last - d3.mean([...ends.values()])) / (last - d3.min(tbs.start));
}

function showTbTimeline(report) {
  const runs = loggedRuns(report);
  if (!runs.length) return;
  const worst = runs.map((run) => ({run, share: tailShare(run.thread_blocks.tbs)})).sort((a, b) => b.share - a.share)[0];
  const rule = `Each band is a thread block on its SM, in the SM's slot for it, coloured by kernel and launch. In ` +
    `${worst.run.label} SMs stand without a thread block for ${formats.percent(worst.share)} of the time, in the mean, ` +
    "before the last one ends: better balanced grids or orders gain that at most.";
  addSection("tb-timeline", "Thread blocks over time", rule, (section) => {
    for (const run of runs) {
      const log = run.thread_blocks;
      const {tbs, launches} = log;
      const colours = launchColours(launches);
      const sms = [...new Set(tbs.sm)].sort((a, b) => a - b);
      const place = new Map(sms.map((sm, i) => [sm, i]));
      const lanes = sms.map((sm) => 1 + d3.max(tbs.slot.filter((slot, i) => tbs.sm[i] === sm)));
      const bands = tbs.tb.map((tb, i) => ({row: place.get(tbs.sm[i]), lane: tbs.slot[i], start: tbs.start[i], end: tbs.end[i],
        colour: colours[tbs.launch[i]], key: `launch ${launches[tbs.launch[i]].launch} TB ${tb}`,
        what: launches[tbs.launch[i]].kernel, name: `${launches[tbs.launch[i]].kernel}, launch ` +
        `${launches[tbs.launch[i]].launch}, TB ${tb}: SM ${tbs.sm[i]}, cycles ${tbs.start[i]} to ${tbs.end[i]}`}));
      const intervals = (log.policy_intervals || []).filter((interval) => place.has(interval.sm));
      for (const interval of intervals) {
        const kind = kIntervals[interval.kind];
        bands.push({row: place.get(interval.sm), lane: 0, under: true, start: interval.start, end: interval.end,
          colour: kind.colour, key: interval.kind, what: kind.name,
          name: `${kind.name}: launch ${interval.launch}, SM ${interval.sm}, cycles ${interval.start} to ${interval.end}`});
      }
      const named = new Map();
      launches.forEach((launch, i) => {
        if (!named.has(launch.kernel)) named.set(launch.kernel, colours[i]);
      });
      for (const kind of new Set(intervals.map((interval) => interval.kind))) {
        named.set(kIntervals[kind].name, kIntervals[kind].colour);
      }
      section.append("h3").text(run.label);
      addBands(section, {id: `tb-timeline-${run.id}`, label: `Thread blocks by SM over time: ${run.label}`,
        rows: sms.map((sm, i) => ({name: `SM ${sm}`, lanes: lanes[i], under: intervals.some((entry) => entry.sm === sm)})),
        bands, laneHeight: Math.max(2, Math.min(10, 420 / d3.sum(lanes))), xName: "core cycles",
        legend: [...named.entries()].map(([name, colour]) => ({name, colour})),
        columns: [{name: "what"}, {name: "which"}, {name: "where"}, {name: "from cycle", number: true, format: formats.count},
          {name: "to", number: true, format: formats.count}, {name: "cycles", number: true, format: formats.count}],
        cells: (band) => [band.what, band.key, `SM ${sms[band.row]}`, band.start, band.end, band.end - band.start]});
      const more = [];
      if (tbs.left_out) more.push(`${plural(tbs.left_out, "later thread block")} left out of this chart.`);
      const running = d3.sum(launches, (launch) => launch.tbs_running || 0);
      if (running) more.push(`${plural(running, "thread block")} had not ended when the run did.`);
      if (more.length) section.append("p").attr("class", "rule").text(more.join(" "));
    }
    tellFirstOnly(section, report, "thread_blocks", runs.length);
  });
}

/** WarpMan's figures 4, 9 and 11, and how long thread blocks lived. */
function showWarpLives(report) {
  const runs = loggedRuns(report).filter((run) => run.thread_blocks.launches.some((launch) => launch.lives));
  if (!runs.length) return;
  const all = runs.flatMap((run) => run.thread_blocks.launches.filter((launch) => launch.lives).map((launch) => ({run, launch})));
  const worst = all.slice().sort((a, b) => b.launch.rtru - a.launch.rtru)[0];
  const rule = "Warps of a thread block, from its start to their ends; what is shaded after them is held until the longest one " +
    `ends (RTRU is the shaded share). ${worst.run.label}, ${worst.launch.kernel}: ${formats.percent(worst.launch.rtru)} of the ` +
    "warps' time over all thread blocks. Giving back what a warp held when it ends makes room for at most " +
    `${formats.ratio(1 / (1 - worst.launch.rtru))} times as many warps.`;
  addSection("warp-lives", "Lives of warps and thread blocks", rule, (section) => {
    for (const run of runs) {
      const launches = run.thread_blocks.launches.filter((launch) => launch.lives);
      section.append("h3").text(run.label);
      addHistogramOfLaunches(section, {id: `tb-cycles-${run.id}`, label: `Lifetimes of thread blocks: ${run.label}`, launches,
        figure: "tb_cycles", xName: "cycles of a thread block", format: formats.number});
      addHistogramOfLaunches(section, {id: `tb-rtru-${run.id}`, label: `Thread blocks by RTRU: ${run.label}`, launches,
        figure: "tb_rtru", xName: "RTRU of a thread block", format: formats.percent});
      for (const launch of launches.slice(0, 3)) {
        for (const tb of launch.lives) {
          const start = d3.min(tb.warps, (warp) => warp[0]);
          const end = d3.max(tb.warps, (warp) => warp[1]) - start;
          addBands(section, {id: `lives-${run.id}-${launch.launch}-${tb.tb}`,
            label: `${run.label}: warps of TB ${tb.tb} of ${launch.kernel}, RTRU ${formats.percent(tb.rtru)}`,
            rows: tb.warps.map((warp, i) => ({name: `warp ${i}`, lanes: 1})), laneHeight: 13, xName: "cycles since its start",
            bands: tb.warps.map((warp, i) => ({row: i, lane: 0, start: warp[0] - start, end: warp[1] - start,
              colour: kPalette[0], key: `TB ${tb.tb}`, instructions: warp[2],
              name: `warp ${i}: cycles ${warp[0] - start} to ${warp[1] - start}, ${warp[2]} instructions`})),
            shade: {start: 0, end}, legend: [{name: "warp runs", colour: kPalette[0]},
              {name: "its resources are held", colour: "var(--line)"}],
            columns: [{name: "warp"}, {name: "from cycle", number: true, format: formats.count},
              {name: "to", number: true, format: formats.count}, {name: "instructions", number: true, format: formats.count}],
            cells: (band) => [`warp ${band.row}`, band.start, band.end, band.instructions]})
            .insert("figcaption", ":first-child").text(`${launch.kernel}, launch ${launch.launch}, TB ${tb.tb}: RTRU ` +
              formats.percent(tb.rtru));
        }
      }
    }
  });
}

/** A histogram with a set for each launch that has the figure, up to eight; bins are as wide as the widest of them. */
function addHistogramOfLaunches(section, {id, label, launches, figure, xName, format}) {
  const shown = launches.filter((launch) => launch[figure]).slice(0, kPalette.length);
  const bin = d3.max(shown, (launch) => launch[figure].bin);
  for (const [i, part] of d3.groups(shown, (launch) => launch[figure].bin).entries()) {
    addHistogram(section, {id: i ? `${id}-${i}` : id, label, bin: part[0], xName, yName: "thread blocks", format,
      sets: part[1].map((launch) => ({name: `${launch.kernel}, launch ${launch.launch}`, counts: launch[figure].counts,
        colour: kPalette[shown.indexOf(launch)]}))});
  }
  return bin;
}

/** WarpMan's figures 6 and 8. */
function showWarpInstructions(report) {
  const runs = loggedRuns(report).filter((run) => run.thread_blocks.launches.some((launch) => launch.warps_by_instructions));
  if (!runs.length) return;
  const spread = (launch) => launch.warps_by_instructions.warps.filter((warps) => warps > 0).length;
  const uneven = runs.flatMap((run) => run.thread_blocks.launches.filter((l) => l.warps_by_instructions).map((launch) =>
    ({run, launch}))).sort((a, b) => spread(b.launch) - spread(a.launch))[0];
  const {bin, warps} = uneven.launch.warps_by_instructions;
  const fullest = warps.indexOf(d3.max(warps));
  const rule = `Warps by the instructions that they issued. ${uneven.launch.kernel} in ${uneven.run.label} fills ` +
    `${plural(spread(uneven.launch), "bin")} of ${bin} instructions, most of all (${formats.count(fullest * bin)}, ` +
    `${formats.count((fullest + 1) * bin)}] with ${formats.percent(warps[fullest] / d3.sum(warps))} of the warps; ` +
    (spread(uneven.launch) > 1 ? `its longest warps issue up to ${formats.count(warps.length * bin)}: no order of the warps ends ` +
      "a thread block before its longest one." : "all warps have about as much to do.");
  addSection("warp-instructions", "Instructions per warp", rule, (section) => {
    for (const run of runs) {
      const launches = run.thread_blocks.launches.filter((launch) => launch.warps_by_instructions).slice(0, kPalette.length);
      addHistogram(section, {id: `warp-instructions-${run.id}`, label: `Instructions per warp: ${run.label}`, open: true,
        bin: launches[0].warps_by_instructions.bin, xName: "instructions of a warp", yName: "warps", format: formats.number,
        sets: launches.map((launch, i) => ({name: `${launch.kernel}, launch ${launch.launch}`, colour: kPalette[i],
          counts: launch.warps_by_instructions.warps}))});
    }
  });
}

/** WarpMan's figure 3, over time, and what of the warp slots nobody works in. */
function showAllocation(report) {
  const runs = loggedRuns(report).filter((run) => run.thread_blocks.allocation && run.thread_blocks.allocation.end.length);
  if (!runs.length) return;
  const idle = (run) => value(run, "allocated_warp_slots") - value(run, "achieved_occupancy");
  const worst = runs.slice().sort((a, b) => idle(b) - idle(a))[0];
  const rule = `Shares of an SM's resources, means of the SMs. A warp slot is at work, held by a warp that has ended while its ` +
    `thread block goes on, or free. While SMs are active ${worst.label} has ${formats.percent(idle(worst))} of the warp slots ` +
    `held by ended warps, and ${formats.percent(1 - value(worst, "allocated_registers"))} of the registers free: room for at most ` +
    `${formats.ratio(1 / value(worst, "achieved_occupancy"))} times as many warps.`;
  addSection("allocation", "Resources over time", rule, (section) => {
    for (const run of runs) {
      const {end, registers, warp_slots: slots, shared_memory: shared, warps} = run.thread_blocks.allocation;
      const at = (i) => warps[i] / run.config["core.warps"];
      const points = (figure) => end.map((cycle, i) => [cycle, figure(i)]);
      section.append("h3").text(run.label);
      addLineChart(section, {id: `warp-slots-${run.id}`, label: `Warp slots over time: ${run.label}`, stacked: true, steps: true,
        top: 1, xName: "core cycles", yName: "share of the warp slots", xFormat: formats.count, yFormat: formats.percent, lines: [
          {name: "at work", colour: "#0072b2", points: points(at)},
          {name: "held by ended warps", colour: "#d55e00", points: points((i) => Math.max(0, slots[i] - at(i)))},
          {name: "free", colour: "#c8c8c8", points: points((i) => 1 - Math.max(slots[i], at(i)))}]});
      addLineChart(section, {id: `allocation-${run.id}`, label: `Allocated resources over time: ${run.label}`, steps: true, top: 1,
        xName: "core cycles", yName: "share allocated", xFormat: formats.count, yFormat: formats.percent, lines: [
          {name: "registers", colour: "#0072b2", points: points((i) => registers[i])},
          {name: "warp slots", colour: "#e69f00", points: points((i) => slots[i]), dashes: "6 3"},
          {name: "shared memory", colour: "#009e73", points: points((i) => shared[i]), dashes: "2 2"}]});
    }
  });
}

/** What each warp slot of an SM issued over time: a scheduler's handwriting. */
function showIssuePattern(report) {
  const runs = loggedRuns(report).filter((run) => run.thread_blocks.issue_pattern);
  if (!runs.length) return;
  const share = (run) => {
    const sums = run.thread_blocks.issue_pattern.warps.map((warp) => d3.sum(warp)).filter((sum) => sum > 0).sort((a, b) => b - a);
    return d3.sum(sums.slice(0, Math.ceil(sums.length / 4))) / (d3.sum(sums) || 1);
  };
  const rule = "Instructions that each warp slot of SM 0 issued, by interval. Even shades are a fair scheduler's, dark stripes " +
    `that wander a greedy one's. The busiest quarter of the slots in use issued ${runs.map((run) =>
      `${formats.percent(share(run))} (${run.label})`).join(", ")}. What an order costs stands under "Issue slots by cause".`;
  addSection("issue-pattern", "Issue pattern of the warps", rule, (section) => {
    for (const run of runs) {
      const {interval, warps: slots} = run.thread_blocks.issue_pattern;
      const warps = slots.slice(0, 1 + d3.max(d3.range(slots.length).filter((i) => d3.sum(slots[i]) > 0).concat([0])));
      section.append("h3").text(run.label);
      addShades(section, {id: `issue-pattern-${run.id}`, label: `Instructions by warp slot over time: ${run.label}`,
        rows: warps.map((warp, i) => String(i)), values: warps, step: interval, xName: "core cycles", yName: "warp slot",
        valueName: "instructions", format: formats.count});
    }
  });
}
