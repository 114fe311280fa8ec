#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/warp_scheduler/sm_policies.h"

namespace heddle {

/// Whole warp schedulers of an SM inside a policy that says which of them chooses for which warps. All hear
/// all events at all times, so that each can take over at once. Notes between SMs are the outer policy's own:
/// what inner ones post is dropped.
class InnerSchedulers : public SharedPolicy {
 public:
  struct Side {
    std::string name;        ///< owner of its parts inside the policy's: "greedy"
    std::string key;         ///< of the configuration: "scheduler.ipaws.greedy"
    std::string scheduler;   ///< as scheduler.name
    std::string scope = {};  ///< that its policies report and trace into, inside the policy's; "": none
    const ServedTbs* share = nullptr;  ///< that its warps are of; nullptr: all of the SM are its
  };

  /// `owner` is the policy's name. Throws SettingError with the side's key as find_policies does, when a side
  /// chooses between schedulers itself, and when a second one has a re-execution queue.
  InnerSchedulers(const SmContext& context, const std::string& owner, const std::vector<Side>& sides);
  ~InnerSchedulers() override;

  unsigned sides() const { return static_cast<unsigned>(schedulers_.size()); }
  SmPolicies& side(unsigned index) { return *schedulers_[index]; }
  const std::string& scope_of(unsigned side) const { return scopes_[side]; }

  std::uint64_t update(std::uint64_t cycle) override;
  std::vector<SmPolicies*> inside() override;
  MissReplay* miss_replay() override { return replay_.get(); }
  void settle(std::uint64_t cycle) override;
  std::uint64_t show(std::uint64_t cycle) override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;
  void trace_state(WaveSink& sink) override;

 protected:
  /// The side, which has a re-execution queue, says at present whether loads of `warp` may miss.
  virtual bool rules_misses(unsigned side, unsigned warp) const = 0;

 private:
  class Replay;

  std::vector<std::unique_ptr<GpuConfig>> configs_;
  std::vector<std::unique_ptr<SmPolicies>> schedulers_;
  std::vector<SmPolicies*> sharing_;  ///< those that have shared policies
  std::vector<std::string> scopes_;
  std::unique_ptr<MissReplay> replay_;
};

/// One scheduler's share of them; choose() asks one side.
class InnerFacet : public Prioritizer {
 public:
  InnerFacet(const PolicyContext& context, InnerSchedulers& inner);

  void on_start(unsigned warp) override;
  void on_finish(unsigned warp) override;
  void on_issue(const IssueEvent& event) override;
  std::uint64_t update(std::uint64_t cycle) override;
  bool pass_over(std::uint64_t cycle, WarpMask held) override;
  std::uint64_t rest(std::uint64_t cycle, WarpMask issuable, std::uint64_t next) override;
  /// By the qualifier of a side that was asked, or outside of its prioritizer's active set.
  WarpMask barred(std::uint64_t cycle, WarpMask issuable) const override;
  /// All sides choose, and one choice is taken.
  hw::TimingPath choice_path() const override;
  void report(StatSink& sink) const override;
  void trace(WaveSink& sink) override;
  void trace_state(WaveSink& sink) override;

 protected:
  /// The side is told of this warp at all.
  virtual bool has(unsigned /*side*/, unsigned /*warp*/) const { return true; }
  /// An issue of the warp is one that the side's prioritizer chose, or might have: greedy and round-robin
  /// orders go on from it.
  virtual bool orders(unsigned side, unsigned warp) const { return has(side, warp); }

  unsigned scheduler() const { return scheduler_; }
  /// What on_issue() does when each side has and orders every warp.
  void tell_all_sides(const IssueEvent& event);
  /// Of `issuable` what the side takes, or kNoWarp.
  unsigned choose(std::uint64_t cycle, unsigned side, WarpMask issuable);
  /// Of `valid`, which have a valid instruction, those that the side's qualifier admits. choose() asks it
  /// itself, but in a cycle in which it has been asked for admitted().
  WarpMask admit(std::uint64_t cycle, unsigned side, WarpMask valid);
  void asked_for_admitted(std::uint64_t cycle) { admitted_at_ = cycle; }

 private:
  const WarpTable& table_;
  unsigned scheduler_;
  InnerSchedulers& inner_;
  /// What a side was last offered.
  struct Offer {
    std::uint64_t cycle = ~std::uint64_t{0};
    bool qualified = false;  ///< any warp
    WarpMask held = 0;       ///< by its qualifier
    WarpMask offered = 0;    ///< to its qualifier, or prioritizer
  };
  struct Facets {
    Qualifier* qualifier;  ///< nullptr when every ready warp may issue
    Prioritizer* prioritizer;
    std::uint64_t qualifier_next = kNever;  ///< what their last updates said
    std::uint64_t prioritizer_next = kNever;
  };
  std::vector<Facets> sides_;
  std::vector<Offer> offers_;
  std::uint64_t admitted_at_ = ~std::uint64_t{0};  ///< cycle of the last admitted()
};

}  // namespace heddle
