#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/observe.h"
#include "modules/messages/launch_events.h"
#include "modules/messages/tb_transaction.h"
#include "modules/tb_dispatcher/dispatch_policy.h"
#include "modules/tb_dispatcher/heard_slots.h"
#include "modules/tb_dispatcher/resources/contention_control.h"
#include "modules/tb_dispatcher/resources/sm_account.h"
#include "tlm/clocked.h"
#include "workloads/launch/functional_tb.h"

namespace heddle {

/// Distributes the thread blocks of kernel launches over the SMs (gtx480.md, "Clocks, size, occupancy"): at
/// most one TB per SM and cycle, SMs in turn from the one after the last that got one; TB indices ascend. The
/// resources of a TB whose end is reported at t can be given again from t + 1 on.
///
/// Which launch an SM's next TB is taken from is up to the policy. Unless SMs are mixed, an SM takes a new
/// launch only when it has drained. The host holds back a launch that depends on another until that has
/// ended.
///
/// An SM of another maker may stand behind each socket (TbProtocol). What it answers against the protocol is
/// an SC_ERROR with the id `/heddle/tb_dispatcher`, which names the socket.
///
/// TBs that the launch's sampler wants fast-forwarded are executed without timing, when the one before would
/// be followed by them, at the end of the cycle: what they store is seen from the next on. They count as
/// started and ended.
class TbDispatcher : public sc_core::sc_module,
                     public Clocked,
                     public LaunchEvents,
                     private DispatchView,
                     private tlm::tlm_bw_transport_if<TbProtocol>,
                     private NativeInterface {
 public:
  /// Scope of the waves of a kernel slot, with the slot's number behind it.
  static constexpr std::string_view kKernelScope = "kernel";

  /// `config` is kept. `hardware` owns the parts of the policy; its timing is that of the policy's. Throws
  /// std::invalid_argument as make_dispatch_policy does, and when a value of `dispatch` is out of range.
  TbDispatcher(const sc_core::sc_module_name& name, ClockDomain& domain, const CoreConfig& config,
               const TbDispatcherConfig& dispatch = {}, const hw::Owner& hardware = {});

  /// One per SM.
  sc_core::sc_vector<TbInitiatorSocket> sm;
  /// To the SMs, the first ones, whose issue rates contention control compares; empty when it compares none.
  sc_core::sc_vector<sc_core::sc_port<IssueCount>> issue_counts;

  /// SMs of which several tick at the same time count their launches apart: each in the set that is named
  /// here, 0 when nothing is. Before the first launch.
  void count_apart(std::vector<std::size_t> set_of_sm) { count_set_ = std::move(set_of_sm); }
  /// Queues a launch; its first TBs start at a strictly later edge, core.launch_latency_cycles later.
  /// `launch` lives until `launch_ended` has fired for it. Throws OccupancyError when no TB of it fits on an
  /// SM, and std::invalid_argument when its grid is empty or it should have arrived already.
  void launch(KernelLaunch& launch, std::uint64_t launch_id, const LaunchTerms& terms = {});
  /// No launch is to come, queued or running.
  bool idle() const { return launches_.empty() && coming_.empty(); }
  /// One line per launch that has arrived and of which no SM holds a TB, for a deadlock report.
  std::string describe_waiting() const;
  /// When no SM holds a TB: a line per launch whose TBs could start, which the policy gives to none. For the
  /// same.
  std::string describe_held_back() const;
  /// TBs that wait for an SM, all launches together.
  std::uint64_t tbs_waiting() const { return tbs_waiting_; }

  DispatchPolicy& policy() { return *policy_; }
  /// Tells `watcher` what is asked for of an SM's resources, and lets it say how many warps can start.
  void watch_room(unsigned index, WarpWatcher& watcher) { sms_[index].account.watch(watcher); }

  /// A launch's last TB has ended.
  EventPort<const LaunchRecord&> launch_ended;
  /// A launch's grid was spread over SMs (LaunchRecord::sms), as launches have come or gone.
  Probe<const LaunchRecord&> grid_spread;
  /// A TB was given to an SM: transaction, cycle.
  Probe<const TbTransaction&, Cycle> tb_dispatched;
  /// The end of a TB was seen: transaction, cycle.
  Probe<const TbTransaction&, Cycle> tb_ended;
  /// The policy has predicted a kernel's run time on an SM. Most policies predict nothing.
  Probe<const RuntimePrediction&> predicted;
  /// The policy has sampled a kernel, or an SM has been handed from one kernel to another.
  Probe<const PolicyInterval&> policy_interval;

  bool tick() override;
  void report(StatSink& sink) const;
  using sc_module::trace;
  void trace(WaveSink& sink);

 private:
  struct Running : TbTransaction {
    LaunchRecord* record = nullptr;
    TbShare* share = nullptr;
    TbSlot heard_slot{};       ///< that policies know it by
    bool taken = false;        ///< by its SM, which has not told its end
    unsigned warps_ended = 0;  ///< that the SM has told
    Ticks ends = 0;            ///< the latest time that it has told
  };
  struct Sm {
    explicit Sm(const CoreConfig& core) : account(core) {}
    SmAccount account;
    HeardSlots slots;
    const LaunchRecord* occupant = nullptr;  ///< whose TBs it holds
    unsigned resident = 0;
    std::vector<std::pair<Running*, Ticks>> ended;  ///< TBs that it reported ended, with the time
  };
  struct Wave {
    std::uint64_t tbs_waiting = 0;
    std::uint64_t launches = 0;
    std::uint64_t coming = 0;
    std::vector<std::uint64_t> resident;   ///< by SM
    std::vector<std::uint64_t> launch;     ///< by kernel slot: id
    std::vector<std::uint64_t> waiting;    ///< by kernel slot: TBs
    std::vector<std::uint64_t> of_kernel;  ///< by SM and kernel slot: resident TBs
  };

  const Launches& launches() const override { return launches_; }
  const Launches& coming() const override { return coming_; }
  bool can_start(const LaunchRecord& launch, unsigned sm) const override;
  std::uint64_t cycle() const override { return domain().cycle_now(); }

  tlm::tlm_sync_enum nb_transport_bw(TbTransaction& transaction, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;

  /// Over the SMs that the policy gives to each kernel.
  void spread_grids();
  void begin_watch();
  void read_issued();
  void arrive(std::unique_ptr<LaunchRecord> record);
  // What may change who can be given a TB; whether it has.
  bool watch();
  bool absorb_arrived();
  bool absorb_ended();
  void absorb_ended(Sm& target, Ticks now);
  bool times_have_come();
  void end_tb(Running& running);
  bool dispatch();
  bool start_on(unsigned sm);
  /// True when the SM takes the TB; an answer that the protocol does not know is an error.
  bool hand_over(Running& running);
  /// Whether the SM may say `phase` of the TB; an error when not.
  bool may_end(const TbTransaction& transaction, const tlm::tlm_phase& phase) const;
  [[gnu::cold]] void sample(LaunchRecord& record, unsigned sm);
  void fast_forward(LaunchRecord& record, unsigned sm);
  void go_on_waiting();
  void finish_waiting();
  /// Warps that a TB of the launch could start with on the SM.
  unsigned room(const LaunchRecord& launch, unsigned index) const {
    return sms_[index].account.room(launch.launch_id, launch.occupancy.demand,
                                    contention_->may_use_fragments(index));
  }
  Running& take_transaction();
  [[gnu::cold]] void update_wave();

  const CoreConfig& config_;
  TbDispatcherConfig dispatch_;
  std::unique_ptr<DispatchPolicy> policy_;
  std::unique_ptr<ContentionControl> contention_;
  Launches launches_;
  Launches coming_;                 ///< in the order of launched_at
  Cycle timer_for_ = 0;             ///< the arrival that a timer is set for
  Cycle change_for_ = 0;            ///< the policy's change that a timer is set for
  std::uint64_t kernel_slots_ = 0;  ///< bit k: a running launch has kernel slot k
  std::vector<Sm> sms_;
  std::vector<std::unique_ptr<Running>> transactions_;
  std::vector<Running*> free_transactions_;
  std::vector<std::size_t> count_set_;  ///< by SM
  std::vector<std::uint64_t> issued_;   ///< by the SMs that contention control watches
  Cycle watch_at_ = 0;                  ///< end of its period
  unsigned first_sm_ = 0;               ///< the one after the last that got a TB
  bool ask_again_ = false;              ///< the last tick gave TBs and others wait, or a launch was announced
  /// Fast-forwarded TBs that have not ended, as they wait for others.
  std::vector<std::unique_ptr<FunctionalTb>> waiting_tbs_;
  std::vector<Cycle> oracle_waits_;  ///< until when an oracle may wait for a stream's next launch
  std::uint64_t tbs_waiting_ = 0;
  std::uint64_t tbs_dispatched_ = 0;
  std::uint64_t partial_tbs_ = 0;
  std::uint64_t tbs_ended_ = 0;
  std::uint64_t launches_ended_ = 0;
  std::unique_ptr<Wave> wave_;
};

}  // namespace heddle
