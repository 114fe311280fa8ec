#include "modules/messages/memory_request.h"

namespace heddle {

const char* to_string(Stage stage) {
  static constexpr std::array<const char*, kNumStages> kNames{
      "ldst", "l1d",        "mshr", "memory_port", "request_network", "l2_queue",
      "l2",   "dram_queue", "dram", "reply_queue", "reply_network",   "fill"};
  return kNames[static_cast<unsigned>(stage)];
}

std::vector<std::string> refusal_names() {
  return {"none", "bank_busy", "mshr_entries", "mshr_merges", "line_reserved", "interconnect", "replay"};
}

void MemoryRequest::born(Stage stage, Ticks now) {
  stage_ = stage;
  since_ = now;
  born_at_ = now;
  spent_.fill(0);
}

PooledPayload::PooledPayload(PayloadPool& pool) : tlm::tlm_generic_payload(&pool) { set_extension(&request); }

// The base class would delete the extension, which is a member here.
PooledPayload::~PooledPayload() { clear_extension(&request); }

tlm::tlm_generic_payload& PayloadPool::make(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
  if (free_list_ == nullptr) {
    all_.push_back(std::make_unique<PooledPayload>(*this));
    free_list_ = all_.back().get();
  }
  PooledPayload& payload = *free_list_;
  free_list_ = payload.next_;
  ++in_use_;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(payload.data_.data());
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_byte_enable_length(0);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  payload.request = MemoryRequest();
  payload.acquire();
  return payload;
}

void PayloadPool::free(tlm::tlm_generic_payload* payload) {
  auto* pooled = static_cast<PooledPayload*>(payload);
  pooled->reset();  // frees the extensions that others have attached for the transaction
  pooled->next_ = free_list_;
  free_list_ = pooled;
  --in_use_;
}

}  // namespace heddle
