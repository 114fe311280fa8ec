#pragma once

#include "hw/logic/multiplexer.h"
#include "hw/storage/pipeline.h"
#include "hw/storage/register.h"
#include "modules/config/gpu_config.h"
#include "modules/warp_scheduler/policy_board.h"

namespace heddle {

/// From what one block decides until all SMs know of it: scheduler.broadcast_cycles in hardware timing, 1 in
/// ideal timing.
inline unsigned broadcast_cycles(const WarpSchedulerConfig& config) {
  return config.timing == hw::Timing::kHardware ? config.broadcast_cycles : 1;
}
inline PolicyBoard::Way note_way(const WarpSchedulerConfig& config) {
  return {broadcast_cycles(config), config.timing == hw::Timing::kHardware};
}

/// The registers of an SM along the wires on which something of `bits`, and whether it is there, comes to all
/// SMs: one per cycle of the way. The wires themselves are not priced.
inline hw::PipelineShape broadcast_shape(const GpuConfig& gpu, unsigned bits) {
  return {bits + 1, gpu.scheduler.broadcast_cycles};
}

/// An SM's end of the PolicyBoard. A note goes into a register, and from there up a tree to the middle of the
/// chip, which lets one through a cycle: each SM has a node of it, which takes one of two. From the middle it
/// goes to all SMs.
class NoteLink {
 public:
  /// Of notes that say `bits`. `owner` gets the parts.
  NoteLink(const hw::Owner& owner, const GpuConfig& gpu, const PolicyChannel& channel, unsigned bits)
      : channel_(channel),
        out_(owner, "note_out", {bits + 1, hw::Overflow::kWrap, 0}),
        node_(owner, "note_node", {2, bits + 1, 1}),
        way_(owner, "note_way", broadcast_shape(gpu, bits)) {
    for (const char* part : {"note_out", "note_way"}) {
      owner.note(part, "the way of a decision to all SMs, of which no paper says anything");
    }
  }

  /// As PolicyChannel::post. What the register holds is the board's matter: here it is its valid bit.
  void post(hw::Cycle cycle, std::uint64_t kind, std::uint64_t value) {
    out_.write(cycle, 1);
    node_.read(cycle);
    way_.enter(cycle);
    channel_.post(cycle, kind, value);
  }

 private:
  PolicyChannel channel_;
  hw::Register out_;
  hw::Multiplexer node_;
  hw::Pipeline way_;
};

}  // namespace heddle
