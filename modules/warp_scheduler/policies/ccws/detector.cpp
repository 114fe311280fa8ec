#include "modules/warp_scheduler/policies/ccws/detector.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/pricing/bits.h"
#include "hw/pricing/gates.h"
#include "modules/config/setting_error.h"
#include "modules/warp_scheduler/policies/ccws/parameters.h"

namespace heddle {
namespace {

/// Bytes of global memory are addressed by 40 bits, as the PC of OAWS 4.4.
constexpr unsigned kAddressBits = 40;
/// Look-ups that are told and not made up: the MSHRs take one access a cycle, and withhold one at most.
constexpr unsigned kLookUps = 4;

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
    : line_bytes_(gpu.l1d.cache.line_bytes),
      line_bits_(kAddressBits - log2_of(line_bytes_)),
      sets_(checked_sets(gpu.scheduler.settings.of(ccws_parameters))),
      held_(gpu.core.warps, gpu.scheduler.settings.of(ccws_parameters).vta_entries),
      same_line_(owner, "same_line", {line_bits_, 1, 0, true}),
      same_warp_(owner, "same_warp", {hw::index_bits(gpu.core.warps), 1, 0, true}),
      found_of_(owner, "found_of", {gpu.core.warps, 1, 1, true}),
      found_(owner, "found", 1),
      found_warp_(owner, "found_warp", {hw::index_bits(gpu.core.warps)}),
      look_ups_(kLookUps) {
  hw::TableShape shape = hw::TableShape::set_associative(
      sets_, gpu.scheduler.settings.of(ccws_parameters).vta_ways, line_bits_ - log2_of(sets_), {});
  shape.replacement = hw::Replacement::kFifo;
  shape.read_ports = 0;  // a tag is only compared
  for (unsigned w = 0; w < gpu.core.warps; ++w) arrays_.emplace_back(owner, fmt::format("vta{}", w), shape);
  hw::TimingPath path = arrays_.front().structure().path;
  path.through("valid, of the warp", 2 * hw::gates::kGateFo4).then(found_of_.structure().path);
  owner.declare_path("miss to found", path.through("enable", hw::gates::enable_fo4()));
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
  held_.drop(warp, line);
  return true;
}

void CcwsDetector::insert(std::uint64_t cycle, unsigned warp, std::uint64_t line_address) {
  const unsigned line = arrays_[warp].insert(cycle, set_of(line_address), tag_of(line_address));
  held_.put(warp, line, line_address / line_bytes_);
}

void CcwsDetector::invalidate(std::uint64_t cycle, std::uint64_t line_address) {
  const unsigned set = set_of(line_address);
  const std::uint64_t tag = tag_of(line_address);
  ++stores_;
  for (WarpMask left = held_.warps(line_address / line_bytes_); left != 0; left &= left - 1) {
    const unsigned warp = lowest_warp(left);
    ++looked_up_[warp];
    const unsigned line = arrays_[warp].lookup(cycle, set, tag);
    if (line == hw::Table::kNoLine) continue;
    arrays_[warp].invalidate(line);
    held_.drop(warp, line);
  }
}

void CcwsDetector::settle() {
  for (unsigned warp = 0; warp < arrays_.size(); ++warp) {
    arrays_[warp].count_vain_lookups(stores_ - looked_up_[warp]);
  }
  stores_ = 0;
  looked_up_ = {};
}

void CcwsDetector::tell_look_up(LookUp look_up) {
  // Those of the cycle before have been made up but for one that had to wait.
  look_up.cycle = std::max(look_up.cycle, look_up_free_);
  look_up_free_ = look_up.cycle + 1;
  look_ups_.push_growing(look_up);
}

void CcwsDetector::tell_eviction(std::uint64_t cycle, unsigned warp, std::uint64_t line_address) {
  changes_at_ = cycle;
  inserts_ = true;
  insert_warp_ = warp;
  insert_address_ = line_address;
}

void CcwsDetector::tell_start(std::uint64_t cycle, unsigned warp) {
  changes_at_ = cycle;
  starts_ |= warp_bit(warp);
}

std::uint64_t CcwsDetector::next() const {
  const std::uint64_t first =
      look_ups_.empty() ? changes_at_ : std::min(changes_at_, look_ups_.front().cycle);
  return first == kNever ? kNever : first + 1;
}

CcwsDetector::LookUp CcwsDetector::look_up_of(std::uint64_t cycle) const {
  for (unsigned i = 0; i < look_ups_.size(); ++i) {
    if (look_ups_[i].cycle == cycle) return look_ups_[i];
  }
  return {};
}

/// Tags that are found are found before anything changes, and a line that is given to another tag is not
/// dropped. A line that is looked up as it comes is found, and does not come.
unsigned CcwsDetector::step() {
  const std::uint64_t cycle = next() - 1;
  const bool changes = changes_at_ == cycle;
  const bool looks = !look_ups_.empty() && look_ups_.front().cycle == cycle;
  const LookUp look_up = looks ? look_ups_.front() : LookUp();
  if (looks) look_ups_.pop();
  bool inserts = changes && inserts_;
  const unsigned given = inserts ? arrays_[insert_warp_].victim(set_of(insert_address_)) : hw::Table::kNoLine;
  bool met = false;
  if (looks && inserts && same_line_.equal(cycle, look_up.line_address, insert_address_)) {
    met = look_up.warp == kNoWarp || same_warp_.equal(cycle, look_up.warp, insert_warp_);
    inserts = !met;
  }
  WarpMask found = 0;
  for (WarpMask left = !looks                    ? 0
                       : look_up.warp == kNoWarp ? hw::low_bits(static_cast<unsigned>(arrays_.size()))
                                                 : warp_bit(look_up.warp);
       left != 0; left &= left - 1) {
    hw::Table& array = arrays_[lowest_warp(left)];
    const unsigned line = array.lookup(cycle, set_of(look_up.line_address), tag_of(look_up.line_address));
    if (line == hw::Table::kNoLine) continue;
    found |= left & -left;
    array.invalidate(line);
  }
  if (changes) {
    for (WarpMask left = starts_; left != 0; left &= left - 1) arrays_[lowest_warp(left)].clear();
    if (inserts) arrays_[insert_warp_].insert_at(cycle, given, tag_of(insert_address_));
    changes_at_ = kNever;
    starts_ = 0;
    inserts_ = false;
  }
  if (!looks || look_up.warp == kNoWarp) {
    if (found_.value() != 0) found_.load(0);
    return kNoWarp;
  }
  found_of_.read(cycle);
  const bool lost = met || found != 0;
  found_.load(lost ? 1 : 0);
  if (!lost) return kNoWarp;
  found_warp_.write(cycle, look_up.warp);
  return look_up.warp;
}

}  // namespace heddle
