#include "modules/memory_partition/l2_slice.h"

#include <fmt/format.h>

#include <algorithm>

#include "modules/config/setting_error.h"
#include "modules/memory_partition/sectors.h"
#include "modules/messages/foreign_requests.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

constexpr const char* kL2SliceReportId = "/heddle/l2_slice";
constexpr Cycle kNever = ~Cycle{0};
/// A miss can need a fetch and a write-back at once.
constexpr unsigned kLeastMissQueue = 2;

const L2Config& checked_queues(const L2Config& config) {
  if (config.miss_queue < kLeastMissQueue) {
    throw SettingError(
        "l2.miss_queue",
        fmt::format("expected at least {}, for a fetch and the write-back that it causes, found {}",
                    kLeastMissQueue, config.miss_queue));
  }
  if (config.queue < kSectorsPerLine) {
    throw SettingError("l2.queue", fmt::format("expected at least {}, the sectors of a line, found {}",
                                               kSectorsPerLine, config.queue));
  }
  if (config.hit_latency_cycles == 0) {
    throw SettingError("l2.hit_latency_cycles", "expected at least 1, found 0");
  }
  if (config.port_bytes < kSectorBytes) {
    throw SettingError("l2.port_bytes", fmt::format("expected at least {}, a sector, found {}", kSectorBytes,
                                                    config.port_bytes));
  }
  return config;
}

L2Access access_of(tlm::tlm_generic_payload& payload) {
  const MemoryRequest* request = request_of(payload);
  const bool atomic = request != nullptr && request->kind == RequestKind::kAtomic;
  L2Access access;
  access.address = payload.get_address() / kLineBytes * kLineBytes;
  access.touched = sectors_of(payload);
  access.reads = atomic || payload.is_read();
  access.writes = atomic || payload.is_write();
  const bool of_a_warp = !carries_data(payload) && (request->kind == RequestKind::kLoad ||
                                                    request->kind == RequestKind::kStore || atomic);
  if (of_a_warp) access.filler = std::uint32_t{request->sm} << L2Slice::kWarpBits | request->warp;
  if (access.writes && !atomic) {
    access.covered = covered_sectors(payload.get_address(), payload.get_data_length());
  }
  return access;
}

}  // namespace

L2Slice::L2Slice(const sc_core::sc_module_name& name, ClockDomain& domain, const L2Config& config,
                 const AddressMap& map)
    : sc_module(name),
      Clocked(domain, tick_order::kMemory, this->name(), &tick_of<L2Slice>),
      port("port", *this, kPortDepth, this),
      dram("dram", *this, checked_queues(config).queue),
      config_(config),
      map_(map),
      cache_(config) {}

bool L2Slice::tick() {
  const Cycle now = domain().cycle();
  charge(now);
  port.begin_tick();
  dram.begin_tick();
  send_reply(now);
  send_miss(now);
  take_fill(now);
  release_completed(now);
  advance_queue(now);
  lookup(now);
  accept(now);
  if (wave_) update_wave(now);
  const Cycle next = next_cycle(now);
  if (next == now + 1) return true;
  if (next != kNever) wake_in(next - now);
  return false;
}

void L2Slice::push_reply(tlm::tlm_generic_payload& payload, unsigned sectors, Cycle ready) {
  replies_.push_growing({&payload, ready, sectors});
  reply_sectors_ += sectors;
}

void L2Slice::send_reply(Cycle now) {
  if (replies_.empty() || replies_.front().ready > now || !port.can_respond()) return;
  const Reply reply = replies_.front();
  replies_.pop();
  reply_sectors_ -= reply.sectors;
  if (MemoryRequest* request = request_of(*reply.payload)) {
    request->enter(Stage::kReplyQueue, time_of(reply.ready));
  }
  port.respond(*reply.payload);
}

