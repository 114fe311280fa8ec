#pragma once

#include <cstdint>

#include "modules/messages/ids.h"
#include "modules/tb_dispatcher/resources/occupancy.h"

namespace heddle {

/// Sees how warp-level management of an SM decides, and may decide in its place.
class WarpWatcher {
 public:
  WarpWatcher() = default;
  virtual ~WarpWatcher() = default;
  WarpWatcher(const WarpWatcher&) = delete;
  WarpWatcher& operator=(const WarpWatcher&) = delete;

  /// The dispatcher asks how many warps of a TB could start now: the model's answer, and the one that holds.
  virtual unsigned on_ask(const TbDemand& demand, unsigned warps) = 0;
  /// The SM takes a TB, with so many of its warps.
  virtual void on_accept(TbSlot slot, std::uint64_t tb, const TbDemand& demand, unsigned warps) = 0;
  /// At an edge so many unissued warps issue: the model's number, and the one that holds.
  virtual unsigned on_issue(unsigned warps) = 0;
  virtual void on_warp_end(WarpSlot warp) = 0;
  virtual void on_tb_end(TbSlot slot) = 0;
};

}  // namespace heddle
