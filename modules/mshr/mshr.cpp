#include "modules/mshr/mshr.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/power_of_two.h"
#include "modules/config/setting_error.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

bool takes_entry(const tlm::tlm_generic_payload& payload, const MemoryRequest& request) {
  return payload.is_read() && request.kind == RequestKind::kLoad && !request.bypass_l1d;
}

const MshrConfig& checked(const MshrConfig& config, unsigned line_bytes) {
  const auto require_positive = [](unsigned value, const char* key) {
    if (value == 0) throw SettingError(key, "expected at least 1, found 0");
  };
  require_positive(config.entries, "l1d.mshr.entries");
  require_positive(config.merges, "l1d.mshr.merges");
  require_positive(config.miss_queue, "l1d.mshr.miss_queue");
  if (!power_of_two(line_bytes) || line_bytes > kLineBytes) {
    throw SettingError("l1d.cache.line_bytes",
                       fmt::format("expected a power of two up to {}, found {}", kLineBytes, line_bytes));
  }
  return config;
}

}  // namespace

Mshr::Mshr(const sc_core::sc_module_name& name, ClockDomain& domain, const MshrConfig& config,
           unsigned line_bytes)
    : sc_module(name),
      Clocked(domain, tick_order::kMshr, this->name(), &tick_of<Mshr>),
      cache("cache", *this, static_cast<TargetPort::Gate&>(*this), this),
      memory("memory", *this),
      config_(checked(config, line_bytes)),
      line_bytes_(line_bytes),
      lines_(config.entries),
      entries_(config.entries, Entry(config.merges)),
      queue_(config.miss_queue),
      ready_(config.entries),
      told_entries_(config.entries),
      told_queue_(config.miss_queue) {
  free_.reserve(config.entries);
  for (unsigned entry = config.entries; entry > 0; --entry) free_.emplace_back(entry - 1);
}

Refusal Mshr::place(tlm::tlm_generic_payload& payload, MemoryRequest& request) {
  if (!takes_entry(payload, request)) {
    if (request.stands_for != nullptr && payload.is_write()) {
      const std::uint64_t line = line_of(payload);
      if (lines_.find(line) != LineTable::kNone) return Refusal::kMshrMerges;
      if (!queue_.full()) foreign_stores_.push_back(line);
    }
    if (queue_.full()) return Refusal::kInterconnect;
    queue_.push(&payload);
    ++passed_;
    return Refusal::kNone;
  }
  const std::uint64_t line = line_of(payload);
  const MshrEntryId present = lines_.find(line);
  if (request.stands_for != nullptr && has_to_wait(payload, present)) return Refusal::kMshrMerges;
  if (present != LineTable::kNone) {
    Entry& entry = entries_[present.value()];
    if (entry.waiting.full()) return Refusal::kMshrMerges;
    request.primary = false;
    request.line_warp = entry.warp;
    entry.waiting.push(&payload);
    ++merged_misses_;
    return Refusal::kNone;
  }
  if (free_.empty()) return Refusal::kMshrEntries;
  if (queue_.full()) return Refusal::kInterconnect;
  charge_occupancy();
  const MshrEntryId id = free_.back();
  free_.pop_back();
  ++used_entries_;
  peak_entries_ = std::max(peak_entries_, used_entries_);
  Entry& entry = entries_[id.value()];
  entry.line = line;
  entry.warp = request.warp;
  entry.may_join = request.stands_for != nullptr;
  lines_.insert(line, id);
  request.primary = true;
  entry.waiting.push(&payload);
  queue_.push(&payload);
  ++primary_misses_;
  return Refusal::kNone;
}

Refusal Mshr::refusal_of(const tlm::tlm_generic_payload& load) const {
  const MshrEntryId present = lines_.find(line_of(load));
  if (present != LineTable::kNone) {
    return entries_[present.value()].waiting.full() ? Refusal::kMshrMerges : Refusal::kNone;
  }
  if (free_.empty()) return Refusal::kMshrEntries;
  return queue_.full() ? Refusal::kInterconnect : Refusal::kNone;
}

TargetPort::Gate::Answer Mshr::admit(tlm::tlm_generic_payload& payload) {
  MemoryRequest* request = request_of(payload);
  return request == nullptr ? admit_foreign(payload) : admit(payload, *request);
}

TargetPort::Gate::Answer Mshr::admit(tlm::tlm_generic_payload& payload, MemoryRequest& request) {
  const Refusal refusal = place(payload, request);
  if (refusal != refusal_) {
    charge_refusal();
    refusal_ = refusal;
  }
  const bool other_reason = refusal != request.refusal;
  request.refusal = refusal;
  if (refusal == Refusal::kNone) {
    request.enter(Stage::kMshr, domain().time());
    if (!queue_.empty()) wake();
    if (room_changed.heard()) tell_room();
  }
  if (wave_) update_wave();
  if (refusal == Refusal::kNone) return Answer::kTaken;
  return other_reason ? Answer::kOtherReason : Answer::kWithheld;
}

void Mshr::take_line() {
  tlm::tlm_generic_payload& payload = memory.response();
  MemoryRequest& request = *request_of(payload);
  request.enter(Stage::kFill, domain().now());
  if (takes_entry(payload, request)) {
    const MshrEntryId id = lines_.find(line_of(payload));
    entries_[id.value()].status = payload.get_response_status();
    if (request.stands_for != nullptr) keep_bytes(id, payload);
    ready_.push(id);
    tell_reply(request);
    memory.pop_response();
  } else if (ready_.empty() && cache.can_respond()) {
    tell_reply(request);
    memory.pop_response();
    if (request.stands_for != nullptr) store_answered(payload);
    respond(payload, request);
  }
}

