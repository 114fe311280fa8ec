#include "traffic_generator.h"

#include <algorithm>
#include <utility>

TrafficGenerator::Transaction::Transaction(TrafficGenerator& generator, unsigned bytes)
    : tlm_generic_payload(&generator), data(bytes) {
  set_data_ptr(data.data());
  set_data_length(bytes);
  set_streaming_width(bytes);
}

TrafficGenerator::TrafficGenerator(const sc_core::sc_module_name& name, const sc_core::sc_time& period,
                                   unsigned bytes, unsigned most_under_way, std::vector<Access> accesses)
    : sc_module(name), socket("socket"), period_(period), accesses_(std::move(accesses)) {
  socket.register_nb_transport_bw(this, &TrafficGenerator::nb_transport_bw);
  for (unsigned i = 0; i < most_under_way; ++i) {
    transactions_.push_back(std::make_unique<Transaction>(*this, bytes));
    free_.push_back(transactions_.back().get());
  }
  SC_THREAD(run);
}

void TrafficGenerator::run() {
  for (Access& access : accesses_) {
    wait(period_);
    while (open_ != nullptr || free_.empty()) wait(changed_);
    Transaction& transaction = *free_.back();
    free_.pop_back();
    transaction.acquire();
    transaction.set_command(access.store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    transaction.set_address(access.address);
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    if (access.store) std::fill(transaction.data.begin(), transaction.data.end(), access.value);
    transaction.access = &access;
    access.sent = sc_core::sc_time_stamp();
    send(transaction);
  }
}

void TrafficGenerator::send(Transaction& transaction) {
  open_ = &transaction;
  transaction.acquire();  // it may be answered, and free again, before the call returns
  // NOLINTBEGIN(clang-analyzer-unix.Malloc): the analyzer does not count this reference
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  const tlm::tlm_sync_enum answer = socket->nb_transport_fw(transaction, phase, delay);
  if (answer != tlm::TLM_ACCEPTED) {
    end_request(delay);
    if (answer == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP) take_response(transaction, delay);
    if (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
      phase = tlm::END_RESP;
      socket->nb_transport_fw(transaction, phase, delay);
    }
  }
  transaction.release();
  // NOLINTEND(clang-analyzer-unix.Malloc)
}

tlm::tlm_sync_enum TrafficGenerator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ) {
    end_request(delay);
  } else if (phase == tlm::BEGIN_RESP) {
    if (&payload == open_) end_request(delay);  // a response may come without END_REQ
    take_response(payload, delay);
    return tlm::TLM_COMPLETED;
  }
  return tlm::TLM_ACCEPTED;  // other phases are to be ignored
}

void TrafficGenerator::end_request(const sc_core::sc_time& delay) {
  open_ = nullptr;
  changed_.notify(delay);
}

void TrafficGenerator::take_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const Transaction& transaction = static_cast<Transaction&>(payload);
  Access& access = *transaction.access;
  access.answered = sc_core::sc_time_stamp() + delay;
  access.right = payload.is_response_ok() &&
                 std::count(transaction.data.begin(), transaction.data.end(), access.value) ==
                     static_cast<std::ptrdiff_t>(transaction.data.size());
  payload.release();
  changed_.notify(delay);
}
