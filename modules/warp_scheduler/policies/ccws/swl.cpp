#include "modules/warp_scheduler/policies/ccws/swl.h"

#include <algorithm>

#include "hw/pricing/bits.h"
#include "hw/pricing/gates.h"
#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

hw::AgeOrderShape age_shape(unsigned warps) {
  hw::AgeOrderShape shape;
  shape.entries = warps;
  shape.passes_over = true;
  return shape;
}

unsigned count_bits(unsigned warps) { return hw::index_bits(warps + 1); }

}  // namespace

Swl::Swl(const SmContext& context)
    : limit_(context.values_of(swl_parameters).warps),
      warps_(context.gpu.core.warps),
      served_(context.share),
      owner_(context.hardware.child("swl")),
      age_(owner_, "warp_age", age_shape(warps_)),
      waits_(owner_, "waits_at_barrier", warps_),
      found_(owner_, "walk_found", warps_),
      counted_(owner_, "walk_counted", {count_bits(warps_)}),
      next_(owner_, "walk_next", {count_bits(warps_), hw::Overflow::kWrap, 1, 0, 1}),
      enough_(owner_, "walk_enough", {count_bits(warps_), 1, 0, true}),
      changed_(owner_, "walk_changed", 1),
      allowed_(owner_, "allowed", warps_) {
  const hw::TimingPath path = step_path();
  owner_.declare_path("step", path);
  step_cycles_ = owner_.cycles(path);
  if (step_cycles_ > 1) {
    held_left_ = std::make_unique<hw::BitVector>(owner_, "walk_left", warps_);
    held_among_ = std::make_unique<hw::BitVector>(owner_, "walk_among", warps_);
  }
}

/// What is left is looked through for the oldest that counts; beside it the count says whether it is the
/// last.
hw::TimingPath Swl::step_path() const {
  hw::TimingPath taken;
  taken.through("left, and counts", 2 * hw::gates::kGateFo4)
      .then(age_.structure().path)
      .through("taken", hw::gates::kGateFo4 + hw::gates::enable_fo4());
  hw::TimingPath last = next_.structure().path;
  last.then(enough_.structure().path)
      .through("the last one",
               hw::gates::kGateFo4 + hw::gates::fan_out_fo4(2 * warps_) + hw::gates::enable_fo4());
  return hw::TimingPath::longer(taken, last);
}

void Swl::changed(std::uint64_t cycle) {
  changed_.set_bits(1);
  if (step_cycles_ == 0) {
    walk_at_once(cycle);
  } else if (step_at_ == kNever) {
    step_at_ = in_force_at_ == kNever ? cycle + 1 : in_force_at_;
  }
}

void Swl::on_warp_start(const WarpEvent& event) {
  if (!served_.start(event)) return;
  advance(event.cycle);
  charge(event.cycle - 1);
  age_.append(event.cycle, event.warp);
  waits_.clear_bits(warp_bit(event.warp));
  changed(event.cycle);
}

void Swl::on_warp_finish(const WarpEvent& event) {
  if (!served_.has(event.warp)) return;
  advance(event.cycle);
  charge(event.cycle - 1);
  age_.remove(event.warp);
  found_.clear_bits(warp_bit(event.warp));
  allowed_.clear_bits(warp_bit(event.warp));
  changed(event.cycle);
}

void Swl::on_barrier_arrive(const BarrierEvent& event) {
  const WarpMask warps = served_.of(event.warps);
  if (warps == 0) return;
  advance(event.cycle);
  waits_.set_bits(warps);
  changed(event.cycle);
}

void Swl::on_barrier_release(const BarrierEvent& event) {
  const WarpMask warps = served_.of(event.warps);
  if (warps == 0) return;
  advance(event.cycle);
  waits_.clear_bits(warps);
  changed(event.cycle);
}

void Swl::walk_at_once(std::uint64_t cycle) {
  while (!step(cycle)) {
  }
  put_in_force(cycle);
}

void Swl::advance(std::uint64_t cycle) {
  while (std::min(in_force_at_, step_at_) <= cycle) {
    if (in_force_at_ <= step_at_) {
      put_in_force(in_force_at_);
      continue;
    }
    const std::uint64_t now = step_at_;
    step_at_ = now + step_cycles_;
    if (!step(now)) continue;
    in_force_at_ = step_at_;
    if (changed_.value() == 0) step_at_ = kNever;
  }
}

/// True for the last one of a walk.
bool Swl::step(std::uint64_t cycle) {
  if (counted_.value() == 0) {
    changed_.clear_bits(1);
    ++walks_;
  }
  const WarpMask left = age_.present() & ~found_.value();
  const WarpMask among = left & ~waits_.value();
  if (held_left_) {
    held_left_->load(left);
    held_among_->load(among);
  }
  const unsigned oldest = age_.oldest(cycle, among);
  WarpMask behind = oldest == hw::kNoInput ? 0 : left;
  while (behind != 0 && age_.next_oldest(behind) != oldest) behind &= ~warp_bit(age_.next_oldest(behind));
  behind &= ~warp_bit_if_any(oldest);
  found_.set_bits(left & ~behind);
  const std::uint64_t counted = next_.add(cycle, counted_.value(), 1);
  const bool last = enough_.equal(cycle, counted, std::min(limit_, warps_)) || among == 0;
  counted_.write(cycle, last ? 0 : counted);
  return last;
}

void Swl::put_in_force(std::uint64_t cycle) {
  charge(cycle - 1);
  in_force_at_ = kNever;
  allowed_.load(found_.value() & age_.present());
  found_.load(0);
}

std::uint64_t Swl::update(std::uint64_t cycle) {
  advance(cycle);
  return std::min(in_force_at_, step_at_);
}

void Swl::charge(std::uint64_t until) {
  if (until <= charged_until_ || until == kNever) return;
  const WarpMask held = age_.present() & ~allowed_.value();
  held_warp_cycles_ += (until - charged_until_) * static_cast<unsigned>(__builtin_popcountll(held));
  charged_until_ = until;
}

void Swl::settle(std::uint64_t cycle) { charge(cycle); }

void Swl::report(StatSink& sink) const {
  sink.level("limit", limit_, "warps", "warps of the SM that may issue, those at barriers not counted");
  sink.count("walks", walks_, "walks", "times that the set of warps that may issue was built");
  sink.count("held_warp_cycles", held_warp_cycles_, "warp cycles",
             "unfinished warps beyond the limit, summed over the cycles");
}

void Swl::trace(WaveSink& sink) {
  allowed_.trace(sink);
  waits_.trace(sink);
}

namespace {

class SwlQualifier final : public Qualifier {
 public:
  explicit SwlQualifier(const Swl& shared) : shared_(shared) {}
  WarpMask qualify(std::uint64_t /*cycle*/, WarpMask issuable) override {
    return issuable & shared_.allowed();
  }

 private:
  const Swl& shared_;
};

constexpr SharedPolicyEntry kSwlShared = shared_policy<Swl>("swl");

}  // namespace

const ParametersOf<SwlParameters> swl_parameters{
    "swl",
    {parameter::whole(&SwlParameters::warps, "warps", 1, kMaxWarps, "warps",
                      "Oldest unfinished warps of an SM that may issue")}};

extern const QualifierEntry swl_entry;
const QualifierEntry swl_entry{"swl", "only the N oldest unfinished warps of the SM may issue",
                               [](const PolicyContext& context) -> std::unique_ptr<Qualifier> {
                                 return std::make_unique<SwlQualifier>(context.shared_as<Swl>());
                               },
                               &kSwlShared, &swl_parameters};

}  // namespace heddle
