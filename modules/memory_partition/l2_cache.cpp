#include "modules/memory_partition/l2_cache.h"

#include <fmt/format.h>

#include "modules/config/setting_error.h"
#include "modules/memory_partition/sectors.h"

namespace heddle {

namespace {

constexpr unsigned kMaxMerges = 255;  // a byte counts them

const L2Config& checked(const L2Config& config) {
  if (config.cache.line_bytes != kLineBytes) {
    throw SettingError("l2.cache.line_bytes",
                       fmt::format("expected {}, found {}", kLineBytes, config.cache.line_bytes));
  }
  if (config.mshr_entries < kSectorsPerLine) {
    throw SettingError("l2.mshr_entries",
                       fmt::format("expected at least {}, one for each sector of a line, found {}",
                                   kSectorsPerLine, config.mshr_entries));
  }
  if (config.mshr_merges == 0 || config.mshr_merges > kMaxMerges) {
    throw SettingError("l2.mshr_merges",
                       fmt::format("expected 1 to {}, found {}", kMaxMerges, config.mshr_merges));
  }
  return config;
}

}  // namespace

void L2Cache::List::push(Waiter& waiter) {
  waiter.next = nullptr;
  (head == nullptr ? head : tail->next) = &waiter;
  tail = &waiter;
}

L2Cache::L2Cache(const L2Config& config)
    : tags_(checked(config).cache),
      entries_(config.mshr_entries),
      merges_(config.mshr_merges),
      extra_(std::size_t{config.cache.sets} * config.cache.ways),
      pool_(std::size_t{config.mshr_entries} * config.mshr_merges) {
  for (Waiter& waiter : pool_) unused_.push(waiter);
}

L2Outcome L2Cache::access(const L2Access& access, std::uint64_t set_address, unsigned free_misses,
                          tlm::tlm_generic_payload& payload) {
  const unsigned set = tags_.set_of(set_address);
  return access.reads ? read(access, set, free_misses, payload) : write(access, set, free_misses);
}

L2Outcome L2Cache::read(const L2Access& access, unsigned set, unsigned free_misses,
                        tlm::tlm_generic_payload& payload) {
  L2Outcome outcome;
  SectorMask missing = access.touched;
  SectorMask pending = 0;
  outcome.line = tags_.find(access.address, set);
  const bool present = outcome.line != TagArray::kNoLine;
  SectorMask evicted_dirty = 0;
  if (present) {
    const TagArray::Line& line = tags_.line(outcome.line);
    outcome.filler = line.filler;
    missing = static_cast<SectorMask>(missing & ~(line.valid & ~extra_[outcome.line].partial));
    pending = line.pending;
    if (missing == 0) {
      tags_.touch(outcome.line);
      if (access.writes) mark_written(outcome.line, access);
      return outcome;
    }
  } else {
    outcome.line = tags_.victim(set);
    if (outcome.line == TagArray::kNoLine) {
      outcome.result = L2Result::kLineReserved;
      return outcome;
    }
    evicted_dirty = tags_.line(outcome.line).dirty;
  }
  outcome.fetch = static_cast<SectorMask>(missing & ~pending);
  const unsigned places = (outcome.fetch != 0 ? 1U : 0U) + (evicted_dirty != 0 ? 1U : 0U);
  outcome.result = L2Result::kWait;
  if (present && merges_full(outcome.line, missing)) outcome.result = L2Result::kMshrMerges;
  if (entries_used_ + sector_count(outcome.fetch) > entries_) outcome.result = L2Result::kMshrEntries;
  if (places > free_misses) outcome.result = L2Result::kMissQueue;
  if (outcome.result != L2Result::kWait) return outcome;
  if (outcome.fetch != 0) {
    const Eviction evicted = tags_.reserve(outcome.line, access.address, outcome.fetch);
    outcome.writeback_address = evicted.address;
    outcome.writeback = evicted.dirty;
    entries_used_ += sector_count(outcome.fetch);
    if (!present) extra_[outcome.line].partial = 0;
    tags_.set_filler(LineIndex(outcome.line), access.filler);
    outcome.given = true;
  } else {
    tags_.touch(outcome.line);
  }
  add_waiter(outcome.line, access, missing, outcome.fetch != 0, payload);
  return outcome;
}

L2Outcome L2Cache::write(const L2Access& access, unsigned set, unsigned free_misses) {
  L2Outcome outcome;
  outcome.line = tags_.find(access.address, set);
  if (outcome.line == TagArray::kNoLine) {
    outcome.line = tags_.victim(set);
    if (outcome.line == TagArray::kNoLine) {
      outcome.result = L2Result::kLineReserved;
      return outcome;
    }
    const TagArray::Line& victim = tags_.line(outcome.line);
    if (victim.dirty != 0 && free_misses == 0) {
      outcome.result = L2Result::kMissQueue;
      return outcome;
    }
    if (victim.dirty != 0) {
      outcome.writeback_address = tags_.address_of(outcome.line);
      outcome.writeback = victim.dirty;
    }
    tags_.invalidate(outcome.line);
    extra_[outcome.line].partial = 0;
    mark_written(outcome.line, access);
    tags_.set_filler(LineIndex(outcome.line), access.filler);
    outcome.given = true;
    return outcome;
  }
  mark_written(outcome.line, access);
  return outcome;
}

void L2Cache::mark_written(unsigned line, const L2Access& access) {
  const auto readable =
      static_cast<SectorMask>(tags_.line(line).valid & ~extra_[line].partial & access.touched);
  tags_.write(line, access.address, access.touched);
  SectorMask& partial = extra_[line].partial;
  partial =
      static_cast<SectorMask>((partial | access.touched) & ~(access.covered & access.touched) & ~readable);
}

bool L2Cache::merges_full(unsigned line, SectorMask missing) const {
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
    if ((missing >> sector & 1U) != 0 && extra_[line].waiting[sector] >= merges_) return true;
  }
  return false;
}

