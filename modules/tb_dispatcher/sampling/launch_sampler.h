#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "modules/tb_dispatcher/sampling/phase_table.h"
#include "modules/tb_dispatcher/sampling/rate_error.h"
#include "workloads/launch/functional_tb.h"

namespace heddle {

/// How a launch is sampled. A round is as many TBs as the GPU holds; a window is a round that is measured.
struct SamplingTerms {
  double least_rounds = 20;  ///< of a launch that is sampled
  /// That are fast-forwarded at first, when there are so many: twice as many after each section that made no
  /// difference to the rate.
  double section_rounds = 48;
  double most_sections = 16;      ///< of a launch
  std::size_t least_windows = 4;  ///< in which the rate settles, at the begin of the launch and of each phase
  std::size_t later_windows = 2;  ///< at least, after each section
  std::size_t most_windows = 12;  ///< after which it is taken as it is, or not at all
  double drift = 0.01;            ///< of the rate between earlier and later windows, when it is settled
  double tolerated_drift = 0.1;   ///< likewise, after most_windows
  /// Half the rate's 95% confidence interval over it, when it is settled; but windows are no more than
  /// share_of_rounds of the launch's rounds for it.
  double settled_error = 0.03;
  double wanted_error = 0.03;    ///< likewise of all windows of a phase: for it further ones follow sections
  double share_of_rounds = 0.1;  ///< of the rounds that are left, for these
};

/// What the GPU has done up to a moment.
struct SampleMark {
  std::uint64_t cycle = 0;  ///< core clock
  std::uint64_t warp_instructions = 0;
};

/// Reads what the GPU has done so far, for the samplers of launches, and is told of what fast-forwarded TBs
/// access.
class SampleMarks : public MemoryWatch {
 public:
  /// A stretch ends now.
  virtual SampleMark mark() = 0;
};

/// Decides which TBs of a launch are simulated in detail and which are fast-forwarded, that is executed
/// without timing in no time, and estimates what the whole would have taken. Plain C++.
///
/// The launch begins in detail: two rounds, then windows until what a warp instruction takes has settled,
/// that is until the later half of the last windows differs from the earlier half by no more than the windows
/// of a half do among themselves. Then sections of TBs are fast-forwarded. After each two rounds are
/// simulated that count for nothing, as caches and resident TBs are not yet those of the place, and windows:
/// the more, the more windows differ; when they differ from those before the section, until the rate has
/// settled as at the begin. The last section ends four rounds before the grid's end, so that the
/// launch drains in detail. After one that made no difference to the rate the next is twice as long. TBs that
/// execute something that none did before (PhaseTable) end a section early, and windows follow until the rate
/// has settled again.
///
/// The detailed simulation falls into stretches of time, which marks divide. Whatever is counted, the
/// estimate is the sum over the stretches of what was counted in them times the stretch's weight: 1, 0 for
/// the rounds that count for nothing, more for windows, which stand for the work around them: of a section,
/// half for the windows before it in its phase, half for those after it.
class LaunchSampler {
 public:
  enum class Use : std::uint8_t { kCounted, kMeasured, kLeftOut };
  struct Stretch {
    Use use = Use::kCounted;
    std::uint64_t cycles = 0;
    std::uint64_t warp_instructions = 0;
    std::size_t group =
        0;              ///< of a measured one: the windows that follow each other without a section between
    double weight = 1;  ///< after end()
  };

  /// Why a launch of so many TBs is not sampled; "" when it can be.
  static std::string refusal(std::uint64_t tbs, std::uint64_t tbs_a_round, const SamplingTerms& terms);

  /// `begin`: at the launch. The launch is one that refusal() does not refuse.
  LaunchSampler(std::uint64_t tbs, std::uint64_t tbs_a_round, const SampleMark& begin,
                const SamplingTerms& terms = {});

