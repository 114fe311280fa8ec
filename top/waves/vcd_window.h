#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "tlm/clock_tree.h"
#include "top/waves/wave_recorder.h"

namespace heddle {

/// Core cycles [from, to) of which waveforms are written.
struct CycleWindow {
  std::uint64_t from = 0;
  std::uint64_t to = UINT64_MAX;
};

/// Writes signals to a VCD file during a window of simulated time: the trace file is created at the window's
/// first edge and closed at its end, so that nothing is sampled outside of it. The value shown at a core
/// cycle's time is the one that the blocks have left at that edge. `core_cycle` counts the cycles, since the
/// viewer's time axis is in femtoseconds.
///
/// Without follow() time stops at every core cycle of the window, so that no change between two of them is
/// lost, which makes the simulation slower.
class VcdWindow : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(VcdWindow);

  /// `path` without ".vcd". `signals` must outlive this module.
  VcdWindow(const sc_core::sc_module_name& name, std::string path, const std::vector<WaveSignal>& signals,
            CycleWindow window, const sc_core::sc_time& core_period);
  ~VcdWindow() override;

  /// For signals that change at core edges of `tree` only: the file is written after those edges at which one
  /// has changed, so that the tree may run ahead between them. `core_cycle` is then written at these edges
  /// only. Call before the simulation starts; `tree` must outlive this module.
  void follow(ClockTree& tree);

  /// Whether the window has begun, that is, whether there is a file.
  bool started() const { return started_; }
  /// Closes the file now, if it is open.
  void close();

 private:
  void start_of_simulation() override;
  void edge();
  void open();
  /// Called after an edge of the tree that is followed.
  void look();
  bool changed() const;
  /// Takes the values of the present time over.
  void show();

  std::string path_;
  const std::vector<WaveSignal>& signals_;
  CycleWindow window_;
  sc_core::sc_time period_;
  sc_core::sc_event event_;
  ClockTree* tree_ = nullptr;                    ///< that is followed
  std::vector<const std::uint64_t*> variables_;  ///< of the signals
  /// The values that the file shows, when a tree is followed: the blocks may be ahead of the kernel's time.
  std::vector<std::uint64_t> shown_;
  sc_core::sc_trace_file* file_ = nullptr;
  bool started_ = false;
  std::uint64_t cycle_ = 0;
};

}  // namespace heddle
