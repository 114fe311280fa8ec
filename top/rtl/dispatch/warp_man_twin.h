#pragma once

#include <cstdint>

#include "modules/sm/residency/workload_buffer.h"
#include "modules/tb_dispatcher/resources/warp_watcher.h"
#include "tlm/clock_domain.h"
#include "top/rtl/dispatch/port_twin.h"

namespace heddle {

/// The twin of an SM's dispatch checks and workload buffer, in step with the model's or in their place. What
/// the SM tells in a cycle, and what the dispatcher asks and gives it then, are one cycle of the twin.
class WarpManTwin final : public WarpWatcher {
 public:
  struct Watched {
    const CoreConfig* core = nullptr;
    const WorkloadBuffer* buffer = nullptr;  ///< the SM's
    const ClockDomain* clock = nullptr;
  };
  WarpManTwin(unsigned sm, const Watched& watched, bool decides, const PortTwin::Setup& setup);

  unsigned on_ask(const TbDemand& demand, unsigned warps) override;
  void on_accept(TbSlot slot, std::uint64_t tb, const TbDemand& demand, unsigned warps) override;
  unsigned on_issue(unsigned warps) override;
  void on_warp_end(WarpSlot warp) override;
  void on_tb_end(TbSlot slot) override;

  /// The cycle under way is the last one.
  void finish() { end_cycle(); }

  std::uint64_t edges() const { return twin_.edges(); }
  /// TBs that started and unissued warps that issued.
  std::uint64_t decisions() const { return decisions_; }

 private:
  void go_on();
  void begin_cycle(std::uint64_t cycle);
  void end_cycle();
  std::uint64_t buffer_word() const;
  std::uint64_t decide(unsigned output);

  const Watched watched_;
  const bool decides_;
  const unsigned sm_slot_bits_;
  PortTwin twin_;
  std::uint64_t now_ = 0;
  bool taken_ = false;  ///< a TB starts in the cycle
  unsigned tbs_ = 0;    ///< that the SM has
  std::uint64_t decisions_ = 0;
};

}  // namespace heddle