  /// A stretch ends when the TB of that index is about to start: mark() is wanted then.
  bool wants_mark(std::uint64_t next_tb) const { return next_tb == boundary_; }
  void mark(std::uint64_t next_tb, const SampleMark& now);
  /// The next TB is to be fast-forwarded.
  bool skips() const { return next_ < skip_end_; }
  /// So many of the next TBs are to be executed side by side, and caches told of what they access; 0: the
  /// next one by itself, and caches not. They are those of a round, of a section's last ones: what caches
  /// hold at its end, and in which order, is as if they had run.
  std::uint64_t side_by_side() const;
  void skipped(const TbWork& tb);
  /// A TB that was fast-forwarded has not ended: it waits for others. No more are.
  void give_up_waiting();
  /// Nothing of the launch is in flight, or the run ends before. The weights hold from now on.
  void end(const SampleMark& now);

  const std::vector<Stretch>& stretches() const { return stretches_; }
  /// All that was fast-forwarded.
  const TbWork& fast_forwarded() const { return all_skipped_; }
  std::size_t phases() const { return phases_.size(); }
  std::size_t windows() const;
  /// Why it was not sampled after all; "" when it was, or when it is not yet known.
  const std::string& given_up() const { return given_up_; }
  /// The cycles of the launch, after end().
  double cycles() const;
  /// After end(): how far the estimate of something of which `taken` was counted in each stretch may be off
  /// for each of the windows, which are taken as independent. The root of the sum of their squares is half
  /// the 95% confidence interval.
  std::vector<double> deviations(const std::vector<double>& taken) const;
  std::vector<double> deviations_of_cycles() const;

 private:
  /// Most kernels' TBs access more in them than an L2 holds.
  static constexpr std::uint64_t kWarmedRounds = 16;
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  /// TBs that were fast-forwarded, or left out, and are of one phase.
  struct Section {
    std::size_t phase = 0;
    std::uint64_t warp_instructions = 0;
    std::size_t groups_before = 0;
  };
  struct Group {
    std::size_t phase = 0;
    std::size_t wanted = 0;            ///< windows; 0: until the rate has settled
    bool unlike_before = false;        ///< of those wanted: more, until the rate has settled
    std::vector<std::size_t> windows;  ///< stretches
  };
  /// A section before which the rate had not quite settled, it seems: what follows it stands for it.
  struct Transient {
    std::size_t before = 0;  ///< groups
    std::size_t after = 0;
    double warp_instructions = 0;
  };
  enum class State : std::uint8_t { kStart, kWindow, kWarmUp, kDetail };

  void go_on();
  void begin_group();
  void begin_window();
  void after_window();
  void run_out();
  bool settled();
  std::vector<MeasuredWindow> measured(const std::vector<std::size_t>& windows) const;
  std::vector<std::size_t> windows_of(std::size_t phase) const;
  bool drifts(const std::vector<std::size_t>& windows, double allowed, double errors) const;
  std::size_t windows_after_section(std::uint64_t left, std::uint64_t sections) const;
  const Group* group_before() const;
  bool may_grow() const;
  void begin_section();
  void end_section();
  void end_round();
  void forget_last_group();
  void add_section(std::size_t phase, std::uint64_t warp_instructions);
  void give_weights();
  void give_weight(const Section& section);
  void give_weight(const Group& group, double warp_instructions);
  double rate(const Group& group, const std::vector<double>& taken) const;
  bool differ(const Group& a, const Group& b) const;
  double deviation_in_groups() const;
  std::vector<double> cycles_of_stretches() const;

  SamplingTerms terms_;
  std::uint64_t tbs_;
  std::uint64_t round_;
  SampleMark last_;
  State state_ = State::kStart;
  Use use_ = Use::kCounted;
  std::uint64_t next_ = 0;
  std::uint64_t boundary_;
  std::uint64_t skip_end_ = 0;
  std::uint64_t grown_end_ = 0;  ///< where the last section was to end
  double growth_ = 1;            ///< of sections over the shortest
  std::vector<Stretch> stretches_;
  std::vector<Group> groups_;
  std::vector<Section> sections_;
  std::vector<Transient> transients_;
  PhaseTable phases_;
  std::size_t phase_ = 0;
  bool unconfirmed_ = false;  ///< the phase of the last group
  std::size_t wanted_ = 0;    ///< Group::wanted of the next one
  TbWork of_round_;           ///< fast-forwarded, since the last round of them was looked at
  TbWork between_;            ///< a round before it that is of no phase known; of no TBs: there is none
  TbWork all_skipped_;
  std::string given_up_;
};

}  // namespace heddle