void Mshr::tell_reply(const MemoryRequest& request) {
  if (!replied.heard() || request.kind != RequestKind::kLoad) return;
  replied.fire({domain().cycle(), request.warp, request.l2_origin});
}

void Mshr::respond_merged() {
  const MshrEntryId id = ready_.front();
  Entry& entry = entries_[id.value()];
  tlm::tlm_generic_payload& payload = *entry.waiting.front();
  entry.waiting.pop();
  MemoryRequest& request = *request_of(payload);
  if (!request.primary) {
    request.enter(Stage::kFill, domain().now());
    payload.set_response_status(entry.status);
    if (request.stands_for != nullptr) std::memcpy(payload.get_data_ptr(), bytes_of(id), line_bytes_);
  }
  respond(payload, request);
}

void Mshr::free_drained_entry() {
  const MshrEntryId id = ready_.front();
  const Entry& entry = entries_[id.value()];
  if (!entry.waiting.empty()) return;
  ready_.pop();
  charge_occupancy();
  lines_.erase(entry.line);
  free_.push_back(id);
  --used_entries_;
}

bool Mshr::tick() {
  memory.begin_tick();
  if (memory.has_response()) take_line();
  const bool drains = !ready_.empty() && cache.can_respond();
  if (drains) {
    respond_merged();
  } else if (!refused_.empty() && cache.can_respond()) {
    answer_refused();
  }
  if (!queue_.empty() && memory.can_send()) {
    tlm::tlm_generic_payload& payload = *queue_.front();
    queue_.pop();
    request_of(payload)->enter(Stage::kMemoryPort, domain().now());
    memory.send(payload);
  }
  // A withheld request may join the entry that gave its last response before that is freed, or take the place
  // of the freed one.
  cache.begin_tick();
  if (drains) {
    free_drained_entry();
    cache.begin_tick();
  }
  if (room_changed.heard()) tell_room();
  if (waiting_ != nullptr && (has_room() || !cache.can_respond())) {
    waiting_->wake_this_edge();
    waiting_ = nullptr;
  }
  if (wave_) update_wave();
  return !ready_.empty() || memory.has_response() || !refused_.empty() ||
         (!queue_.empty() && memory.awaiting_accept() == nullptr);
}

void Mshr::tell_room() {
  const auto free_entries = static_cast<unsigned>(free_.size());
  const auto free_queue = queue_.capacity() - queue_.size();
  if (free_entries == told_entries_ && free_queue == told_queue_) return;
  told_entries_ = free_entries;
  told_queue_ = free_queue;
  room_changed.fire({domain().cycle_now(), free_entries, free_queue});
}

void Mshr::charge_occupancy() {
  const Cycle now = domain().cycle_now();
  entry_cycles_ += used_entries_ * (now - occupancy_since_);
  if (free_.empty()) full_cycles_ += now - occupancy_since_;
  occupancy_since_ = now;
}

void Mshr::charge_refusal() {
  const Cycle now = domain().cycle_now();
  refused_cycles_[static_cast<unsigned>(refusal_)] += now - refused_since_;
  refused_since_ = now;
}

/// The present cycle is charged too. What changes in it after all takes that back: sums are modulo 2^64.
void Mshr::settle() {
  charge_occupancy();
  charge_refusal();
  entry_cycles_ += used_entries_;
  if (free_.empty()) ++full_cycles_;
  ++occupancy_since_;
  ++refused_cycles_[static_cast<unsigned>(refusal_)];
  ++refused_since_;
}

void Mshr::report(StatSink& sink) const {
  const auto refused = [&](Refusal reason) { return refused_cycles_[static_cast<unsigned>(reason)]; };
  sink.count("primary_misses", primary_misses_, "requests", "requests that took an entry");
  sink.count("merged_misses", merged_misses_, "requests", "requests that joined the entry of their line");
  sink.count("passed", passed_, "requests", "stores, atomics and bypassing loads sent on without an entry");
  sink.count("entry_cycles", entry_cycles_, "entry cycles",
             "entries used, summed over the cycles; divided by the cycles: mean occupancy");
  sink.count("full_cycles", full_cycles_, "cycles", "cycles with every entry used");
  sink.count("refused_mshr_entries", refused(Refusal::kMshrEntries), "cycles",
             "cycles in which a request was refused: no free entry");
  sink.count("refused_mshr_merges", refused(Refusal::kMshrMerges), "cycles",
             "cycles in which a request was refused: its line's entry is full");
  sink.count("refused_interconnect", refused(Refusal::kInterconnect), "cycles",
             "cycles in which a request was refused: the miss queue is full");
  sink.level("peak_entries", peak_entries_, "entries", "most entries used at a time");
}

void Mshr::update_wave() {
  wave_->used = used_entries_;
  wave_->free = free_.size();
  wave_->queued = queue_.size();
  wave_->refusal = static_cast<std::uint64_t>(refusal_);
}

void Mshr::trace(WaveSink& sink) {
  wave_ = std::make_unique<Wave>();
  update_wave();
  sink.signal(wave_->used, 16, "occupancy");
  sink.signal(wave_->free, 16, "free_entries");
  sink.signal(wave_->queued, 16, "miss_queue");
  sink.enumeration(wave_->refusal, "refusal", refusal_names());
}

}  // namespace heddle
