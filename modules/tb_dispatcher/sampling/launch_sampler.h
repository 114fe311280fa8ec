#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "modules/tb_dispatcher/sampling/launch_estimate.h"
#include "modules/tb_dispatcher/sampling/phase_table.h"
#include "workloads/launch/functional_tb.h"

namespace heddle {

/// How a launch is sampled. A round is as many TBs as the GPU holds; a window is what is measured at a time:
/// a round, or a row of the grid (SampledGrid).
struct SamplingTerms {
  double least_rounds = 20;  ///< of a launch that is sampled
  /// That are fast-forwarded at first, when there are so many: `growth` times as many after each section that
  /// made no difference to the rate.
  double section_rounds = 48;
  double growth = 3;
  double most_sections = 16;      ///< of a launch
  std::size_t least_windows = 4;  ///< in which the rate settles, at the begin of the launch and of each phase
  /// Of the launch's rounds, in which the rate settles at its begin at least, but for most_settling_rounds:
  /// TBs that have begun together drift apart for a dozen rounds or two.
  double settling_share = 0.025;
  double most_settling_rounds = 14;
  /// Of the launch's rounds, that windows take at least after each section, between two and
  /// most_later_rounds.
  double later_share = 1.0 / 150;
  double most_later_rounds = 4;
  double most_rounds = 16;       ///< of windows, after which it is taken as it is, or not at all
  double drift = 0.01;           ///< of the rate between earlier and later windows, when it is settled
  double tolerated_drift = 0.1;  ///< likewise, after most_windows
  /// Half the rate's 95% confidence interval over it, when it is settled; but windows are no more than
  /// share_of_rounds of the launch's rounds for it.
  double settled_error = 0.03;
  double wanted_error = 0.03;    ///< likewise of all windows of a phase: for it further ones follow sections
  double share_of_rounds = 0.1;  ///< of the rounds that are left, for these
};

struct SampledGrid {
  std::uint64_t tbs = 0;
  std::uint64_t tbs_a_round = 1;
  /// Of a grid's row (gridDim.x). What TBs take may go by their place in it: when a row is half a round to
  /// four rounds long, and least_windows of them are a tenth of the grid at most, a window is a row.
  std::uint64_t tbs_a_row = 1;
  std::uint64_t cached_blocks = 0;  ///< that all L2 slices hold, of MemoryWatch::kBlockBytes
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
/// of a half do among themselves, and a fortieth of the launch at least. Then sections of TBs are
/// fast-forwarded. After each two rounds are simulated that count for nothing, as caches and resident TBs are
/// not yet those of the place, and windows: the more, the more windows differ; when the later half of them
/// differs from the earlier one, as many again, which take the earlier ones' place; when they differ from
/// those before the section, until the rate has settled as at the begin. The last section ends so many rounds
/// before the grid's end, and the launch drains in detail. After one that made no difference to the rate the
/// next is thrice as long. TBs that execute something that none did before (PhaseTable) end a section early,
/// and windows follow until the rate has settled again.
/// LaunchEstimate says what the windows tell of the whole.
class LaunchSampler {
 public:
  using Use = LaunchEstimate::Use;
  using Stretch = LaunchEstimate::Stretch;

  /// Why a launch of so many TBs is not sampled; "" when it can be.
  static std::string refusal(std::uint64_t tbs, std::uint64_t tbs_a_round, const SamplingTerms& terms);

  /// `begin`: at the launch. The launch is one that refusal() does not refuse.
  LaunchSampler(const SampledGrid& grid, const SampleMark& begin, const SamplingTerms& terms = {});

  /// A stretch ends when the TB of that index is about to start: mark() is wanted then.
  bool wants_mark(std::uint64_t next_tb) const { return next_tb == boundary_; }
  void mark(std::uint64_t next_tb, const SampleMark& now);
  /// The next TB is to be fast-forwarded.
  bool skips() const { return next_ < skip_end_; }
  /// So many of the next TBs are to be executed side by side, and caches told of what they access; 0: the
  /// next one by itself, and caches not. They are those of a round, of a section's last ones: what caches
  /// hold at its end, and in which order, is as if they had run. How many rounds that takes the section's
  /// first one tells, which is likewise executed side by side, as are those of a round in which a TB waits.
  std::uint64_t side_by_side() const;
  /// One of them has accessed a block.
  void accessed() { ++accesses_; }
  /// Of one that has not ended: what it has executed says nothing, it counts as others do.
  void skipped(const TbWork& tb);
  /// A TB that was simulated has ended. True: those that have begun after the last section have all ended,
  /// older ones run on, and mark_older() is wanted.
  bool ended(std::uint64_t tb, std::uint64_t cycle);
  /// A stretch ends: from now on only TBs run that have begun before a section.
  void mark_older(const SampleMark& now);
  /// A TB that was fast-forwarded has not ended: it waits for others. No more are but those of its round, so
  /// that the grid's last round is as full as ever.
  void give_up_waiting();
  /// Nothing of the launch is in flight, or the run ends before. The weights hold from now on.
  void end(const SampleMark& now);

