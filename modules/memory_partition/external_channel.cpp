#include "modules/memory_partition/external_channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "modules/messages/foreign_requests.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

constexpr unsigned kUsualAnswers = 16;

/// Gives a payload another address for as long as it lives.
class AtAddress {
 public:
  AtAddress(tlm::tlm_generic_payload& payload, std::uint64_t address)
      : payload_(payload), own_(payload.get_address()) {
    payload.set_address(address);
  }
  ~AtAddress() { payload_.set_address(own_); }
  AtAddress(const AtAddress&) = delete;
  AtAddress& operator=(const AtAddress&) = delete;

 private:
  tlm::tlm_generic_payload& payload_;
  std::uint64_t own_;
};

}  // namespace

ExternalChannel::ExternalChannel(const sc_core::sc_module_name& name, ClockDomain& domain,
                                 const ExternalMemory& options, const AddressMap& map, unsigned channel,
                                 unsigned ports_wanted, unsigned port_depth)
    : sc_module(name),
      Clocked(domain, tick_order::kMemory, this->name(), &tick_of<ExternalChannel>),
      memory("socket", *this),
      options_(options),
      map_(map),
      channel_(channel),
      answers_(ports_wanted, Ring<unsigned>(kUsualAnswers)) {
  if (channel >= map.channels()) {
    throw std::invalid_argument(
        fmt::format("{}: expected a channel below {}, found {}", this->name(), map.channels(), channel));
  }
  if (options.explicit_end_resp) memory.end_responses_apart();
  for (unsigned port = 0; port < ports_wanted; ++port) {
    ports.add(fmt::format("port_{}", port).c_str(), *this, port_depth, this);
  }
}

bool ExternalChannel::tick() {
  memory.begin_tick();
  for (unsigned port = 0; port < ports.size(); ++port) ports[port].begin_tick();
  take_answer();
  answer_slices();
  if (sending_ == kNone) take_request();
  if (sending_ != kNone && memory.can_send()) send_part();
  wave_in_flight_ = requests_in_flight_;
  const bool has_requests = !ports.all([](const TargetPort& port) { return port.no_requests(); });
  const bool may_answer =
      !std::all_of(answers_.begin(), answers_.end(), [](const auto& queue) { return queue.empty(); });
  // A request is taken from its port also while the memory withholds END_REQ.
  const bool goes_on = sending_ == kNone ? has_requests : memory.awaiting_accept() == nullptr;
  return may_answer || !memory.no_responses() || goes_on;
}

void ExternalChannel::take_answer() {
  if (!memory.has_response()) return;
  tlm::tlm_generic_payload& part = memory.response();
  memory.pop_response();
  const auto number = static_cast<unsigned>(request_of(part)->access_id);
  Request& request = requests_[number];
  if (part.is_response_error()) request.status = part.get_response_status();
  part.release();
  --request.parts_unanswered;
  if (request.parts_unanswered != 0 || number == sending_) return;
  answer(number);
}

void ExternalChannel::answer(unsigned number) {
  const Request& request = requests_[number];
  request.payload->set_response_status(request.status);
  if (MemoryRequest* extension = request_of(*request.payload)) {
    extension->enter(Stage::kReplyQueue, domain().now());
  }
  answers_[request.port].push_growing(number);
}

/// Of a standard initiator's.
tlm::tlm_response_status ExternalChannel::check(const tlm::tlm_generic_payload& payload) const {
  if (map_.channel_of(payload.get_address()) != channel_) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.get_data_length() == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  return ForeignRequests::check_form(payload);
}

void ExternalChannel::answer_slices() {
  for (unsigned port = 0; port < ports.size(); ++port) {
    if (answers_[port].empty() || !ports[port].can_respond()) continue;
    const unsigned number = answers_[port].front();
    answers_[port].pop();
    --requests_in_flight_;
    free_.push_back(number);
    if (!enables_.empty()) enables_.erase(number);
    ports[port].respond(*requests_[number].payload);
  }
}

unsigned ExternalChannel::new_request() {
  if (free_.empty()) {
    requests_.emplace_back();
    return static_cast<unsigned>(requests_.size() - 1);
  }
  const unsigned number = free_.back();
  free_.pop_back();
  return number;
}

