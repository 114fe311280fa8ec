#pragma once

#include <cstdint>
#include <vector>

#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/policies/srtf/slicing_parts.h"

namespace heddle {

/// A TB's duration that an SM tells the others.
struct SlicingSample {
  bool valid = false;
  unsigned kernel = 0;
  std::uint64_t t = 0;
};

/// What the predictor of an SM is told in a cycle. Masks are of kernel slots.
struct SlicingInputs {
  bool launches = false;  ///< the kernel in slot `launched`
  unsigned launched = 0;
  std::uint64_t blocks = 0;  ///< TBs of it that are expected on the SM
  unsigned residency = 0;    ///< TBs of it that the SM holds when it is alone
  std::uint64_t kernels_ended = 0;
  std::uint64_t running = 0;  ///< kernels of which the SM holds a TB
  bool starts = false;        ///< a TB, in `start_slot`
  unsigned start_slot = 0;
  std::vector<std::uint64_t> ended;  ///< by kernel slot: TB slots whose TB ends
  SlicingSample adopted;             ///< what some SM tells all
  bool told = false;                 ///< it is this one's
  std::uint64_t waiting = 0;         ///< kernels among which the first one is asked for
};

/// Sees the cycles of a predictor, and may choose in its place.
class SlicingWatcher {
 public:
  SlicingWatcher() = default;
  virtual ~SlicingWatcher() = default;
  SlicingWatcher(const SlicingWatcher&) = delete;
  SlicingWatcher& operator=(const SlicingWatcher&) = delete;

  /// The cycle has these inputs, and `first` is what was chosen in it; the predictor's state is still that of
  /// the cycle. Cycles that are left out have no inputs but `running`, and change nothing but
  /// Active_Kernel_Cycles and the steps of a prediction under way.
  virtual void on_cycle(std::uint64_t cycle, const SlicingInputs& in, unsigned first) = 0;
  /// Says which of `waiting` is first in `cycle`, instead of `first`, the model's answer.
  virtual unsigned choose(std::uint64_t cycle, std::uint64_t waiting, unsigned first) = 0;
};

/// The Simple Slicing predictor of one SM in hardware timing: what rtl/dispatch/simple_slicing/ is,
/// cycle by cycle. What it is told in a cycle is seen from the next one on; a prediction takes as long as its
/// multiplier and divider.
class SlicingMachine {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  static constexpr unsigned kNone = hw::kNoInput;

  SlicingMachine(const hw::Owner& owner, unsigned kernels, unsigned tb_slots, bool slices);

  // What it is told in the present cycle, up to which it has been stepped.
  void launch(unsigned kernel, unsigned residency, std::uint64_t blocks);
  void kernel_end(unsigned kernel);
  void block_start(unsigned kernel, TbSlot tb_slot);
  void block_end(unsigned kernel, TbSlot tb_slot);
  void adopt(const SlicingSample& sample, bool own);
  /// The one of these kernels that is predicted to end first in `cycle`, of equals the lowest; kNone: nothing
  /// is known of any.
  unsigned first(std::uint64_t cycle, std::uint64_t waiting);

  bool told() const { return told_; }  ///< something in the present cycle
  /// The next cycle, `now` or later, in which it does something without being told anything; kNever.
  std::uint64_t next_event(std::uint64_t now) const;

  /// A prediction that is there after a step.
  struct Landing {
    unsigned kernel = kNone;  ///< kNone: there is none
    std::uint64_t t = 0;
    std::uint64_t predicted_cycles = 0;
  };
  /// Ends the present cycle, which is `cycle`; those since the last step had nothing to be told of.
  Landing step(std::uint64_t cycle);

  // As of the present cycle.
  bool known(unsigned kernel) const { return parts_.known.test(kernel); }
  std::uint64_t known() const { return parts_.known.value(); }
  SlicingSample sample() const;
  std::uint64_t tb_cycles(unsigned kernel) const { return parts_.t.value(kernel); }
  std::uint64_t blocks_left(unsigned kernel) const;
  std::uint64_t remaining_cycles(unsigned kernel) const { return parts_.remaining.value(kernel); }
  std::uint64_t predicted_cycles(unsigned kernel) const { return parts_.predicted.value(kernel); }
  /// Kernels of which the SM holds a TB.
  std::uint64_t running() const { return running_; }
  /// A prediction is under way.
  bool busy() const { return parts_.live.test(0); }
  /// The multiplier and divider are at work in `cycle`, though their result may no longer be wanted.
  bool divides(std::uint64_t cycle) const { return cycle < unit_ready_; }

  void watch(SlicingWatcher& watcher) { watcher_ = &watcher; }
  unsigned kernels() const { return static_cast<unsigned>(tbs_.size()); }
  /// Cycles of a step of the multiplier and divider.
  unsigned step_cycles() const { return parts_.ratio.step_cycles(); }
  /// From the begin of a prediction to its end.
  unsigned prediction_cycles() const { return parts_.ratio.cycles(); }
  void trace(WaveSink& sink) const;

 private:
  std::uint64_t gone() const {
    return in_.kernels_ended | (in_.launches ? std::uint64_t{1} << in_.launched : 0);
  }
  std::uint64_t begin_slices(std::uint64_t gone) const;
  Landing land(std::uint64_t cycle);
  std::uint64_t begin(std::uint64_t cycle);
  std::uint64_t find(std::uint64_t cycle);
  std::uint64_t measure(std::uint64_t cycle);
  void keep_sample(std::uint64_t cycle, std::uint64_t measured);
  std::uint64_t take_sample(std::uint64_t cycle, std::uint64_t measured);
  void count_active_until(std::uint64_t cycle);
  void take_launch(std::uint64_t cycle);
  void clear_inputs();

  SlicingParts parts_;
  bool slices_;
  SlicingWatcher* watcher_ = nullptr;
  SlicingInputs in_;
  bool told_ = false;
  unsigned first_ = kNone;            ///< what was chosen in the present cycle
  std::vector<unsigned> tbs_;         ///< of a kernel on the SM, with the present cycle's
  std::uint64_t running_ = 0;         ///< kernels with a TB before it
  std::uint64_t counted_until_ = 0;   ///< Active_Kernel_Cycles has all cycles before
  std::uint64_t found_ = 0;           ///< kernel of the TB that ended first in the cycle before
  std::uint64_t found_start_ = 0;     ///< its Block_Start
  std::uint64_t unit_ready_ = 0;      ///< from when on the unit can begin
  std::uint64_t unit_remaining_ = 0;  ///< what is worked out
};

}  // namespace heddle
