#include "modules/tb_dispatcher/sampling/launch_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "modules/tb_dispatcher/sampling/rate_error.h"

namespace heddle {

namespace {

/// After a section: so many count for nothing.
constexpr std::uint64_t kWarmUpRounds = 2;

double rounds(std::uint64_t tbs, std::uint64_t round) {
  return static_cast<double>(tbs) / static_cast<double>(std::max<std::uint64_t>(round, 1));
}

/// A window is a whole round at least: TBs may start in bursts, and from the first of a burst to its last it
/// takes less than a round.
std::uint64_t window_of(const SampledGrid& grid, const SamplingTerms& terms) {
  constexpr double kLeastRow = 0.5;  // rounds
  constexpr double kMostRow = 4;
  const std::uint64_t round = std::max<std::uint64_t>(grid.tbs_a_round, 1);
  const double row = rounds(grid.tbs_a_row, round);
  const auto of_all = static_cast<double>(terms.least_windows * grid.tbs_a_row);
  const bool by_rows =
      row >= kLeastRow && row <= kMostRow && of_all <= terms.share_of_rounds * static_cast<double>(grid.tbs);
  if (!by_rows) return round;
  return grid.tbs_a_row < round ? 2 * grid.tbs_a_row : grid.tbs_a_row;
}

}  // namespace

std::string LaunchSampler::refusal(std::uint64_t tbs, std::uint64_t tbs_a_round, const SamplingTerms& terms) {
  const double of_launch = rounds(tbs, tbs_a_round);
  if (of_launch >= terms.least_rounds) return "";
  return fmt::format("it has {:.1f} rounds of thread blocks, and sampling takes {:.0f}", of_launch,
                     terms.least_rounds);
}

LaunchSampler::LaunchSampler(const SampledGrid& grid, const SampleMark& begin, const SamplingTerms& terms)
    : terms_(terms),
      tbs_(grid.tbs),
      round_(std::max<std::uint64_t>(grid.tbs_a_round, 1)),
      window_(window_of(grid, terms)),
      cached_blocks_(grid.cached_blocks),
      begin_(begin),
      last_(begin),
      boundary_(2 * round_),
      estimate_(terms.drift) {}

void LaunchSampler::mark(std::uint64_t next_tb, const SampleMark& now) {
  end_stretch(now);
  next_ = next_tb;
  begins_.push_back(next_tb);
  go_on();
}

void LaunchSampler::end_stretch(const SampleMark& now) {
  Stretch stretch;
  stretch.use = use_;
  stretch.cycles = now.cycle - last_.cycle;
  stretch.warp_instructions = now.warp_instructions - last_.warp_instructions;
  if (use_ == Use::kLeftOut) estimate_.add_section(phase_, stretch.warp_instructions);
  estimate_.add_stretch(stretch);
  last_ = now;
}

void LaunchSampler::go_on() {
  switch (state_) {
    case State::kStart:
    case State::kWarmUp:
      begin_group();
      break;
    case State::kWindow:
      after_window();
      break;
    case State::kDetail:
      break;
  }
}

void LaunchSampler::begin_group() {
  settles_ = wanted_ == 0;
  forgotten_ = 0;
  estimate_.add_group(phase_, settles_);
  begin_window();
}

void LaunchSampler::begin_window() {
  state_ = State::kWindow;
  use_ = Use::kMeasured;
  boundary_ = next_ + window_;
}

void LaunchSampler::after_window() {
  const std::uint64_t left = tbs_ - 1 - next_;
  const bool ready = given_up_.empty() && settled();
  if (!given_up_.empty() || left < window_) return run_out();
  if (!ready) return begin_window();
  if (left < tail_tbs() + round_) return run_out();
  begin_section();
}

/// To warm up and to measure, before the start of the grid's last TB.
std::uint64_t LaunchSampler::tail_tbs() const {
  return kWarmUpRounds * round_ + least_later_windows() * window_;
}

double LaunchSampler::windows_in(double rounds) const {
  return rounds * static_cast<double>(round_) / static_cast<double>(window_);
}

/// A single one is enough when it is long.
std::size_t LaunchSampler::least_later_windows() const {
  const double wanted = std::min(terms_.later_share * rounds(tbs_, round_), terms_.most_later_rounds);
  return static_cast<std::size_t>(std::max(std::round(windows_in(wanted)), std::ceil(windows_in(2))));
}

std::size_t LaunchSampler::most_windows() const {
  return std::max(terms_.least_windows, static_cast<std::size_t>(windows_in(terms_.most_rounds)));
}

/// Whatever is left is simulated, and counts.
void LaunchSampler::run_out() {
  state_ = State::kDetail;
  use_ = Use::kCounted;
  boundary_ = kNever;
}

bool LaunchSampler::settled() {
  const LaunchEstimate::Group& group = estimate_.groups().back();
  const std::size_t count = group.windows.size();
  if (!settles_) {
    if (count < wanted_) return false;
    if (estimate_.halves_differ()) {
      const std::size_t earlier = (count + 1) / 2;
      estimate_.forget_windows(earlier);
      forgotten_ += earlier;
      if (forgotten_ + wanted_ <= most_windows()) return false;
    }
    const LaunchEstimate::Group* const before = estimate_.before_last();
    settles_ = before != nullptr && estimate_.differ(*before, group);
    if (!settles_) return true;
  }
  const double at_begin = std::min(terms_.settling_share * rounds(tbs_, round_), terms_.most_settling_rounds);
  const double least = estimate_.groups().size() == 1 ? std::floor(windows_in(at_begin)) : 0;
  if (count < std::max(terms_.least_windows, static_cast<std::size_t>(least))) return false;
  // Windows in which the rate still moved towards what it is now are not of those that stand for others.
  const std::size_t looked_at = std::max(terms_.least_windows, (count + 1) / 2);
  const std::vector<std::size_t> last(group.windows.end() - static_cast<std::ptrdiff_t>(looked_at),
                                      group.windows.end());
  if (count < most_windows()) {
    if (drifts(last, terms_.drift, 1)) return false;
    const std::vector<MeasuredWindow> windows = estimate_.measured(last);
    const bool affordable =
        static_cast<double>(count) < windows_in(terms_.share_of_rounds * rounds(tbs_, round_));
    if (affordable && rate_error(windows).relative(windows) > terms_.settled_error) return false;
  }
  if (drifts(last, terms_.tolerated_drift, 3)) {
    given_up_ = fmt::format("its rate has not settled in {:.0f} rounds of thread blocks",
                            static_cast<double>(count) / windows_in(1));
    return false;
  }
  estimate_.forget_windows(count - looked_at);
  return true;
}

/// Between their halves the rate differs by more than `allowed` of it, and by more than so many standard
/// errors.
bool LaunchSampler::drifts(const std::vector<std::size_t>& windows, double allowed, double errors) const {
  const auto middle = windows.begin() + static_cast<std::ptrdiff_t>(windows.size() / 2);
  const std::vector<MeasuredWindow> earlier = estimate_.measured({windows.begin(), middle});
  const std::vector<MeasuredWindow> later = estimate_.measured({middle, windows.end()});
  const RateError before = rate_error(earlier);
  const RateError after = rate_error(later);
  const double expected = std::hypot(before.of_rate(earlier), after.of_rate(later));
  return std::abs(after.per_work - before.per_work) > std::max(allowed * after.per_work, errors * expected);
}

/// So many that the error of all is the wanted one, as far as that leaves most of the rounds to fast-forward.
std::size_t LaunchSampler::windows_after_section(std::uint64_t left, std::uint64_t sections) const {
  const std::vector<MeasuredWindow> windows =
      estimate_.measured(estimate_.windows_of(estimate_.groups().back().phase));
  const RateError error = rate_error(windows);
  double work = 0;
  for (const MeasuredWindow& window : windows) work += window.work;
  const double mean = error.per_work * work / static_cast<double>(std::max<std::size_t>(windows.size(), 1));
  const double wanted = std::pow(error.t * error.deviation / (terms_.wanted_error * std::max(mean, 1.0)), 2);
  const double each = (wanted - static_cast<double>(windows.size())) / static_cast<double>(sections);
  const double most =
      windows_in(terms_.share_of_rounds * rounds(left, round_) / static_cast<double>(sections) -
                 static_cast<double>(kWarmUpRounds));
  return static_cast<std::size_t>(
      std::max(std::ceil(std::min(each, most)), static_cast<double>(least_later_windows())));
}

/// The last section made no difference to the rate: it was no shorter than asked for, the windows before and
/// after it agree, and the rate is known as well as is wanted.
bool LaunchSampler::may_grow() const {
  const LaunchEstimate::Group* const before = estimate_.before_last();
  const LaunchEstimate::Group& last = estimate_.groups().back();
  if (before == nullptr || next_ < grown_end_ || estimate_.differ(*before, last)) return false;
  const std::vector<MeasuredWindow> windows = estimate_.measured(estimate_.windows_of(last.phase));
  return rate_error(windows).relative(windows) <= terms_.wanted_error;
}

void LaunchSampler::begin_section() {
  growth_ = may_grow() ? terms_.growth * growth_ : 1;
  const std::uint64_t left = tbs_ - 1 - next_ - tail_tbs();
  const double shortest = growth_ * std::max(terms_.section_rounds * static_cast<double>(round_),
                                             static_cast<double>(tbs_) / terms_.most_sections);
  const double of_left = std::max(std::ceil(static_cast<double>(left) / shortest), 1.0);
  // If it goes on like this: each longer than the one before, or all alike.
  const double sections =
      growth_ > 1 ? std::ceil(std::log((terms_.growth - 1) * of_left + 1) / std::log(terms_.growth))
                  : of_left;
  wanted_ = windows_after_section(left, static_cast<std::uint64_t>(sections));
  unconfirmed_ = true;
  // Whole rounds, so that the grid's last round is as full as ever: the launch ends with a round that a
  // single TB may be all of.
  skip_begin_ = next_;
  accesses_ = 0;
  warmed_rounds_ = 0;
  skip_end_ =
      next_ + std::max<std::uint64_t>(left / static_cast<std::uint64_t>(of_left) / round_, 1) * round_;
  grown_end_ = skip_end_;
  boundary_ = kNever;
}

std::uint64_t LaunchSampler::side_by_side() const {
  const std::uint64_t left = skip_end_ - next_;
  if (waited_) return left;
  const bool warms = warmed_rounds_ == 0 || left <= warmed_rounds_ * round_;
  return warms && of_round_.tbs == 0 ? std::min(left, round_) : 0;
}

/// Of the section's first round.
void LaunchSampler::learn_accesses() {
  const std::uint64_t wanted = kL2Fills * cached_blocks_;
  warmed_rounds_ = kLeastWarmedRounds;
  if (accesses_ != 0) warmed_rounds_ = std::max(warmed_rounds_, (wanted + accesses_ - 1) / accesses_);
}

/// That was fast-forwarded; or else of a window.
TbWork LaunchSampler::of_one_tb() const {
  TbWork work = of_round_.tbs != 0 ? of_round_ : all_skipped_;
  if (work.tbs == 0) {
    const std::vector<std::size_t>& windows = estimate_.groups().back().windows;
    for (const MeasuredWindow& window : estimate_.measured(windows))
      work.warp_instructions += static_cast<std::uint64_t>(window.work);
    work.thread_instructions = work.warp_instructions * kWarpSize;
    work.of_part.front() = work.warp_instructions;
    work.tbs = std::max<std::uint64_t>(windows.size(), 1) * window_;
  }
  work.warp_instructions /= work.tbs;
  work.thread_instructions /= work.tbs;
  for (std::uint64_t& part : work.of_part) part /= work.tbs;
  work.tbs = 1;
  return work;
}

void LaunchSampler::skipped(const TbWork& executed) {
  const TbWork tb = executed.tbs != 0 ? executed : of_one_tb();
  ++next_;
  of_round_ += tb;
  all_skipped_ += tb;
  // It starts when so much of the launch is executed, and would end when a round of its like had been.
  const std::uint64_t before =
      last_.warp_instructions - begin_.warp_instructions + all_skipped_.warp_instructions;
  latest_end_ =
      std::max(latest_end_, static_cast<double>(before) +
                                static_cast<double>(round_) * static_cast<double>(tb.warp_instructions));
  if (of_round_.tbs >= round_ || next_ == skip_end_) end_round();
  if (next_ == skip_end_) end_section();
}

void LaunchSampler::give_up_waiting() {
  given_up_ = "its thread blocks wait for each other";
  waited_ = true;
  if (!skips()) return;
  const std::uint64_t begun = (next_ - skip_begin_ + round_ - 1) / round_;
  skip_end_ = skip_begin_ + begun * round_;
  if (skip_end_ != next_) return;
  end_round();
  end_section();
}

/// Whose phase is the round's? One of a new kind may be of two phases, between which it lies: the next one
/// tells.
void LaunchSampler::end_round() {
  if (warmed_rounds_ == 0) learn_accesses();
  const TbWork round = of_round_;
  of_round_ = {};
  const bool last = next_ == skip_end_;
  std::size_t found = phase_;
  if (phases_.size() == 0) {
    found = phases_.add(round);
  } else if (2 * round.tbs >= round_) {
    found = phases_.find(round);
    if (found == PhaseTable::kNone && between_.tbs == 0 && !last) {
      between_ = round;
      return;
    }
  }
  if (found == PhaseTable::kNone) {
    found = phases_.add(round);
    wanted_ = 0;
    skip_end_ = next_;
  }
  if (unconfirmed_ && (found != estimate_.groups().back().phase || between_.tbs != 0)) forget_last_group();
  unconfirmed_ = false;
  if (between_.tbs != 0) {
    estimate_.add_section(phase_, between_.warp_instructions / 2);
    estimate_.add_section(found, between_.warp_instructions - between_.warp_instructions / 2);
    between_ = {};
  }
  phase_ = found;
  estimate_.add_section(phase_, round.warp_instructions);
}

/// What follows its windows is not of its phase: they may be of both.
void LaunchSampler::forget_last_group() {
  const LaunchEstimate::Group& last = estimate_.groups().back();
  if (estimate_.windows_of(last.phase).size() == last.windows.size()) return;  // there is nothing better
  estimate_.forget_windows(last.windows.size());
}

void LaunchSampler::end_section() {
  state_ = State::kWarmUp;
  use_ = Use::kLeftOut;
  boundary_ = next_ + kWarmUpRounds * round_;
  after_section_ = next_;
  ended_after_ = 0;
}

bool LaunchSampler::ended(std::uint64_t tb, std::uint64_t cycle) {
  ++ended_;
  if (only_older_) {
    older_.push_back({tb, cycle});
    return false;
  }
  if (after_section_ == 0 || tb < after_section_) return false;
  ++ended_after_;
  return ended_after_ == tbs_ - after_section_ && ended_ + all_skipped_.tbs < tbs_;
}

void LaunchSampler::mark_older(const SampleMark& now) {
  end_stretch(now);
  use_ = Use::kCounted;
  only_older_ = true;
  older_from_ = now;
}

/// It is taken for as fast as the others are in windows, but for no faster than alone.
LaunchSampler::SpeedBesideOthers LaunchSampler::speed_beside_others() const {
  double time = 0;  // summed over the TBs
  for (const OlderTb& tb : older_) time += static_cast<double>(tb.ended_at - older_from_.cycle);
  const auto done = static_cast<double>(last_.warp_instructions - older_from_.warp_instructions);
  double work = 0;
  double cycles = 0;
  for (const Stretch& stretch : estimate_.stretches()) {
    if (stretch.use != Use::kMeasured) continue;
    work += static_cast<double>(stretch.warp_instructions);
    cycles += static_cast<double>(stretch.cycles);
  }
  if (done == 0 || time == 0 || work == 0 || cycles == 0) return {};
  const double of_gpu = done / time / (work / cycles);
  return {std::min(1 / (of_gpu * static_cast<double>(round_)), 1.0), of_gpu};
}

/// By how much the launch ends earlier than the estimate without it says: what was fast-forwarded after the
/// begin of such a TB runs beside it, and the longer for it, as the TB takes a part of the GPU. The launch
/// ends with the last of them, or with the others.
double LaunchSampler::overlap(SpeedBesideOthers speed) const {
  const double taken = speed.of_alone * speed.of_gpu * static_cast<double>(older_.size());
  const double longer = 1 / (1 - std::min(taken, 0.5));
  double last = 0;
  double left = 0;
  double others = 0;
  for (const OlderTb& tb : older_) {
    const auto begin = std::upper_bound(begins_.begin(), begins_.end(), tb.tb);
    const auto stretch = static_cast<std::size_t>(begin - begins_.begin() - 1);
    const auto alone = static_cast<double>(tb.ended_at - older_from_.cycle);
    const double beside = longer * estimate_.cycles_not_simulated_after(stretch);
    const double done = std::min(speed.of_alone * beside, alone);
    last = std::max(last, alone);
    left = std::max(left, alone - done);
    others += speed.of_gpu * done;
  }
  return std::max(last - left - others, 0.0);
}

void LaunchSampler::subtract_overlap() {
  const SpeedBesideOthers speed = speed_beside_others();
  const double most = overlap({1, speed.of_gpu});
  const double least = overlap({speed.of_alone / 2, speed.of_gpu});
  overlapped_ = overlap(speed);
  overlap_deviation_ = std::max(std::abs(most - overlapped_), std::abs(overlapped_ - least));
  estimate_.shorten_last(overlapped_);
}

double LaunchSampler::outlasting_cycles() const {
  const auto all = static_cast<double>(last_.warp_instructions - begin_.warp_instructions +
                                       all_skipped_.warp_instructions);
  return all == 0 ? 0 : std::max(latest_end_ / all - 1, 0.0) * cycles();
}

double LaunchSampler::waiting_cycles() const {
  return waited_ ? cycles() * static_cast<double>(round_) / static_cast<double>(tbs_) : 0;
}

void LaunchSampler::end(const SampleMark& now) {
  if (skips()) {  // the run ends before the launch
    skip_end_ = next_;
    end_round();
  }
  boundary_ = kNever;
  skip_end_ = 0;
  state_ = State::kDetail;
  mark(next_, now);
  estimate_.give_weights();
  if (only_older_ && ended_ + all_skipped_.tbs == tbs_) subtract_overlap();
}

}  // namespace heddle
