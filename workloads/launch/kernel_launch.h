#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "workloads/launch/instruction.h"
#include "workloads/launch/tb_work.h"

namespace heddle {

struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// A fault of the program under simulation (address out of bounds, misaligned access, trap). The message
/// is complete: kernel, file, line, instruction, thread, address, what was expected.
class ExecutionFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct PutOffStep;
class ThreadBlock;

/// Where and when a warp instruction executes: what special registers such as %smid and %clock read.
struct ExecutionSite {
  std::uint32_t sm = 0;
  std::uint32_t num_sms = 1;
  std::uint32_t warp_slot = 0;
  std::uint32_t num_warp_slots = 48;
  std::uint64_t cycle = 0;  ///< core clock
  /// With a list here, a step does not change what all SMs share (global memory by stores and atomics, the
  /// program's output): it enters such changes in the list, and ThreadBlock::finish makes them before the
  /// warp's next step. nullptr: a step makes them at once.
  std::vector<PutOffStep>* put_off = nullptr;
};

/// The texels that a texture fetch reads, as the texture cache sees them: global addresses, those of the
/// first lane that accesses memory first. A lane reads up to 8 (linear filter, three dimensions), or none
/// where all are beyond the texture.
struct TexelAddresses {
  std::vector<std::uint64_t> address;
  std::array<std::uint8_t, kWarpSize> of_lane{};  ///< how many each lane reads; 0 for the other lanes
  std::uint8_t bytes = 0;                         ///< of the largest texel that was read: 1 to 16
};

/// Addresses of one executed memory instruction. Global and const addresses are absolute; shared ones are
/// offsets into the TB's window; local ones are offsets into the thread's local memory; param ones are
/// offsets into the kernel's parameter block. Only lanes in the step's access mask are meaningful. A texture
/// fetch has no lane addresses but texels.
struct LaneAddresses {
  std::array<std::uint64_t, kWarpSize> lane;
  TexelAddresses texels;
};

/// The part of a step that was put off; see ExecutionSite.
struct PutOffStep {
  ThreadBlock* block = nullptr;
  unsigned warp = 0;
  std::uint32_t index = 0;  ///< of the instruction
  LaneMask lanes = 0;
  bool consecutive = false;                  ///< the block's own note
  const std::uint64_t* addresses = nullptr;  ///< of each lane; they stay where they are until then
  ExecutionSite site;
};

/// What executing one warp instruction did.
struct Step {
  LaneMask path = 0;    ///< lanes on this path of the program (SIMT-active), whatever the guard says
  LaneMask active = 0;  ///< lanes of those that executed it (guard predicate true)
  LaneMask access = 0;  ///< lanes that access memory; 0 unless a memory instruction
  /// Resolved space of a memory instruction (never kGeneric). Lanes of a generic access that resolve to
  /// different spaces are executed together and timed as the space of the lowest lane.
  Space space = Space::kNone;
  std::uint32_t index = 0;          ///< of the instruction
  std::uint32_t next_index = 0;     ///< instruction index the warp goes on at; meaningless when finished
  bool redirected = false;          ///< next_index is not this index + 1: buffered instructions are stale
  bool warp_finished = false;       ///< no lane is left
  bool at_barrier = false;          ///< the warp waits at `barrier`; it goes on at next_index when released
  std::uint8_t barrier = 0;         ///< barrier id, 0..15
  std::uint16_t barrier_warps = 0;  ///< warps that the barrier waits for; 0 = all unfinished warps of the TB
};

/// Steps of a warp that follow each other.
struct Steps {
  std::uint64_t most = 1;  ///< of them
  TbWork& work;            ///< to which they add
  bool to_access = false;  ///< one that accesses memory is the last
};

/// The functional state of one running thread block. Warps are numbered from 0 in the order of linear
/// thread ids. Not thread safe; different thread blocks may step on different threads when they put off what
/// they share (ExecutionSite).
class ThreadBlock {
 public:
  virtual ~ThreadBlock() = default;

  /// Index into Program::code of the instruction that warp `warp` executes next.
  virtual std::uint32_t next_index(unsigned warp) const = 0;
  /// Lanes on its path, whatever its guard predicate says. Meaningless for a warp that has finished.
  virtual LaneMask next_path(unsigned warp) const = 0;

  /// Executes that instruction functionally and advances the warp. `addresses` is written only for memory
  /// instructions. Throws ExecutionFault.
  virtual void step(unsigned warp, const ExecutionSite& site, Step& out, LaneAddresses& addresses) = 0;
  /// Steps until `steps` says, or the warp has finished or stands at a barrier, one a cycle from
  /// `site.cycle` on, which is moved on. How many it were, 1 at least. `last`: the last step. A front end may
  /// know a faster way than one by one.
  virtual std::uint64_t run(unsigned warp, ExecutionSite& site, const Steps& steps, Step& last,
                            LaneAddresses& addresses) {
    std::uint64_t done = 0;
    do {
      const std::uint32_t index = next_index(warp);
      step(warp, site, last, addresses);
      last.index = index;
      ++site.cycle;
      steps.work.add(index, last.active);
    } while (++done < steps.most && !last.warp_finished && !last.at_barrier &&
             (last.access == 0 || !steps.to_access));
    return done;
  }
  /// Does what a step of this block has put off. Throws ExecutionFault.
  virtual void finish(const PutOffStep& /*step*/) {}

  /// Tells that barrier `barrier` was met: results of a bar.red are written to the waiting warps.
  virtual void barrier_released(unsigned barrier) = 0;

  /// One line per SIMT-stack entry of the warp, for messages and deadlock reports.
  virtual std::string describe_warp(unsigned warp) const = 0;
};

/// One kernel launch, ready to run: what the thread-block dispatcher distributes and the SMs execute. Front
/// ends (PTX, later traces) implement it; timing sees no more than this.
class KernelLaunch {
 public:
  virtual ~KernelLaunch() = default;

  virtual const Program& program() const = 0;
  virtual Dim3 grid() const = 0;
  virtual Dim3 block() const = 0;
  /// Registers per thread for occupancy: from the workload when it says, otherwise Program's.
  virtual unsigned registers_per_thread() const = 0;
  /// Static plus dynamic shared memory of a TB.
  virtual unsigned shared_bytes() const = 0;
  /// First byte of the launch's code in the simulated address space (I-cache addresses = base + pc).
  virtual std::uint64_t code_base() const = 0;
  /// First byte of the parameter block in the constant space (constant-cache addresses).
  virtual std::uint64_t param_base() const = 0;
  /// First byte of the region that backs local memory in the global address space. Local word `k` (4 bytes)
  /// of the thread with global index g of an SM-resident slot lies at local_base + (k * slots + g) * 4, so
  /// that lanes that access the same offset coalesce.
  virtual std::uint64_t local_base() const = 0;

  /// Creates the state of the TB with linear index `tb` (x fastest), 0 <= tb < grid().count(). It may be
  /// created and destroyed on any thread.
  virtual std::unique_ptr<ThreadBlock> start(std::uint64_t tb) = 0;

  /// Where the workload launches it, as `FILE:LINE:COLUMN: ` before messages; empty when that is not known.
  const std::string& place() const { return place_; }
  void set_place(std::string place) { place_ = std::move(place); }

  unsigned threads_per_tb() const { return static_cast<unsigned>(block().count()); }
  unsigned warps_per_tb() const { return (threads_per_tb() + kWarpSize - 1) / kWarpSize; }

 private:
  std::string place_;
};

}  // namespace heddle
