#pragma once

#include <memory>
#include <string>

#include "modules/warp_scheduler/sm_policies.h"

namespace heddle {

/// Two whole warp schedulers of an SM, a greedy and a fair one, of which an adaptive policy uses one at a
/// time. Both hear all events at all times, so that either can take over at once. Notes between SMs are the
/// adaptive policy's own: what the inner policies post is dropped.
class PairedPolicies : public SharedPolicy {
 public:
  /// `owner` is the adaptive policy's name, `greedy` and `fair` are as scheduler.name. Throws
  /// std::invalid_argument naming scheduler.<owner>.greedy or .fair as find_policies does, or when one of
  /// them names an adaptive policy.
  PairedPolicies(const SmContext& context, const std::string& owner, const std::string& greedy,
                 const std::string& fair);
  ~PairedPolicies() override;

  SmPolicies& greedy() { return greedy_; }
  SmPolicies& fair() { return fair_; }

  /// Overridden handlers call these.
  EventMask wanted_events() const override { return greedy_.wanted() | fair_.wanted(); }
  void on_kernel_start(const KernelEvent& event) override;
  void on_grid_dispatched(const GridDispatched& event) override;
  void on_tb_start(const TbEvent& event) override;
  void on_tb_end(const TbEvent& event) override;
  void on_warp_start(const WarpEvent& event) override;
  void on_warp_finish(const WarpEvent& event) override;
  void on_warp_retire(const WarpEvent& event) override;
  void on_issue(const IssueEvent& event) override;
  void on_barrier_arrive(const BarrierEvent& event) override;
  void on_barrier_release(const BarrierEvent& event) override;
  void on_stall(const StallEvent& event) override;
  void on_result(const ResultEvent& event) override;
  void on_load_coalesced(const LoadCoalesced& event) override;
  void on_l1d_access(const L1dAccess& event) override;
  void on_eviction(const L1dEviction& event) override;
  void on_store(const L1dStore& event) override;
  void on_load_looked_up(const LoadLookedUp& event) override;
  void on_load_returned(const LoadReturned& event) override;
  void on_mshr_room(const MshrRoom& event) override;
  void on_l2_reply(const L2Reply& event) override;
  std::uint64_t update(std::uint64_t cycle) override;
  MissReplay* miss_replay() override { return replay_.get(); }
  void settle(std::uint64_t cycle) override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;

 protected:
  /// The greedy side chooses at present.
  virtual bool greedy_chosen() const = 0;

 private:
  class Replay;

  template <class Event>
  void pass_on(EventMask kind, void (SharedPolicy::*handler)(const Event&), const Event& event) {
    greedy_.tell(kind, handler, event);
    fair_.tell(kind, handler, event);
  }

  GpuConfig greedy_config_;
  GpuConfig fair_config_;
  SmPolicies greedy_;
  SmPolicies fair_;
  std::unique_ptr<MissReplay> replay_;
};

/// One scheduler's share of two such schedulers; says who chooses in choose().
class PairedFacet : public Prioritizer {
 public:
  PairedFacet(const PolicyContext& context, PairedPolicies& pair)
      : table_(context.table),
        scheduler_(context.scheduler),
        pair_(pair),
        greedy_(pair.greedy().of_scheduler(context.scheduler)),
        fair_(pair.fair().of_scheduler(context.scheduler)) {}

  void on_start(unsigned warp) override;
  void on_finish(unsigned warp) override;
  void on_issue(const IssueEvent& event) override;
  std::uint64_t update(std::uint64_t cycle) override;
  bool pass_over(WarpMask held) override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;

 protected:
  unsigned scheduler() const { return scheduler_; }
  unsigned choose_greedy(WarpMask issuable) { return choose(greedy_, issuable); }
  unsigned choose_fair(WarpMask issuable) { return choose(fair_, issuable); }

 private:
  unsigned choose(PolicyPair& policies, WarpMask issuable);

  const WarpTable& table_;
  unsigned scheduler_;
  PairedPolicies& pair_;
  PolicyPair& greedy_;
  PolicyPair& fair_;
  WarpMask held_ = 0;              ///< by the qualifier of the side that chose last
  Prioritizer* chosen_ = nullptr;  ///< of that side, when it was offered a qualified warp
};

}  // namespace heddle
