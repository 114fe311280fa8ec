#include "modules/warp_scheduler/policies/mascar/mascar.h"

#include <algorithm>
#include <utility>

#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/basic/greedy_oldest.h"
#include "modules/warp_scheduler/policies/mascar/parameters.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

/// Low bits of the room that no comparison with `limit` needs: 1 or less is what has no upper bit.
unsigned low_bits_of(unsigned limit) { return static_cast<unsigned>(__builtin_ctz(limit + 1)); }

hw::RegisterShape room_shape(unsigned places, unsigned limit) {
  hw::RegisterShape shape;
  shape.bits = hw::index_bits(places + 1) - low_bits_of(limit);
  shape.reset = places >> low_bits_of(limit);
  return shape;
}

hw::RegisterShape owner_shape(unsigned warps) {
  hw::RegisterShape shape;
  shape.bits = hw::index_bits(warps);
  return shape;
}

hw::ComparatorShape room_comparator(unsigned places, unsigned limit) {
  hw::ComparatorShape shape;
  shape.bits = hw::index_bits(places + 1) - low_bits_of(limit);
  return shape;
}

constexpr unsigned kKinds = 3;

hw::RequestGroupsShape kinds_shape(const CoreConfig& core) {
  hw::RequestGroupsShape shape;
  shape.groups = std::min(kKinds * core.schedulers, 64U);
  shape.inputs = (core.warps + core.schedulers - 1) / core.schedulers;
  return shape;
}

hw::AgeOrderShape mascar_age_shape(unsigned warps) {
  hw::AgeOrderShape shape;
  shape.entries = warps;
  return shape;
}

}  // namespace

Mascar::Mascar(const SmContext& context)
    : table_(context.table),
      served_(context.share),
      // With all free nothing is under way that could end a saturation.
      entry_limit_(
          std::min(context.values_of(mascar_parameters).free_entries, context.gpu.l1d.mshr.entries - 1)),
      queue_limit_(
          std::min(context.values_of(mascar_parameters).free_queue, context.gpu.l1d.mshr.miss_queue - 1)),
      hardware_(context.hardware.child("mascar")),
      queue_(hardware_, context.gpu.ldst.replay_entries, context.gpu.core.warps),
      queued_(hardware_, "queued_warps", context.gpu.core.warps),
      free_entries_(hardware_, "free_entries", room_shape(context.gpu.l1d.mshr.entries, entry_limit_)),
      free_queue_(hardware_, "free_queue", room_shape(context.gpu.l1d.mshr.miss_queue, queue_limit_)),
      entries_low_(hardware_, "entries_low", room_comparator(context.gpu.l1d.mshr.entries, entry_limit_)),
      queue_low_(hardware_, "queue_low", room_comparator(context.gpu.l1d.mshr.miss_queue, queue_limit_)),
      saturated_(hardware_, "saturated", 1),
      age_(hardware_, "warp_age", mascar_age_shape(context.gpu.core.warps)),
      owner_(hardware_, "owner", owner_shape(context.gpu.core.warps)),
      owner_valid_(hardware_, "owner_valid", 1),
      owner_has_(hardware_, "owner_has", {context.gpu.core.warps, 2}),
      kinds_(hardware_, "kinds", kinds_shape(context.gpu.core)),
      goes_first_(hardware_, "goes_first", {kKinds, context.gpu.core.warps, 1, true}) {
  if (hardware_.timing != hw::Timing::kHardware) return;
  owner_new_ = std::make_unique<hw::BitVector>(hardware_, "owner_new", 1);
}

void Mascar::on_warp_start(const WarpEvent& event) {
  if (served_.start(event)) age_.append(event.cycle, event.warp);
}

void Mascar::on_warp_finish(const WarpEvent& event) {
  if (!served_.has(event.warp)) return;
  age_.remove(event.warp);
  if (chosen_ == event.warp) chosen_ = kNoWarp;
  if (owner() != event.warp) return;
  charge(event.cycle - 1);
  owner_valid_.load(0);
}

void Mascar::on_l1d_access(const L1dAccess& event) {
  const WarpMask bit = warp_bit(event.warp);
  if (event.outcome == L1dOutcome::kQueued) {
    ++queued_accesses_[event.warp];
    if (!queued_.test(event.warp)) {
      queued_.set_bits(bit);
      calls_for_run_ = true;
    }
  } else if (event.replayed && event.outcome != L1dOutcome::kRefused) {
    if (--queued_accesses_[event.warp] == 0) {
      queued_.clear_bits(bit);
      calls_for_run_ = true;
    }
  }
}