void L2Slice::send_miss(Cycle /*now*/) {
  if (misses_.empty() || !dram.can_send()) return;
  Miss& miss = misses_.front();
  // A payload is one range of bytes: sectors that are not neighbours go one after the other.
  const SectorMask run = lowest_run(miss.sectors);
  const auto first = static_cast<unsigned>(__builtin_ctz(run));
  tlm::tlm_generic_payload& payload =
      pool_.make(tlm::TLM_READ_COMMAND, miss.address + std::uint64_t{first} * kSectorBytes,
                 sector_count(run) * kSectorBytes);
  MemoryRequest& request = *request_of(payload);
  request.sector_mask = run;
  request.access_id = miss.line;
  request.born(Stage::kL2, miss.since);
  request.enter(Stage::kDramQueue, domain().now());
  if (miss.write) take_writeback_data(payload);
  miss.sectors = static_cast<SectorMask>(miss.sectors & ~run);
  if (miss.sectors == 0) misses_.pop();
  ++dram_unanswered_;
  dram.send(payload);
}

/// A copy of what the memory has there.
void L2Slice::take_writeback_data(tlm::tlm_generic_payload& payload) {
  if (serves_foreign_) {
    dram.socket->transport_dbg(payload);
    // Many a memory sets these there too; a request begins without.
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload.set_dmi_allowed(false);
  }
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  request_of(payload)->kind = RequestKind::kStore;
  writebacks_unanswered_.push_back(&payload);
}

bool L2Slice::writing_back(std::uint64_t address, unsigned bytes) const {
  return std::any_of(writebacks_unanswered_.begin(), writebacks_unanswered_.end(),
                     [address, bytes](const tlm::tlm_generic_payload* writeback) {
                       const std::uint64_t begin = writeback->get_address();
                       return address < begin + writeback->get_data_length() && begin < address + bytes;
                     });
}

void L2Slice::writeback_answered(const tlm::tlm_generic_payload& payload) {
  const auto found = std::find(writebacks_unanswered_.begin(), writebacks_unanswered_.end(), &payload);
  *found = writebacks_unanswered_.back();
  writebacks_unanswered_.pop_back();
  if (writebacks_awaited_ != 0) writeback_answered_.notify(sc_core::SC_ZERO_TIME);
}

void L2Slice::take_fill(Cycle now) {
  if (now < fill_free_ || !dram.has_response()) return;
  tlm::tlm_generic_payload& payload = dram.response();
  MemoryRequest& fetch = *request_of(payload);
  dram.pop_response();
  --dram_unanswered_;
  if (payload.is_response_error()) {
    SC_REPORT_ERROR(kL2SliceReportId, fmt::format("{} found {} at address {:#x}", name(),
                                                  payload.get_response_string(), payload.get_address())
                                          .c_str());
  }
  if (payload.is_read()) {
    fetch.finish(domain().now());
    fill_free_ = now + sector_count(fetch.sector_mask);
    L2Cache::Waiter* last = cache_.last_completed();
    cache_.fill(static_cast<unsigned>(fetch.access_id), fetch.sector_mask);
    for (L2Cache::Waiter* waiter = last == nullptr ? cache_.completed() : last->next; waiter != nullptr;
         waiter = waiter->next) {
      MemoryRequest* request = request_of(*waiter->payload);
      if (request != nullptr && waiter->fetched) replay_dram_times(fetch, *request);
      if (waiter->writes) port_free_ = std::max(port_free_, now) + sector_count(waiter->touched);
    }
  } else {
    writeback_answered(payload);
  }
  payload.release();
}

void L2Slice::replay_dram_times(const MemoryRequest& fetch, MemoryRequest& request) const {
  const auto spent = [&fetch](Stage stage) { return fetch.spent()[static_cast<unsigned>(stage)]; };
  Ticks time = fetch.born_at() + spent(Stage::kL2);
  request.enter(Stage::kDramQueue, time);
  request.l2_before_dram = request.spent()[static_cast<unsigned>(Stage::kL2)];
  time += spent(Stage::kDramQueue);
  request.enter(Stage::kDram, time);
  time += spent(Stage::kDram);
  request.enter(Stage::kL2, time);
}

