#include "modules/tb_dispatcher/sampling/launch_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "modules/tb_dispatcher/sampling/rate_error.h"

namespace heddle {

namespace {

/// After a section: so many count for nothing.
constexpr std::uint64_t kWarmUpRounds = 2;
/// To warm up and to measure two windows, before the start of the grid's last TB. A window is a whole round:
/// TBs may start in bursts, and from the first of a burst to its last it takes less than a round.
constexpr std::uint64_t kTailRounds = kWarmUpRounds + 2;

double rounds(std::uint64_t tbs, std::uint64_t round) {
  return static_cast<double>(tbs) / static_cast<double>(std::max<std::uint64_t>(round, 1));
}

}  // namespace

std::string LaunchSampler::refusal(std::uint64_t tbs, std::uint64_t tbs_a_round, const SamplingTerms& terms) {
  const double of_launch = rounds(tbs, tbs_a_round);
  if (of_launch >= terms.least_rounds) return "";
  return fmt::format("it has {:.1f} rounds of thread blocks, and sampling takes {:.0f}", of_launch,
                     terms.least_rounds);
}

LaunchSampler::LaunchSampler(std::uint64_t tbs, std::uint64_t tbs_a_round, const SampleMark& begin,
                             const SamplingTerms& terms)
    : terms_(terms),
      tbs_(tbs),
      round_(std::max<std::uint64_t>(tbs_a_round, 1)),
      last_(begin),
      boundary_(2 * round_) {}

void LaunchSampler::mark(std::uint64_t next_tb, const SampleMark& now) {
  Stretch stretch;
  stretch.use = use_;
  stretch.cycles = now.cycle - last_.cycle;
  stretch.warp_instructions = now.warp_instructions - last_.warp_instructions;
  if (use_ == Use::kMeasured) {
    stretch.group = groups_.size() - 1;
    groups_.back().windows.push_back(stretches_.size());
  }
  if (use_ == Use::kLeftOut) add_section(phase_, stretch.warp_instructions);
  stretches_.push_back(stretch);
  last_ = now;
  next_ = next_tb;
  go_on();
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
  groups_.push_back({phase_, wanted_, false, {}});
  begin_window();
}

void LaunchSampler::begin_window() {
  state_ = State::kWindow;
  use_ = Use::kMeasured;
  boundary_ = next_ + round_;
}

void LaunchSampler::after_window() {
  const std::uint64_t left = tbs_ - 1 - next_;
  const bool ready = given_up_.empty() && settled();
  if (!given_up_.empty() || left < round_) return run_out();
  if (!ready) return begin_window();
  if (left < (kTailRounds + 1) * round_) return run_out();
  begin_section();
}

/// Whatever is left is simulated, and counts.
void LaunchSampler::run_out() {
  state_ = State::kDetail;
  use_ = Use::kCounted;
  boundary_ = kNever;
}

std::vector<MeasuredWindow> LaunchSampler::measured(const std::vector<std::size_t>& windows) const {
  std::vector<MeasuredWindow> list;
  list.reserve(windows.size());
  for (const std::size_t w : windows) {
    list.push_back(
        {static_cast<double>(stretches_[w].warp_instructions), static_cast<double>(stretches_[w].cycles)});
  }
  return list;
}

std::vector<std::size_t> LaunchSampler::windows_of(std::size_t phase) const {
  std::vector<std::size_t> windows;
  for (const Group& group : groups_) {
    if (group.phase == phase) windows.insert(windows.end(), group.windows.begin(), group.windows.end());
  }
  return windows;
}

bool LaunchSampler::settled() {
  Group& group = groups_.back();
  const std::size_t count = group.windows.size();
  if (group.wanted != 0 && !group.unlike_before) {
    if (count < group.wanted) return false;
    const Group* const before = group_before();
    group.unlike_before = before != nullptr && differ(*before, group);
    if (!group.unlike_before) return true;
  }
  if (count < terms_.least_windows) return false;
  // Windows in which the rate still moved towards what it is now are not of those that stand for others.
  const std::size_t looked_at = std::max(terms_.least_windows, (count + 1) / 2);
  const std::vector<std::size_t> last(group.windows.end() - static_cast<std::ptrdiff_t>(looked_at),
                                      group.windows.end());
  if (count < terms_.most_windows) {
    if (drifts(last, terms_.drift, 1)) return false;
    const std::vector<MeasuredWindow> windows = measured(last);
    const bool affordable = static_cast<double>(count) < terms_.share_of_rounds * rounds(tbs_, round_);
    if (affordable && rate_error(windows).relative(windows) > terms_.settled_error) return false;
  }
  if (drifts(last, terms_.tolerated_drift, 3)) {
    given_up_ = fmt::format("its rate has not settled in {} rounds of thread blocks", count);
    return false;
  }
  for (std::size_t i = 0; i < count - looked_at; ++i) stretches_[group.windows[i]].use = Use::kCounted;
  group.windows = last;
  return true;
}

/// Between their halves the rate differs by more than `allowed` of it, and by more than so many standard
/// errors.
bool LaunchSampler::drifts(const std::vector<std::size_t>& windows, double allowed, double errors) const {
  const auto middle = windows.begin() + static_cast<std::ptrdiff_t>(windows.size() / 2);
  const std::vector<MeasuredWindow> earlier = measured({windows.begin(), middle});
  const std::vector<MeasuredWindow> later = measured({middle, windows.end()});
  const RateError before = rate_error(earlier);
  const RateError after = rate_error(later);
  const double expected = std::hypot(before.of_rate(earlier), after.of_rate(later));
  return std::abs(after.per_work - before.per_work) > std::max(allowed * after.per_work, errors * expected);
}

/// So many that the error of all is the wanted one, as far as that leaves most of the rounds to fast-forward.
std::size_t LaunchSampler::windows_after_section(std::uint64_t left, std::uint64_t sections) const {
  const std::vector<std::size_t> known = windows_of(groups_.back().phase);
  const std::vector<MeasuredWindow> windows = measured(known);
  const RateError error = rate_error(windows);
  double work = 0;
  for (const MeasuredWindow& window : windows) work += window.work;
  const double mean = error.per_work * work / static_cast<double>(std::max<std::size_t>(windows.size(), 1));
  const double wanted = std::pow(error.t * error.deviation / (terms_.wanted_error * std::max(mean, 1.0)), 2);
  const double each = (wanted - static_cast<double>(windows.size())) / static_cast<double>(sections);
  const double most = terms_.share_of_rounds * rounds(left, round_) / static_cast<double>(sections) -
                      static_cast<double>(kWarmUpRounds);
  return static_cast<std::size_t>(
      std::max(std::ceil(std::min(each, most)), static_cast<double>(terms_.later_windows)));
}

/// The last section made no difference to the rate: it was no shorter than asked for, the windows before and
/// after it agree, and the rate is known as well as is wanted.
bool LaunchSampler::may_grow() const {
  const Group* const before = group_before();
  if (before == nullptr || next_ < grown_end_ || differ(*before, groups_.back())) return false;
  const std::vector<MeasuredWindow> windows = measured(windows_of(groups_.back().phase));
  return rate_error(windows).relative(windows) <= terms_.wanted_error;
}

/// The one before the last section, when it is of the same phase.
const LaunchSampler::Group* LaunchSampler::group_before() const {
  if (groups_.size() < 2) return nullptr;
  const Group& before = groups_[groups_.size() - 2];
  return before.phase == groups_.back().phase && !before.windows.empty() ? &before : nullptr;
}

void LaunchSampler::begin_section() {
  growth_ = may_grow() ? 2 * growth_ : 1;
  const std::uint64_t left = tbs_ - 1 - next_ - kTailRounds * round_;
  const double shortest = growth_ * std::max(terms_.section_rounds * static_cast<double>(round_),
                                             static_cast<double>(tbs_) / terms_.most_sections);
  const double of_left = std::max(std::ceil(static_cast<double>(left) / shortest), 1.0);
  // If it goes on like this: each twice the one before, or all alike.
  const double sections = growth_ > 1 ? std::ceil(std::log2(of_left + 1)) : of_left;
  wanted_ = windows_after_section(left, static_cast<std::uint64_t>(sections));
  unconfirmed_ = true;
  skip_end_ = next_ + left / static_cast<std::uint64_t>(of_left);
  grown_end_ = skip_end_;
  boundary_ = kNever;
}

std::uint64_t LaunchSampler::side_by_side() const {
  const std::uint64_t left = skip_end_ - next_;
  return left <= kWarmedRounds * round_ && of_round_.tbs == 0 ? std::min(left, round_) : 0;
}

void LaunchSampler::skipped(const TbWork& tb) {
  ++next_;
  of_round_ += tb;
  all_skipped_ += tb;
  if (of_round_.tbs >= round_ || next_ == skip_end_) end_round();
  if (next_ == skip_end_) end_section();
}

void LaunchSampler::give_up_waiting() {
  given_up_ = "its thread blocks wait for each other";
  if (!skips()) return;
  skip_end_ = next_;
  end_round();
  end_section();
}

/// Whose phase is the round's? One of a new kind may be of two phases, between which it lies: the next one
/// tells.
void LaunchSampler::end_round() {
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
  if (unconfirmed_ && (found != groups_.back().phase || between_.tbs != 0)) forget_last_group();
  unconfirmed_ = false;
  if (between_.tbs != 0) {
    add_section(phase_, between_.warp_instructions / 2);
    add_section(found, between_.warp_instructions - between_.warp_instructions / 2);
    between_ = {};
  }
  phase_ = found;
  add_section(phase_, round.warp_instructions);
}

/// What follows its windows is not of its phase: they may be of both.
void LaunchSampler::forget_last_group() {
  Group& last = groups_.back();
  if (windows_of(last.phase).size() == last.windows.size()) return;  // there is nothing better
  for (const std::size_t window : last.windows) stretches_[window].use = Use::kCounted;
  last.windows.clear();
}

void LaunchSampler::add_section(std::size_t phase, std::uint64_t warp_instructions) {
  sections_.push_back({phase, warp_instructions, groups_.size()});
}

void LaunchSampler::end_section() {
  state_ = State::kWarmUp;
  use_ = Use::kLeftOut;
  boundary_ = next_ + kWarmUpRounds * round_;
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
  give_weights();
}

void LaunchSampler::give_weights() {
  for (Stretch& stretch : stretches_) stretch.weight = stretch.use == Use::kLeftOut ? 0 : 1;
  for (const Section& section : sections_) give_weight(section);
}

/// By the windows of its phase next to it, or of any phase when it has none.
void LaunchSampler::give_weight(const Section& section) {
  const Group* before = nullptr;
  const Group* after = nullptr;
  for (const bool of_phase : {true, false}) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if (group.windows.empty() || (of_phase && group.phase != section.phase)) continue;
      if (g < section.groups_before) {
        before = &group;
      } else if (after == nullptr) {
        after = &group;
      }
    }
    if (before != nullptr || after != nullptr) break;
  }
  const auto work = static_cast<double>(section.warp_instructions);
  if (before == nullptr || after == nullptr) {
    if (before != nullptr) give_weight(*before, work);
    if (after != nullptr) give_weight(*after, work);
    return;
  }
  double share = 0.5;  // of the windows before
  if (!differ(*before, *after)) {
    share = static_cast<double>(before->windows.size()) /
            static_cast<double>(before->windows.size() + after->windows.size());
  } else if (before->wanted == 0) {
    share = 0;
    transients_.push_back({static_cast<std::size_t>(before - groups_.data()),
                           static_cast<std::size_t>(after - groups_.data()), work});
  }
  give_weight(*before, share * work);
  give_weight(*after, (1 - share) * work);
}

