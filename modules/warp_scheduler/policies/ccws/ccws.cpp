#include "modules/warp_scheduler/policies/ccws/ccws.h"

#include <algorithm>

#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

constexpr unsigned kTotalBits = 32;

hw::CounterArrayShape total_shape(unsigned entries) {
  hw::CounterArrayShape shape;
  shape.entries = entries;
  shape.bits = kTotalBits;
  shape.overflow = hw::Overflow::kSaturate;
  shape.read_ports = 0;
  shape.write_ports = 0;
  shape.adders = entries;
  shape.amount_bits = 1;
  shape.clear = true;
  return shape;
}

hw::AdderShape sum_shape(unsigned schedulers) {
  hw::AdderShape shape;
  shape.bits = kTotalBits;
  shape.overflow = hw::Overflow::kSaturate;
  shape.count = std::max(1U, schedulers - 1);
  return shape;
}

hw::RatioUnitShape ratio_shape(const GpuConfig& gpu) {
  const std::uint64_t largest = std::uint64_t{gpu.core.warps} *
                                gpu.scheduler.settings.of(ccws_parameters).base_score *
                                gpu.scheduler.settings.of(ccws_parameters).k_throttle;
  hw::RatioUnitShape shape;
  shape.factor_bits = kTotalBits;
  shape.multiplier_bits = hw::index_bits(static_cast<unsigned>(largest) + 1);
  shape.divisor_bits = kTotalBits;
  shape.result_bits = CcwsCutoff::kScoreBits;
  return shape;
}

}  // namespace

Ccws::Ccws(const SmContext& context)
    : table_(context.table),
      served_(context.share),
      schedulers_(context.gpu.core.schedulers),
      k_throttle_(context.values_of(ccws_parameters).k_throttle),
      owner_(context.hardware.child("ccws")),
      detector_(owner_, context.gpu),
      cutoff_(owner_, context.gpu),
      hits_(owner_, "vta_hits", total_shape(1)),
      issued_(owner_, "instructions", total_shape(context.gpu.core.schedulers)),
      issued_sum_(owner_, "instructions_sum", sum_shape(context.gpu.core.schedulers)),
      hit_(owner_, "hit_warps", context.gpu.core.warps),
      next_hit_(owner_, "next_hit", context.gpu.core.warps, hw::SelectorForm::kFixed),
      ratio_(owner_, "score_ratio", ratio_shape(context.gpu)) {}

void Ccws::on_kernel_start(const KernelEvent& /*event*/) {
  hits_.clear();
  issued_.clear();
}

void Ccws::on_warp_start(const WarpEvent& event) {
  if (!served_.start(event)) return;
  charge(event.cycle - 1);
  detector_.clear(event.warp);
  cutoff_.start(event.cycle, event.warp);
}

void Ccws::on_warp_finish(const WarpEvent& event) {
  if (!served_.has(event.warp)) return;
  charge(event.cycle - 1);
  cutoff_.finish(event.cycle, event.warp);
  hit_.clear_bits(warp_bit(event.warp));
  if (scored_warp_ == event.warp) scored_warp_ = kNoWarp;
}

void Ccws::on_issue(const IssueEvent& event) {
  if (served_.has(event.warp)) issued_.add(event.cycle, event.warp % schedulers_, 1);
}

std::uint64_t Ccws::instructions(std::uint64_t cycle) {
  std::uint64_t sum = issued_.value(0);
  for (unsigned s = 1; s < schedulers_; ++s) sum = issued_sum_.add(cycle, sum, issued_.value(s));
  return std::max<std::uint64_t>(1, sum);
}

void Ccws::on_l1d_access(const L1dAccess& event) {
  if (event.outcome != L1dOutcome::kMiss || !served_.has(event.warp)) return;
  ++probes_;
  // Told in the cycle after it happened.
  if (detector_.probe(event.cycle + 1, event.warp, event.line.address))
    lost_locality(event.cycle + 1, event.warp);
}

void Ccws::lost_locality(std::uint64_t cycle, unsigned warp) {
  ++vta_hits_;
  hits_.add(cycle, 0, 1);
  if ((cutoff_.active() & warp_bit(warp)) == 0) return;
  hit_.set_bits(warp_bit(warp));
  serve_hits(cycle);
}

void Ccws::on_eviction(const L1dEviction& event) {
  if (!served_.has(event.filled_by)) return;
  ++vta_insertions_;
  detector_.insert(event.cycle + 1, event.filled_by, event.line.address);
}

void Ccws::on_store(const L1dStore& event) {
  if (!event.local) detector_.invalidate(event.cycle + 1, event.line.address);
}

void Ccws::serve_hits(std::uint64_t cycle) {
  while (true) {
    if (scored_at_ == kNever) {
      if (hit_.value() == 0) return;
      start_scoring(cycle);
    }
    if (scored_at_ > cycle) return;
    if (scored_warp_ != kNoWarp) cutoff_.set_score(scored_at_, scored_warp_, score_);
    scored_at_ = kNever;
  }
}

void Ccws::start_scoring(std::uint64_t cycle) {
  scored_warp_ = next_hit_.select(hit_.value());
  hit_.clear_bits(warp_bit(scored_warp_));
  score_ = ratio_.multiply_divide(cycle, hits_.value(0), k_throttle_ * cutoff_.cutoff(), instructions(cycle));
  scored_at_ = cycle + ratio_.cycles();
}

std::uint64_t Ccws::update(std::uint64_t cycle) {
  charge(cycle - 1);
  serve_hits(cycle);
  std::uint64_t next = std::min(cutoff_.update(cycle), scored_at_);
  if (traced_) {
    cutoff_.show(cycle);
    if (cutoff_.decaying(cycle)) next = std::min(next, cycle + 1);
  }
  return next;
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
  hits_.trace(sink);
}

void Ccws::trace_state(WaveSink& sink) {
  shows_state_ = true;
  cutoff_.trace(sink);
}

namespace {

class CcwsQualifier final : public Qualifier {
 public:
  explicit CcwsQualifier(const Ccws& shared) : shared_(shared) {}
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask issuable) override { return shared_.qualify(issuable); }

 private:
  const Ccws& shared_;
};

constexpr SharedPolicyEntry ccws_shared = shared_policy<Ccws>("ccws", /*reads_line_warps=*/true);

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
                                &ccws_shared, &ccws_parameters};

}  // namespace heddle
