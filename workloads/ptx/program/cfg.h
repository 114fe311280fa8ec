#pragma once

#include <cstdint>
#include <vector>

namespace heddle::ptx {

/// Where control goes after an operation.
struct Flow {
  enum class Kind : std::uint8_t {
    kNext,    ///< to the next operation
    kJump,    ///< to `target`
    kBranch,  ///< to `target` or the next operation
    kExit,    ///< the lanes leave the kernel
    kTrap,    ///< the kernel is aborted
  };
  Kind kind = Kind::kNext;
  std::uint32_t target = 0;
};

/// Basic blocks and immediate post-dominators of a list of operations. A target that is the number of
/// operations, and falling off the end, leave the kernel.
///
/// Lanes that trap go nowhere, so paths that can only trap do not count. A loop without an exit counts as if
/// its last back edge could leave, so that what lies inside it still reconverges.
class ControlFlowGraph {
 public:
  struct Block {
    std::uint32_t first = 0;  ///< operations [first, end)
    std::uint32_t end = 0;
    std::vector<std::uint32_t> successors;
    std::vector<std::uint32_t> predecessors;
  };

  explicit ControlFlowGraph(const std::vector<Flow>& flow);

  const std::vector<Block>& blocks() const { return blocks_; }

  /// The blocks that control can reach from the first.
  std::vector<std::uint32_t> reachable() const;

  /// First operation of the immediate post-dominator of the block that `operation` ends, or the number of
  /// operations when the lanes meet only at the exit.
  std::uint32_t reconvergence(std::uint32_t operation) const;

 private:
  /// Blocks in the order in which they are come to; what does not reach the exit has no number.
  struct Preorder {
    std::vector<std::uint32_t> number;  ///< by block
    std::vector<std::uint32_t> block;   ///< by number
    std::vector<std::uint32_t> parent;  ///< number, by number
  };

  void find_blocks(const std::vector<Flow>& flow);
  void link(std::uint32_t from, std::uint32_t operation);
  void find_post_dominators(const std::vector<Flow>& flow);
  Preorder preorder(const std::vector<std::uint32_t>& leaving) const;
  std::vector<std::uint32_t> leaving_blocks(const std::vector<Flow>& flow) const;
  void mark_backwards(std::uint32_t block, std::vector<bool>& marked) const;

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_of_;
  std::vector<std::uint32_t> post_dominator_;  ///< per block; blocks_.size() is the exit
  std::uint32_t num_operations_ = 0;
};

}  // namespace heddle::ptx
