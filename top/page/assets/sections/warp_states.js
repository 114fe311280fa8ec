// What warps did in every cycle, and how many of them a scheduler had to choose from: runs with --profile.
"use strict";

/** The states of a resident warp, as keys of charts. All runs of a page have the same. */
function stateKeys(report) {
  const states = report.runs.find((run) => run.profile_detail).profile_detail.states;
  return states.map((state, place) => ({...state, place})).filter((state) => state.resident)
    .map((state) => ({key: state.name, label: state.label, place: state.place, colour: kStateColours[state.name],
      name: state.nsight ? `${state.label} (${state.nsight})` : state.label}));
}

/** What their charts count. */
const kCyclesPerInstruction = "warp cycles per instruction issued";

function profiledRuns(report) {
  return report.runs.filter((run) => run.profile && run.profile.warp_instructions > 0);
}

/** Warp cycles per issued instruction, by state. */
function cyclesPerInstruction(keys, account) {
  return Object.fromEntries(keys.map((key) => [key.key, account.cycles[key.place] / (account.warp_instructions || 1)]));
}

/** Share of the schedulers' cycles in which one issues. */
function slotsUsed(account) {
  return account.scheduler_cycles ? account.warp_instructions / account.scheduler_cycles : 0;
}

/** Of a run: its largest state but those of warps that could issue beside another, and the gain without it: no
 * scheduler issues more than one instruction in a cycle. */
function judgeStates(run, keys) {
  const account = run.profile;
  const waits = keys.filter((key) => key.key !== "selected" && key.key !== "not_selected")
    .map((key) => ({key, share: account.cycles[key.place] / (account.warp_cycles || 1)}));
  const worst = d3.greatest(waits, (wait) => wait.share);
  return {run, worst, gain: Math.min(1 / slotsUsed(account), 1 / (1 - Math.min(worst.share, 0.999)))};
}

function ruleOfStates(runs, keys) {
  const what = "Each cycle of a resident warp has one state; their sum is the mean time from one instruction of a warp " +
    "to its next. 'Not selected' is no loss: another warp issued. ";
  const {run, worst, gain} = d3.greatest(runs.map((one) => judgeStates(one, keys)), (judged) => judged.gain);
  return what + `${run.label}: ${formats.percent(worst.share)} of the warp cycles are ${worst.key.name}, and a scheduler ` +
    `issues in ${formats.percent(slotsUsed(run.profile))} of its cycles; without that state at most ` +
    `${formats.ratio(gain)} times as fast.`;
}

function showWarpStates(report) {
  const runs = profiledRuns(report);
  if (!runs.length) return;
  const keys = stateKeys(report);
  addSection("warp-states", "Warp states", ruleOfStates(runs, keys), (section) => {
    addStackedBars(section, {id: "warp-states-chart", label: "Warp cycles per issued instruction, by state",
      rows: runs.map((run) => ({label: run.label, parts: cyclesPerInstruction(keys, run.profile)})), keys,
      unit: "cycles", xName: kCyclesPerInstruction, format: formats.number});
    const launches = runs.length === 1 ? runs[0].profile_detail.launches.filter((one) => one.warp_instructions > 0) : [];
    if (launches.length > 1) {
      addStackedBars(section, {id: "warp-states-launches", label: "Warp cycles per issued instruction of each launch, by state",
        rows: launches.map((launch) => ({label: `${launch.id} ${launch.kernel}`,
          parts: cyclesPerInstruction(keys, launch)})), keys, unit: "cycles", xName: kCyclesPerInstruction, format: formats.number});
      tellNotHere(section, runs[0].profile_detail.launches_left_out, "launch", "es", " with fewer warp cycles");
    }
  });
}

const kFunnel = [
  {key: "theoretical", colour: "#8fcdf0"},
  {key: "active", colour: "#56b4e9"},
  {key: "eligible", colour: "#e69f00"},
  {key: "issued", colour: "#0072b2"},
];

function withoutEligible(account) {
  return account.scheduler_cycles ? account.no_eligible_cycles / account.scheduler_cycles : 0;
}

/** The bars of one row of the funnel. */
function funnelBars(funnel) {
  return kFunnel.filter((step) => step.key in funnel)
    .map((step) => ({name: step.key, colour: step.colour, value: funnel[step.key]}));
}

function showFunnel(report) {
  const runs = profiledRuns(report);
  if (!runs.length) return;
  const worst = d3.greatest(runs, (run) => withoutEligible(run.profile));
  const rule = "Warps of a scheduler in the mean: what resources allow, resident, that could issue, that issued (one at " +
    `most, the dashed line). ${worst.label}: in ${formats.percent(withoutEligible(worst.profile))} of its cycles a ` +
    `scheduler has no eligible warp; with one issued in each of these at most ` +
    `${formats.ratio((slotsUsed(worst.profile) + withoutEligible(worst.profile)) / slotsUsed(worst.profile))} times as fast.`;
  addSection("funnel", "Issue funnel", rule, (section) => {
    addGroupedBars(section, {id: "funnel-chart", label: "Warps per scheduler: theoretical, active, eligible, issued",
      groups: runs.map((run) => ({label: run.label, bars: funnelBars(run.profile.funnel)})), base: 1,
      format: formats.ratio, valueName: "warps per scheduler", whole: true});
    const label = "Cycles of schedulers without an eligible warp";
    addFolded(section, label, (details) => addTable(details, label, [{name: "run"},
      {name: "cycles without an eligible warp", number: true, format: formats.percent},
      {name: "issue slots used", number: true, format: formats.percent}],
    runs.map((run) => [run.label, withoutEligible(run.profile), slotsUsed(run.profile)])));
    if (runs.length > 1) return;
    const schedulers = runs[0].profile_detail.schedulers.filter((one) => one.scheduler_cycles > 0);
    section.append("h3").text("Each scheduler");
    addGroupedBars(section, {id: "funnel-schedulers", label: "Warps of each scheduler: active, eligible, issued",
      groups: schedulers.map((one) => ({label: one.name, bars: funnelBars({active: one.warp_cycles / one.scheduler_cycles,
        eligible: one.eligible_cycles / one.scheduler_cycles, issued: slotsUsed(one)})})), base: 1,
      format: formats.ratio, valueName: "warps, mean", whole: true});
    tellNotHere(section, runs[0].profile_detail.schedulers_left_out, "scheduler", "s");
  });
}