/// What a warp instruction takes in the group's windows.
double LaunchSampler::rate(const Group& group, const std::vector<double>& taken) const {
  double work = 0;
  double sum = 0;
  for (const std::size_t w : group.windows) {
    work += static_cast<double>(stretches_[w].warp_instructions);
    sum += taken[w];
  }
  return work == 0 ? 0 : sum / work;
}

/// By more than `drift`, and by more than twice the standard error of the difference.
bool LaunchSampler::differ(const Group& a, const Group& b) const {
  const std::vector<double> cycles = cycles_of_stretches();
  const double mean = (rate(a, cycles) + rate(b, cycles)) / 2;
  const double expected = deviation_in_groups() * std::sqrt(1 / static_cast<double>(a.windows.size()) +
                                                            1 / static_cast<double>(b.windows.size()));
  return std::abs(rate(a, cycles) - rate(b, cycles)) > mean * std::max(terms_.drift, 2 * expected);
}

/// Standard deviation of a window's rate about that of its group, over it.
double LaunchSampler::deviation_in_groups() const {
  const std::vector<double> cycles = cycles_of_stretches();
  double squares = 0;
  double freedom = 0;
  for (const Group& group : groups_) {
    const double of_group = rate(group, cycles);
    for (const std::size_t w : group.windows) {
      const double expected = of_group * static_cast<double>(stretches_[w].warp_instructions);
      if (expected > 0) squares += std::pow(cycles[w] / expected - 1, 2);
    }
    if (!group.windows.empty()) freedom += static_cast<double>(group.windows.size() - 1);
  }
  return freedom == 0 ? 0 : std::sqrt(squares / freedom);
}

