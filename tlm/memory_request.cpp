#include "tlm/memory_request.h"

namespace heddle {

const char* to_string(Stage stage) {
  static constexpr std::array<const char*, kNumStages> kNames{
      "ldst", "l1d",        "mshr", "memory_port", "request_network", "l2_queue",
      "l2",   "dram_queue", "dram", "reply_queue", "reply_network",   "fill"};
  return kNames[static_cast<unsigned>(stage)];
}

void MemoryRequest::born(Stage stage, Ticks now) {
  stage_ = stage;
  since_ = now;
  born_at_ = now;
  spent_.fill(0);
}

struct PayloadPool::Pooled : tlm::tlm_generic_payload {
  Pooled(PayloadPool* pool, Node* owner) : tlm::tlm_generic_payload(pool), node(owner) {}
  Node* node;
};

struct PayloadPool::Node {
  Pooled payload;
  MemoryRequest request;
  std::array<unsigned char, kLineBytes> data{};
  Node* next = nullptr;

  explicit Node(PayloadPool* pool) : payload(pool, this) { payload.set_extension(&request); }
  ~Node() { payload.clear_extension(&request); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
};

PayloadPool::~PayloadPool() {
  for (Node* node : all_) delete node;
}

tlm::tlm_generic_payload& PayloadPool::make(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
  if (free_list_ == nullptr) {
    all_.push_back(new Node(this));
    free_list_ = all_.back();
  }
  Node* node = free_list_;
  free_list_ = node->next;
  ++in_use_;
  tlm::tlm_generic_payload& payload = node->payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(node->data.data());
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_byte_enable_length(0);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  node->request = MemoryRequest();
  payload.acquire();
  return payload;
}

void PayloadPool::free(tlm::tlm_generic_payload* payload) {
  // A pooled payload is a Pooled, which knows its node.
  Node* node = static_cast<Pooled*>(payload)->node;
  node->next = free_list_;
  free_list_ = node;
  --in_use_;
}

}  // namespace heddle
