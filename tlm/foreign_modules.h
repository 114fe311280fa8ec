#pragma once

#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace heddle {

class ClockDomain;

/// Base of what a block binds to its sockets: who derives from it promises to take the time from its clock
/// domain (ClockDomain::time), never from the SystemC kernel, and to be called by blocks only.
class NativeInterface : public virtual sc_core::sc_interface {
 public:
  /// True for what asks sc_time_stamp() all the same, so that the kernel's time has to be right.
  virtual bool asks_kernel_for_time() const { return false; }
  /// True for a block's end of a hop; false for what only passes calls on, behind which anybody may stand.
  virtual bool ticks() const { return false; }
  /// The block's clock, where it is of interest to its peers. Of what passes calls on: that of the initiator.
  virtual const ClockDomain* clock() const { return nullptr; }
  /// Its peer, when it has a clock(), must have the same.
  virtual bool needs_its_clock() const { return false; }
};

/// A socket of a block. Its peer, at the other end of the binding, is a foreign module's when it is no
/// NativeInterface.
class NativeSocket {
 public:
  virtual ~NativeSocket() = default;
  /// What the socket's calls reach; nullptr when it is not bound. From the end of elaboration on.
  virtual const sc_core::sc_interface* peer() const = 0;
  /// What the peer's calls reach here.
  virtual const sc_core::sc_interface* own() const = 0;
  bool foreign_peer() const {
    const sc_core::sc_interface* other = peer();
    return other != nullptr && dynamic_cast<const NativeInterface*>(other) == nullptr;
  }
};

/// The clock of the block at the other end of a socket; nullptr when there is none, or a foreign module.
inline const ClockDomain* clock_behind(const NativeSocket& socket) {
  const auto* peer = dynamic_cast<const NativeInterface*>(socket.peer());
  return peer == nullptr ? nullptr : peer->clock();
}

template <unsigned bits, class Types = tlm::tlm_base_protocol_types>
class NativeInitiatorSocket : public tlm::tlm_initiator_socket<bits, Types>, public NativeSocket {
 public:
  using tlm::tlm_initiator_socket<bits, Types>::tlm_initiator_socket;
  const sc_core::sc_interface* peer() const override { return this->get_base_port().get_interface(); }
  const sc_core::sc_interface* own() const override { return this->get_base_export().get_interface(); }
};

template <unsigned bits, class Types = tlm::tlm_base_protocol_types>
class NativeTargetSocket : public tlm::tlm_target_socket<bits, Types>, public NativeSocket {
 public:
  using tlm::tlm_target_socket<bits, Types>::tlm_target_socket;
  const sc_core::sc_interface* peer() const override { return this->get_base_port().get_interface(); }
  const sc_core::sc_interface* own() const override { return this->get_base_export().get_interface(); }
};

/// Who is at the other ends of the blocks' sockets.
struct SocketPeers {
  /// Names of the sockets at which a foreign module is bound, one for each; of sockets that are bound through
  /// each other, the outermost.
  std::vector<std::string> foreign;
  /// The kernel may be asked for the time, by a foreign module or by a block that does so itself.
  bool need_kernel_time = false;
};

/// The peers of this simulation, of which a process has one. Empty before the end of elaboration. Blocks of
/// two clocks at a socket that needs one are an SC_ERROR with the id `/heddle/port`. With need_kernel_time
/// the kernel's time is that of the blocks whenever one of them ticks: ClockTree does not run ahead, and all
/// blocks tick on one thread.
const SocketPeers& socket_peers();

}  // namespace heddle