void LaunchSampler::give_weight(const Group& group, double warp_instructions) {
  double work = 0;
  for (const std::size_t w : group.windows) work += static_cast<double>(stretches_[w].warp_instructions);
  if (work == 0) return;
  for (const std::size_t w : group.windows) stretches_[w].weight += warp_instructions / work;
}

std::size_t LaunchSampler::windows() const {
  std::size_t count = 0;
  for (const Group& group : groups_) count += group.windows.size();
  return count;
}

double LaunchSampler::cycles() const {
  double cycles = 0;
  for (const Stretch& stretch : stretches_) cycles += stretch.weight * static_cast<double>(stretch.cycles);
  return cycles;
}

std::vector<double> LaunchSampler::deviations(const std::vector<double>& taken) const {
  const auto list_of = [&](const std::vector<std::size_t>& windows) {
    std::vector<MeasuredWindow> list;
    list.reserve(windows.size());
    for (const std::size_t w : windows)
      list.push_back({static_cast<double>(stretches_[w].warp_instructions), taken[w]});
    return list;
  };
  std::vector<std::size_t> all;
  for (const Group& group : groups_) all.insert(all.end(), group.windows.begin(), group.windows.end());
  const RateError of_all = rate_error(list_of(all));
  std::vector<double> deviations;
  for (std::size_t phase = 0; phase < std::max<std::size_t>(phases_.size(), 1); ++phase) {
    const std::vector<std::size_t> windows = windows_of(phase);
    const std::vector<MeasuredWindow> list = list_of(windows);
    const RateError error = rate_error(list);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const double stands_for = stretches_[windows[i]].weight - 1;
      // A single window says nothing of how windows differ: as those of all phases do.
      deviations.push_back(windows.size() < 2 ? of_all.t * of_all.deviation * stands_for
                                              : deviation_of(error, windows.size(), list[i], stands_for));
    }
  }
  for (const Transient& transient : transients_) {
    deviations.push_back((rate(groups_[transient.before], taken) - rate(groups_[transient.after], taken)) *
                         transient.warp_instructions / 2);
  }
  return deviations;
}

std::vector<double> LaunchSampler::cycles_of_stretches() const {
  std::vector<double> cycles;
  for (const Stretch& stretch : stretches_) cycles.push_back(static_cast<double>(stretch.cycles));
  return cycles;
}

std::vector<double> LaunchSampler::deviations_of_cycles() const { return deviations(cycles_of_stretches()); }

}  // namespace heddle
