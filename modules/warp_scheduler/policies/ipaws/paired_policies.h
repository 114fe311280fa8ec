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

  std::uint64_t update(std::uint64_t cycle) override;
  std::vector<SmPolicies*> inside() override { return {&greedy_, &fair_}; }
  MissReplay* miss_replay() override { return replay_.get(); }
  void settle(std::uint64_t cycle) override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;

 protected:
  /// The greedy side chooses at present.
  virtual bool greedy_chosen() const = 0;

 private:
  class Replay;

  GpuConfig greedy_config_;
  GpuConfig fair_config_;
  SmPolicies greedy_;
  SmPolicies fair_;
  std::unique_ptr<MissReplay> replay_;
};

/// One scheduler's share of the two; choose() says which of them chooses.
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
  bool pass_over(std::uint64_t cycle, WarpMask held) override;
  /// Both sides choose, and one choice is taken.
  hw::TimingPath choice_path() const override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;

 protected:
  unsigned scheduler() const { return scheduler_; }
  unsigned choose_greedy(std::uint64_t cycle, WarpMask issuable) { return choose(cycle, greedy_, issuable); }
  unsigned choose_fair(std::uint64_t cycle, WarpMask issuable) { return choose(cycle, fair_, issuable); }

 private:
  unsigned choose(std::uint64_t cycle, PolicyPair& policies, WarpMask issuable);

  const WarpTable& table_;
  unsigned scheduler_;
  PairedPolicies& pair_;
  PolicyPair& greedy_;
  PolicyPair& fair_;
  WarpMask held_ = 0;              ///< by the qualifier of the side that chose last
  Prioritizer* chosen_ = nullptr;  ///< of that side, when it was offered a qualified warp
};

}  // namespace heddle
