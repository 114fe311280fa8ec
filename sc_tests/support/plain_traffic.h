#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <systemc>
#include <tlm>
#include <vector>

namespace heddle::test {

/// A plain approximately timed initiator that knows nothing of Heddle: own memory manager, no extensions, its
/// process comes when SystemC lets it. Sends its script in order, each access at its time or as soon after as
/// the target and `most_in_flight` let it, and checks what loads return against the stores sent before them.
class TrafficGenerator : public sc_core::sc_module,
                         private tlm::tlm_bw_transport_if<>,
                         private tlm::tlm_mm_interface {
 public:
  SC_HAS_PROCESS(TrafficGenerator);
  explicit TrafficGenerator(const sc_core::sc_module_name& name, unsigned most_in_flight = 1)
      : sc_module(name), socket("socket"), most_in_flight_(most_in_flight) {
    socket.bind(*this);
    SC_METHOD(send);
    sensitive << next_;
    dont_initialize();
  }

  struct Access {
    explicit Access(tlm::tlm_mm_interface* manager) : payload(manager) {}
    tlm::tlm_generic_payload payload;
    std::array<unsigned char, 256> data{};
    std::vector<unsigned char> expected;
    sc_core::sc_time earliest;
    sc_core::sc_time accepted_at;
    sc_core::sc_time done_at;
    bool done = false;
  };

  tlm::tlm_initiator_socket<64> socket;
  std::vector<std::unique_ptr<Access>> accesses;

  Access& add(double at_ns, tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    Access& access =
        *accesses.emplace_back(std::make_unique<Access>(static_cast<tlm::tlm_mm_interface*>(this)));
    access.earliest = sc_core::sc_time(at_ns, sc_core::SC_NS);
    prepare(access.payload, command, address, bytes, access.data.data());
    return access;
  }
  Access& load(double at_ns, std::uint64_t address, unsigned bytes) {
    return add(at_ns, tlm::TLM_READ_COMMAND, address, bytes);
  }
  Access& store(double at_ns, std::uint64_t address, unsigned bytes, unsigned char value) {
    Access& access = add(at_ns, tlm::TLM_WRITE_COMMAND, address, bytes);
    access.data.fill(value);
    return access;
  }
  /// Loads and stores of 1 to 16 bytes within lines of 128, at addresses below `lines` of them.
  void add_random(unsigned count, unsigned lines, unsigned seed) {
    std::mt19937 engine(seed);
    const auto draw = [&engine](unsigned below) { return static_cast<unsigned>(engine() % below); };
    double at_ns = 1;
    for (unsigned i = 0; i < count; ++i) {
      const std::uint64_t address = std::uint64_t{draw(lines)} * 128 + std::uint64_t{draw(8)} * 16;
      const unsigned bytes = 1 + draw(16);
      at_ns += draw(4) == 0 ? draw(40) * 0.5 : 0;
      if (draw(3) == 0) {
        Access& access = store(at_ns, address, bytes, 0);
        for (unsigned char& byte : access.data) byte = static_cast<unsigned char>(draw(256));
      } else {
        load(at_ns, address, bytes);
      }
    }
  }
  static void prepare(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address,
                      unsigned bytes, unsigned char* data) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    payload.set_byte_enable_ptr(nullptr);
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  /// Answers of `payload`, which another sends through the socket, are taken and dropped.
  void let_pass(tlm::tlm_generic_payload& payload) { passing_ = &payload; }
  /// Accesses were added after the last one had been sent.
  void wake() { next_.notify(sc_core::SC_ZERO_TIME); }

  std::size_t done() const {
    std::size_t count = 0;
    for (const auto& access : accesses) count += access->done ? 1 : 0;
    return count;
  }
  /// Loads that did not return what was stored last before them.
  std::size_t stale() const {
    std::size_t count = 0;
    for (const auto& access : accesses) {
      count += access->payload.is_read() &&
                       !std::equal(access->expected.begin(), access->expected.end(), access->data.begin())
                   ? 1
                   : 0;
    }
    return count;
  }

 private:
  void start_of_simulation() override { next_.notify(sc_core::SC_ZERO_TIME); }

  void send() {
    if (sent_ == accesses.size() || waiting_ != nullptr || in_flight_.size() >= most_in_flight_) return;
    Access& access = *accesses[sent_];
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    const sc_core::sc_time earliest = std::max(access.earliest, free_at_);
    if (earliest > now) {
      next_.notify(earliest - now);
      return;
    }
    ++sent_;
    remember(access);
    access.payload.acquire();
    in_flight_[&access.payload] = &access;
    waiting_ = &access;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(access.payload, phase, delay);
    if (status == tlm::TLM_UPDATED) accept(now, delay);
    if (status == tlm::TLM_COMPLETED) finish(access.payload, delay);
  }
  void remember(Access& access) {
    const std::uint64_t address = access.payload.get_address();
    for (unsigned i = 0; i < access.payload.get_data_length(); ++i) {
      if (access.payload.is_write()) stored_[address + i] = access.data[i];
      const auto found = stored_.find(address + i);
      access.expected.push_back(found == stored_.end() ? initial(address + i) : found->second);
    }
  }
  void accept(const sc_core::sc_time& now, const sc_core::sc_time& delay) {
    waiting_->accepted_at = now;
    waiting_ = nullptr;
    free_at_ = now + delay;
    next_.notify(delay);
  }
  void finish(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    const auto found = in_flight_.find(&payload);
    if (found == in_flight_.end()) {
      SC_REPORT_ERROR("/test/traffic", "a response for an access that is not in flight");
      return;
    }
    found->second->done = true;
    found->second->done_at = sc_core::sc_time_stamp() + delay;
    if (waiting_ == found->second) accept(sc_core::sc_time_stamp(), delay);
    in_flight_.erase(found);
    payload.release();
    next_.notify(sc_core::SC_ZERO_TIME);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (&payload == passing_) {
      if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
      phase = tlm::END_RESP;
      return tlm::TLM_COMPLETED;
    }
    if (phase == tlm::END_REQ) {
      accept(sc_core::sc_time_stamp(), delay);
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    finish(payload, delay);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*start*/, sc_dt::uint64 /*end*/) override {}
  void free(tlm::tlm_generic_payload* /*payload*/) override {}

 public:
  /// What DataMemory holds at first.
  static unsigned char initial(std::uint64_t address) { return static_cast<unsigned char>(address * 7 >> 2); }

 private:
  unsigned most_in_flight_;
  sc_core::sc_event next_;
  std::map<const tlm::tlm_generic_payload*, Access*> in_flight_;
  std::map<std::uint64_t, unsigned char> stored_;
  Access* waiting_ = nullptr;
  const tlm::tlm_generic_payload* passing_ = nullptr;
  sc_core::sc_time free_at_;
  std::size_t sent_ = 0;
};

/// A plain approximately timed memory that knows nothing of Heddle. Serves each request after a random time,
/// those of one line of 128 bytes in their order, others in any; moves the data only then. Has no debug
/// transport.
class DataMemory : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  SC_HAS_PROCESS(DataMemory);
  /// Serves within `least_ns` to `most_ns`.
  DataMemory(const sc_core::sc_module_name& name, unsigned least_ns, unsigned most_ns)
      : sc_module(name), socket("socket"), least_ns_(least_ns), most_ns_(most_ns) {
    socket.bind(*this);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = TrafficGenerator::initial(i);
    SC_METHOD(accept);
    sensitive << begun_;
    dont_initialize();
    SC_METHOD(serve);
    sensitive << due_;
    dont_initialize();
  }

  tlm::tlm_target_socket<64> socket;
  std::array<unsigned char, 1 << 16> bytes{};
  unsigned reads = 0;
  unsigned writes = 0;

 private:
  struct Request {
    tlm::tlm_generic_payload* payload;
    sc_core::sc_time due;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_REQ) {
      payload.acquire();
      begun_payload_ = &payload;
      begun_.notify(delay + sc_core::sc_time(1, sc_core::SC_NS));
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::END_RESP) return tlm::TLM_ACCEPTED;
    responding_ = false;
    respond_from_ = sc_core::sc_time_stamp() + delay;
    due_.notify(delay);
    return tlm::TLM_COMPLETED;
  }
  void accept() {
    tlm::tlm_generic_payload& payload = *begun_payload_;
    const double wait = least_ns_ + static_cast<unsigned>(engine_() % (most_ns_ - least_ns_ + 1));
    queue_.push_back({&payload, sc_core::sc_time_stamp() + sc_core::sc_time(wait, sc_core::SC_NS)});
    due_.notify(sc_core::SC_ZERO_TIME);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    socket->nb_transport_bw(payload, phase, delay);
  }
  bool first_of_its_line(std::size_t position) const {
    for (std::size_t i = 0; i < position; ++i) {
      if (queue_[i].payload->get_address() / 128 == queue_[position].payload->get_address() / 128)
        return false;
    }
    return true;
  }
  void serve() {
    if (responding_) return;
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    if (now < respond_from_) {
      due_.notify(respond_from_ - now);
      return;
    }
    sc_core::sc_time next = sc_core::sc_max_time();
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (!first_of_its_line(i)) continue;
      if (queue_[i].due <= now) {
        respond(i);
        return;
      }
      next = std::min(next, queue_[i].due);
    }
    if (next != sc_core::sc_max_time()) due_.notify(next - now);
  }
  void respond(std::size_t position) {
    tlm::tlm_generic_payload& payload = *queue_[position].payload;
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(position));
    payload.set_response_status(move(payload) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    responding_ = socket->nb_transport_bw(payload, phase, delay) == tlm::TLM_ACCEPTED;
    payload.release();
    respond_from_ = sc_core::sc_time_stamp() + delay;
    if (!responding_) due_.notify(delay);
  }
  bool move(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    const unsigned length = payload.get_data_length();
    if (address + length > bytes.size()) return false;
    ++(payload.is_write() ? writes : reads);
    unsigned char* const data = payload.get_data_ptr();
    for (unsigned i = 0; i < length; ++i) {
      const unsigned char* const enables = payload.get_byte_enable_ptr();
      if (enables != nullptr && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
      if (payload.is_write()) {
        bytes[address + i] = data[i];
      } else {
        data[i] = bytes[address + i];
      }
    }
    return true;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    delay += sc_core::sc_time(least_ns_, sc_core::SC_NS);
    payload.set_response_status(move(payload) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_dmi& /*dmi*/) override {
    return false;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& /*payload*/) override { return 0; }

  unsigned least_ns_;
  unsigned most_ns_;
  std::mt19937 engine_{7};
  sc_core::sc_event begun_;
  sc_core::sc_event due_;
  tlm::tlm_generic_payload* begun_payload_ = nullptr;
  std::deque<Request> queue_;
  bool responding_ = false;
  sc_core::sc_time respond_from_;
};

}  // namespace heddle::test
