#pragma once

#include "tlm/memory_port.h"

namespace heddle {

/// Binds the two ends of each memory hop while a machine is put together. This one binds them directly; one
/// of your own may put a module in between (HopCheckers).
class HopBinder {
 public:
  HopBinder() = default;
  virtual ~HopBinder() = default;
  HopBinder(const HopBinder&) = delete;
  HopBinder& operator=(const HopBinder&) = delete;

  virtual void bind(MemoryInitiatorSocket& from, MemoryTargetSocket& to) { from.bind(to); }
  /// For machines that nobody watches.
  static HopBinder& direct() {
    static HopBinder binder;
    return binder;
  }
};

}  // namespace heddle
