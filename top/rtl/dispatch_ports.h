#pragma once

#include "top/rtl/twin_design.h"

namespace heddle {

/// Ports of the twins of what gives thread blocks (TBs) to SMs. As TwinInput and TwinOutput they stand behind
/// those of warp schedulers, so that the same texts, caches and vectors serve both.
enum class DispatchPort : std::uint8_t {
  kCycle,            ///< low bits of the core cycle
  kLaunch,           ///< a bit: a kernel is launched
  kLaunchKernel,     ///< a number: its slot
  kLaunchBlocks,     ///< a number: its TBs that are expected on the SM
  kLaunchResidency,  ///< a number: its TBs that the SM holds when it is alone
  kKernelEnd,        ///< by kernel slot: those that end
  kRunning,          ///< by kernel slot: those of which the SM holds a TB
  kBlockStart,       ///< a bit: a TB starts
  kBlockSlot,        ///< a number: in this TB slot
  kBlockEnd,         ///< by kernel and TB slot: TBs that end
  kAdopt,            ///< what some SM tells all, as kSample
  kTold,             ///< a bit: it is this SM's
  kWaiting,          ///< by kernel slot: those of which a TB could start somewhere
  kReadKernel,       ///< a number: whose Pred_Cycles is asked for
  kFirst,            ///< of kWaiting the one that ends first
  kKnown,            ///< by kernel slot: those that are predicted
  kSample,           ///< what the SM tells all: whether there is something, the kernel, t
  kPredCycles,       ///< a number: Pred_Cycles of the kernel that is asked for

  kOffer,               ///< a bit: the dispatcher asks for a TB
  kOfferWarps,          ///< a number: its warps
  kOfferRegisterWarps,  ///< a number: warps that the registers of an SM are enough for
  kOfferSharedTbs,      ///< a number: TBs that its shared memory is enough for
  kTake,                ///< a bit: the TB starts
  kTakeSlot,            ///< a number: in this TB slot
  kTakeTb,              ///< a number: its place in the grid
  kWarpEnd,             ///< by warp slot: warps that end
  kTbEnd,               ///< by TB slot: TBs that end
  kFull,                ///< a bit: the whole TB can start
  kStartWarps,          ///< a number: warps of it that can
  kIssueCount,          ///< a number: unissued warps that issue
  kIssueWarp,           ///< a number: the first of them
  kBuffer,              ///< the workload buffer: valid, end_wid, start_wid, L_TBId, P_TBId
};
constexpr unsigned kNumDispatchPorts = 32;

constexpr unsigned kFirstDispatchPort = 128;
constexpr TwinInput input_of(DispatchPort port) {
  return static_cast<TwinInput>(kFirstDispatchPort + static_cast<unsigned>(port));
}
constexpr TwinOutput output_of(DispatchPort port) {
  return static_cast<TwinOutput>(kFirstDispatchPort + static_cast<unsigned>(port));
}

/// Of the port of a design with this number, that of a DispatchPort: its name and meaning. nullptr: it is one
/// of a warp scheduler's.
const char* dispatch_port_name(unsigned number);
const char* dispatch_port_meaning(unsigned number);

}  // namespace heddle
