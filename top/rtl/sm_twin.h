#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "modules/warp_scheduler/policies/ccws/ccws.h"
#include "modules/warp_scheduler/policies/mascar/mascar.h"
#include "modules/warp_scheduler/policies/oaws/oaws.h"
#include "modules/warp_scheduler/sm_policies.h"
#include "top/rtl/golden_vectors.h"
#include "top/rtl/twin_design.h"
#include "top/rtl/twin_library.h"

namespace heddle {

/// The twin of an SM's warp schedulers in step with the model: hears what the policies hear, gives it to the
/// twin cycle by cycle, and compares the choices of both at every edge (lock-step), or lets the twin choose.
///
/// A cycle is over when the SM does something in a later one; cycles in which nothing happens and the twin
/// has nothing to do are left out.
class SmTwin final : public SharedPolicy {
 public:
  struct Setup {
    const TwinDesign* design = nullptr;
    const TwinLibrary* library = nullptr;
    unsigned schedulers = 1;                  ///< of the SM
    bool decides = false;                     ///< the twin chooses; else it is compared
    std::string waves;                        ///< file for a mismatch
    std::atomic<bool>* mismatched = nullptr;  ///< by some SM: the first writes waves
    GoldenVectors* vectors = nullptr;         ///< takes what its SM's twin is told and says; nullptr: none
    const SmPolicies* policies = nullptr;     ///< the SM's
    const Oaws* oaws = nullptr;               ///< its, when that is what there is a twin of
    const Mascar* mascar = nullptr;           ///< likewise
    const Ccws* ccws = nullptr;               ///< likewise
    const GpuConfig* gpu = nullptr;
  };
  /// Of SM `sm`, whose table is read.
  SmTwin(unsigned sm, const WarpTable& table, const Setup& setup);

  void on_warp_start(const WarpEvent& event) override;
  void on_warp_finish(const WarpEvent& event) override;
  void on_issue(const IssueEvent& event) override;
  void on_tb_start(const TbEvent& event) override;
  void on_tb_end(const TbEvent& event) override;
  void on_grid_dispatched(const GridDispatched& event) override;
  void on_barrier_arrive(const BarrierEvent& event) override;
  void on_barrier_release(const BarrierEvent& event) override;
  void on_note(const PolicyNote& note) override;
  void on_posted(const PolicyNote& note) override;
  // What the memory side does in a cycle is told in the next one, and is an input of the former.
  void on_kernel_start(const KernelEvent& event) override;
  void on_load_coalesced(const LoadCoalesced& event) override;
  void on_l1d_access(const L1dAccess& event) override;
  void on_load_looked_up(const LoadLookedUp& event) override;
  void on_mshr_room(const MshrRoom& event) override;
  void on_eviction(const L1dEviction& event) override;
  void on_store(const L1dStore& event) override;

  bool decides() const { return decides_; }
  /// A scheduler runs in `cycle`, one that supervises these warps. Throws TwinMismatch for the cycle before.
  void begin(std::uint64_t cycle, WarpMask supervised) {
    advance_to(cycle);
    set(TwinInput::kRuns, supervised & table_.resident & ~table_.waits_long());
    set(TwinInput::kResident, table_.resident);
    if (oaws_ != nullptr && begun_at_ != cycle) begin_oaws(cycle);
    if (mascar_ != nullptr && begun_at_ != cycle) begin_mascar();
    if (ccws_ != nullptr && begun_at_ != cycle) begin_ccws();
    begun_at_ = cycle;
    if (!hears(TwinInput::kValid)) return;
    const WarpMask valid = supervised & table_.ready_for_scoreboard();
    hold(TwinInput::kValid, supervised, valid);
    hold(TwinInput::kUnblocked, supervised, valid & ~table_.blocked);
  }
  /// Whether the twin has this input.
  bool hears(TwinInput input) const { return place_[static_cast<unsigned>(input)] < in_.size(); }
  /// Slots of the scheduler that runs that make room for others.
  void make_room(WarpMask slots) { set(TwinInput::kWaits, slots); }
  /// What a scheduler asks its qualifier of, and warps whose choice has not taken effect.
  void ask(std::uint64_t cycle, WarpMask ready, WarpMask under_way) {
    advance_to(cycle);
    set(TwinInput::kReady, ready);
    set(TwinInput::kUnderWay, under_way);
  }
  /// Those of them that the model's qualifier lets issue.
  void model_qualified(WarpMask warps) { model(TwinOutput::kQualified) |= warps; }
  /// Those of `ready` that the twin lets issue. Throws TwinMismatch for an answer that can't be.
  WarpMask qualify(WarpMask ready);
  /// What a scheduler may choose from: ready and stale warps. Behind a qualifier the ready ones are those
  /// that it was asked of.
  void offer(std::uint64_t cycle, WarpMask among);
  /// The model has come to this warp: it issues, or is stale and passed.
  void model_chose(unsigned warp);

  struct Choice {
    WarpMask grant = 0;
    WarpMask passed = 0;
  };
  /// What the twin chooses among what was offered in this cycle. Throws TwinMismatch for a choice that can't
  /// be.
  Choice choose(WarpMask among);

  /// The cycle under way is the last one. Throws TwinMismatch.
  void finish() { end_cycle(); }

  /// Edges at which the twin was looked at, and choices of it.
  std::uint64_t edges() const { return edges_; }
  std::uint64_t grants() const { return grants_; }