void L2Cache::add_waiter(unsigned line, const L2Access& access, SectorMask missing, bool fetched,
                         tlm::tlm_generic_payload& payload) {
  Waiter& waiter = *unused_.head;
  unused_.head = waiter.next;
  waiter.payload = &payload;
  waiter.touched = access.touched;
  waiter.missing = missing;
  waiter.writes = access.writes;
  waiter.fetched = fetched;
  LineExtra& extra = extra_[line];
  extra.waiters.push(waiter);
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
    extra.waiting[sector] = static_cast<std::uint8_t>(extra.waiting[sector] + (missing >> sector & 1U));
  }
}

void L2Cache::fill(unsigned line, SectorMask sectors) {
  LineExtra& extra = extra_[line];
  tags_.fill(line, tags_.address_of(line), sectors);
  entries_used_ -= sector_count(sectors);
  extra.partial = static_cast<SectorMask>(extra.partial & ~sectors);
  for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
    if ((sectors >> sector & 1U) != 0) extra.waiting[sector] = 0;
  }
  Waiter* waiter = extra.waiters.head;
  extra.waiters = List();
  while (waiter != nullptr) {
    Waiter& present = *waiter;
    waiter = waiter->next;
    present.missing = static_cast<SectorMask>(present.missing & ~sectors);
    if (present.missing == 0) {
      complete(line, present);
    } else {
      extra.waiters.push(present);
    }
  }
}

void L2Cache::complete(unsigned line, Waiter& waiter) {
  if (waiter.writes) tags_.write(line, tags_.address_of(line), waiter.touched);
  completed_.push(waiter);
}

void L2Cache::pop_completed() {
  Waiter& waiter = *completed_.head;
  completed_.head = waiter.next;
  unused_.push(waiter);
}

bool L2Cache::holds(std::uint64_t address, std::uint64_t set_address, SectorMask sectors) const {
  const unsigned line = tags_.find(address, tags_.set_of(set_address));
  if (line == TagArray::kNoLine) return false;
  return (sectors & ~(tags_.line(line).valid & ~extra_[line].partial)) == 0;
}

unsigned L2Cache::install(std::uint64_t address, std::uint64_t set_address) {
  const unsigned set = tags_.set_of(set_address);
  unsigned line = tags_.find(address, set);
  if (line == TagArray::kNoLine) line = tags_.victim(set);
  if (line == TagArray::kNoLine || tags_.line(line).pending != 0) return TagArray::kNoLine;
  tags_.fill(line, address, tags_.all_sectors());
  extra_[line].partial = 0;
  return line;
}

unsigned L2Cache::warm(std::uint64_t address, std::uint64_t set_address, SectorMask sectors, bool writes) {
  const unsigned set = tags_.set_of(set_address);
  unsigned line = tags_.find(address, set);
  if (line == TagArray::kNoLine) {
    line = tags_.victim(set);
    if (line == TagArray::kNoLine) return line;
    tags_.invalidate(line);
    extra_[line].partial = 0;
  }
  if (tags_.line(line).pending != 0) return TagArray::kNoLine;
  if (writes) {
    L2Access access;
    access.address = address;
    access.touched = sectors;
    access.covered = sectors;
    mark_written(line, access);
  } else {
    const auto partial = static_cast<SectorMask>(extra_[line].partial & sectors);
    tags_.fill(line, address, static_cast<SectorMask>(sectors & ~tags_.line(line).valid));
    extra_[line].partial = static_cast<SectorMask>(extra_[line].partial & ~partial);
    tags_.touch(line);
  }
  return line;
}

}  // namespace heddle
