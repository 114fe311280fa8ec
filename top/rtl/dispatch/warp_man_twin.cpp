#include "top/rtl/dispatch/warp_man_twin.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/pricing/bits.h"
#include "modules/tb_dispatcher/resources/dispatch_checks.h"
#include "top/rtl/dispatch_ports.h"

namespace heddle {

namespace {

constexpr unsigned kFirstOfWarpMan = static_cast<unsigned>(DispatchPort::kOffer);
constexpr unsigned kOutputsOfWarpMan = static_cast<unsigned>(DispatchPort::kFull);

/// The design has the ports in this order.
std::uint64_t& warp_man_port(PortTwin& twin, DispatchPort name) {
  return twin.words()[static_cast<unsigned>(name) - kFirstOfWarpMan];
}

std::uint64_t warp_man_bit(unsigned index) { return std::uint64_t{1} << index; }

}  // namespace

WarpManTwin::WarpManTwin(unsigned sm, const Watched& watched, bool decides, const PortTwin::Setup& setup)
    : watched_(watched),
      decides_(decides),
      sm_slot_bits_(hw::index_bits(watched.core->tb_slots)),
      twin_(sm, setup) {
  begin_cycle(0);
}

/// Before anything of the present cycle changes the buffer.
void WarpManTwin::go_on() {
  const std::uint64_t cycle = watched_.clock->cycle_now();
  if (cycle == now_) return;
  end_cycle();
  // Without a TB nothing changes.
  while (tbs_ != 0 && now_ + 1 < cycle) {
    begin_cycle(now_ + 1);
    end_cycle();
  }
  begin_cycle(cycle);
}

void WarpManTwin::begin_cycle(std::uint64_t cycle) {
  now_ = cycle;
  taken_ = false;
  std::fill(twin_.words().begin(), twin_.words().end(), 0);
  warp_man_port(twin_, DispatchPort::kIssueWarp) = watched_.buffer->first_warp().value();
  warp_man_port(twin_, DispatchPort::kBuffer) = buffer_word();
}

void WarpManTwin::end_cycle() { twin_.end_cycle(now_); }

std::uint64_t WarpManTwin::buffer_word() const {
  const WorkloadBuffer& buffer = *watched_.buffer;
  std::uint64_t word = buffer.valid() ? 1 : 0;
  word = word << WorkloadBuffer::kWarpBits | buffer.last_warp().value();
  word = word << WorkloadBuffer::kWarpBits | buffer.first_warp().value();
  word = word << WorkloadBuffer::kTbBits | buffer.tb();
  return word << sm_slot_bits_ | buffer.tb_slot().value();
}

/// What the twin puts out now.
std::uint64_t WarpManTwin::decide(unsigned output) { return twin_.look()[output - kOutputsOfWarpMan]; }

unsigned WarpManTwin::on_ask(const TbDemand& demand, unsigned warps) {
  go_on();
  if (taken_) return warps;
  warp_man_port(twin_, DispatchPort::kOffer) = 1;
  warp_man_port(twin_, DispatchPort::kOfferWarps) = demand.warps;
  warp_man_port(twin_, DispatchPort::kOfferRegisterWarps) =
      DispatchChecks::register_warps(*watched_.core, demand);
  warp_man_port(twin_, DispatchPort::kOfferSharedTbs) = DispatchChecks::shared_tbs(*watched_.core, demand);
  const auto twins = static_cast<unsigned>(decide(static_cast<unsigned>(DispatchPort::kStartWarps)));
  if (twins > demand.warps || (!decides_ && twins != warps)) {
    twin_.fail(now_, fmt::format("{}: the model has {:#x}, the twin {:#x}",
                                 port_name(output_of(DispatchPort::kStartWarps)), warps, twins));
  }
  warp_man_port(twin_, DispatchPort::kStartWarps) = twins;
  warp_man_port(twin_, DispatchPort::kFull) = twins == demand.warps ? 1 : 0;
  return twins;
}

void WarpManTwin::on_accept(TbSlot slot, std::uint64_t tb, const TbDemand& /*demand*/, unsigned /*warps*/) {
  go_on();
  taken_ = true;
  ++tbs_;
  ++decisions_;
  warp_man_port(twin_, DispatchPort::kTake) = 1;
  warp_man_port(twin_, DispatchPort::kTakeSlot) = slot.value();
  warp_man_port(twin_, DispatchPort::kTakeTb) = tb & hw::low_bits(WorkloadBuffer::kTbBits);
}

unsigned WarpManTwin::on_issue(unsigned warps) {
  go_on();
  const unsigned issued =
      decides_ ? static_cast<unsigned>(decide(static_cast<unsigned>(DispatchPort::kIssueCount))) : warps;
  if (issued > warps) {
    twin_.fail(now_, fmt::format("{}: the model has {:#x}, the twin {:#x}",
                                 port_name(output_of(DispatchPort::kIssueCount)), warps, issued));
  }
  decisions_ += issued;
  warp_man_port(twin_, DispatchPort::kIssueCount) = issued;
  return issued;
}

void WarpManTwin::on_warp_end(WarpSlot warp) {
  go_on();
  warp_man_port(twin_, DispatchPort::kWarpEnd) |= warp_man_bit(warp.value());
}

void WarpManTwin::on_tb_end(TbSlot slot) {
  go_on();
  --tbs_;
  warp_man_port(twin_, DispatchPort::kTbEnd) |= warp_man_bit(slot.value());
}

}  // namespace heddle
