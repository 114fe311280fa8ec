#include "modules/memory_partition/dram_channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "modules/config/setting_error.h"
#include "modules/memory_partition/foreign_access.h"
#include "modules/memory_partition/sectors.h"
#include "modules/messages/foreign_requests.h"
#include "modules/messages/tick_order.h"

namespace heddle {

namespace {

constexpr unsigned kMaxPorts = 64;

void check(const DramConfig& config, unsigned ports) {
  if (ports == 0 || ports > kMaxPorts) {
    throw std::invalid_argument(fmt::format("a DRAM channel has 1 to {} ports, not {}", kMaxPorts, ports));
  }
  const auto check_queue = [](const char* key, unsigned places) {
    if (places >= kSectorsPerLine) return;
    throw SettingError(
        key, fmt::format("expected at least {}, the accesses of a line, found {}", kSectorsPerLine, places));
  };
  check_queue("dram.queue", config.queue);
  check_queue("dram.return_queue", config.return_queue);
}

}  // namespace

DramChannel::DramChannel(const sc_core::sc_module_name& name, ClockDomain& domain, const DramConfig& config,
                         const AddressMap& map, unsigned ports_wanted, unsigned port_depth,
                         const sc_core::sc_time& core_period, BackingStore* store)
    : sc_module(name),
      Clocked(domain, tick_order::kMemory, this->name(), &tick_of<DramChannel>),
      config_((check(config, ports_wanted), config)),
      map_(map),
      store_(store),
      controller_(config),
      credits_(config.queue + config.return_queue),
      pool_(credits_),
      answers_(ports_wanted) {
  const Ticks fixed = core_period.value() * config.fixed_latency_core_cycles;
  fixed_latency_ = (fixed + domain.period_ticks() - 1) / domain.period_ticks();
  for (DramRequest& request : pool_) unused_.push_back(request);
  for (unsigned port = 0; port < ports_wanted; ++port) {
    ports.add(fmt::format("port_{}", port).c_str(), *this, port_depth, this).announce(requesting_, port);
  }
}

bool DramChannel::tick() {
  const Cycle now = domain().cycle();
  charge_active(now);
  if (requesting_ != 0) take_offers();
  if (answering_ != 0) respond(now);
  starved_ = false;
  if (requesting_ != 0 && now >= input_free_ && controller_.queued(now) < config_.queue) accept(now);
  admit(now);
  const DramCommands commands =
      controller_.step(now, returning_ + kSectorsPerLine > config_.return_queue, queued_for_next(now));
  if (commands.column != nullptr || commands.row_for != nullptr) {
    commands_issued.fire(commands, now);
    account(commands, now);
  }
  if (wave_) update_wave(commands);
  const Cycle next = next_cycle(now);
  if (next == now + 1) return true;
  if (next != DramController::kNever) wake_in(next - now);
  return false;
}

void DramChannel::take_offers() {
  for (std::uint64_t left = requesting_; left != 0; left &= left - 1) {
    const auto port = static_cast<unsigned>(__builtin_ctzll(left));
    ports[port].begin_tick();
    // The end of a response announces itself like a request.
    if (ports[port].no_requests()) requesting_ &= ~bit(port);
  }
}

void DramChannel::respond(Cycle now) {
  for (std::uint64_t left = answering_; left != 0; left &= left - 1) {
    const auto port = static_cast<unsigned>(__builtin_ctzll(left));
    DramRequest* request = answers_[port].head();
    if (request->due > now || !ports[port].can_respond()) continue;
    answers_[port].pop_front();
    if (answers_[port].empty()) answering_ &= ~bit(port);
    credits_used_ -= request->credits;
    if (request->bursts_left == 0 && !request->write) returning_ -= request->credits;
    tlm::tlm_generic_payload& payload = *request->payload;
    if (MemoryRequest* extension = request_of(payload)) {
      extension->enter(Stage::kReplyQueue, request->due * domain().period_ticks());
    }
    if (carries_data(payload)) finish_foreign(payload);
    unused_.push_back(*request);
    ports[port].respond(payload);
  }
}

void DramChannel::finish_foreign(tlm::tlm_generic_payload& payload) {
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE || store_ == nullptr) return;
  if (!move_data(*store_, payload)) payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

void DramChannel::accept(Cycle now) {
  const std::uint64_t in_turn = requesting_ >> port_turn_ << port_turn_;
  for (std::uint64_t set : {in_turn, requesting_ & ~in_turn}) {
    for (; set != 0; set &= set - 1) {
      const auto port = static_cast<unsigned>(__builtin_ctzll(set));
      if (ports[port].has_request()) {
        accept_from(port, now);
        return;
      }
    }
  }
}

void DramChannel::accept_from(unsigned port, Cycle now) {
  tlm::tlm_generic_payload& payload = ports[port].request();
  const tlm::tlm_response_status status =
      request_of(payload) == nullptr ? ForeignRequests::check(payload, kLineBytes) : tlm::TLM_OK_RESPONSE;
  const bool refused = status != tlm::TLM_OK_RESPONSE;
  const SectorMask sectors = refused ? SectorMask{1} : sectors_of(payload);
  const DramTiming& timing = controller_.timing();
  const bool write = payload.is_write();
  const unsigned accesses = write ? 1 : timing.read_accesses(sectors);
  if (!enough_credits(accesses)) {
    starved_ = true;
    return;
  }
  ports[port].pop_request();
  if (ports[port].no_requests()) requesting_ &= ~bit(port);
  port_turn_ = port + 1 == ports.size() ? 0 : port + 1;
  DramRequest& request = unused_.pop_front();
  const MemoryLocation location = map_.locate(payload.get_address());
  request.payload = &payload;
  request.row = location.row;
  request.bank = static_cast<std::uint16_t>(location.bank);
  request.port = static_cast<std::uint16_t>(port);
  request.bursts_left =
      static_cast<std::uint16_t>(write ? timing.write_bursts(sectors) : accesses * timing.bursts_per_access);
  request.credits = static_cast<std::uint16_t>(accesses);
  request.write = write;
  credits_used_ += accesses;
  input_free_ = now + accesses;
  if (refused) {
    payload.set_response_status(status);
    answer(request, now + 1);
    return;
  }
  if (MemoryRequest* extension = request_of(payload)) {
    extension->enter(Stage::kDramQueue, domain().now());
  }
  ++(request.write ? writes_ : reads_);
  accesses_ += accesses;
  request.due = now + fixed_latency_;
  path_.push_back(request);
  ++path_size_;
}

void DramChannel::admit(Cycle now) {
  while (DramRequest* request = path_.head()) {
    if (request->due > now || controller_.queued(now) + request->credits > config_.queue) return;
    path_.pop_front();
    --path_size_;
    controller_.push(*request);
    queue_peak_ = std::max(queue_peak_, controller_.queued(now));
  }
}

int DramChannel::queued_for_next(Cycle now) const {
  if (fixed_latency_ == 0) return DramController::kAnyPush;
  const DramRequest* request = path_.head();
  if (request == nullptr || request->due > now + 1) return DramController::kNoPush;
  return static_cast<int>(config_.queue - request->credits);
}

void DramChannel::account(const DramCommands& commands, Cycle now) {
  const auto first_command = [this](const DramRequest& request) {
    MemoryRequest* extension = request_of(*request.payload);
    if (extension != nullptr && extension->stage() != Stage::kDram) {
      extension->enter(Stage::kDram, domain().now());
    }
  };
  if (commands.row_for != nullptr) first_command(*commands.row_for);
  if (commands.column == nullptr) return;
  DramRequest& request = *commands.column;
  first_command(request);
  active_until_ = now + controller_.timing().burst_cycles;
  if (request.bursts_left != 0) return;
  if (!request.write) returning_ += request.credits;
  answer(request,
         now + (request.write ? controller_.timing().write_latency : controller_.timing().read_latency));
}

void DramChannel::answer(DramRequest& request, Cycle due) {
  request.due = due;
  answers_[request.port].push_back(request);
  answering_ |= bit(request.port);
}

void DramChannel::charge_active(Cycle now) {
  // Since the last tick the controller held the same requests; an empty one was active up to the end of
  // its last column slot.
  if (now <= charged_until_) return;
  const Cycle end = controller_.empty() ? std::min(std::max(active_until_, charged_until_), now) : now;
  active_cycles_ += end - charged_until_;
  queue_sum_ += controller_.queued_sum(charged_until_, now);
  charged_until_ = now;
}

void DramChannel::settle() { charge_active(domain().cycle_now() + 1); }

Cycle DramChannel::next_cycle(Cycle now) const {
  Cycle next = DramController::kNever;
  const auto at = [&next, now](Cycle when) { next = std::min(next, std::max(when, now + 1)); };
  if (!controller_.empty()) at(controller_.next_step(now));
  // From when on `accesses` have room; without, the next access given to a bank, which is a step, makes some.
  const auto room_from = [this, now](unsigned accesses) {
    for (Cycle cycle = now + 1; cycle <= now + 2; ++cycle) {
      if (controller_.queued(cycle) + accesses <= config_.queue) return cycle;
    }
    return DramController::kNever;
  };
  if (const DramRequest* request = path_.head()) {
    const Cycle room = room_from(request->credits);
    if (room != DramController::kNever) {
      at(std::max(room, request->due));
    } else if (request->due > now) {
      at(request->due);
    }
  }
  // Without enough credits an answer, which has its own time, frees some.
  if (!starved_ && requesting_ != 0) at(std::max(room_from(1), input_free_));
  for (std::uint64_t left = answering_; left != 0; left &= left - 1) {
    const auto port = static_cast<unsigned>(__builtin_ctzll(left));
    const DramRequest& answered = *answers_[port].head();
    if (answered.due > now) {
      at(answered.due);
    } else if (!ports[port].awaiting_end()) {
      at(now + 1);
    }
  }
  if (wave_ && (wave_->column_command != 0 || wave_->row_command != 0)) at(now + 1);
  return next;
}

bool DramChannel::idle() const {
  return credits_used_ == 0 && ports.all([](const TargetPort& port) { return port.no_requests(); });
}

void DramChannel::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = ForeignRequests::check_form(payload);
  if (status != tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
    return;
  }
  if (store_ == nullptr || !move_data(*store_, payload)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const DramTiming& timing = controller_.timing();
  const Cycle cycles = fixed_latency_ + timing.activate_to_read + timing.read_latency;
  delay += sc_core::sc_time::from_value(cycles * domain().period_ticks());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned DramChannel::transport_dbg(tlm::tlm_generic_payload& payload) {
  return store_ == nullptr ? 0 : move_debug_data(*store_, payload);
}

}  // namespace heddle
