#include "tlm/foreign_modules.h"

#include <fmt/format.h>

#include <unordered_set>

#include "tlm/clock_domain.h"

namespace heddle {

namespace {

class Walk {
 public:
  void visit(const std::vector<sc_core::sc_object*>& objects) {
    for (sc_core::sc_object* object : objects) {
      if (auto* socket = dynamic_cast<NativeSocket*>(object)) look_at(*socket, *object);
      visit(object->get_child_objects());
    }
  }
  SocketPeers peers;

 private:
  void look_at(NativeSocket& socket, const sc_core::sc_object& object) {
    const sc_core::sc_interface* peer = socket.peer();
    if (peer == nullptr) return;
    const auto* native = dynamic_cast<const NativeInterface*>(peer);
    check_clocks(dynamic_cast<const NativeInterface*>(socket.own()), native, object);
    if (!seen_.insert(peer).second) return;  // what passes calls on is the peer of two
    if (native == nullptr) peers.foreign.emplace_back(object.name());
    if (native == nullptr || native->asks_kernel_for_time()) peers.need_kernel_time = true;
  }
  static void check_clocks(const NativeInterface* own, const NativeInterface* peer,
                           const sc_core::sc_object& socket) {
    if (own == nullptr || peer == nullptr || !own->needs_its_clock()) return;
    if (peer->clock() == nullptr || peer->clock() == own->clock()) return;
    SC_REPORT_ERROR("/heddle/port",
                    fmt::format("{} is bound to a block with the clock {}; expected its own, {}",
                                socket.name(), peer->clock()->name(), own->clock()->name())
                        .c_str());
  }
  std::unordered_set<const sc_core::sc_interface*> seen_;
};

}  // namespace

const SocketPeers& socket_peers() {
  static const SocketPeers kNobodyYet;
  if (sc_core::sc_get_status() < sc_core::SC_END_OF_ELABORATION) return kNobodyYet;
  static const SocketPeers kPeers = [] {
    Walk walk;
    walk.visit(sc_core::sc_get_top_level_objects());
    return std::move(walk.peers);
  }();
  return kPeers;
}

}  // namespace heddle
