#include "modules/warp_scheduler/policies/ccws/detector.h"

#include <fmt/format.h>

#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/ccws/parameters.h"

namespace heddle {
namespace {

/// Bytes of global memory are addressed by 40 bits, as the PC of OAWS 4.4.
constexpr unsigned kAddressBits = 40;

unsigned log2_of(unsigned power_of_two) { return static_cast<unsigned>(__builtin_ctz(power_of_two)); }

unsigned checked_sets(const CcwsParameters& config) {
  const unsigned sets = config.vta_ways == 0 ? 0 : config.vta_entries / config.vta_ways;
  if (sets == 0 || sets * config.vta_ways != config.vta_entries || (sets & (sets - 1)) != 0)
    throw SettingError({"scheduler.ccws.vta_entries", "scheduler.ccws.vta_ways"},
                       fmt::format("expected a power of two times scheduler.ccws.vta_ways ({}), found {}",
                                   config.vta_ways, config.vta_entries));
  return sets;
}

}  // namespace

CcwsDetector::CcwsDetector(const hw::Owner& owner, const GpuConfig& gpu)
    : line_bytes_(gpu.l1d.cache.line_bytes), sets_(checked_sets(gpu.scheduler.settings.of(ccws_parameters))) {
  const unsigned tag_bits = kAddressBits - log2_of(line_bytes_) - log2_of(sets_);
  hw::TableShape shape = hw::TableShape::set_associative(
      sets_, gpu.scheduler.settings.of(ccws_parameters).vta_ways, tag_bits, {});
  shape.replacement = hw::Replacement::kFifo;
  shape.read_ports = 0;  // a tag is only compared
  for (unsigned w = 0; w < gpu.core.warps; ++w) arrays_.emplace_back(owner, fmt::format("vta{}", w), shape);
}

unsigned CcwsDetector::set_of(std::uint64_t line_address) const {
  return static_cast<unsigned>(line_address / line_bytes_ % sets_);
}

std::uint64_t CcwsDetector::tag_of(std::uint64_t line_address) const {
  return line_address / line_bytes_ / sets_;
}

bool CcwsDetector::probe(std::uint64_t cycle, unsigned warp, std::uint64_t line_address) {
  hw::Table& array = arrays_[warp];
  const unsigned line = array.lookup(cycle, set_of(line_address), tag_of(line_address));
  if (line == hw::Table::kNoLine) return false;
  array.invalidate(line);
  return true;
}

void CcwsDetector::insert(std::uint64_t cycle, unsigned warp, std::uint64_t line_address) {
  arrays_[warp].insert(cycle, set_of(line_address), tag_of(line_address));
}

void CcwsDetector::invalidate(std::uint64_t cycle, std::uint64_t line_address) {
  for (hw::Table& array : arrays_) {
    const unsigned line = array.lookup(cycle, set_of(line_address), tag_of(line_address));
    if (line != hw::Table::kNoLine) array.invalidate(line);
  }
}

}  // namespace heddle
