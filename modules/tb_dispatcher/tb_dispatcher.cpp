#include "modules/tb_dispatcher/tb_dispatcher.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "modules/config/setting_error.h"
#include "modules/counts/launch_counts.h"
#include "modules/messages/tick_order.h"
#include "modules/tb_dispatcher/sampling/launch_sampler.h"

namespace heddle {

namespace {
constexpr Cycle kTurnCycles = 1024;  ///< from a turn of fast-forwarded TBs that wait for others to the next
/// Contention control decides once in a period.
hw::Owner ideal_of(hw::Owner hardware) {
  hardware.timing = hw::Timing::kIdeal;
  return hardware;
}
constexpr Cycle kBegins = std::numeric_limits<Cycle>::max();  ///< the first period of contention control

const TbDispatcherConfig& checked(const TbDispatcherConfig& dispatch, const CoreConfig& core) {
  if (dispatch.max_kernels == 0 || dispatch.max_kernels > 64) {
    throw SettingError("tb_dispatcher.max_kernels",
                       "expected 1 to 64, found " + std::to_string(dispatch.max_kernels));
  }
  if (dispatch.sampling_sm >= core.sms) {
    throw SettingError({"tb_dispatcher.sampling_sm", "core.sms"}, "expected less than core.sms (" +
                                                                      std::to_string(core.sms) + "), found " +
                                                                      std::to_string(dispatch.sampling_sm));
  }
  return dispatch;
}

}  // namespace

TbDispatcher::TbDispatcher(const sc_core::sc_module_name& name, ClockDomain& domain, const CoreConfig& config,
                           const TbDispatcherConfig& dispatch, const hw::Owner& hardware)
    : sc_module(name),
      Clocked(domain, tick_order::kDispatch, this->name()),
      sm("sm", config.sms),
      issue_counts("issue_count"),
      config_(config),
      dispatch_(checked(dispatch, config)),
      policy_(make_dispatch_policy({config_, dispatch_, hardware, &predicted, &policy_interval})),
      contention_(make_contention_control(config_, ideal_of(hardware))),
      count_set_(config.sms, 0),
      issued_(contention_->watched_sms()) {
  issue_counts.init(contention_->watched_sms());
  for (unsigned s = 0; s < config.sms; ++s) sms_.emplace_back(config_);
  for (TbInitiatorSocket& socket : sm) socket.bind(*this);
}

void TbDispatcher::launch(KernelLaunch& launch, std::uint64_t launch_id, const LaunchTerms& terms) {
  auto record = std::make_unique<LaunchRecord>();
  record->launch = &launch;
  record->launch_id = launch_id;
  record->alone = terms.alone;
  record->program = terms.program;
  record->stream = terms.stream;
  record->counts = terms.counts;
  record->sampler = terms.sampler;
  record->marks = terms.marks;
  record->tbs = launch.grid().count();
  record->resident.resize(config_.sms);
  const Cycle now = domain().cycle_now();
  if (record->tbs == 0) {
    throw std::invalid_argument("kernel '" + launch.program().name + "': the grid has no thread blocks");
  }
  if (terms.arrives_at != 0 && terms.arrives_at < now) {
    throw std::invalid_argument("kernel '" + launch.program().name + "': arrives at cycle " +
                                std::to_string(terms.arrives_at) + ", expected " + std::to_string(now) +
                                " or later, the present one");
  }
  record->occupancy = Occupancy::of(launch, config_);
  record->launched_at = std::max(terms.arrives_at, now);
  tbs_waiting_ += record->tbs;
  wake();  // others may have come to be first, and the timer for the first arrival is set
  ask_again_ = true;
  if (record->launched_at == now && launches_.size() < dispatch_.max_kernels) {
    arrive(std::move(record));
    return;
  }
  const auto behind = std::upper_bound(
      coming_.begin(), coming_.end(), record,
      [](const auto& value, const auto& element) { return value->launched_at < element->launched_at; });
  coming_.insert(behind, std::move(record));
}

bool TbDispatcher::absorb_arrived() {
  bool any = false;
  while (!coming_.empty() && coming_.front()->launched_at <= domain().cycle() &&
         launches_.size() < dispatch_.max_kernels) {
    std::unique_ptr<LaunchRecord> record = std::move(coming_.front());
    coming_.erase(coming_.begin());
    arrive(std::move(record));
    any = true;
  }
  return any;
}

void TbDispatcher::arrive(std::unique_ptr<LaunchRecord> record) {
  const Cycle delay = std::max<Cycle>(config_.launch_latency_cycles, 1);
  record->ready_at = domain().cycle_now() + delay;
  record->kernel_slot = static_cast<unsigned>(__builtin_ctzll(~kernel_slots_));
  kernel_slots_ |= std::uint64_t{1} << record->kernel_slot;
  launches_.push_back(std::move(record));
  spread_grids();
  policy_->on_launch(*this, *launches_.back());
  wake_in(delay);
  if (launches_.size() == 1 && contention_->period_cycles() != 0) begin_watch();
  launched.fire(launches_.back()->launch_id, domain().cycle_now());
}

void TbDispatcher::spread_grids() {
  for (const auto& launch : launches_) {
    launch->sms = policy_->sms_of(*this, *launch, config_.sms);
    launch->occupancy.spread(launch->tbs, launch->sms);
    grid_spread.fire(*launch);
  }
}

/// Periods run while kernels do; the first begins at the edge after the arrival.
void TbDispatcher::begin_watch() {
  watch_at_ = kBegins;
  wake();
}

bool TbDispatcher::watch() {
  const Cycle now = domain().cycle();
  if (launches_.empty()) watch_at_ = 0;
  if (watch_at_ == 0 || (watch_at_ != kBegins && watch_at_ != now)) return false;
  read_issued();
  if (watch_at_ == kBegins) {
    contention_->begin(issued_.data(), now);
  } else {
    contention_->end_period(issued_.data(), now);
  }
  watch_at_ = now + contention_->period_cycles();
  wake_in(contention_->period_cycles());
  return true;
}

/// A launch latency is over, or what an oracle waits for has not come.
bool TbDispatcher::times_have_come() {
  const Cycle now = domain().cycle();
  bool any = false;
  for (const auto& launch : launches_) {
    any |= launch->ready_at == now;
    if (launch->ready_at > now) wake_in(launch->ready_at - now);
  }
  const auto over =
      std::remove_if(oracle_waits_.begin(), oracle_waits_.end(), [now](Cycle until) { return until <= now; });
  any |= over != oracle_waits_.end();
  oracle_waits_.erase(over, oracle_waits_.end());
  return any;
}

void TbDispatcher::read_issued() {
  for (unsigned s = 0; s < issued_.size(); ++s) issued_[s] = issue_counts[s]->warp_instructions();
}

bool TbDispatcher::can_start(const LaunchRecord& launch, unsigned index) const {
  const Sm& target = sms_[index];
  return launch.tbs_waiting() != 0 && domain().cycle() >= launch.ready_at &&
         (dispatch_.mixed_sms || target.resident == 0 || target.occupant == &launch) &&
         launch.resident[index] < launch.occupancy.resident_limit && room(launch, index) != 0;
}

bool TbDispatcher::tick() {
  bool changed = policy_->advance(*this) || ask_again_;
  if (!waiting_tbs_.empty()) go_on_waiting();
  changed |= absorb_ended();
  changed |= absorb_arrived();
  changed |= watch_at_ != 0 && watch();
  changed |= times_have_come();
  // A policy that is asked compares: not in every cycle, whether the block sleeps or not.
  ask_again_ = changed && tbs_waiting_ != 0 && dispatch() && tbs_waiting_ != 0;
  if (!coming_.empty() && coming_.front()->launched_at > domain().cycle() &&
      coming_.front()->launched_at != timer_for_) {
    timer_for_ = coming_.front()->launched_at;
    wake_in(timer_for_ - domain().cycle());
  }
  if (const Cycle change = policy_->next_change();
      change != DispatchPolicy::kNever && change != change_for_) {
    change_for_ = change;
    wake_in(std::max<Cycle>(change, domain().cycle() + 1) - domain().cycle());
  }
  if (wave_) update_wave();
  return ask_again_;
}

bool TbDispatcher::absorb_ended() {
  const Ticks now = domain().now();
  bool any = false;
  for (Sm& target : sms_) {
    any |= target.account.due(now);
    target.account.advance(now);
  }
  // In the order of the SMs, whichever of them was first to tell.
  for (Sm& target : sms_) {
    if (!target.ended.empty()) absorb_ended(target, now);
  }
  return any;
}

void TbDispatcher::absorb_ended(Sm& target, Ticks now) {
  std::size_t done = 0;
  while (done < target.ended.size() && target.ended[done].second < now) end_tb(*target.ended[done++].first);
  target.ended.erase(target.ended.begin(), target.ended.begin() + static_cast<std::ptrdiff_t>(done));
}

void TbDispatcher::end_tb(Running& running) {
  Sm& target = sms_[running.sm.value()];
  LaunchRecord& record = *running.record;
  --target.resident;
  --record.resident[running.sm.value()];
  ++tbs_ended_;
  ++record.tbs_ended;
  free_transactions_.push_back(&running);
  target.slots.end(running.heard_slot);
  policy_->on_tb_end(*this, {record, running.sm, running.heard_slot, domain().cycle()});
  tb_ended.fire(running, domain().cycle());
  if (record.sampler != nullptr && record.sampler->ended(running.tb, domain().cycle()))
    record.sampler->mark_older(record.marks->mark());
  if (record.tbs_ended != record.tbs) return;
  finish_waiting();
  record.ended_at = domain().cycle();
  ++launches_ended_;
  const auto ended = std::find_if(launches_.begin(), launches_.end(),
                                  [&](const auto& launch) { return launch.get() == &record; });
  const std::unique_ptr<LaunchRecord> keep = std::move(*ended);
  launches_.erase(ended);
  kernel_slots_ &= ~(std::uint64_t{1} << record.kernel_slot);
  spread_grids();
  policy_->on_end(*this, record);
  // An oracle waits no longer than this for the next launch of the stream.
  if (record.alone.following_cycles != 0 && dispatch_.oracle_lookahead_cycles != 0) {
    oracle_waits_.push_back(domain().cycle() + dispatch_.oracle_lookahead_cycles);
    wake_in(dispatch_.oracle_lookahead_cycles);
  }
  launch_ended.fire(record);
}

bool TbDispatcher::dispatch() {
  const unsigned first = first_sm_;
  const unsigned count = config_.sms;
  bool any = false;
  for (unsigned step = 0; step < count && tbs_waiting_ != 0; ++step) {
    const unsigned index = (first + step) % count;
    if (!start_on(index)) continue;
    first_sm_ = (index + 1) % count;
    any = true;
  }
  return any;
}

bool TbDispatcher::start_on(unsigned index) {
  LaunchRecord* record = policy_->select(*this, index);
  if (record == nullptr) return false;
  if (record->sampler != nullptr) sample(*record, index);
  Running& running = take_transaction();
  running.launch = record->launch;
  running.launch_id = record->launch_id;
  running.stream = record->stream;
  running.counts = record->counts == nullptr ? nullptr : record->counts + count_set_[index];
  running.tb = record->tbs_started;
  running.sm = SmId(index);
  running.refused = false;
  running.record = record;
  const unsigned warps = room(*record, index);
  running.start_warps = static_cast<std::uint16_t>(warps);
  running.use_fragments = contention_->may_use_fragments(index);
  if (!hand_over(running)) {
    free_transactions_.push_back(&running);
    return false;
  }
  Sm& target = sms_[index];
  running.share =
      &target.account.start(record->launch_id, record->occupancy.demand, warps, running.use_fragments);
  target.occupant = record;
  ++target.resident;
  ++record->resident[index];
  if (record->tbs_started++ == 0) record->first_tb_at = domain().cycle();
  --tbs_waiting_;
  ++tbs_dispatched_;
  partial_tbs_ += warps < record->occupancy.demand.warps ? 1 : 0;
  running.heard_slot = target.slots.start(running.tb_slot);
  policy_->on_tb_start(*this, {*record, running.sm, running.heard_slot, domain().cycle()});
  tb_dispatched.fire(running, domain().cycle());
  if (record->tbs_waiting() == 0) grid_dispatched.fire(record->launch_id, domain().cycle());
  return true;
}

/// A TB is about to start on the SM; that of the last index is never fast-forwarded.
void TbDispatcher::sample(LaunchRecord& record, unsigned index) {
  LaunchSampler& sampler = *record.sampler;
  if (sampler.wants_mark(record.tbs_started)) sampler.mark(record.tbs_started, record.marks->mark());
  while (sampler.skips()) fast_forward(record, index);
}

void TbDispatcher::fast_forward(LaunchRecord& record, unsigned index) {
  ExecutionSite site;
  site.sm = index;
  site.num_sms = config_.sms;
  site.num_warp_slots = config_.warps;
  const std::uint64_t side_by_side = record.sampler->side_by_side();
  MemoryWatch* const watch = side_by_side == 0 ? nullptr : record.marks;
  std::vector<std::unique_ptr<FunctionalTb>> tbs;
  for (std::uint64_t i = 0; i < std::max<std::uint64_t>(side_by_side, 1); ++i) {
    tbs.push_back(std::make_unique<FunctionalTb>(*record.launch, record.tbs_started, site, watch));
    ++record.tbs_started;
    ++record.tbs_ended;
    --tbs_waiting_;
  }
  std::uint64_t turn =
      tbs.size() == 1 ? FunctionalTb::kMostInstructions : FunctionalTb::kTurn * record.launch->warps_per_tb();
  std::uint64_t rest = FunctionalTb::kMostInstructions / turn;
  if (!record.sampler->given_up().empty()) {  // one of their round waits; perhaps they do as well
    turn = FunctionalTb::kTurnInstructions;
    rest = 1;
  }
  for (bool all_ended = false; !all_ended && rest != 0; --rest) {
    all_ended = true;
    for (const auto& tb : tbs) all_ended = (tb->ended() || tb->run(turn, domain().cycle())) && all_ended;
  }
  bool waits = false;
  for (std::unique_ptr<FunctionalTb>& tb : tbs) {
    record.sampler->skipped(tb->work());
    if (tb->ended()) continue;
    waits = true;
    waiting_tbs_.push_back(std::move(tb));
  }
  if (!waits) return;
  record.sampler->give_up_waiting();
  wake_in(kTurnCycles);
}

/// Fast-forwarded TBs that wait for others have turns between the cycles of those.
void TbDispatcher::go_on_waiting() {
  const auto ended = std::remove_if(waiting_tbs_.begin(), waiting_tbs_.end(), [this](const auto& tb) {
    return tb->run(FunctionalTb::kTurnInstructions, domain().cycle());
  });
  waiting_tbs_.erase(ended, waiting_tbs_.end());
  if (!waiting_tbs_.empty()) wake_in(kTurnCycles);
}

/// Nobody else is left that they could wait for.
void TbDispatcher::finish_waiting() {
  while (!waiting_tbs_.empty()) go_on_waiting();
}

TbDispatcher::Running& TbDispatcher::take_transaction() {
  if (free_transactions_.empty()) {
    transactions_.push_back(std::make_unique<Running>());
    return *transactions_.back();
  }
  Running& running = *free_transactions_.back();
  free_transactions_.pop_back();
  return running;
}

}  // namespace heddle
