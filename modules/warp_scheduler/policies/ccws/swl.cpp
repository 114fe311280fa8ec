#include "modules/warp_scheduler/policies/ccws/swl.h"

#include "hw/pricing/bits.h"
#include "modules/warp_scheduler/policies/ccws/parameters.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {
namespace {

hw::AgeOrderShape age_shape(unsigned warps) {
  hw::AgeOrderShape shape;
  shape.entries = warps;
  return shape;
}

hw::RegisterShape counter_shape(unsigned warps) {
  hw::RegisterShape shape;
  shape.bits = hw::index_bits(warps + 1);
  return shape;
}

}  // namespace

Swl::Swl(const SmContext& context)
    : limit_(context.values_of(swl_parameters).warps),
      served_(context.share),
      owner_(context.hardware.child("swl")),
      age_(owner_, "warp_age", age_shape(context.gpu.core.warps)),
      waits_(owner_, "waits_at_barrier", context.gpu.core.warps),
      left_(owner_, "walk_left", context.gpu.core.warps),
      found_(owner_, "walk_found", context.gpu.core.warps),
      counted_(owner_, "walk_counted", counter_shape(context.gpu.core.warps)),
      allowed_(owner_, "allowed", context.gpu.core.warps) {}

void Swl::changed(std::uint64_t cycle) {
  dirty_ = true;
  if (due_ == kNever && age_.cycles() == 0) walk(cycle);
}

void Swl::on_warp_start(const WarpEvent& event) {
  if (!served_.start(event)) return;
  charge(event.cycle - 1);
  age_.append(event.cycle, event.warp);
  waits_.clear_bits(warp_bit(event.warp));
  found_.clear_bits(warp_bit(event.warp));  // of the warp that had the slot before
  changed(event.cycle);
}

void Swl::on_warp_finish(const WarpEvent& event) {
  if (!served_.has(event.warp)) return;
  charge(event.cycle - 1);
  age_.remove(event.warp);
  allowed_.clear_bits(warp_bit(event.warp));
  changed(event.cycle);
}

void Swl::on_barrier_arrive(const BarrierEvent& event) {
  const WarpMask warps = served_.of(event.warps);
  if (warps == 0) return;
  waits_.set_bits(warps);
  changed(event.cycle);
}

void Swl::on_barrier_release(const BarrierEvent& event) {
  const WarpMask warps = served_.of(event.warps);
  if (warps == 0) return;
  waits_.clear_bits(warps);
  changed(event.cycle);
}

void Swl::walk(std::uint64_t cycle) {
  dirty_ = false;
  ++walks_;
  left_.load(age_.present());
  found_.load(0);
  counted_.write(cycle, 0);
  std::uint64_t step = cycle + (age_.cycles() == 0 ? 0 : 1);  // the registers are loaded in the first cycle
  while (counted_.value() < limit_ && left_.value() != 0) {
    const WarpMask next = warp_bit_if_any(age_.oldest(step, left_.value()));
    left_.clear_bits(next);
    found_.set_bits(next);
    if ((waits_.value() & next) == 0) counted_.write(step + age_.cycles() - 1, counted_.value() + 1);
    step += age_.cycles();
  }
  due_ = step;
  if (due_ <= cycle) finish_walk(cycle);
}

void Swl::finish_walk(std::uint64_t cycle) {
  charge(cycle - 1);
  due_ = kNever;
  allowed_.load(found_.value() & age_.present());
}

std::uint64_t Swl::update(std::uint64_t cycle) {
  while (due_ <= cycle) {
    const std::uint64_t end = due_;
    finish_walk(end);
    if (dirty_) walk(end);
  }
  if (dirty_ && due_ == kNever) walk(cycle);
  return due_;
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

constexpr SharedPolicyEntry swl_shared = shared_policy<Swl>("swl");

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
                               &swl_shared, &swl_parameters};

}  // namespace heddle
