#include "modules/sm/load_statistics.h"

#include <algorithm>
#include <string>

namespace heddle {

LoadStatistics::Load* LoadStatistics::find(std::uint64_t id) {
  const auto found =
      std::find_if(under_way_.begin(), under_way_.end(), [id](const Load& load) { return load.id == id; });
  return found == under_way_.end() ? nullptr : &*found;
}

void LoadStatistics::issued(const WarpInstruction& load, unsigned age, Cycle occluded) {
  Load entry;
  entry.id = load.id;
  entry.age = age;
  entry.occluded_at_issue = occluded;
  entry.occluded = occluded;
  under_way_.push_back(entry);
}

void LoadStatistics::accessed(const L1dAccess& access, Cycle occluded) {
  // What is queued is told again when it is replayed.
  if (access.outcome == L1dOutcome::kRefused || access.outcome == L1dOutcome::kQueued) return;
  Load* const load = find(access.instruction);
  if (load == nullptr) return;
  ++load->lines;
  load->hits += access.outcome == L1dOutcome::kHit;
  load->misses += access.outcome == L1dOutcome::kMiss;
  load->occluded = occluded;
}

void LoadStatistics::completed(const WarpInstruction& instruction, Cycle now) {
  Load* const load = find(instruction.id);
  if (load == nullptr) return;
  if (load->lines != 0) {
    Sums& sums = load->lines > kCoherentLines ? divergent_ : coherent_;
    ++sums.loads;
    sums.latency += now - instruction.issued_at;
    sums.occlusion += load->occluded - load->occluded_at_issue;
    sums.fully_cached += load->hits == load->lines;
    sums.accesses += load->lines;
    sums.entries += load->misses;
    count_use(instruction, *load);
  }
  *load = under_way_.back();
  under_way_.pop_back();
}

void LoadStatistics::count_use(const WarpInstruction& instruction, const Load& load) {
  unsigned i = 0;
  while (i < pcs_ && by_pc_[i].address != instruction.pc) ++i;
  if (i == kPcs) return;
  if (i == pcs_) {
    ++pcs_;
    by_pc_[i].address = instruction.pc;
    by_pc_[i].pc = std::uint64_t{instruction.index} * Instruction::kBytes;
  }
  Use& use = by_pc_[i].by_age[load.age];
  ++use.loads;
  use.entries += load.misses;
}

void LoadStatistics::report(StatSink& sink) const {
  for (const bool divergent : {false, true}) {
    const StatScope scope(sink, divergent ? "divergent" : "coherent");
    const Sums& sums = divergent ? divergent_ : coherent_;
    sink.count("loads", sums.loads, "instructions", "loads of this kind that are complete");
    sink.count("latency", sums.latency, "cycles", "from issue to write-back, loads added up");
    sink.count("occlusion", sums.occlusion, "cycles", "part of it in which the MSHRs held up the L1D's exit");
    sink.count("fully_cached", sums.fully_cached, "instructions", "loads that hit with every access");
    sink.count("accesses", sums.accesses, "accesses", "lines that they asked for");
    sink.count("mshr_entries", sums.entries, "entries", "MSHR entries that they took");
  }
  for (unsigned age = 0; age < warps_; ++age) {
    const StatScope warp(sink, "age" + std::to_string(age));
    sink.count("issued", issued_[age], "instructions", "of all kinds, by warps of this age");
  }
  for (unsigned i = 0; i < kPcs; ++i) {
    const StatScope scope(sink, "load" + std::to_string(i));
    sink.level("pc", static_cast<double>(by_pc_[i].pc), "bytes", "of the load, from its kernel's start");
    for (unsigned age = 0; age < warps_; ++age) {
      const Use& use = by_pc_[i].by_age[age];
      const StatScope warp(sink, "age" + std::to_string(age));
      sink.count("loads", use.loads, "instructions", "by warps of this age");
      sink.count("mshr_entries", use.entries, "entries", "MSHR entries that they took");
    }
  }
}

}  // namespace heddle
