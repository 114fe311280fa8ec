#pragma once

#include <functional>
#include <memory>
#include <string>
#include <systemc>

namespace heddle {

/// The SystemC process of a block: a method process that runs when its wake-up is notified. It is a child of
/// the block's module and named "tick"; for a block that is no module it is a child of the module whose
/// callback constructs it, and named BLOCK_tick_N.
class TickProcess {
 public:
  /// At the end of elaboration or the start of simulation. `block` is the block's hierarchical name, `tick`
  /// what the process does.
  TickProcess(const std::string& block, std::function<void()> tick);

  /// Starts it in the present evaluation phase. It hears nothing while it waits for another event
  /// (next_trigger).
  void wake_up() { wake_up_->notify(); }

 private:
  std::unique_ptr<sc_core::sc_event> wake_up_;
};

}  // namespace heddle
