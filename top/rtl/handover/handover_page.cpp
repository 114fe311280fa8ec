#include "top/rtl/handover/handover_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

#include "top/rtl/dispatch_ports.h"
#include "top/rtl/rtl_text.h"

namespace heddle {

namespace {

struct PortMeaning {
  TwinInput input;
  const char* meaning;
};

constexpr std::array<PortMeaning, kNumTwinInputs> kInputs{{
    {TwinInput::kStart, "warps that start"},
    {TwinInput::kFinish, "of those that issue, warps that issue their exit"},
    {TwinInput::kReady, "warps that may issue: with an instruction, past the scoreboard, their unit free"},
    {TwinInput::kStale, "warps whose I-buffer is stale, and is emptied when the scheduler comes to them"},
    {TwinInput::kIssue, "warps that issue: the choice, or an earlier one when choosing is a pipeline"},
    {TwinInput::kRuns, "resident warps that wait for nothing that takes long"},
    {TwinInput::kWaits, "slots that make room for others"},
    {TwinInput::kResident, "warps of the SM"},
    {TwinInput::kNow, "the low bits of the core cycle"},
    {TwinInput::kTbStart, "by TB slot: the one in which a thread block (TB) starts"},
    {TwinInput::kTbWarps, "of the TB that starts: its warps"},
    {TwinInput::kTbNumWarps, "of the TB that starts: how many warps it has"},
    {TwinInput::kTbTie, "of the TB that starts: the number of its launch, then its index in the grid"},
    {TwinInput::kTbSlow, "of the TB that starts: its kernel has no TBs left"},
    {TwinInput::kTbEnd, "by TB slot: TBs that end"},
    {TwinInput::kPhase, "by TB slot: TBs of a kernel of which the last waiting TB was given away"},
    {TwinInput::kLanes, "6 bits per scheduler: active lanes of what it issues"},
    {TwinInput::kArrive, "of those that issue, warps that come to a barrier"},
    {TwinInput::kRelease, "warps that a barrier lets go on"},
    {TwinInput::kUnderWay, "warps whose choice has not taken effect, when choosing is a pipeline"},
    {TwinInput::kLimit, "a number that does not change: how many warps may issue"},
    {TwinInput::kLoad, "warps whose next instruction is a load that goes to the L1D or past it"},
    {TwinInput::kCached, "of these, those that look for their lines in the L1D"},
    {TwinInput::kPredictPc, "a number: next PC of the warp that `predict_o` named in the cycle before"},
    {TwinInput::kPredictLanes, "active lanes of its next instruction, a bit each"},
    {TwinInput::kCoalesced, "a bit: a load that looks for its lines in the L1D was coalesced"},
    {TwinInput::kCoalescedPc, "a number: its PC"},
    {TwinInput::kCoalescedLines, "a number: its lines"},
    {TwinInput::kClear, "a bit: a kernel starts"},
    {TwinInput::kRoomValid, "a bit: the MSHRs say how many entries are free"},
    {TwinInput::kRoom, "a number: so many"},
    {TwinInput::kTake, "warps that issue a load that looks for its lines in the L1D"},
    {TwinInput::kTag, "a number: what it is called while it is in flight"},
    {TwinInput::kLeft, "a bit: a load has left the L1D"},
    {TwinInput::kLeftTag, "a number: what it was called"},
    {TwinInput::kLeftPc, "a number: its PC"},
    {TwinInput::kLeftLines, "a number: its lines"},
    {TwinInput::kAccess, "a bit: a load's access was looked up in the L1D"},
    {TwinInput::kAccessFirst, "a bit: the first of its load"},
    {TwinInput::kAccessMiss, "a bit: it found no data, or those of a fetch under way"},
    {TwinInput::kAccessSet, "a number: its set"},
    {TwinInput::kQueueRoom, "a number: so many places of the miss queue are free"},
    {TwinInput::kQueued, "warps that had no access in the re-execution queue and now have"},
    {TwinInput::kDrained, "warps whose last access has left it"},
    {TwinInput::kMemory, "warps whose next instruction accesses global or local memory"},
    {TwinInput::kCandidate, "of these, those that wait for nothing but its unit"},
    {TwinInput::kWaiting, "warps that wait for their own data, at a barrier or membar"},
    {TwinInput::kLookUp, "a bit: an access leaves the L1D which victim tags are asked about"},
    {TwinInput::kLookUpStore,
     "a bit: a store, which all of them are asked about; otherwise a load that misses"},
    {TwinInput::kLookUpWarp, "a number: the load's warp"},
    {TwinInput::kLookUpLine, "a number: the line's, without the place in it"},
    {TwinInput::kEvict, "a bit: a line is evicted from the L1D"},
    {TwinInput::kEvictWarp, "a number: the warp that had it filled"},
    {TwinInput::kEvictLine, "a number: the line's"},
    {TwinInput::kTbLaunch, "of the TB that starts: the low bits of its launch's number"},
    {TwinInput::kValid, "warps with an instruction that wait at no barrier and no membar"},
    {TwinInput::kUnblocked, "of these, warps that pass the scoreboard"},
    {TwinInput::kVerdictIn, "a verdict of some SM on its way to all, as verdict_o"},
}};

const char* meaning_of(TwinOutput output) {
  if (const char* const own = dispatch_port_meaning(static_cast<unsigned>(output)); own != nullptr)
    return own;
  switch (output) {
    case TwinOutput::kGrant:
      return "the choice, one warp of a scheduler at most";
    case TwinOutput::kPassed:
      return "stale warps that come before it";
    case TwinOutput::kQualified:
      return "ready warps that the qualifier lets issue";
    case TwinOutput::kPredict:
      return "the warp of which a prediction is begun";
    case TwinOutput::kSaturated:
      return "a bit: the memory is saturated";
    case TwinOutput::kOwner:
      return "its owner, one warp at most";
    case TwinOutput::kEligible:
      return "warps that may issue loads";
    case TwinOutput::kVerdict:
      break;
  }
  return "a verdict for all SMs: whether there is one, whether the kernel is convex, its launch's low bits";
}

std::string ports_table(const TwinDesign& design) {
  std::string text =
      fmt::format("| port | {} |\n| --- | --- |\n",
                  design.block.empty() ? "a bit per warp slot, where nothing else is said" : "meaning");
  for (const TwinInput input : design.inputs) {
    if (const char* const meaning = dispatch_port_meaning(static_cast<unsigned>(input)); meaning != nullptr)
      text += fmt::format("| `{}` | {} |\n", port_name(input), meaning);
    for (const PortMeaning& port : kInputs) {
      if (port.input == input) text += fmt::format("| `{}` | {} |\n", port_name(input), port.meaning);
    }
  }
  for (const TwinOutput output : design.outputs)
    text += fmt::format("| `{}` | {} |\n", port_name(output), meaning_of(output));
  return text;
}

std::string parameters_table(const TwinDesign& design) {
  std::string text = "| parameter | value | meaning |\n| --- | ---: | --- |\n";
  for (const TwinDesign::Parameter& parameter : design.parameters)
    text += fmt::format("| `{}` | {} | {} |\n", parameter.name, parameter.value, parameter.meaning);
  return text;
}

std::string netlist_text(const Handover& handover) {
  if (!handover.netlist) return "`cost.txt` has the model's estimate; nothing was synthesised.";
  const TwinNetlist& netlist = *handover.netlist;
  return fmt::format(
      "`cost.txt` has the model's estimate beside the netlist of yosys and OpenSTA: {} flip-flops, {:.0f} "
      "NAND2-equivalents,\n  {:.1f} FO4 from {} to {}. That is before place and route, in the OSU 0.18 um "
      "cells.",
      netlist.flip_flops, netlist.nand2, netlist.fo4, netlist.from, netlist.to);
}

}  // namespace

namespace {

/// What follows from what is chosen in the same cycle, through the instruction that is executed.
std::string dependences_text(const TwinDesign& design) {
  if (!design.block.empty()) return "The head of the module has\nwhat may depend on what.\n\n";
  std::vector<std::string> ports;
  for (const TwinInput input : design.inputs) {
    switch (input) {
      case TwinInput::kIssue:
      case TwinInput::kLanes:
      case TwinInput::kArrive:
      case TwinInput::kFinish:
      case TwinInput::kRelease:
      case TwinInput::kTake:
        ports.push_back(fmt::format("`{}`", port_name(input)));
        break;
      default:
        break;
    }
  }
  return fmt::format(
      "What may depend on\n`grant_o` in the same cycle: {}. Nothing that is put out depends on {} before the "
      "next edge.\n\n",
      fmt::join(ports, ", "), ports.size() == 1 ? "it" : "them");
}

std::string module_names(const TwinDesign& design) {
  if (!design.qualifier) return fmt::format("`{}`", design.prioritizer.name);
  return fmt::format("`{}` in front of `{}`", design.qualifier->name, design.prioritizer.name);
}

}  // namespace

std::string handover_page(const Handover& handover) {
  const TwinDesign& design = handover.design;
  std::string text = fmt::format(
      "# {} `{}`, handed over\n\n"
      "{}, {} for the configuration `{}`, as synthesizable SystemVerilog, with "
      "what it takes to\ncheck it. Nothing here needs the simulator that it comes from (Heddle {}).\n\n",
      design.block.empty() ? "Warp scheduler" : "The twin", design.scheduler, module_names(design),
      design.block.empty() ? "the warp schedulers of one SM" : design.subject, handover.config,
      handover.version);
  text +=
      "    make check        # plays the golden vectors to the twin (Verilator 5.006 or later)\n"
      "    make check WAVES=twin.vcd\n"
      "    make lint         # verilator -Wall\n"
      "    make prove        # its properties, by k-induction (yosys, z3, cadical); ENTRIES=24: at 24 warps\n"
      "    make equal        # netlists do what the SystemVerilog does (yosys, qflow-tech-osu018)\n"
      "    make synthesise   # flip-flops, NAND2-equivalents, FO4 (yosys, OpenSTA, qflow-tech-osu018)\n\n"
      "## What is here\n\n"
      "| file | what |\n| --- | --- |\n"
      "| `heddle_scheduler.f` | the list of files for a simulator or synthesiser, from this folder on |\n"
      "| `Bender.yml`, `heddle_scheduler.core` | the same for Bender and FuseSoC |\n"
      "| `LICENSE` | Apache-2.0 |\n"
      "| `rtl/heddle_scheduler.sv`, `rtl/heddle_config_pkg.sv` | the top and its parameters |\n"
      "| `rtl/";
  text += design.block.empty() ? "schedulers" : "dispatch";
  text +=
      "/`, `rtl/parts/` | the twin and the parts that it is built of; each head has "
      "latency, ports and parameters |\n";
  text += handover.formal ? "| `rtl/prove.sh`, `rtl/formal/`" : "| `rtl/prove.sh`";
  text +=
      " | the proofs; properties stand in the modules, under `ifndef SYNTHESIS` and `ifdef FORMAL` |\n"
      "| `rtl/equivalence.sh` | proves netlists equal to the modules |\n"
      "| `rtl/synthesis/` | the synthesis that `make synthesise` runs |\n"
      "| `tb/` | the testbench `heddle_vectors_tb`: ends with PASS, or at the first difference with cycle, "
      "port and both values |\n"
      "| `run/vectors.txt` | the golden vectors |\n"
      "| `run/waves.vcd`, `run/waves.gtkw` | its signals in the model: `gtkwave run/waves.vcd "
      "run/waves.gtkw` |\n"
      "| `run/stats.json`, `run/lockstep.json`, `run/run.json` | the run that they are from |\n"
      "| `cost.txt`, `cost.json` | what it costs |\n\n";
  text += "## Parameters and ports\n\n" + parameters_table(design) + "\n" + ports_table(design) +
          "\n`clk_i` and `rst_ni` beside them; the reset is asynchronous and active low. " +
          dependences_text(design);
  text += fmt::format(
      "## Golden vectors\n\n"
      "{} clock cycles of SM {} in `{}`, from reset on. A line is a clock cycle: the core cycle of the run, "
      "then\nthe value of each input and of each output, hexadecimal, slot 0 in the lowest bit, in the "
      "order of the second line.\nLines that begin with # are not vectors. A core cycle that is not there "
      "had "
      "no input, and changed nothing.\n\n",
      handover.vectors, handover.sm, handover.command);
  text += fmt::format(
      "## What has been shown\n\n"
      "- In {} the twins of all {} SMs were compared with the cycle-level model at {} clock edges, "
      "with "
      "{} choices among\n  them: no difference.\n"
      "- `make prove` proves what the properties named `_A` in the modules say, at the sizes that it "
      "prints: of 8\n  warps if not told otherwise, of some modules fewer.\n- {}\n",
      handover.cut_after == 0
          ? "that run"
          : fmt::format("the first {} core cycles of that run, at which it was ended (`--max-cycles`),",
                        handover.cut_after),
      handover.sms, handover.edges, handover.grants, netlist_text(handover));
  return text;
}

}  // namespace heddle
