#include "modules/warp_scheduler/policies/ccws/ccws.h"

#include <algorithm>

#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {

Ccws::Ccws(const SmContext& context)
    : table_(context.table),
      served_(context.share),
      hardware_(context.hardware.timing == hw::Timing::kHardware),
      owner_(context.hardware.child("ccws")),
      detector_(owner_, context.gpu),
      cutoff_(owner_, context.gpu),
      scoring_(owner_, context.gpu, cutoff_) {}

/// Told in the cycle after it happened; of what was counted in its own cycle nothing is left.
void Ccws::on_kernel_start(const KernelEvent& event) {
  if (hardware_) advance(event.cycle);
  cleared_at_ = event.cycle + 1;
  scoring_.on_kernel_start();
}

void Ccws::on_warp_start(const WarpEvent& event) {
  loads_.forget(event.warp);
  if (!served_.start(event)) return;
  if (hardware_) {
    advance(event.cycle);
    detector_.tell_start(event.cycle, event.warp);
  } else {
    detector_.clear(event.warp);
  }
  charge(event.cycle - 1);
  cutoff_.start(event.cycle, event.warp);
}

void Ccws::on_warp_finish(const WarpEvent& event) {
  if (!served_.has(event.warp)) return;
  if (hardware_) advance(event.cycle);
  charge(event.cycle - 1);
  cutoff_.finish(event.cycle, event.warp);
  scoring_.on_finish(event.warp);
}

void Ccws::on_issue(const IssueEvent& event) {
  loads_.forget(event.warp);
  if (served_.has(event.warp)) scoring_.on_issue();
}

void Ccws::on_l1d_access(const L1dAccess& event) {
  if (event.outcome != L1dOutcome::kMiss || !served_.has(event.warp)) return;
  ++probes_;
  if (hardware_) {
    advance(event.cycle);
    detector_.tell_miss(event.cycle, event.warp, event.line.address);
  } else if (detector_.probe(event.cycle + 1, event.warp, event.line.address)) {
    lost_locality(event.cycle + 1, event.warp);
  }
}

void Ccws::lost_locality(std::uint64_t cycle, unsigned warp) {
  if (!hardware_) ++vta_hits_;
  if (cycle != cleared_at_ || !hardware_) scoring_.count_hit();
  scoring_.lose(cycle, warp);
}

void Ccws::on_eviction(const L1dEviction& event) {
  if (!served_.has(event.filled_by)) return;
  ++vta_insertions_;
  if (hardware_) {
    advance(event.cycle);
    detector_.tell_eviction(event.cycle, event.filled_by, event.line.address);
  } else {
    detector_.insert(event.cycle + 1, event.filled_by, event.line.address);
  }
}

void Ccws::on_store(const L1dStore& event) {
  if (event.local) return;
  if (hardware_) {
    advance(event.cycle);
    detector_.tell_store(event.cycle, event.line.address);
  } else {
    detector_.invalidate(event.cycle + 1, event.line.address);
  }
}

std::uint64_t Ccws::next() const {
  return std::min({found_at_, detector_.next(), cutoff_.next(), scoring_.next()});
}

/// What the parts say to each other in a cycle they hear in the next one: so hits come first, then scores are
/// copied, then set.
void Ccws::advance(std::uint64_t cycle) {
  for (std::uint64_t at = next(); at <= cycle; at = next()) {
    charge(at - 1);
    last_step_ = at;
    if (found_at_ == at) {
      lost_locality(at, found_warp_);
      found_at_ = kNever;
    }
    if (detector_.next() == at) {
      found_warp_ = detector_.step();
      if (found_warp_ != kNoWarp) {
        ++vta_hits_;
        found_at_ = at + 1;
      }
    }
    cutoff_.advance(at);
    if (scoring_.next() == at) scoring_.step();
  }
}

std::uint64_t Ccws::update(std::uint64_t cycle) {
  std::uint64_t next_change = kNever;
  if (hardware_) advance(cycle);
  charge(cycle - 1);
  next_change = hardware_ ? next() : cutoff_.update(cycle);
  if (traced_) {
    cutoff_.show(cycle);
    if (cutoff_.decaying(cycle)) next_change = std::min(next_change, cycle + 1);
  }
  return next_change;
}

void Ccws::charge(std::uint64_t until) {
  if (until <= charged_until_ || until == kNever) return;
  const WarpMask held = cutoff_.active() & ~cutoff_.eligible();
  if (held != 0) {
    throttled_cycles_ += until - charged_until_;
    throttled_warp_cycles_ += (until - charged_until_) * static_cast<unsigned>(__builtin_popcountll(held));
  }
  charged_until_ = until;
}

void Ccws::settle(std::uint64_t cycle) {
  charge(cycle);
  detector_.settle();
  if (shows_state_) cutoff_.show(cycle);
}

void Ccws::report(StatSink& sink) const {
  sink.count("vta_probes", probes_, "probes", "L1D load misses looked up in the warp's victim tags");
  sink.count("vta_hits", vta_hits_, "probes", "of these, those on a line that the warp had lost");
  sink.count("vta_insertions", vta_insertions_, "lines", "evicted lines whose tags were kept");
  sink.count("walks", cutoff_.walks(), "walks", "times that the warps before the cutoff were found");
  sink.count("throttled_cycles", throttled_cycles_, "cycles",
             "cycles in which some unfinished warp was not allowed to issue loads");
  sink.count("throttled_warp_cycles", throttled_warp_cycles_, "warp cycles",
             "unfinished warps not allowed to issue loads, summed over the cycles");
}

void Ccws::trace(WaveSink& sink) {
  if (!sink.wanted()) return;
  traced_ = true;
  cutoff_.trace(sink);
  scoring_.trace(sink);
}

void Ccws::trace_state(WaveSink& sink) {
  shows_state_ = true;
  cutoff_.trace(sink);
}

namespace {

class CcwsQualifier final : public Qualifier {
 public:
  explicit CcwsQualifier(Ccws& shared) : shared_(shared) {}
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask issuable) override { return shared_.qualify(issuable); }

 private:
  Ccws& shared_;
};

constexpr SharedPolicyEntry kCcwsShared = shared_policy<Ccws>("ccws", /*reads_line_warps=*/true);

}  // namespace

const ParametersOf<CcwsParameters> ccws_parameters{
    "ccws",
    {parameter::whole(&CcwsParameters::base_score, "base_score", 1, (1U << CcwsCutoff::kScoreBits) - 1,
                      "points", "Score of a warp that loses no locality"),
     parameter::whole(&CcwsParameters::k_throttle, "k_throttle", 1, 256, "",
                      "How strongly victim tag hits raise a score"),
     parameter::whole(&CcwsParameters::vta_entries, "vta_entries", 1, 1024, "tags",
                      "Victim tags of a warp: the ways times a power of two"),
     parameter::whole(&CcwsParameters::vta_ways, "vta_ways", 1, 64, "ways",
                      "Associativity of the victim tags")}};

extern const QualifierEntry ccws_entry;
const QualifierEntry ccws_entry{"ccws", "warps that lose locality in the L1D keep the others from loading",
                                [](const PolicyContext& context) -> std::unique_ptr<Qualifier> {
                                  return std::make_unique<CcwsQualifier>(context.shared_as<Ccws>());
                                },
                                &kCcwsShared, &ccws_parameters};

}  // namespace heddle