void L2Slice::release_completed(Cycle now) {
  const L2Cache::Waiter* waiter = cache_.completed();
  if (waiter == nullptr) return;
  const unsigned sectors = sector_count(waiter->touched);
  if (!reply_has_room(sectors)) return;
  tlm::tlm_generic_payload& payload = *waiter->payload;
  cache_.pop_completed();
  push_reply(payload, sectors, now + 1);
}

void L2Slice::advance_queue(Cycle now) {
  while (queued_ < inputs_.size()) {
    const Input& next = inputs_[queued_];
    if (next.ready > now || queue_sectors_ + next.sectors > config_.queue) return;
    queue_sectors_ += next.sectors;
    ++queued_;
  }
}

void L2Slice::lookup(Cycle now) {
  activity_ = Activity::kIdle;
  if (queued_ == 0 || now < port_free_) return;
  Input& input = inputs_.front();
  tlm::tlm_generic_payload& payload = *input.payload;
  if (!reply_has_room(input.sectors)) {
    activity_ = Activity::kReplyQueue;
    return;
  }
  const Foreign foreign = carries_data(payload) ? begin_foreign(input, now) : Foreign::kLooksUp;
  if (foreign == Foreign::kWaits) {
    activity_ = Activity::kWriteBack;
    return;
  }
  if (foreign == Foreign::kLooksUp) {
    const L2Access access = access_of(payload);
    const L2Outcome outcome =
        cache_.access(access, map_.slice_address(access.address), free_misses(), payload);
    switch (outcome.result) {
      case L2Result::kHit:
      case L2Result::kWait:
        finish_lookup(input, access, outcome, now);
        break;
      case L2Result::kLineReserved:
        activity_ = Activity::kLineReserved;
        return;
      case L2Result::kMshrEntries:
        activity_ = Activity::kMshrEntries;
        return;
      case L2Result::kMshrMerges:
        activity_ = Activity::kMshrMerges;
        return;
      case L2Result::kMissQueue:
        activity_ = Activity::kMissQueue;
        return;
    }
  }
  queue_sectors_ -= input.sectors;
  inputs_.pop();
  --queued_;
  advance_queue(now);
}

