#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/observe.h"
#include "modules/warp_scheduler/shared_policy.h"
#include "tlm/clock_domain.h"

namespace heddle {

/// What the policies of an SM are told, as waves show it: in the cycle in which they are told it, gone in the
/// next. Starts, ends and barriers are masks of warp or TB slots. Events of other kinds have ports, as many
/// as come of a kind in a cycle; `place` is an event's place among all that came by ports in the cycle.
class EventWaves final : public SharedPolicy {
 public:
  /// The kinds that are told to it whether a policy hears them or not: those of the SM's own residency and
  /// barriers.
  static constexpr EventSet kOwnKinds = event::TbStart::kBit | event::TbEnd::kBit | event::WarpStart::kBit |
                                        event::WarpFinish::kBit | event::WarpRetire::kBit |
                                        event::BarrierArrive::kBit | event::BarrierRelease::kBit;

  /// `clock` ticks the teller.
  EventWaves(const ClockDomain& clock, const GpuConfig& gpu) : clock_(clock), gpu_(gpu) {}

  /// Signals for the kinds of `told`.
  void trace_events(WaveSink& sink, EventSet told);
  /// At the end of a tick: what was told before it is gone. True while the next edge has to take something
  /// away.
  bool end_tick();

  void on_kernel_start(const KernelEvent& event) override;
  void on_grid_dispatched(const GridDispatched& event) override;
  void on_tb_start(const TbEvent& event) override;
  void on_tb_end(const TbEvent& event) override;
  void on_warp_start(const WarpEvent& event) override;
  void on_warp_finish(const WarpEvent& event) override;
  void on_warp_retire(const WarpEvent& event) override;
  void on_barrier_arrive(const BarrierEvent& event) override;
  void on_barrier_release(const BarrierEvent& event) override;
  void on_result(const ResultEvent& event) override;
  void on_load_coalesced(const LoadCoalesced& event) override;
  void on_l1d_access(const L1dAccess& event) override;
  void on_eviction(const L1dEviction& event) override;
  void on_store(const L1dStore& event) override;
  void on_load_looked_up(const LoadLookedUp& event) override;
  void on_load_returned(const LoadReturned& event) override;
  void on_mshr_room(const MshrRoom& event) override;
  void on_l2_reply(const L2Reply& event) override;
  void on_note(const PolicyNote& note) override;
  /// The schedulers run as without waves.
  bool calls_for_run() override { return false; }

 private:
  /// The ports of one kind. Field 0 is valid, 1 is place.
  template <unsigned kFields, unsigned kPorts>
  struct Ports {
    std::array<std::array<std::uint64_t, kFields + 2>, kPorts> port{};
    unsigned used = 0;
  };
  struct Masks {
    std::uint64_t tb_start = 0;
    std::uint64_t tb_end = 0;
    std::uint64_t warp_start = 0;
    std::uint64_t warp_finish = 0;
    std::uint64_t warp_retire = 0;
    std::uint64_t barrier_arrive = 0;
    std::uint64_t barrier_release = 0;
  };
  struct Tb {
    std::uint64_t index = 0;
    std::uint64_t launch = 0;
    std::uint64_t num_warps = 0;
  };
  struct FieldName {
    const char* name;
    unsigned bits;
    const std::vector<std::string>* names = nullptr;
  };

  /// Before something is noted: takes away what an earlier cycle was told.
  void note();
  void clear();
  template <unsigned kFields, unsigned kPorts>
  void put(Ports<kFields, kPorts>& ports, const std::array<std::uint64_t, kFields>& fields);
  template <unsigned kFields, unsigned kPorts>
  static void clear(Ports<kFields, kPorts>& ports);
  template <unsigned kFields, unsigned kPorts>
  static void trace_ports(WaveSink& sink, const Ports<kFields, kPorts>& ports, const char* name,
                          const std::array<FieldName, kFields>& fields);
  void trace_tbs(WaveSink& sink) const;

  const ClockDomain& clock_;
  const GpuConfig& gpu_;
  Cycle cycle_ = ~Cycle{0};  ///< of what is shown
  bool showing_ = false;
  std::uint64_t version_ = 0;  ///< counts the changes
  std::uint64_t place_ = 0;    ///< of the next event that comes by a port
  std::uint64_t missed_ = 0;   ///< events for which there was no port, since the start
  Masks masks_;
  std::array<Tb, kMaxWarps> tbs_{};  ///< by TB slot, the last that started
  Ports<1, 2> kernel_start_;
  Ports<1, 2> grid_dispatched_;
  Ports<3, 8> result_;
  Ports<6, 2> load_coalesced_;
  Ports<10, 4> l1d_access_;
  Ports<4, 2> l1d_eviction_;
  Ports<6, 2> l1d_store_;
  Ports<7, 2> load_looked_up_;
  Ports<3, 2> load_returned_;
  Ports<2, 1> mshr_room_;
  Ports<2, 2> l2_reply_;
  Ports<2, 4> note_;
};

}  // namespace heddle
