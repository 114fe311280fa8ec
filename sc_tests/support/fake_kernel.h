#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "workloads/launch/kernel_launch.h"

namespace heddle::testing {

/// A kernel written instruction by instruction, executed without data: for tests of the timing blocks that
/// need no PTX. All lanes of a warp do the same.
class FakeKernel : public KernelLaunch {
 public:
  struct Op {
    std::uint32_t target = 0;  ///< of a branch
    int only_warp = -1;        ///< a branch that only this warp takes; -1: all
    unsigned times = 0;        ///< the branch is taken so often by each warp, then falls through
    std::uint8_t barrier = 0;
    std::uint16_t barrier_warps = 0;
    LaneMask active = kAllLanes;
    std::uint64_t address = 0;  ///< of lane 0; lane l accesses address + l * stride
    std::uint64_t stride = 4;
  };
  using Registers = std::initializer_list<std::uint16_t>;

  explicit FakeKernel(unsigned tbs = 1, unsigned threads = kWarpSize) {
    grid_.x = tbs;
    block_.x = threads;
    program_.name = "fake";
    program_.source_file = "fake.ptx";
  }

  Instruction& add(OpClass op_class, Unit unit, Registers destinations, Registers sources) {
    Instruction instruction;
    instruction.op_class = op_class;
    instruction.unit = unit;
    for (const std::uint16_t reg : destinations) instruction.add_destination(reg);
    for (const std::uint16_t reg : sources) instruction.add_source(reg);
    instruction.line = static_cast<std::uint32_t>(program_.code.size() + 1);
    program_.code.push_back(instruction);
    program_.text.push_back("op" + std::to_string(program_.code.size() - 1));
    ops_.emplace_back();
    return program_.code.back();
  }
  void fma(Registers destinations, Registers sources) {
    add(OpClass::kFp32Mad, Unit::kSp, destinations, sources);
  }
  void sfu(Registers destinations, Registers sources) {
    add(OpClass::kTranscendental, Unit::kSfu, destinations, sources);
  }
  Op& memory(MemOp mem, Space space, Registers destinations, Registers sources) {
    Instruction& instruction = add(OpClass::kMemory, Unit::kLdst, destinations, sources);
    instruction.mem = mem;
    instruction.space = space;
    instruction.bytes_per_lane = 4;
    instruction.element_bytes = 4;
    return ops_.back();
  }
  Op& load(Registers destinations, Registers sources = {}) {
    return memory(MemOp::kLoad, Space::kGlobal, destinations, sources);
  }
  Op& store(Registers sources = {}) { return memory(MemOp::kStore, Space::kGlobal, {}, sources); }
  void branch(std::uint32_t target, unsigned times) {
    add(OpClass::kSimple, Unit::kSp, {}, {}).control = Control::kBranch;
    ops_.back().target = target;
    ops_.back().times = times;
  }
  /// Taken by warp `warp` of each TB, always.
  void branch_of_warp(unsigned warp, std::uint32_t target) {
    branch(target, ~0U);
    ops_.back().only_warp = static_cast<int>(warp);
  }
  void barrier(std::uint8_t id = 0, std::uint16_t warps = 0) {
    add(OpClass::kSimple, Unit::kSp, {}, {}).control = Control::kBarrier;
    ops_.back().barrier = id;
    ops_.back().barrier_warps = warps;
  }
  void membar() { add(OpClass::kSimple, Unit::kSp, {}, {}).control = Control::kMembar; }
  void exit() { add(OpClass::kSimple, Unit::kSp, {}, {}).control = Control::kExit; }
  Op& op(std::size_t index) { return ops_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ops_.size()); }

  unsigned registers = 16;
  unsigned shared = 0;
  std::uint64_t code = 0x10000;
  std::vector<std::uint64_t> started_tbs;
  std::vector<std::pair<std::uint64_t, unsigned>> released_barriers;  ///< TB, barrier

  const Program& program() const override { return program_; }
  Dim3 grid() const override { return grid_; }
  Dim3 block() const override { return block_; }
  unsigned registers_per_thread() const override { return registers; }
  unsigned shared_bytes() const override { return shared; }
  std::uint64_t code_base() const override { return code; }
  std::uint64_t param_base() const override { return 0x8000; }
  std::uint64_t local_base() const override { return 0x4000000; }
  std::unique_ptr<ThreadBlock> start(std::uint64_t tb) override {
    started_tbs.push_back(tb);
    return std::make_unique<Block>(*this, tb);
  }

 private:
  class Block : public ThreadBlock {
   public:
    Block(FakeKernel& kernel, std::uint64_t tb)
        : kernel_(kernel), tb_(tb), index_(kernel.warps_per_tb(), 0), taken_(kernel.warps_per_tb()) {
      for (auto& taken : taken_) taken.resize(kernel.ops_.size(), 0);
    }
    std::uint32_t next_index(unsigned warp) const override { return index_[warp]; }
    LaneMask next_path(unsigned warp) const override { return kernel_.ops_[index_[warp]].active; }
    void step(unsigned warp, const ExecutionSite& /*site*/, Step& out, LaneAddresses& addresses) override {
      const std::uint32_t index = index_[warp];
      const Instruction& instruction = kernel_.program_.code[index];
      const Op& op = kernel_.ops_[index];
      out = {};
      out.path = op.active;
      out.active = op.active;
      out.next_index = index + 1;
      if (instruction.mem != MemOp::kNone) {
        out.access = op.active;
        out.space = instruction.space;
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
          addresses.lane[lane] = op.address + lane * op.stride;
      }
      switch (instruction.control) {
        case Control::kBranch:
          if (taken_[warp][index] < op.times &&
              (op.only_warp < 0 || static_cast<unsigned>(op.only_warp) == warp)) {
            ++taken_[warp][index];
            out.next_index = op.target;
            out.redirected = op.target != index + 1;
          }
          break;
        case Control::kBarrier:
          out.at_barrier = true;
          out.barrier = op.barrier;
          out.barrier_warps = op.barrier_warps;
          break;
        case Control::kExit:
          out.warp_finished = true;
          break;
        default:
          break;
      }
      index_[warp] = out.next_index;
    }
    void barrier_released(unsigned barrier) override { kernel_.released_barriers.emplace_back(tb_, barrier); }
    std::string describe_warp(unsigned warp) const override { return "  at " + std::to_string(index_[warp]); }

   private:
    FakeKernel& kernel_;
    std::uint64_t tb_;
    std::vector<std::uint32_t> index_;
    std::vector<std::vector<unsigned>> taken_;
  };

  Program program_;
  std::vector<Op> ops_;
  Dim3 grid_;
  Dim3 block_;
};

}  // namespace heddle::testing
