#pragma once

#include <cstdint>
#include <tlm>

#include "modules/messages/ids.h"
#include "tlm/foreign_modules.h"
#include "workloads/launch/kernel_launch.h"

namespace heddle {

struct LaunchCounts;

/// Payload of the protocol between the TB dispatcher (initiator) and an SM (target): one thread block.
struct TbTransaction {
  KernelLaunch* launch = nullptr;
  std::uint64_t launch_id = 0;     ///< position of the launch in the workload, from 0
  unsigned stream = 0;             ///< number of the stream of launches that it comes from
  LaunchCounts* counts = nullptr;  ///< of the launch; nullptr: not counted
  std::uint64_t tb = 0;            ///< linear TB index in the grid
  SmId sm;
  TbSlot tb_slot;  ///< set by the SM on acceptance
  /// Warps that start at once; the others, in the order of their ids, as soon as the SM has room
  /// (WarpMan 4.2). 0: all.
  std::uint16_t start_warps = 0;
  bool use_fragments = true;  ///< its warps may have room in which no whole TB fits (WarpMan 6.1)
  WarpInTb warp;              ///< with phase WARP_DONE: which warp of the TB ended
  bool refused = false;       ///< set by the SM when it lacks the resources
};

DECLARE_EXTENDED_PHASE(WARP_DONE);

/// fw BEGIN_REQ starts the TB; the SM returns TLM_UPDATED/END_REQ with `tb_slot`, or TLM_COMPLETED with
/// `refused`. Then bw WARP_DONE reports each warp that ends, with `warp`, and bw BEGIN_RESP, once, the whole
/// TB, after which its resources are free; with warp-level management those of a warp are free after its
/// WARP_DONE (SmAccount), otherwise it may be left out. All take effect at the first edge strictly after the
/// present time plus the call's delay.
struct TbProtocol {
  using tlm_payload_type = TbTransaction;
  using tlm_phase_type = tlm::tlm_phase;
};

/// What the TB dispatcher may ask an SM besides.
class IssueCount : public virtual sc_core::sc_interface {
 public:
  /// Warp instructions that the SM has issued so far.
  virtual std::uint64_t warp_instructions() const = 0;
};

constexpr unsigned kTbSocketBits = 32;
using TbInitiatorSocket = NativeInitiatorSocket<kTbSocketBits, TbProtocol>;
using TbTargetSocket = NativeTargetSocket<kTbSocketBits, TbProtocol>;

}  // namespace heddle