L2Slice::Foreign L2Slice::begin_foreign(Input& input, Cycle now) {
  if (input.data_moved) return Foreign::kLooksUp;
  tlm::tlm_generic_payload& payload = *input.payload;
  tlm::tlm_response_status status = ForeignRequests::check(payload, kLineBytes);
  if (payload.get_byte_enable_ptr() != nullptr) status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (status == tlm::TLM_OK_RESPONSE && payload.get_command() != tlm::TLM_IGNORE_COMMAND) {
    if (payload.is_write() && writing_back(payload.get_address(), payload.get_data_length())) {
      return Foreign::kWaits;
    }
    serves_foreign_ = true;
    // A memory of ours without a store has no data to move: then only the time is of interest.
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const unsigned moved = debug_access(dram.socket, payload);
    const bool none_there = moved == 0 && payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE;
    if (moved >= payload.get_data_length() || none_there) {
      input.data_moved = true;
      return Foreign::kLooksUp;
    }
    status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  payload.set_response_status(status);
  port_free_ = now + 1;
  push_reply(payload, input.sectors, now + config_.hit_latency_cycles);
  return Foreign::kAnswered;
}

void L2Slice::finish_lookup(const Input& input, const L2Access& access, const L2Outcome& outcome, Cycle now) {
  tlm::tlm_generic_payload& payload = *input.payload;
  const bool hit = outcome.result == L2Result::kHit;
  const unsigned port_sectors = config_.port_bytes / kSectorBytes;
  const unsigned beats = (input.sectors + port_sectors - 1) / port_sectors;
  // A waiting atomic writes when its sectors have come.
  port_free_ = now + (hit && access.reads && access.writes ? 2 * beats : beats);
  if (outcome.writeback != 0) {
    misses_.push_growing({outcome.writeback_address, outcome.line, outcome.writeback, true, domain().now()});
    ++counts_.writebacks;
    counts_.writeback_sectors += sector_count(outcome.writeback);
  }
  if (outcome.fetch != 0) {
    misses_.push_growing({access.address, outcome.line, outcome.fetch, false, domain().now()});
  }
  count_access(payload, access, outcome);
  MemoryRequest* request = request_of(payload);
  if (request != nullptr) {
    request->enter(Stage::kL2, domain().now());
    request->l2_hit = hit;
    const bool found = request->kind == RequestKind::kLoad && (hit || outcome.fetch == 0);
    request->l2_origin = found ? told_origin(*request, access, outcome, now) : Origin::kNobody;
  }
  if (owners_ && outcome.given) note_owner(request, access, LineIndex(outcome.line), now);
  if (hit) push_reply(payload, input.sectors, now + config_.hit_latency_cycles);
}

void L2Slice::accept(Cycle now) {
  if (!port.has_request() || !queue_has_room()) return;
  tlm::tlm_generic_payload& payload = port.request();
  port.pop_request();
  MemoryRequest* request = request_of(payload);
  if (request != nullptr) request->enter(Stage::kL2Queue, domain().now());
  inputs_.push_growing(
      {&payload, now + config_.input_delay_cycles, sector_count(sectors_of(payload)), false});
}

void L2Slice::charge(Cycle until) {
  if (until <= charged_until_) return;
  const Cycle busy_end = std::clamp(port_free_, charged_until_, until);
  counts_.cycles[static_cast<unsigned>(Activity::kAccess)] += busy_end - charged_until_;
  counts_.cycles[static_cast<unsigned>(activity_)] += until - busy_end;
  charged_until_ = until;
}

void L2Slice::settle() { charge(domain().cycle_now() + 1); }

Cycle L2Slice::next_cycle(Cycle now) const {
  Cycle next = kNever;
  const auto at = [&next, now](Cycle when) { next = std::min(next, std::max(when, now + 1)); };
  if (!replies_.empty() && (replies_.front().ready > now || !port.awaiting_end())) at(replies_.front().ready);
  if (!misses_.empty() && dram.awaiting_accept() == nullptr) at(now + 1);
  if (!dram.no_responses()) at(fill_free_);
  // Whatever a refused access waits for is done by a tick that has its own reason.
  const L2Cache::Waiter* completed = cache_.completed();
  if (completed != nullptr && reply_has_room(sector_count(completed->touched))) at(now + 1);
  if (queued_ != 0) {
    if (activity_ == Activity::kIdle) at(port_free_);
  } else if (!inputs_.empty()) {
    at(inputs_.front().ready);
  }
  if (!port.no_requests() && queue_has_room()) at(now + 1);
  // To show that it has come through the input delay, though others are before it.
  if (wave_ && queued_ != 0 && queued_ < inputs_.size() && inputs_[queued_].ready > now) {
    at(inputs_[queued_].ready);
  }
  if (wave_ && wave_->activity == static_cast<unsigned>(Activity::kAccess)) at(port_free_);
  return next;
}

bool L2Slice::idle() const {
  return inputs_.empty() && misses_.empty() && replies_.empty() && dram_unanswered_ == 0 &&
         cache_.completed() == nullptr && port.no_requests();
}

void L2Slice::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const bool hit =
      holds(payload.get_address(), touched_sectors(payload.get_address(), payload.get_data_length()));
  const unsigned bytes = payload.get_data_length();
  serves_foreign_ = true;
  while (payload.is_write() && writing_back(payload.get_address(), bytes)) {
    ++writebacks_awaited_;
    sc_core::wait(writeback_answered_);
    --writebacks_awaited_;
  }
  delay += sc_core::sc_time::from_value(time_of(config_.input_delay_cycles + config_.hit_latency_cycles));
  sc_core::sc_time no_delay;  // on a hit the memory's time is nobody's
  dram.socket->b_transport(payload, hit ? no_delay : delay);
}

unsigned L2Slice::transport_dbg(tlm::tlm_generic_payload& payload) {
  serves_foreign_ = true;
  if (payload.is_write() && writing_back(payload.get_address(), payload.get_data_length())) return 0;
  return debug_access(dram.socket, payload);
}

}  // namespace heddle
