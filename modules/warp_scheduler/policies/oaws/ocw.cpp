#include "modules/warp_scheduler/policies/oaws/ocw.h"

#include <fmt/format.h>

#include <algorithm>

#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"

namespace heddle {

namespace {

const OawsParameters& checked(const OawsParameters& config, unsigned warps) {
  if (config.ocw_min == 0 || config.ocw_min > warps) {
    throw SettingError({"scheduler.oaws.ocw_min", "core.warps"},
                       fmt::format("expected 1 to core.warps ({}), found {}", warps, config.ocw_min));
  }
  if (config.cnt_max == 0 || config.cnt_start > config.cnt_max) {
    throw SettingError({"scheduler.oaws.cnt_start", "scheduler.oaws.cnt_max"},
                       fmt::format("expected at most scheduler.oaws.cnt_max ({}), found {}", config.cnt_max,
                                   config.cnt_start));
  }
  return config;
}

}  // namespace

OcwEstimator::OcwEstimator(const hw::Owner& owner, const OawsParameters& config, unsigned warps,
                           unsigned schedulers)
    : config_(checked(config, warps)),
      min_ocw_(std::max(config.ocw_min, std::min(schedulers, warps))),
      max_ocw_(warps),
      ocw_(owner, "ocw", {hw::index_bits(warps + 1), hw::Overflow::kSaturate, min_ocw_}),
      cnt_(owner, "cnt", {hw::index_bits(config.cnt_max + 1), hw::Overflow::kSaturate, config.cnt_start}),
      cnt_adder_(owner, "cnt_adder", {hw::index_bits(config.cnt_max + 1), hw::Overflow::kSaturate}),
      ocw_adder_(owner, "ocw_adder", {hw::index_bits(warps + 1), hw::Overflow::kSaturate, 1, 0, 1}),
      at_end_(owner, "cnt_at_end", {hw::index_bits(config.cnt_max + 1), 2, 0, true}) {
  for (const char* part : {"ocw", "cnt"}) owner.note(part, "not counted by the paper (OAWS 4.4)");
}

bool OcwEstimator::load_done(hw::Cycle cycle, bool fully_cached, bool associativity_sensitive) {
  if (fully_cached) {
    const std::uint64_t cnt =
        std::min<std::uint64_t>(cnt_adder_.add(cycle, cnt_.value(), 1), config_.cnt_max);
    const bool raise = at_end_.equal(cycle, cnt, config_.cnt_max) && ocw_.value() < max_ocw_;
    cnt_.write(cycle, raise ? 0 : cnt);
    if (raise) ocw_.write(cycle, ocw_adder_.add(cycle, ocw_.value(), 1));
    raised_ += raise;
    return raise;
  }
  const std::uint64_t cnt = lowered(cycle, associativity_sensitive);
  const bool lower = at_end_.equal(cycle, cnt, 0) && ocw_.value() > min_ocw_;
  cnt_.write(cycle, lower ? config_.cnt_max : cnt);
  if (lower) ocw_.write(cycle, ocw_adder_.subtract(cycle, ocw_.value(), 1));
  lowered_ += lower;
  return lower;
}

std::uint64_t OcwEstimator::lowered(hw::Cycle cycle, bool associativity_sensitive) {
  const bool half =
      config_.delta == OawsDelta::kHalf || (config_.delta == OawsDelta::kByLoad && associativity_sensitive);
  return cnt_adder_.subtract(cycle, cnt_.value(), half ? std::max<std::uint64_t>(cnt_.value() / 2, 1) : 1);
}

void OcwEstimator::report(StatSink& sink) const {
  sink.level("ocw", static_cast<double>(ocw_.value()), "warps", "estimated optimal number of cached warps");
  sink.count("ocw_raised", raised_, "changes", "OCW was raised by one");
  sink.count("ocw_lowered", lowered_, "changes", "OCW was lowered by one");
}

void OcwEstimator::trace(WaveSink& sink) const {
  ocw_.trace(sink);
  cnt_.trace(sink);
}

}  // namespace heddle
