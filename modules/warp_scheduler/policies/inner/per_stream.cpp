#include "modules/warp_scheduler/policies/inner/per_stream.h"

#include <algorithm>

#include "modules/warp_scheduler/policies/inner/turns.h"
#include "modules/warp_scheduler/policy_registry.h"

namespace heddle {

namespace {

constexpr const char* kName = "per_stream";

/// The warps of one side.
class SideShare final : public ServedTbs {
 public:
  SideShare(const SidesOfSlots& slots, unsigned side) : slots_(slots), side_(side) {}
  bool has_tb(unsigned slot) const override { return slots_.side_of(slot) == side_; }

 private:
  const SidesOfSlots& slots_;
  unsigned side_;
};

std::vector<InnerSchedulers::Side> sides_of(const std::string& name, const SidesOfSlots& slots) {
  std::vector<InnerSchedulers::Side> sides;
  for (const std::string& scheduler : schedulers_of_streams(name)) {
    const std::string side = "stream" + std::to_string(sides.size());
    sides.push_back({side, "scheduler.name", scheduler, side, slots.share(sides.size())});
  }
  return sides;
}

/// Streams take turns on a scheduler: neither is favoured.
class PerStreamPrioritizer final : public InnerFacet {
 public:
  explicit PerStreamPrioritizer(const PolicyContext& context)
      : InnerFacet(context, context.shared_as<PerStream>()),
        streams_(context.shared_as<PerStream>()),
        turns_(context.hardware.child(kName), "turn" + std::to_string(context.scheduler), streams_.sides()) {}

  unsigned select(std::uint64_t cycle, WarpMask issuable) override {
    return turns_.take([&](unsigned side) {
      const WarpMask own = issuable & streams_.warps_of(side);
      return own == 0 ? kNoWarp : choose(cycle, side, own);
    });
  }
  WarpMask admitted(std::uint64_t cycle, WarpMask offered) override {
    asked_for_admitted(cycle);
    WarpMask admitted = 0;
    for (unsigned side = 0; side < streams_.sides(); ++side) {
      admitted |= admit(cycle, side, offered & streams_.warps_of(side));
    }
    return admitted;
  }
  void on_issue(const IssueEvent& event) override {
    InnerFacet::on_issue(event);
    for (unsigned side = 0; side < streams_.sides(); ++side) {
      if (has(side, event.warp)) turns_.issued(event.cycle, side);
    }
  }
  void trace(WaveSink& sink) override {
    InnerFacet::trace(sink);
    turns_.trace(sink);
  }

 private:
  bool has(unsigned side, unsigned warp) const override {
    return (streams_.warps_of(side) >> warp & 1U) != 0;
  }

  PerStream& streams_;
  Turns turns_;
};

std::unique_ptr<Prioritizer> create_per_stream(const PolicyContext& context) {
  return std::make_unique<PerStreamPrioritizer>(context);
}

constexpr SharedPolicyEntry kPerStreamShared = shared_policy<PerStream>(kName);

}  // namespace

SidesOfSlots::SidesOfSlots(std::size_t sides) {
  for (unsigned side = 0; side < sides; ++side) shares_.push_back(std::make_unique<SideShare>(*this, side));
}

PerStream::PerStream(const SmContext& context, const PolicyChannel& /*channel*/)
    : SidesOfSlots(schedulers_of_streams(context.gpu.scheduler.name).size()),
      InnerSchedulers(context, kName, sides_of(context.gpu.scheduler.name, *this)),
      warps_of_(sides()) {
  const hw::Owner owner = context.hardware.child(kName);
  for (unsigned side = 1; side < sides(); ++side) {
    side_bits_.push_back(std::make_unique<hw::BitVector>(owner, "warps_of_stream" + std::to_string(side),
                                                         context.gpu.core.warps));
  }
  owner.note("warps_of_stream*",
             "iPAWS runs static combinations of schedulers and names no hardware for them");
  owner.note("turn*", "likewise");
}

void PerStream::on_tb_start(const TbEvent& event) { set(event.slot, std::min(event.stream, sides() - 1)); }

void PerStream::on_warp_start(const WarpEvent& event) {
  const unsigned own = side_of(event.tb_slot);
  const WarpMask warp = warp_bit(event.warp);
  for (unsigned side = 0; side < sides(); ++side) {
    const WarpMask before = warps_of_[side];
    WarpMask& warps = warps_of_[side];
    warps = side == own ? warps | warp : warps & ~warp;
    if (side != 0 && warps != before) side_bits_[side - 1]->load(warps);
  }
}

extern const PrioritizerEntry per_stream_entry;
const PrioritizerEntry per_stream_entry{kName,
                                        "kernels of each stream by a scheduler of their own",
                                        &create_per_stream,
                                        &kPerStreamShared,
                                        nullptr,
                                        Hardware::kOfParts,
                                        true};

}  // namespace heddle
