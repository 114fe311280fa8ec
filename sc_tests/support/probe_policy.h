#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "modules/warp_scheduler/sm_policies.h"
#include "modules/warp_scheduler/warp_list.h"
#include "tlm/clock_domain.h"

namespace heddle::testing {

/// A policy that keeps what it is told, with the cycle at which it was told: named "probe", as qualifier
/// (lets everything pass) and as prioritizer (the oldest first). Both halves share one record.
class ProbePolicy : public SharedPolicy {
 public:
  template <class Event>
  using Heard = std::vector<std::pair<std::uint64_t, Event>>;  ///< cycle at which the policy heard of it

  /// Of the SMs that live, by number.
  static inline std::vector<ProbePolicy*> of_sm = std::vector<ProbePolicy*>(16);
  /// They can wait for what the memory side does: to be set before they are made, too.
  static inline bool patient = false;

  ProbePolicy(const SmContext& sm_context, const PolicyChannel& own_channel)
      : channel(own_channel), context(sm_context) {
    of_sm[sm_context.sm] = this;
  }

  void on_kernel_start(const KernelEvent& e) override { hear(kernels, e); }
  void on_grid_dispatched(const GridDispatched& e) override { hear(grids_dispatched, e); }
  void on_tb_start(const TbEvent& e) override { hear(tb_starts, e); }
  void on_tb_end(const TbEvent& e) override { hear(tb_ends, e); }
  void on_warp_start(const WarpEvent& e) override { hear(warp_starts, e); }
  void on_warp_finish(const WarpEvent& e) override { hear(warp_finishes, e); }
  void on_warp_retire(const WarpEvent& e) override { hear(warp_retires, e); }
  void on_issue(const IssueEvent& e) override { hear(issues, e); }
  void on_barrier_arrive(const BarrierEvent& e) override { hear(arrivals, e); }
  void on_barrier_release(const BarrierEvent& e) override { hear(releases, e); }
  void on_stall(const StallEvent& e) override {
    stalls.push_back(e);
    stall_cycles[e.passed] += e.cycles;
  }
  void on_result(const ResultEvent& e) override { hear(results, e); }
  void on_load_coalesced(const LoadCoalesced& e) override {
    hear(coalesced, e);
    for (unsigned i = 0; i < e.lines; ++i) lines.push_back(e.line[i]);
  }
  void on_l1d_access(const L1dAccess& e) override { hear(accesses, e); }
  void on_eviction(const L1dEviction& e) override { hear(evictions, e); }
  void on_store(const L1dStore& e) override { hear(stores, e); }
  void on_load_looked_up(const LoadLookedUp& e) override { hear(looked_up, e); }
  void on_load_returned(const LoadReturned& e) override { hear(returned, e); }
  void on_mshr_room(const MshrRoom& e) override { hear(rooms, e); }
  void on_l2_reply(const L2Reply& e) override { hear(replies, e); }
  void on_note(const PolicyNote& note) override { hear(notes, note); }
  bool can_wait(const L1dAccess& /*event*/) override { return patient; }
  bool can_wait(const MshrRoom& /*event*/) override { return patient; }
  std::uint64_t update(std::uint64_t cycle) override {
    updates.push_back(cycle);
    return cycle < call_at ? call_at : kNever;
  }
  void report(StatSink& sink) const override { sink.count("issues", issues.size(), "instructions", "heard"); }
  void trace(WaveSink& sink) override { sink.signal(wave, 8, "issues"); }

  PolicyChannel channel;
  SmContext context;
  std::uint64_t call_at = 0;  ///< what update() asks for
  std::vector<std::uint64_t> updates;
  Heard<KernelEvent> kernels;
  Heard<GridDispatched> grids_dispatched;
  Heard<TbEvent> tb_starts, tb_ends;
  Heard<WarpEvent> warp_starts, warp_finishes, warp_retires;
  Heard<IssueEvent> issues;
  Heard<BarrierEvent> arrivals, releases;
  std::vector<StallEvent> stalls;
  std::map<WarpMask, std::uint64_t> stall_cycles;  ///< by mask of the warps that had passed
  Heard<ResultEvent> results;
  Heard<LoadCoalesced> coalesced;
  std::vector<CacheLine> lines;
  Heard<L1dAccess> accesses;
  Heard<L1dEviction> evictions;
  Heard<L1dStore> stores;
  Heard<LoadLookedUp> looked_up;
  Heard<LoadReturned> returned;
  Heard<MshrRoom> rooms;
  Heard<L2Reply> replies;
  Heard<PolicyNote> notes;
  std::uint64_t wave = 0;
  const ClockDomain* clock = nullptr;  ///< set by the test: what tells when things are heard

 private:
  template <class Event>
  void hear(Heard<Event>& heard, const Event& event) {
    heard.emplace_back(clock == nullptr ? 0 : clock->cycle(), event);
  }
};

class ProbeQualifier : public Qualifier {
 public:
  explicit ProbeQualifier(const PolicyContext& context) : record(context.shared_as<ProbePolicy>()) {}
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask issuable) override { return issuable; }
  ProbePolicy& record;
};

class ProbePrioritizer : public Prioritizer {
 public:
  explicit ProbePrioritizer(const PolicyContext& context) : record(context.shared_as<ProbePolicy>()) {}
  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override { return by_age_.first_of(issuable); }
  void on_start(unsigned warp) override { by_age_.append(warp); }
  void on_finish(unsigned warp) override { by_age_.remove(warp); }
  ProbePolicy& record;

 private:
  WarpList by_age_;
};

/// Tests may change what those that are made from now on hear.
inline SharedPolicyEntry kProbeShared = shared_policy<ProbePolicy>("probe", /*reads_line_warps=*/true);
constexpr EventSet kProbeHears = events_heard_by<ProbePolicy>();
inline const QualifierEntry kProbeQualifier{"probe", "test",
                                            [](const PolicyContext& context) -> std::unique_ptr<Qualifier> {
                                              return std::make_unique<ProbeQualifier>(context);
                                            },
                                            &kProbeShared};
inline const PrioritizerEntry kProbePrioritizer{
    "probe", "test",
    [](const PolicyContext& context) -> std::unique_ptr<Prioritizer> {
      return std::make_unique<ProbePrioritizer>(context);
    },
    &kProbeShared};

/// Makes "probe" a name; once.
inline void register_probe() {
  static const bool kDone = [] {
    add_policy(kProbeQualifier);
    add_policy(kProbePrioritizer);
    return true;
  }();
  static_cast<void>(kDone);
}

}  // namespace heddle::testing
