#include "modules/cache/read_only_cache.h"

#include <fmt/format.h>

#include <stdexcept>

#include "modules/messages/tick_order.h"

namespace heddle {

ReadOnlyCache::ReadOnlyCache(const sc_core::sc_module_name& name, ClockDomain& domain,
                             const CacheConfig& config, unsigned mshr_entries, const Identity& identity,
                             Clocked& owner, Listener& listener)
    : sc_module(name),
      Clocked(domain, tick_order::kMemory, this->name(), &tick_of<ReadOnlyCache>),
      memory("memory", *this),
      tags_(config),
      identity_(identity),
      owner_(owner),
      listener_(listener),
      entries_(mshr_entries),
      unsent_(mshr_entries) {
  if (&owner.domain() != &domain) {
    throw std::invalid_argument(fmt::format("{}: expected its owner's clock, {}, found {}", this->name(),
                                            owner.domain().name(), domain.name()));
  }
  if (mshr_entries == 0) throw std::invalid_argument("a read-only cache needs at least one MSHR entry");
  if (config.line_bytes > kLineBytes) {
    throw std::invalid_argument(fmt::format("a read-only cache has lines of at most {} bytes, not {}",
                                            kLineBytes, config.line_bytes));
  }
}

ReadOnlyCache::Entry* ReadOnlyCache::entry_of(std::uint64_t line) {
  for (Entry& entry : entries_) {
    if (entry.payload != nullptr && entry.line == line) return &entry;
  }
  return nullptr;
}

ReadOnlyCache::Access ReadOnlyCache::access(std::uint64_t address, LaunchCounts* counts) {
  const std::uint64_t line = tags_.line_address(address);
  if (line == last_line_) {
    ++hits_;
    return Access::kHit;
  }
  if (const unsigned index = tags_.find(address); index != TagArray::kNoLine) {
    tags_.touch(index);
    last_line_ = line;
    ++hits_;
    return Access::kHit;
  }
  if (entry_of(line) != nullptr) {
    ++pending_hits_;
    return Access::kMissPending;
  }
  if (used_entries_ == entries_.size()) return Access::kRefused;
  unsigned free = 0;
  while (entries_[free].used) ++free;
  tlm::tlm_generic_payload& payload = pool_.make(tlm::TLM_READ_COMMAND, line, tags_.line_bytes());
  MemoryRequest& request = *request_of(payload);
  request.kind = identity_.kind;
  request.requester = identity_.requester;
  request.sm = identity_.sm;
  request.counts = counts;
  request.access_id = next_id_++;
  request.sector_mask = static_cast<SectorMask>(tags_.all_sectors() << (line % kLineBytes / kSectorBytes));
  request.born(Stage::kMshr, domain().now());
  entries_[free] = {line, &payload, true};
  unsent_.push(free);
  ++used_entries_;
  ++misses_;
  wave_used_entries_ = used_entries_;
  wake();
  return Access::kMissPending;
}

void ReadOnlyCache::send_oldest() {
  tlm::tlm_generic_payload& payload = *entries_[unsent_.front()].payload;
  unsent_.pop();
  request_of(payload)->enter(Stage::kMemoryPort, domain().now());
  memory.send(payload);
}

void ReadOnlyCache::finish_fill() {
  Entry& entry = *entry_of(arrived_->get_address());
  const std::uint64_t line = entry.line;
  last_line_ = kNoLine;
  // A line is allocated only when it arrives, so no way is ever reserved and there always is a victim.
  tags_.fill(tags_.victim(tags_.set_of(line)), line, tags_.all_sectors());
  if (arrived_->is_response_error()) {
    SC_REPORT_ERROR("/heddle/cache", fmt::format("{}: the memory answers {} to the read of line {:#x}",
                                                 name(), arrived_->get_response_string(), line)
                                         .c_str());
  }
  MemoryRequest& request = *request_of(*arrived_);
  request.finish(domain().now());
  completed.fire(request);
  arrived_->release();
  arrived_ = nullptr;
  entry.payload = nullptr;
  if (!listener_.filled(line)) release(line);
}

void ReadOnlyCache::release(std::uint64_t line_address) {
  for (Entry& entry : entries_) {
    if (!entry.used || entry.payload != nullptr || entry.line != line_address) continue;
    entry.used = false;
    --used_entries_;
    wave_used_entries_ = used_entries_;
    return;
  }
}

bool ReadOnlyCache::tick() {
  memory.begin_tick();
  if (arrived_ != nullptr) finish_fill();
  if (memory.has_response()) {
    arrived_ = &memory.response();
    memory.pop_response();
    request_of(*arrived_)->enter(Stage::kFill, domain().now());
    owner_.wake();
  }
  if (!unsent_.empty() && memory.can_send()) send_oldest();
  return arrived_ != nullptr || (!unsent_.empty() && memory.awaiting_accept() == nullptr);
}

void ReadOnlyCache::report(StatSink& sink) const {
  sink.count("hits", hits_, "accesses", "accesses whose line was present");
  sink.count("pending_hits", pending_hits_, "accesses", "accesses to a line that was being fetched");
  sink.count("misses", misses_, "accesses", "accesses that began to fetch a line");
}

void ReadOnlyCache::trace(WaveSink& sink) { sink.signal(wave_used_entries_, 8, "outstanding_misses"); }

}  // namespace heddle
