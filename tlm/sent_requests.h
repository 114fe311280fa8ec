#pragma once

#include <cstdint>
#include <tlm>
#include <unordered_map>

namespace heddle {

/// The requests that a port has sent to a module of another maker and that are not answered: such a module
/// may leave an address translated in what it answers (IEEE 1666-2011, 14.7), or answer what nobody asked.
class SentRequests {
 public:
  void sent(const tlm::tlm_generic_payload& payload) { addresses_[&payload] = payload.get_address(); }
  /// The response to `payload` has come: it gets the address back that it was sent with. False, and nothing
  /// is done, when it was not sent, or has been answered.
  bool answered(tlm::tlm_generic_payload& payload) {
    const auto found = addresses_.find(&payload);
    if (found == addresses_.end()) return false;
    payload.set_address(found->second);
    addresses_.erase(found);
    return true;
  }

 private:
  std::unordered_map<const tlm::tlm_generic_payload*, std::uint64_t> addresses_;
};

}  // namespace heddle
