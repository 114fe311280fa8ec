#include "workloads/ptx/program/registers.h"

#include <algorithm>

#include "workloads/ptx/program/liveness.h"

namespace heddle::ptx {

namespace {

constexpr std::uint16_t kUnassigned = 0xFFFF;

/// Who may not share slots with whom.
class Interference {
 public:
  Interference(const std::vector<std::uint8_t>& widths, const std::vector<RegisterUse>& uses,
               const ControlFlowGraph& graph)
      : widths_(widths), neighbours_(widths.size()) {
    const std::vector<std::vector<std::uint32_t>> out = live_out(widths.size(), uses, graph);
    LiveSet live(widths.size());
    // Code that is never reached keeps nothing alive.
    for (const std::uint32_t block : graph.reachable()) {
      live.clear();
      for (const std::uint32_t i : out[block]) {
        live.insert(i);
      }
      scan(graph.blocks()[block], uses, live);
      if (block == 0) {  // what is read before it is written: all there from the start
        for (const std::uint32_t i : live.members()) {
          connect_all(i, live);
        }
        at_start_ = live.members();
      }
    }
  }

  const std::vector<std::uint32_t>& of(std::uint32_t virtual_register) const {
    return neighbours_[virtual_register];
  }
  const std::vector<std::uint32_t>& at_start() const { return at_start_; }

 private:
  /// Walks a block backwards; `live` is what lives at its end, then at its start.
  void scan(const ControlFlowGraph::Block& block, const std::vector<RegisterUse>& uses, LiveSet& live) {
    for (std::uint32_t i = block.end; i-- > block.first;) {
      const RegisterUse& use = uses[i];
      for (const std::uint32_t written : use.writes) {
        live.insert(written);  // a result that nobody reads takes its place all the same
      }
      for (const std::uint32_t written : use.writes) {
        connect_all(written, live);
        for (const std::uint32_t read : use.reads) {
          if (use.disjoint || widths_[read] != widths_[written]) {
            connect(written, read);
          }
        }
      }
      for (const std::uint32_t written : use.writes) {
        live.erase(written);
      }
      for (const std::uint32_t read : use.reads) {
        live.insert(read);
      }
    }
  }

  void connect_all(std::uint32_t a, const LiveSet& live) {
    for (const std::uint32_t b : live.members()) {
      connect(a, b);
    }
  }

  void connect(std::uint32_t a, std::uint32_t b) {
    if (a != b && (widths_[a] == 1) == (widths_[b] == 1)) {
      neighbours_[a].push_back(b);
      neighbours_[b].push_back(a);
    }
  }

  const std::vector<std::uint8_t>& widths_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::vector<std::uint32_t> at_start_;
};

/// The lowest free slot for `width`. A 64-bit register's row interleaves its lanes' halves over both slots of
/// a pair, so a lane of it overlays another lane of a 32-bit register there. Under divergence the two may be
/// live in different lanes at once (liveness follows one lane): a pair is used in one width only.
std::uint16_t choose(const std::vector<bool>& taken, std::vector<std::uint8_t>& pair_width,
                     std::uint8_t width) {
  const auto is_taken = [&](std::size_t slot) { return slot < taken.size() && taken[slot]; };
  std::size_t slot = 0;
  if (width == 1) {
    while (is_taken(slot)) {
      ++slot;
    }
    return static_cast<std::uint16_t>(slot);
  }
  const std::uint8_t row_width = width == 64 ? 64 : 32;
  const std::size_t step = width == 64 ? 2 : 1;
  for (;; slot += step) {
    if (slot / 2 >= pair_width.size()) {
      pair_width.resize(slot / 2 + 1, 0);
    }
    std::uint8_t& used_as = pair_width[slot / 2];
    const bool free = !is_taken(slot) && (width != 64 || !is_taken(slot + 1));
    if (free && (used_as == 0 || used_as == row_width)) {
      used_as = row_width;
      return static_cast<std::uint16_t>(slot);
    }
  }
}

class Colouring {
 public:
  Colouring(const std::vector<std::uint8_t>& widths, const Interference& interference)
      : widths_(widths), interference_(interference) {
    result_.slot.assign(widths.size(), kUnassigned);
  }

  void assign(std::uint32_t virtual_register) {
    if (result_.slot[virtual_register] != kUnassigned) {
      return;
    }
    taken_.clear();
    for (const std::uint32_t neighbour : interference_.of(virtual_register)) {
      const std::uint16_t slot = result_.slot[neighbour];
      if (slot == kUnassigned) {
        continue;
      }
      const std::size_t end = slot + (widths_[neighbour] == 64 ? 2U : 1U);
      taken_.resize(std::max(taken_.size(), end), false);
      taken_[slot] = true;
      taken_[end - 1] = true;
    }
    const std::uint8_t width = widths_[virtual_register];
    const std::uint16_t slot = choose(taken_, pair_width_, width);
    result_.slot[virtual_register] = slot;
    unsigned& used = width == 1 ? result_.num_predicates : result_.num_slots;
    used = std::max(used, slot + (width == 64 ? 2U : 1U));
  }

  RegisterAssignment finish() {
    std::replace(result_.slot.begin(), result_.slot.end(), kUnassigned, std::uint16_t{0});
    result_.num_slots += result_.num_slots % 2;
    result_.read_unwritten = interference_.at_start();
    return std::move(result_);
  }

 private:
  const std::vector<std::uint8_t>& widths_;
  const Interference& interference_;
  RegisterAssignment result_;
  std::vector<bool> taken_;
  std::vector<std::uint8_t> pair_width_;  ///< per pair of slots: 32, 64, or 0 while unused
};

}  // namespace

RegisterAssignment assign_registers(const std::vector<std::uint8_t>& widths,
                                    const std::vector<RegisterUse>& uses, const ControlFlowGraph& graph) {
  const Interference interference(widths, uses, graph);
  Colouring colouring(widths, interference);
  // In program order, which is optimal for straight code (the left-edge algorithm).
  for (const RegisterUse& use : uses) {
    for (const std::uint32_t read : use.reads) {
      colouring.assign(read);
    }
    for (const std::uint32_t written : use.writes) {
      colouring.assign(written);
    }
  }
  return colouring.finish();
}

}  // namespace heddle::ptx
