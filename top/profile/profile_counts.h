#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "modules/counts/warp_state.h"
#include "workloads/launch/instruction.h"

namespace heddle {

/// Warp cycles by state, of a scheduler, an SM, the GPU or a launch.
struct WarpAccount {
  StateCycles cycles{};
  std::uint64_t scheduler_cycles = 0;    ///< with a resident warp on the SM (of a launch: one of its own)
  std::uint64_t no_eligible_cycles = 0;  ///< of these, in which the scheduler had no eligible warp

  /// Warp instructions: a scheduler issues one in a cycle at most.
  std::uint64_t issued() const { return cycles[static_cast<unsigned>(WarpState::kSelected)]; }
  std::uint64_t resident() const { return resident_cycles(cycles); }
  std::uint64_t eligible() const;
  WarpAccount& operator+=(const WarpAccount& other);
};

/// What one instruction of a kernel did.
struct LineCounts {
  StateCycles cycles{};                    ///< of warps; whose instruction it is: docs/profile.md
  std::uint64_t issued = 0;                ///< warp instructions
  std::uint64_t path_lanes = 0;            ///< lanes on its path
  std::uint64_t lanes = 0;                 ///< of these, that executed it
  std::uint64_t access_lanes = 0;          ///< lanes that accessed memory
  std::uint64_t accesses = 0;              ///< to the L1D
  std::uint64_t moved_bytes = 0;           ///< of these accesses
  std::uint64_t bank_cycles = 0;           ///< of the shared-memory banks
  std::uint64_t bank_conflict_cycles = 0;  ///< of these, after the first of each instruction
  std::uint64_t constants = 0;             ///< reads of the constant cache
  std::uint64_t texture_lines = 0;         ///< lines of textures sent to the texture cache
  std::uint64_t texture_hits = 0;          ///< of these, as they were looked up
  std::uint64_t texture_pending = 0;
  std::uint64_t texture_misses = 0;
  std::uint64_t l1d_hits = 0;
  std::uint64_t l1d_merged = 0;
  std::uint64_t l1d_misses = 0;
  std::uint64_t results = 0;
  std::uint64_t result_cycles = 0;  ///< from issue to the hand-over to write-back, summed

  LineCounts& operator+=(const LineCounts& other);
};

/// A kernel's instructions as its source has them.
struct KernelText {
  struct Line {
    std::uint32_t line = 0;  ///< in the PTX file; 0: it is not there
    std::string text;
    std::string source;  ///< "kernel.cu:12": of the program that the PTX was made of; "" when not known
    MemOp mem = MemOp::kNone;
    Space space = Space::kNone;
    std::uint8_t bytes_per_lane = 0;
  };
  std::string name;
  std::string file;
  std::uint64_t code_base = 0;
  std::vector<Line> lines;
};

struct KernelProfile {
  KernelText text;
  std::vector<LineCounts> lines;  ///< by instruction
};

struct SmWarps {
  WarpAccount total;
  std::vector<WarpAccount> schedulers;
};

/// Of a whole run.
struct ProfileCounts {
  WarpAccount gpu;
  std::vector<SmWarps> sms;
  std::map<std::uint64_t, WarpAccount> launches;  ///< by id
  std::vector<KernelProfile> kernels;             ///< by address
};

}  // namespace heddle