  const std::vector<Stretch>& stretches() const { return estimate_.stretches(); }
  /// All that was fast-forwarded.
  const TbWork& fast_forwarded() const { return all_skipped_; }
  std::size_t phases() const { return phases_.size(); }
  std::size_t windows() const { return estimate_.windows(); }
  /// Why it was not sampled after all; "" when it was, or when it is not yet known.
  const std::string& given_up() const { return given_up_; }
  /// The cycles of the launch, after end().
  double cycles() const { return estimate_.cycles(); }
  /// After end(): how many cycles longer the launch may take since a TB that was fast-forwarded has so much
  /// to do that it outlasts all that start after it, of which rates know nothing; 0 when there is none.
  double outlasting_cycles() const;
  /// After end(): how far cycles may be off since TBs waited, which others may have waited for: a round's;
  /// 0 when none did.
  double waiting_cycles() const;
  /// After end(): for TBs that have begun before a section and run on alone at the end, time passes while
  /// what was fast-forwarded runs beside them. So many cycles of the last stretch are not in the estimate,
  /// and may be so many more or less, as nobody knows how fast they are beside others.
  double overlapped_cycles() const { return overlapped_; }
  double overlap_deviation() const { return overlap_deviation_; }
  /// After end(): how far the estimate of something of which `taken` was counted in each stretch may be off
  /// for causes that are independent, as LaunchEstimate::deviations().
  std::vector<double> deviations(const std::vector<double>& taken) const {
    return estimate_.deviations(taken);
  }
  std::vector<double> deviations_of_cycles() const { return deviations(estimate_.cycles_of_stretches()); }

 private:
  /// At least: L1Ds keep from the L2 some of what is accessed.
  static constexpr std::uint64_t kLeastWarmedRounds = 16;
  /// Accesses of all warmed rounds over what the L2 holds: lines fall on its sets by chance.
  static constexpr std::uint64_t kL2Fills = 2;
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  enum class State : std::uint8_t { kStart, kWindow, kWarmUp, kDetail };

  struct OlderTb {
    std::uint64_t tb = 0;
    std::uint64_t ended_at = 0;
  };

  /// Of a TB that runs alone at the end.
  struct SpeedBesideOthers {
    double of_alone = 1;  ///< over that which it has alone
    double of_gpu = 0;    ///< of what the GPU does beside others, that which it does alone
  };

  void end_stretch(const SampleMark& now);
  void go_on();
  void begin_group();
  void begin_window();
  void after_window();
  void run_out();
  bool settled();
  bool drifts(const std::vector<std::size_t>& windows, double allowed, double errors) const;
  std::size_t windows_after_section(std::uint64_t left, std::uint64_t sections) const;
  double windows_in(double rounds) const;
  std::size_t least_later_windows() const;
  std::size_t most_windows() const;
  std::uint64_t tail_tbs() const;
  bool may_grow() const;
  void begin_section();
  void learn_accesses();
  void end_section();
  void end_round();
  TbWork of_one_tb() const;
  void forget_last_group();
  SpeedBesideOthers speed_beside_others() const;
  double overlap(SpeedBesideOthers speed) const;
  void subtract_overlap();

  SamplingTerms terms_;
  std::uint64_t tbs_;
  std::uint64_t round_;
  std::uint64_t window_;  ///< TBs
  std::uint64_t cached_blocks_;
  SampleMark begin_;
  SampleMark last_;
  State state_ = State::kStart;
  Use use_ = Use::kCounted;
  bool unconfirmed_ = false;  ///< the phase of the last group
  bool settles_ = false;      ///< the last group goes on until the rate has settled
  bool only_older_ = false;   ///< TBs run that have begun before the last section, and no others
  bool waited_ = false;       ///< a TB that was fast-forwarded
  std::uint64_t next_ = 0;
  std::uint64_t boundary_;
  std::uint64_t skip_begin_ = 0;
  std::uint64_t skip_end_ = 0;
  std::uint64_t accesses_ = 0;       ///< of the round that is executed side by side
  std::uint64_t warmed_rounds_ = 0;  ///< at the section's end; 0: not yet known
  std::uint64_t grown_end_ = 0;      ///< where the last section was to end
  double growth_ = 1;                ///< of sections over the shortest
  LaunchEstimate estimate_;
  PhaseTable phases_;
  std::size_t phase_ = 0;
  std::size_t wanted_ = 0;     ///< windows of the next group; 0: until the rate has settled
  std::size_t forgotten_ = 0;  ///< windows of the last group, that were not yet of its place
  TbWork of_round_;            ///< fast-forwarded, since the last round of them was looked at
  TbWork between_;             ///< a round before it that is of no phase known; of no TBs: there is none
  TbWork all_skipped_;
  std::vector<std::uint64_t> begins_{0};  ///< of each stretch: the next TB
  std::uint64_t ended_ = 0;               ///< TBs that were simulated
  std::uint64_t ended_after_ = 0;         ///< of these those that have begun after the last section
  std::uint64_t after_section_ = 0;       ///< the first such TB; 0: there was no section
  SampleMark older_from_;                 ///< when only older TBs began to run
  std::vector<OlderTb> older_;            ///< that have ended since
  double overlapped_ = 0;
  double overlap_deviation_ = 0;
  double latest_end_ = 0;  ///< of what was fast-forwarded, in warp instructions of the launch
  std::string given_up_;
};

}  // namespace heddle