void Mascar::on_mshr_room(const MshrRoom& event) {
  const std::uint64_t cycle = event.cycle + 1;  // told in the cycle after it happened
  const unsigned entries = event.free_entries >> low_bits_of(entry_limit_);
  const unsigned places = event.free_queue >> low_bits_of(queue_limit_);
  const bool compared_alike = entries == free_entries_.value() && places == free_queue_.value();
  if (compared_alike && hardware_.timing == hw::Timing::kIdeal) {
    entries_low_.count(cycle);
    queue_low_.count(cycle);
    return;
  }
  charge(cycle - 1);
  if (entries != free_entries_.value()) free_entries_.write(cycle, entries);
  if (places != free_queue_.value()) free_queue_.write(cycle, places);
  room_changed_ = true;
  if (compared_at_ == kNever) compare(cycle);
  calls_for_run_ |= compared_at_ != kNever;
}

bool Mascar::can_wait(const L1dAccess& event) {
  if (event.outcome == L1dOutcome::kQueued) return ++asked_accesses_[event.warp] > 1;
  const bool left = event.replayed && event.outcome != L1dOutcome::kRefused;
  return !left || --asked_accesses_[event.warp] > 0;
}

bool Mascar::can_wait(const MshrRoom& event) {
  const bool low = is_low(event.free_entries, event.free_queue);
  return std::exchange(asked_low_, low) == low && hardware_.timing == hw::Timing::kIdeal;
}

bool Mascar::calls_for_run() { return std::exchange(calls_for_run_, false); }

void Mascar::compare(std::uint64_t cycle) {
  room_changed_ = false;
  const bool few_entries =
      entries_low_.less_equal(cycle, free_entries_.value(), entry_limit_ >> low_bits_of(entry_limit_));
  const bool few_places =
      queue_low_.less_equal(cycle, free_queue_.value(), queue_limit_ >> low_bits_of(queue_limit_));
  low_ = few_entries || few_places;
  compared_at_ = cycle + compare_cycles();
  if (compared_at_ == cycle) end_compare();
}

void Mascar::end_compare() {
  compared_at_ = kNever;
  if (low_ == saturated()) return;
  saturated_.load(low_ ? 1 : 0);
  calls_for_run_ = true;
  if (low_) {
    ++saturations_;
  } else {
    owner_valid_.load(0);
  }
}

WarpMask Mascar::accessing(WarpMask among) const {
  WarpMask result = 0;
  for (WarpMask left = among & table_.needs[static_cast<unsigned>(Unit::kLdst)]; left != 0;
       left &= left - 1) {
    const Space space = table_.next[lowest_warp(left)]->space;
    const bool memory = space == Space::kGlobal || space == Space::kLocal || space == Space::kGeneric;
    if (memory) result |= left & -left;
  }
  return result;
}

WarpMask Mascar::candidates() const {
  const WarpMask ready = table_.ready_for_scoreboard() & ~table_.blocked & ~table_.finished;
  return accessing(served_.of(ready)) | (queued_.value() & age_.present());
}

void Mascar::choose_owner(std::uint64_t cycle) {
  const WarpMask among = candidates();
  if (among == 0) return;
  chosen_ = age_.oldest(cycle, among);
  chosen_at_ = chosen_ == hw::kNoInput ? kNever : cycle + age_.cycles();
}

/// The selection has ended; what it found may have changed meanwhile.
void Mascar::take_ownership(std::uint64_t cycle) {
  chosen_at_ = kNever;
  if (!saturated() || chosen_ == kNoWarp || (candidates() & warp_bit(chosen_)) == 0) return;
  owner_.write(cycle, chosen_);
  owner_valid_.load(1);
  ++owners_;
}

std::uint64_t Mascar::update(std::uint64_t cycle) {
  charge(cycle - 1);
  while (compared_at_ <= cycle) {
    const std::uint64_t end = compared_at_;
    end_compare();
    if (room_changed_) compare(end);
  }
  const unsigned present_owner = owner();
  if (present_owner != kNoWarp) {
    const bool waits = (table_.waits_long() & ~queued_.value() & warp_bit(present_owner)) != 0;
    if (waits) {
      owner_has_.read(cycle);  // counted when it finds something: how often it is asked does not matter
      owner_valid_.load(0);
    }
  }
  if (chosen_at_ <= cycle) take_ownership(cycle);
  if (saturated() && owner() == kNoWarp && chosen_at_ == kNever) {
    choose_owner(cycle);
    if (chosen_at_ <= cycle) take_ownership(cycle);
  }
  show_mode();
  return std::min(compared_at_, chosen_at_);
}

WarpMask Mascar::preferred(WarpMask issuable) const {
  const WarpMask accesses = accessing(issuable);
  const WarpMask others = issuable & ~accesses;
  // A warp has at most one memory instruction in the queue.
  const WarpMask free = accesses & ~queued_.value();
  if (!saturated()) return free != 0 ? free : others;
  if (others != 0) return others;
  const WarpMask owners = owner() == kNoWarp ? 0 : free & warp_bit(owner());
  return owners != 0 ? owners : free;
}

