#pragma once

#include <memory>
#include <vector>

#include "tlm/hop_binder.h"
#include "tlm/protocol_checker.h"

namespace heddle {

/// Puts a ProtocolChecker into every hop that it binds, named after the hop's initiator. Owns them, so it
/// must live until the simulation has ended. Checkers look at sc_time_stamp(), so the machine's clocks do not
/// run ahead of it with them.
class HopCheckers : public HopBinder {
 public:
  void bind(MemoryInitiatorSocket& from, MemoryTargetSocket& to) override;

  /// In the order in which their hops were bound.
  const std::vector<std::unique_ptr<ProtocolChecker>>& checkers() const { return checkers_; }
  /// See ProtocolChecker; of all hops together.
  void check_idle();
  std::uint64_t violations() const;

 private:
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
};

}  // namespace heddle