 private:
  static constexpr unsigned kWindow = 100;   ///< cycles of waves before a mismatch
  static constexpr unsigned kStretch = 500;  ///< edges from a saved state to the next; at least kWindow
  using Inputs = std::array<std::uint64_t, kNumTwinInputs + kNumTwinOutputs>;
  struct Record {
    std::uint64_t cycle;
    Inputs in;
  };
  /// A state and what came after it.
  struct Stretch {
    std::vector<std::uint8_t> state;
    std::vector<Record> records;
  };

  void tell(TwinInput input, unsigned warp, std::uint64_t cycle) {
    advance_to(cycle);
    set(input, warp_bit(warp));
  }
  /// Inputs that the twin does not have are left out.
  void set(TwinInput input, std::uint64_t bits) {
    const unsigned place = place_[static_cast<unsigned>(input)];
    if (place < in_.size()) in_[place] |= bits;
  }
  /// Of an input that holds until it changes, the bits of `among`.
  void hold(TwinInput input, std::uint64_t among, std::uint64_t bits) {
    const unsigned place = place_[static_cast<unsigned>(input)];
    idle_[place] = (idle_[place] & ~among) | bits;
    in_[place] = idle_[place];
  }
  bool holds_any() const {
    return hears(TwinInput::kValid) && idle_[place_[static_cast<unsigned>(TwinInput::kValid)]] != 0;
  }
  void advance_to(std::uint64_t cycle) {
    if (cycle == now_) return;
    end_cycle();
    if (asked_later_) ask_now();
    if (settle_cycles_ != 0) {
      work_until(cycle);
    } else if (busy_ && cycle > now_ + 1) {
      end_cycle(now_ + 1);
    }
    now_ = cycle;
  }
  void begin_oaws(std::uint64_t cycle);
  void begin_mascar();
  void begin_ccws();
  /// What the victim tags are asked: one thing a cycle, what comes second a cycle later.
  struct LookUp {
    bool store = false;
    unsigned warp = 0;
    std::uint64_t line_address = 0;
  };
  void look_up(const LookUp& asked);
  void ask_now();
  void hear_queue(const L1dAccess& event);
  /// Of an output of the model that stays until it changes.
  void hold(TwinOutput output, std::uint64_t bits) {
    const unsigned place = model_place_ + said_at_[static_cast<unsigned>(output)];
    idle_[place] = bits;
    in_[place] = bits;
  }
  void work_until(std::uint64_t cycle);
  void end_cycle() { end_cycle(now_); }
  void end_cycle(std::uint64_t cycle);
  void look();
  /// Whether the twin has this output.
  bool says(TwinOutput output) const { return said_at_[static_cast<unsigned>(output)] < out_.size(); }
  std::uint64_t& model(TwinOutput output) {
    return in_[model_place_ + said_at_[static_cast<unsigned>(output)]];
  }
  std::uint64_t twin(TwinOutput output) const { return out_[said_at_[static_cast<unsigned>(output)]]; }
  void remember(std::uint64_t cycle);
  [[gnu::cold]] void compare_failed(std::uint64_t cycle);
  [[noreturn, gnu::cold]] void fail(std::uint64_t cycle, const std::string& problem);
  std::string write_waves(std::uint64_t cycle);

  const unsigned sm_;
  const WarpTable& table_;
  const bool decides_;
  const std::string waves_;
  std::atomic<bool>& mismatched_;
  GoldenVectors* const vectors_;  ///< nullptr: of no interest
  TwinInstance twin_;
  std::array<unsigned, kNumTwinInputs> place_{};  ///< in in_
  unsigned model_place_;                          ///< of what the model decides, as the outputs
  const std::vector<TwinOutput> outputs_;
  std::array<unsigned, kNumTwinOutputs> said_at_{};  ///< in out_
  const bool qualifies_;                             ///< there is a qualifier
  const unsigned schedulers_;
  const SmPolicies& policies_;
  const Oaws* const oaws_;  ///< nullptr: there is no twin of it
  const Mascar* const mascar_;
  const Ccws* const ccws_;
  std::optional<LookUp> asked_later_;
  const GpuConfig* const gpu_;
  MissPredictor::Begun predicted_;                 ///< the last one that the twin knows
  std::array<std::uint16_t, kMaxWarps> queued_{};  ///< accesses in the re-execution queue
  std::uint64_t accessing_ = ~std::uint64_t{0};    ///< the load whose accesses are looked up
  std::uint64_t begun_at_ = ~std::uint64_t{0};
  const std::uint64_t settle_cycles_;
  const std::uint64_t timer_cycles_;
  std::uint64_t now_mask_ = 0;  ///< of the core cycle, what the twin is told
  struct Tb {
    std::uint64_t launch = 0;
    bool resident = false;
  };
  std::array<Tb, kMaxWarps> tbs_{};        ///< by TB slot
  std::vector<std::uint64_t> dispatched_;  ///< launches of which no TB waits
  std::uint64_t now_ = 0;
  bool busy_ = false;  ///< the last cycle had inputs: the next one is looked at, too
  Inputs idle_{};  ///< inputs of a cycle of which nothing is told: constants, and what holds until it changes
  Inputs in_{};    ///< the twin's inputs, then what the model decides
  std::array<std::uint64_t, kNumTwinOutputs> out_{};
  Stretch older_;
  Stretch newer_;
  std::uint64_t edges_ = 0;
  std::uint64_t grants_ = 0;
};

}  // namespace heddle
