#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "workloads/launch/kernel_launch.h"
#include "workloads/ptx/execution/execute_launch.h"
#include "workloads/ptx/execution/simt_stack.h"
#include "workloads/ptx/execution/warp_storage.h"
#include "workloads/ptx/lanes/bound_operation.h"
#include "workloads/ptx/lanes/lane_build.h"

namespace heddle::ptx {

/// Part of the global address space that a memory instruction was seen to access.
struct MemoryRange {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

/// The storage and the behaviour of a thread block; it serves one thread block after the other.
class BlockState {
 public:
  explicit BlockState(PtxLaunch& launch);
  BlockState(const BlockState&) = delete;
  BlockState& operator=(const BlockState&) = delete;

  /// Starts TB `tb` in this storage, which goes back to the launch when the result is destroyed.
  std::unique_ptr<ThreadBlock> start(std::uint64_t tb);

 private:
  static constexpr unsigned kNumBarriers = 16;
  static constexpr unsigned kNumPredicates = 64;

  struct Warp {
    LaneContext context;
    SimtStack stack;
    std::array<LaneMask, kNumPredicates> predicates{};
    /// A bar.red that waits for its result, and its lanes; lanes 0: none.
    const BoundOperation* reduction = nullptr;
    LaneMask reduction_lanes = 0;
    unsigned reduction_barrier = 0;
  };

  /// What the threads at a bar.red have contributed so far.
  struct Reduction {
    bool all = true;
    bool any = false;
    std::uint32_t count = 0;
  };

  /// What users see of a running thread block. It lives in this state's own memory, so that starting and
  /// ending thread blocks allocates nothing.
  class Handle final : public ThreadBlock {
   public:
    explicit Handle(BlockState& state) : state_(state) {}
    ~Handle() override { state_.launch_.recycle(state_); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    static void* operator new(std::size_t /*size*/, void* place) { return place; }
    static void operator delete(void* /*place*/) {}
    static void operator delete(void* /*place*/, void* /*same*/) {}

    std::uint32_t next_index(unsigned warp) const override { return state_.warps_[warp].stack.pc(); }
    LaneMask next_path(unsigned warp) const override { return state_.warps_[warp].stack.mask(); }
    void step(unsigned warp, const ExecutionSite& site, Step& out, LaneAddresses& addresses) override {
      state_.step(warp, site, out, addresses);
    }
    std::uint64_t run(unsigned warp, ExecutionSite& site, const Steps& steps, Step& last,
                      LaneAddresses& addresses) override {
      return state_.run(warp, site, steps, last, addresses);
    }
    void finish(const PutOffStep& step) override { state_.finish(step); }
    void barrier_released(unsigned barrier) override { state_.finish_reduction(barrier); }
    std::string describe_warp(unsigned warp) const override;

   private:
    BlockState& state_;
  };

  void step(unsigned warp, const ExecutionSite& site, Step& out, LaneAddresses& addresses);
  std::uint64_t run(unsigned warp, ExecutionSite& site, const Steps& steps, Step& last,
                    LaneAddresses& addresses);
  void execute(Warp& warp, std::uint32_t index, const ExecutionSite& site, Step& out,
               LaneAddresses& addresses);
  static void tell_next(const Warp& warp, std::uint32_t index, Step& out);
  void finish(const PutOffStep& step);
  void put_off(const Warp& warp, const BoundOperation& bound, const ExecutionSite& site,
               const std::uint64_t* address, bool consecutive);
  /// Copies the sources that are not rows of the width that the handler reads.
  void prepare_sources(LaneContext& context, const BoundOperation& bound, const ExecutionSite& site);
  /// Widens the handler's result to the register.
  void extend_result(LaneContext& context, const BoundOperation& bound);

  void access(Warp& warp, const BoundOperation& bound, const ExecutionSite& site, Step& out,
              LaneAddresses& addresses);
  /// tex: the texels of the active lanes, filtered.
  void fetch_texture(Warp& warp, const BoundOperation& bound, Step& out, LaneAddresses& addresses);
  /// The texture of a handle; faults when there is none that the operation can read.
  const Texture& texture_of(const Warp& warp, const BoundOperation& bound, unsigned lane,
                            std::uint64_t handle) const;
  void access_generic(Warp& warp, const BoundOperation& bound, const ExecutionSite& site, Step& out,
                      LaneAddresses& addresses);
  /// Moves the bytes of the active lanes, all in `space`.
  void access_space(Warp& warp, const BoundOperation& bound, const ExecutionSite& site, Space space,
                    const std::uint64_t* address);
  /// Checks the lanes' accesses against a range of their space.
  Probe look(const BoundOperation& bound, LaneMask active, const std::uint64_t* address,
             MemoryRange range) const;
  void access_global(Warp& warp, const BoundOperation& bound, const ExecutionSite& site,
                     const std::uint64_t* address);
  void move_global(Warp& warp, const BoundOperation& bound, const std::uint64_t* address, bool consecutive);

  void barrier(Warp& warp, const BoundOperation& bound, Step& out);
  void join_reduction(Warp& warp, const BoundOperation& bound, unsigned barrier);
  void finish_reduction(unsigned barrier);

  void print(Warp& warp, const BoundOperation& bound);
  [[noreturn]] void trap(Warp& warp, const BoundOperation& bound);
  /// The zero-terminated string at a generic address, as lane `lane` sees it.
  std::string string_at(const Warp& warp, const BoundOperation& bound, unsigned lane,
                        std::uint64_t address) const;
  /// `bytes` bytes at a generic address, as lane `lane` sees them; faults when they are not all there.
  void read(const Warp& warp, const BoundOperation& bound, unsigned lane, std::uint64_t address, void* to,
            std::size_t bytes) const;

  /// The value of source `index` in a lane, zero-extended.
  static std::uint64_t source_value(const LaneContext& context, const BoundOperation& bound, unsigned index,
                                    unsigned lane);

  /// Of an operation that may have been put off: the warp may stand at the next one.
  [[noreturn]] void fault(const Warp& warp, const BoundOperation& bound, unsigned lane,
                          const std::string& what) const;
  /// `address` is an offset for all spaces but global and const.
  [[noreturn]] void fault_access(const Warp& warp, const BoundOperation& bound, unsigned lane, Space space,
                                 std::uint64_t address) const;

  /// A store or an atomic on what can only be read.
  [[noreturn]] void fault_constant(const Warp& warp, const BoundOperation& bound,
                                   const std::uint64_t* address, const std::string& what) const;

  Handle& handle() { return *std::launder(reinterpret_cast<Handle*>(handle_memory_.data())); }
  unsigned index_of(const Warp& warp) const { return static_cast<unsigned>(&warp - warps_.data()); }

  PtxLaunch& launch_;
  const BoundOperation* operations_;
  const LaneBuild& build_;
  std::vector<Warp> warps_;
  AlignedBytes registers_;  ///< of all warps
  AlignedBytes rows_;       ///< RowBase::kBlockRows
  AlignedBytes shared_;
  ZeroedPages local_;  ///< thread after thread
  std::uint64_t local_stride_;
  std::array<std::uint32_t, 3> ctaid_{};
  /// Where each instruction last accessed global memory: most accesses of it go to the same buffer.
  std::vector<MemoryRange> last_ranges_;
  std::array<Reduction, kNumBarriers> reductions_{};
  alignas(Handle) std::array<std::uint8_t, sizeof(Handle)> handle_memory_{};
};

}  // namespace heddle::ptx
