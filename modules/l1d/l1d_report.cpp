#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "modules/l1d/l1d.h"

namespace heddle {

namespace {

/// What is reported of accesses that were held up for one reason.
struct RefusalMetrics {
  RefusalMetrics(Refusal reason, std::string_view name, std::string_view what)
      : refusal(reason),
        cycles(fmt::format("blocked_{}", name)),
        cycles_description(
            fmt::format("cycles in which the access at the exit of the pipe was held up: {}", what)),
        accesses(fmt::format("reservation_failures_{}", name)),
        accesses_description(fmt::format("accesses held up: {}", what)) {}

  Refusal refusal;
  std::string cycles;
  std::string cycles_description;
  std::string accesses;
  std::string accesses_description;
};

/// Made once: statistics over time report them often.
const std::array<RefusalMetrics, 6>& refusal_metrics() {
  static const std::array<RefusalMetrics, 6> kMetrics{{
      {Refusal::kBankBusy, "bank_busy", "its way was taken by another access at that edge"},
      {Refusal::kMshrEntries, "mshr_entries", "no free MSHR entry"},
      {Refusal::kMshrMerges, "mshr_merges", "the MSHR entry of its line takes no more"},
      {Refusal::kLineReserved, "line_reserved", "every way of its set waits for a fill"},
      {Refusal::kInterconnect, "interconnect", "the miss queue is full"},
      {Refusal::kReplay, "replay", "the re-execution queue can't take it"},
  }};
  return kMetrics;
}

}  // namespace

void L1d::tell_access(const tlm::tlm_generic_payload& payload, const MemoryRequest& request,
                      L1dOutcome outcome, unsigned line_warp, Refusal refusal) {
  if (request.stands_for != nullptr) return;  // of no warp
  const std::uint64_t address = tags_.line_address(payload.get_address());
  accessed.fire({domain().cycle(),
                 outcome,
                 refusal,
                 request.last,
                 replaying_,
                 request.warp,
                 line_warp,
                 request.pc,
                 request.instruction,
                 {address, tags_.set_of(address)}});
}

void L1d::tell_store(const tlm::tlm_generic_payload& payload, const MemoryRequest& request,
                     bool invalidated) {
  if (request.stands_for != nullptr) return;
  const std::uint64_t address = tags_.line_address(payload.get_address());
  stored.fire({domain().cycle(),
               request.warp,
               request.pc,
               request.local,
               invalidated,
               {address, tags_.set_of(address)}});
}

void L1d::charge_blocked(Cycle cycle) {
  if (cycle <= charged_until_) return;
  if (blocked_ != Refusal::kNone) blocked_cycles_[static_cast<unsigned>(blocked_)] += cycle - charged_until_;
  charged_until_ = cycle;
}

Cycle L1d::occluded_cycles(Cycle now) const {
  Cycle sum = 0;
  for (const Refusal refusal : {Refusal::kMshrEntries, Refusal::kMshrMerges, Refusal::kLineReserved}) {
    sum += blocked_cycles_[static_cast<unsigned>(refusal)];
    if (blocked_ == refusal && now > charged_until_) sum += now - charged_until_;
  }
  return sum;
}

void L1d::settle() {
  charge_blocked(domain().cycle_now());
  if (rotates_asleep_) rotate_until(domain().cycle_now());
}

void L1d::report(StatSink& sink) const {
  counters_.report(sink);
  for (const RefusalMetrics& metrics : refusal_metrics()) {
    const auto index = static_cast<unsigned>(metrics.refusal);
    sink.count(metrics.cycles, blocked_cycles_[index], "cycles", metrics.cycles_description);
    sink.count(metrics.accesses, blocked_accesses_[index], "accesses", metrics.accesses_description);
  }
}

void L1d::update_wave() {
  wave_->pipe = pipe_.size();
  wave_->head = static_cast<std::uint64_t>(head_);
  wave_->blocked = static_cast<std::uint64_t>(blocked_);
  wave_->bypass = bypass_.size();
}

void L1d::trace(WaveSink& sink) {
  wave_ = std::make_unique<Wave>();
  update_wave();
  sink.signal(wave_->pipe, 16, "pipe_occupancy");
  sink.enumeration(wave_->head, "head",
                   {"empty", "hit", "pending_hit", "miss", "store", "blocked", "queued"});
  sink.enumeration(wave_->blocked, "blocked", refusal_names());
  sink.signal(wave_->bypass, 8, "bypass_queue");
}

}  // namespace heddle
