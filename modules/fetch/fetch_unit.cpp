#include "modules/fetch/fetch_unit.h"

#include <algorithm>
#include <limits>

#include "modules/config/setting_error.h"
#include "modules/messages/tick_order.h"
#include "workloads/launch/instruction.h"

namespace heddle {

FetchUnit::FetchUnit(const sc_core::sc_module_name& name, ClockDomain& domain, const FetchConfig& config,
                     unsigned sm, unsigned warps)
    : sc_module(name),
      Clocked(domain, tick_order::kFetch, this->name(), &tick_of<FetchUnit>),
      fetch_bytes_(std::min(config.fetch_bytes, config.ibuffer_entries * Instruction::kBytes)),
      line_bytes_(config.cache.line_bytes),
      slots_(warps),
      merges_(config.mshr_merges),
      icache("icache", domain, config.cache, config.mshr_entries,
             {RequestKind::kInstruction, Requester::kL1i, static_cast<std::uint16_t>(sm)}, *this, *this) {
  if (fetch_bytes_ < Instruction::kBytes) {
    throw SettingError(
        {"fetch.fetch_bytes", "fetch.ibuffer_entries"},
        "expected to hold an instruction of " + std::to_string(Instruction::kBytes) + " bytes");
  }
  if (fetch_bytes_ / Instruction::kBytes > std::numeric_limits<std::uint8_t>::max())
    throw SettingError({"fetch.ibuffer_entries", "fetch.fetch_bytes"},
                       "expected at most 255 entries to be fetched at once");
  if (warps > kMaxWarps) throw SettingError("core.warps", "expected at most 64");
}

void FetchUnit::start(unsigned warp, std::uint64_t address, std::uint64_t end, LaunchCounts* counts) {
  warps_[warp] = {address, end, counts};
  empty(warp);
  wanting_ |= warp_bit(warp);
  refused_ &= ~warp_bit(warp);
  wake_this_edge();
}

void FetchUnit::redirect(unsigned warp, std::uint64_t address) {
  warps_[warp].address = address;
  empty(warp);
  wanting_ |= warp_bit(warp);
  refused_ &= ~warp_bit(warp);
  wake_this_edge();
}

void FetchUnit::stop(unsigned warp) {
  empty(warp);
  wanting_ &= ~warp_bit(warp);
  refused_ &= ~warp_bit(warp);
  wake_this_edge();
}

bool FetchUnit::tick() {
  const Cycle now = domain().cycle();
  skip_to(now);
  ticked_ = now;
  decode();
  fetch();
  const WarpMask asking = wanting_ & ~missing_;
  if (register_warp_ != kNoWarp || !arrived_.empty() || (asking & ~refused_) != 0) return true;
  retrying_ = asking;
  return false;
}

void FetchUnit::skip_to(Cycle now) {
  if (retrying_ == 0) return;
  const Cycle turns = now - ticked_ - 1;
  refusals_ += turns;
  const auto round = static_cast<Cycle>(__builtin_popcountll(retrying_));
  // After a round the turn is behind one of them, where it need not have begun.
  for (Cycle left = turns < round ? turns : round + turns % round; left != 0; --left) {
    start_ = (first_warp_from(retrying_, start_) + 1) % kMaxWarps;
  }
  retrying_ = 0;
}

void FetchUnit::settle() {
  const Cycle now = domain().cycle_now();
  settled_refusals_ = refusals_ + (retrying_ != 0 && now > ticked_ ? now - ticked_ : 0);
}

void FetchUnit::decode() {
  if (register_warp_ == kNoWarp) return;
  const unsigned warp = register_warp_;
  register_warp_ = kNoWarp;
  buffered_[warp] = static_cast<std::uint8_t>(register_count_);
  if (register_count_ != 0) filled_ |= warp_bit(warp);
  instructions_ += register_count_;
  listener_->decoded(warp);
}

void FetchUnit::fetch() {
  if (!arrived_.empty()) {
    deliver();
    return;
  }
  const WarpMask asking = wanting_ & ~missing_;
  if (asking == 0) {
    if (wave_) update_wave(kNoWarp);
    return;
  }
  const unsigned warp = first_warp_from(asking, start_);
  start_ = (warp + 1) % kMaxWarps;
  const Warp& state = warps_[warp];
  const ReadOnlyCache::Access found = access(state);
  switch (found) {
    case ReadOnlyCache::Access::kHit:
      fill_register(warp);
      break;
    case ReadOnlyCache::Access::kMissPending:
      missing_ |= warp_bit(warp);
      refused_ &= ~warp_bit(warp);
      awaited_.push({icache.line_address(state.address), warp});
      ++misses_;
      break;
    case ReadOnlyCache::Access::kRefused:
      refused_ |= warp_bit(warp);
      ++refusals_;
      break;
  }
  // Turns of refused warps pass asleep, too.
  if (wave_) update_wave(found == ReadOnlyCache::Access::kRefused ? kNoWarp : warp);
}

ReadOnlyCache::Access FetchUnit::access(const Warp& warp) {
  if (awaited_.size() >= merges_) {
    unsigned waiting = 0;
    for (unsigned i = 0; i < awaited_.size(); ++i) {
      if (awaited_[i].line == icache.line_address(warp.address)) ++waiting;
    }
    if (waiting >= merges_) return ReadOnlyCache::Access::kRefused;
  }
  return icache.access(warp.address, warp.counts);
}

void FetchUnit::fill_register(unsigned warp) {
  Warp& state = warps_[warp];
  const std::uint64_t line_end = icache.line_address(state.address) + line_bytes_;
  const std::uint64_t end = std::min({state.address + fetch_bytes_, line_end, state.end});
  register_warp_ = warp;
  register_count_ = static_cast<unsigned>((end - state.address) / Instruction::kBytes);
  state.address = end;
  wanting_ &= ~warp_bit(warp);
  refused_ &= ~warp_bit(warp);
  ++fetches_;
}

void FetchUnit::deliver() {
  const Miss miss = arrived_.front();
  arrived_.pop();
  missing_ &= ~warp_bit(miss.warp);
  // One that was stopped, or goes on elsewhere, has no use for it.
  const bool wanted =
      (wanting_ & warp_bit(miss.warp)) != 0 && icache.line_address(warps_[miss.warp].address) == miss.line;
  if (wanted) fill_register(miss.warp);
  if (arrived_.empty() || arrived_.front().line != miss.line) {
    icache.release(miss.line);
    refused_ = 0;
  }
  if (wave_) update_wave(wanted ? miss.warp : kNoWarp);
}

bool FetchUnit::filled(std::uint64_t line_address) {
  const unsigned before = arrived_.size();
  for (unsigned left = awaited_.size(); left != 0; --left) {
    const Miss miss = awaited_.front();
    awaited_.pop();
    (miss.line == line_address ? arrived_ : awaited_).push(miss);
  }
  refused_ = 0;
  return arrived_.size() != before;
}

void FetchUnit::report(StatSink& sink) const {
  sink.count("fetches", fetches_, "fetches", "fetches that brought instructions");
  sink.count("instructions", instructions_, "instructions", "instructions decoded into I-buffers");
  sink.count("misses", misses_, "fetches", "fetches that wait for the instruction cache");
  sink.count("refusals", settled_refusals_, "fetches",
             "turns of warps that found no MSHR of the instruction cache, or no room in it");
  StatScope scope(sink, "icache");
  icache.report(sink);
}

void FetchUnit::trace(WaveSink& sink) {
  if (sink.wanted()) {
    wave_ = std::make_unique<Wave>();
    sink.signal(wave_->wanting, slots_, "wanting");
    sink.signal(wave_->missing, slots_, "imiss");
    sink.signal(wave_->fetched_warp, 8, "fetched_warp");
    sink.signal(wave_->buffers, slots_, "ibuffer_filled");
  }
  WaveScope scope(sink, "icache");
  icache.trace(sink);
}

void FetchUnit::update_wave(unsigned fetched) {
  wave_->wanting = wanting_;
  wave_->missing = missing_ | refused_;
  if (fetched != kNoWarp) wave_->fetched_warp = fetched;
  wave_->buffers = filled_;
}

}  // namespace heddle
