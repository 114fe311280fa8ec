#pragma once

#include <cstdint>
#include <optional>

#include "hw/logic/adder.h"
#include "hw/logic/minimum_tree.h"
#include "hw/logic/multiplexer.h"
#include "hw/logic/population_count.h"
#include "hw/logic/priority_selector.h"
#include "hw/logic/ratio_unit.h"
#include "hw/logic/request_groups.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/pipeline.h"
#include "hw/storage/register.h"

namespace heddle {

/// What the Simple Slicing predictor of one SM is built of: the state of SRTF's table 1, and what it takes to
/// fill it and to choose by it. docs/thread-blocks.md tells what each is for.
struct SlicingParts {
  static constexpr unsigned kCycleBits = 32;  ///< saturate, but for the clock's
  static constexpr unsigned kBlockBits = 26;  ///< TB numbers of a grid, as WarpMan's L_TBId

  SlicingParts(const hw::Owner& owner, unsigned kernels, unsigned tb_slots);

  // The table.
  hw::CounterArray active_cycles;
  hw::CounterArray done_blocks;
  hw::CounterArray total_blocks;
  hw::CounterArray resident_blocks;
  hw::CounterArray block_start;
  hw::CounterArray t;
  hw::CounterArray predicted;
  /// Of ideal timing alone: neither the algorithm nor the equation reads it.
  std::optional<hw::CounterArray> total_blocks_done;
  hw::BitVector reslice;
  // Beside it.
  hw::BitVector sampled;  ///< there is a t
  hw::BitVector wants;    ///< a prediction is asked for
  hw::BitVector known;    ///< there is one
  hw::CounterArray remaining;
  hw::BitVector tell;                 ///< there is something to tell the other SMs
  hw::Register sample;                ///< what: the kernel and its t
  hw::RequestGroups to_measure;       ///< slots whose TB is the first of a slice
  hw::PrioritySelector measured;      ///< the lowest of them
  hw::RequestGroups measured_kernel;  ///< whose it is
  hw::Multiplexer start_of_it;        ///< its Block_Start
  hw::Pipeline measure;               ///< both, for the next cycle
  hw::Adder duration;
  hw::PopulationCount ended;  ///< TBs that end in a cycle, by kernel
  hw::PrioritySelector next;  ///< whose prediction begins
  hw::Multiplexer of_next;    ///< what the table has of it
  hw::Adder blocks_left;
  hw::RatioUnit ratio;
  hw::Register unit_kernel;  ///< whose prediction is under way
  hw::BitVector live;        ///< and is wanted
  hw::Register base;         ///< active cycles when it began
  hw::Adder adder;
  hw::MinimumTree first;  ///< which of the kernels with waiting TBs ends first
};

}  // namespace heddle