void ExternalChannel::take_request() {
  for (unsigned i = 0; i < ports.size(); ++i) {
    const unsigned port = (port_turn_ + i) % static_cast<unsigned>(ports.size());
    if (!ports[port].has_request()) continue;
    tlm::tlm_generic_payload& payload = ports[port].request();
    ports[port].pop_request();
    port_turn_ = port + 1;
    const unsigned number = new_request();
    requests_[number] = {&payload, port, 0, 0, tlm::TLM_OK_RESPONSE};
    most_in_flight_ = std::max(most_in_flight_, ++requests_in_flight_);
    if (request_of(payload) == nullptr) {
      tlm::tlm_response_status status = check(payload);
      if (status == tlm::TLM_OK_RESPONSE) status = ForeignRequests::check(payload, kLineBytes);
      if (status != tlm::TLM_OK_RESPONSE) {
        requests_[number].status = status;
        answer(number);
        return;
      }
    }
    sending_ = number;
    if (payload.is_read()) {
      ++counts_.reads;
      counts_.read_bytes += payload.get_data_length();
    } else if (payload.is_write()) {
      ++counts_.writes;
      counts_.written_bytes += payload.get_data_length();
    }
    return;
  }
}

unsigned ExternalChannel::part_bytes(std::uint64_t address, unsigned left) const {
  if (!options_.aligned_powers_of_two) return left;
  unsigned bytes = kLineBytes;
  while (bytes > left || address % bytes != 0) bytes /= 2;
  return bytes;
}

void ExternalChannel::send_part() {
  Request& request = requests_[sending_];
  tlm::tlm_generic_payload& payload = *request.payload;
  const std::uint64_t address = map_.channel_address(payload.get_address()) + request.bytes_sent;
  const unsigned bytes = part_bytes(address, payload.get_data_length() - request.bytes_sent);
  tlm::tlm_generic_payload& part = pool_.make(payload.get_command(), address, bytes);
  part.set_data_ptr(payload.get_data_ptr() + request.bytes_sent);
  if (payload.get_byte_enable_ptr() != nullptr) {
    part.set_byte_enable_ptr(enables_of(sending_));
    part.set_byte_enable_length(bytes);
  }
  request_of(part)->access_id = sending_;
  MemoryRequest* extension = request_of(payload);
  if (extension != nullptr && request.bytes_sent == 0) extension->enter(Stage::kDram, domain().now());
  request.bytes_sent += bytes;
  ++request.parts_unanswered;
  if (request.bytes_sent == payload.get_data_length()) sending_ = kNone;
  memory.send(part);
}

/// Of the bytes from bytes_sent on, one for each. The payload's own may be a pattern that is repeated.
unsigned char* ExternalChannel::enables_of(unsigned number) {
  const Request& request = requests_[number];
  const tlm::tlm_generic_payload& payload = *request.payload;
  std::vector<unsigned char>& enables = enables_[number];
  if (enables.empty()) {
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      enables.push_back(payload.get_byte_enable_ptr()[i % payload.get_byte_enable_length()]);
    }
  }
  return enables.data() + request.bytes_sent;
}

bool ExternalChannel::idle() const {
  return requests_in_flight_ == 0 && ports.all([](const TargetPort& port) { return port.no_requests(); });
}

/// What is behind the interleave block is another channel's, unless there is only one.
unsigned ExternalChannel::to_end_of_block(std::uint64_t address) const {
  if (map_.channels() == 1) return ~0U;
  return static_cast<unsigned>(map_.interleave_bytes() - address % map_.interleave_bytes());
}

void ExternalChannel::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  tlm::tlm_response_status status = check(payload);
  if (status == tlm::TLM_OK_RESPONSE && payload.get_data_length() > to_end_of_block(payload.get_address())) {
    status = tlm::TLM_BURST_ERROR_RESPONSE;
  }
  if (status != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
    return;
  }
  const AtAddress local(payload, map_.channel_address(payload.get_address()));
  delay += domain().period();
  memory.socket->b_transport(payload, delay);
  delay += domain().period();
}

unsigned ExternalChannel::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  if (map_.channel_of(address) != channel_) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return 0;
  }
  const AtAddress local(payload, map_.channel_address(address));
  payload.set_data_length(std::min(bytes, to_end_of_block(address)));
  const unsigned done = debug_access(memory.socket, payload);
  payload.set_data_length(bytes);
  return done;
}

void ExternalChannel::report(StatSink& sink) const {
  sink.count("reads", counts_.reads, "requests", "fetches sent to the external memory");
  sink.count("writes", counts_.writes, "requests", "write-backs sent to the external memory");
  sink.count("read_bytes", counts_.read_bytes, "bytes", "bytes of those fetches");
  sink.count("written_bytes", counts_.written_bytes, "bytes", "bytes of those write-backs");
  sink.level("most_in_flight", most_in_flight_, "requests", "most requests in the external memory at a time");
}

void ExternalChannel::trace(WaveSink& sink) {
  if (!sink.wanted()) return;
  constexpr unsigned kCountBits = 16;
  sink.signal(wave_in_flight_, kCountBits, "requests_in_flight");
}

}  // namespace heddle
