#include "modules/texture/texture_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "modules/config/setting_error.h"
#include "modules/messages/foreign_requests.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

/// From the sending of a line to the earliest edge at which its answer can be seen: look-up and answer,
/// arrival.
constexpr unsigned kLeastLatency = 2;

const TextureConfig& checked(const TextureConfig& config) {
  const auto at_least = [](const char* key, unsigned value, unsigned least) {
    if (value < least) throw SettingError(key, fmt::format("expected at least {}, found {}", least, value));
  };
  at_least("texture.latency_cycles", config.latency_cycles, kLeastLatency);
  at_least("texture.fifo_entries", config.fifo_entries, 1);
  at_least("texture.request_queue", config.request_queue, 1);
  at_least("texture.reorder_entries", config.reorder_entries, 1);
  if (config.cache.line_bytes > kLineBytes) {
    throw std::invalid_argument(fmt::format("a texture cache has lines of at most {} bytes, not {}",
                                            kLineBytes, config.cache.line_bytes));
  }
  return config;
}

}  // namespace

TextureCache::TextureCache(const sc_core::sc_module_name& name, ClockDomain& domain,
                           const TextureConfig& config, std::uint16_t sm)
    : sc_module(name),
      Clocked(domain, tick_order::kMemory, this->name(), &tick_of<TextureCache>),
      cpu("cpu", *this, static_cast<TargetPort::Gate&>(*this), this),
      memory("memory", *this),
      tags_(checked(config).cache),
      sm_(sm),
      latency_(config.latency_cycles),
      fifo_(config.fifo_entries),
      requests_(config.request_queue),
      arrived_(config.reorder_entries),
      fetch_of_line_(std::size_t{config.cache.sets} * config.cache.ways, 0) {}

TargetPort::Gate::Answer TextureCache::admit(tlm::tlm_generic_payload& payload) {
  // The line that waits for its look-up may take a place of each kind.
  if (input_ != nullptr || fifo_.full() || requests_.full() || fetches_under_way() == arrived_.size()) {
    return Answer::kWithheld;
  }
  input_ = &payload;
  input_since_ = domain().cycle();
  if (MemoryRequest* const request = request_of(payload)) request->enter(Stage::kL1d, domain().time());
  wake();
  return Answer::kTaken;
}

void TextureCache::take_fill() {
  if (!memory.has_response()) return;
  tlm::tlm_generic_payload& payload = memory.response();
  memory.pop_response();
  MemoryRequest& request = *request_of(payload);
  if (payload.is_response_error()) {
    SC_REPORT_ERROR("/heddle/texture",
                    fmt::format("{}: the memory answers {} to the read of line {:#x}", name(),
                                payload.get_response_string(), payload.get_address())
                        .c_str());
  }
  request.finish(domain().now());
  fetch_ended.fire(payload, request, domain().now());
  arrived_[request.access_id % arrived_.size()] = true;
  payload.release();
}

void TextureCache::answer(Cycle now) {
  if (fifo_.empty() || !cpu.can_respond()) return;
  const Fragment head = fifo_.front();
  if (head.due > now || (head.fetch != kNoFetch && !arrived(head.fetch))) return;
  if (head.fetch != kNoFetch) ++first_fetch_;
  fifo_.pop();
  tlm::tlm_generic_payload& payload = *head.payload;
  if (request_of(payload) == nullptr && payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    read_data(payload);
  }
  cpu.respond(payload);
}