hw::TimingPath Mascar::preferred_path() const {
  const hw::Depth to_each_warp = hw::gates::fan_out_fo4(kinds_.structure().selector_inputs);
  return hw::TimingPath()
      .through("accesses, not queued", 2 * hw::gates::kGateFo4)
      .then(kinds_.structure().path)
      .through("which go first", hw::gates::enable_fo4() + sized_only(to_each_warp));
}

void Mascar::charge(std::uint64_t until) {
  if (until <= charged_until_ || until == kNever) return;
  if (saturated()) saturated_cycles_ += until - charged_until_;
  if (owner() != kNoWarp) owned_cycles_ += until - charged_until_;
  charged_until_ = until;
}

void Mascar::settle(std::uint64_t cycle) {
  charge(cycle);
  queue_.settle(cycle);
}

void Mascar::report(StatSink& sink) const {
  sink.count("saturations", saturations_, "times", "times that the memory became saturated");
  sink.count("saturated_cycles", saturated_cycles_, "cycles", "cycles in memory-saturated mode");
  sink.count("owners", owners_, "warps", "times that a warp became owner");
  sink.count("owned_cycles", owned_cycles_, "cycles", "cycles with an owner");
  queue_.report(sink);
}

void Mascar::show_mode() {
  wave_.mode = saturated() ? 1 : 0;
  wave_.owner = owner() == kNoWarp ? kMaxWarps : owner();
}

void Mascar::trace_state(WaveSink& sink) {
  show_mode();
  sink.enumeration(wave_.mode, "mode", {"equal_priority", "memory_saturated"});
  sink.signal(wave_.owner, 7, "owner");
  queue_.trace(sink);
  queued_.trace(sink);
}

namespace {

class MascarQualifier final : public Qualifier {
 public:
  explicit MascarQualifier(const Mascar& shared) : shared_(shared) {}
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask issuable) override {
    return shared_.preferred(issuable);
  }
  hw::TimingPath qualify_path() const override { return shared_.preferred_path(); }

 private:
  const Mascar& shared_;
};

/// Among those that go first: greedy then oldest.
class MascarPrioritizer final : public Prioritizer {
 public:
  explicit MascarPrioritizer(const PolicyContext& context)
      : shared_(context.shared_as<Mascar>()), choice_(context.hardware.child("mascar"), context) {}

  std::uint64_t update(std::uint64_t cycle) override {
    choice_.update(cycle);
    return kNever;
  }
  unsigned select(std::uint64_t /*cycle*/, WarpMask issuable) override {
    return choice_.select(shared_.preferred(issuable));
  }
  hw::TimingPath choice_path() const override { return shared_.preferred_path().then(choice_.choice_path()); }
  void on_start(unsigned warp) override { choice_.start(warp); }
  void on_finish(unsigned warp) override { choice_.finish(warp); }
  void on_issue(const IssueEvent& event) override { choice_.issued(event.warp, event.cycle); }
  void trace(WaveSink& sink) override { choice_.trace(sink); }

 private:
  const Mascar& shared_;
  GreedyOldest choice_;
};

constexpr SharedPolicyEntry kMascarShared = shared_policy<Mascar>("mascar");

}  // namespace

const ParametersOf<MascarParameters> mascar_parameters{
    "mascar",
    {parameter::whole(&MascarParameters::free_entries, "free_entries", 0, 1024, "entries",
                      "The memory is saturated with so many free MSHR entries or fewer, unless all are free"),
     parameter::whole(&MascarParameters::free_queue, "free_queue", 0, 1024, "places",
                      "The memory is saturated with so many free places of the miss queue or fewer, unless "
                      "all are free")}};

extern const QualifierEntry mascar_qualifier_entry;
const QualifierEntry mascar_qualifier_entry{
    "mascar",
    "one warp owns a saturated memory; replays accesses that stall in the L1D",
    [](const PolicyContext& context) -> std::unique_ptr<Qualifier> {
      return std::make_unique<MascarQualifier>(context.shared_as<Mascar>());
    },
    &kMascarShared,
    &mascar_parameters,
    false,
    Hardware::kOfParts,
    false,
    true};

extern const PrioritizerEntry mascar_prioritizer_entry;
const PrioritizerEntry mascar_prioritizer_entry{
    "mascar", "memory before other instructions, or after them when the memory is saturated; inside: gto",
    [](const PolicyContext& context) -> std::unique_ptr<Prioritizer> {
      return std::make_unique<MascarPrioritizer>(context);
    },
    &kMascarShared, &mascar_parameters};

}  // namespace heddle
