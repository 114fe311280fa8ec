#pragma once

#include <string>
#include <vector>

namespace heddle::fidelity {

/// What is compared, with the same meaning on both sides.
struct Figures {
  double cycles = 0;
  double active_cycles = 0;  ///< cycles of an SM with a TB, mean of the SMs
  double ipc = 0;            ///< warp instructions per core cycle
  double l1d_miss = 0;       ///< of loads and stores at the L1D; merged misses are not counted as misses
  double l2_miss = 0;        ///< sectors fetched from DRAM over sectors asked of the L2
  double idle = 0;           ///< shares of the scheduler cycles of SMs with a TB; the four add up to 1
  double scoreboard = 0;
  double pipeline = 0;
  double issued = 0;
};

/// A kernel under a scheduler on both machines.
struct Row {
  std::string kernel;
  std::string scheduler;
  Figures reference;
  Figures ours;

  double ratio() const { return ours.cycles / reference.cycles; }
};

}  // namespace heddle::fidelity