/// Debug transport knows no byte enables. A memory of ours without a store has no data: then only the time is
/// of interest.
void TextureCache::read_data(tlm::tlm_generic_payload& payload) {
  const unsigned length = payload.get_data_length();
  tlm::tlm_generic_payload& read = pool_.make(tlm::TLM_READ_COMMAND, payload.get_address(), length);
  std::memset(read.get_data_ptr(), 0, length);
  const unsigned found = debug_access(memory.socket, read);
  const bool none_there = found == 0 && read.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE;
  if (found >= length || none_there) {
    ForeignRequests::copy_enabled(payload, read.get_data_ptr());
  } else {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  read.release();
}

void TextureCache::look_up(Cycle now) {
  if (input_ == nullptr || input_since_ == now) return;
  tlm::tlm_generic_payload& payload = *input_;
  input_ = nullptr;
  const MemoryRequest* const request = request_of(payload);
  const Cycle due = now + latency_ - 2;
  if (request == nullptr) {
    const tlm::tlm_response_status status = payload.is_read()
                                                ? ForeignRequests::check(payload, tags_.line_bytes())
                                                : tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (status != tlm::TLM_OK_RESPONSE) {
      payload.set_response_status(status);
      fifo_.push({&payload, due, kNoFetch});
      return;
    }
  }
  const TextureOutcome outcome = find(tags_.line_address(payload.get_address()), due, payload);
  if (request != nullptr) looked_up.fire(*request, outcome);
}

TextureOutcome TextureCache::find(std::uint64_t line, Cycle due, tlm::tlm_generic_payload& payload) {
  unsigned index = tags_.find(line);
  if (index != TagArray::kNoLine) {
    tags_.touch(index);
    fifo_.push({&payload, due, kNoFetch});
    const bool present = arrived(fetch_of_line_[index]);
    ++(present ? hits_ : pending_hits_);
    return present ? TextureOutcome::kHit : TextureOutcome::kPending;
  }
  ++misses_;
  index = tags_.victim(tags_.set_of(line));  // no line is ever reserved
  tags_.fill(index, line, tags_.all_sectors());
  fetch_of_line_[index] = next_fetch_;
  fifo_.push({&payload, due, next_fetch_});
  fetch(line, request_of(payload));
  return TextureOutcome::kMiss;
}

void TextureCache::fetch(std::uint64_t line, const MemoryRequest* request) {
  tlm::tlm_generic_payload& payload = pool_.make(tlm::TLM_READ_COMMAND, line, tags_.line_bytes());
  MemoryRequest& fetched = *request_of(payload);
  if (request != nullptr) {
    fetched = *request;  // of the same warp and instruction; its life goes on
    fetched.waiting = nullptr;
  } else {
    fetched.born(Stage::kL1d, domain().now());
  }
  fetched.kind = RequestKind::kTexture;
  fetched.requester = Requester::kTextureCache;
  fetched.sm = sm_;
  fetched.sector_mask = static_cast<SectorMask>(tags_.all_sectors() << (line % kLineBytes / kSectorBytes));
  fetched.access_id = next_fetch_;
  fetched.enter(Stage::kMshr, domain().now());
  arrived_[next_fetch_ % arrived_.size()] = false;
  ++next_fetch_;
  requests_.push(&payload);
}

void TextureCache::send() {
  if (requests_.empty() || !memory.can_send()) return;
  tlm::tlm_generic_payload& payload = *requests_.front();
  requests_.pop();
  request_of(payload)->enter(Stage::kMemoryPort, domain().now());
  memory.send(payload);
}

bool TextureCache::tick() {
  const Cycle now = domain().cycle();
  memory.begin_tick();
  take_fill();
  look_up(now);
  answer(now);
  send();
  cpu.begin_tick();
  wave_fifo_ = fifo_.size();
  wave_fetches_ = fetches_under_way();
  bool answers = false;
  if (!fifo_.empty()) {
    const Fragment& head = fifo_.front();
    const bool has_data = head.fetch == kNoFetch || arrived(head.fetch);
    // What can't be answered for want of data, or of an end of the last response, is announced.
    answers = has_data && head.due <= now + 1 && !cpu.awaiting_end();
    if (has_data && head.due > now + 1) wake_in(head.due - now);
  }
  return answers || input_ != nullptr || memory.has_response() ||
         (!requests_.empty() && memory.awaiting_accept() == nullptr);
}

/// Tags run ahead: the latency, and a miss's fetch with a cycle each way, pass at the same time.
void TextureCache::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Ticks period = domain().period_ticks();
  const Ticks least = domain().time() + delay.value() + latency_ * period;
  if (!payload.is_read()) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    delay += sc_core::sc_time::from_value(latency_ * period);
    return;
  }
  const unsigned line = tags_.find(tags_.line_address(payload.get_address()));
  const bool hit = line != TagArray::kNoLine && arrived(fetch_of_line_[line]) &&
                   ForeignRequests::check(payload, tags_.line_bytes()) == tlm::TLM_OK_RESPONSE;
  // On a hit the memory's time is nobody's.
  sc_core::sc_time fetched = hit ? sc_core::SC_ZERO_TIME : delay + domain().period();
  memory.socket->b_transport(payload, fetched);
  const Ticks now = domain().time();  // the memory may have waited
  const Ticks end = std::max<Ticks>(least, hit ? now : now + fetched.value() + period);
  delay = sc_core::sc_time::from_value(end - now);
}

unsigned TextureCache::transport_dbg(tlm::tlm_generic_payload& payload) {
  return debug_access(memory.socket, payload);
}

void TextureCache::report(StatSink& sink) const {
  sink.count("hits", hits_, "accesses", "lines that were present");
  sink.count("pending_hits", pending_hits_, "accesses", "lines that were being fetched");
  sink.count("misses", misses_, "accesses", "lines that began to be fetched");
}

void TextureCache::trace(WaveSink& sink) {
  sink.signal(wave_fifo_, 16, "fifo");
  sink.signal(wave_fetches_, 16, "outstanding_misses");
}

}  // namespace heddle
