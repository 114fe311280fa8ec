#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "hw/pricing/owner.h"
#include "workloads/launch/instruction.h"

namespace heddle {

/// The complete, checked configuration that the model runs on. Member initialisers are the defaults: the
/// GTX480-like reference machine of gtx480.md; top/ maps YAML keys onto these members one to one, with the
/// ranges. All sizes are per instance (per SM, per slice, per channel).

enum class SetIndex : std::uint8_t { kLinear, kHashed };
enum class AllocatePolicy : std::uint8_t { kOnMiss, kOnFill };
enum class Topology : std::uint8_t { kCrossbar, kButterfly };
/// Delta of OAWS's CNT (OAWS 4.3.1): by the load's sensitivity to associativity, or always the same.
enum class OawsDelta : std::uint8_t { kByLoad, kOne, kHalf };
enum class DramScheduling : std::uint8_t { kFrFcfs, kFcfs };

struct ClockConfig {
  double core_mhz = 700;
  double interconnect_mhz = 700;
  double l2_mhz = 700;
  double dram_mhz = 924;  ///< command clock
};

struct CacheConfig {
  unsigned sets = 32;
  unsigned ways = 4;
  unsigned line_bytes = 128;
  SetIndex set_index = SetIndex::kHashed;
};

/// Latency in core cycles and initiation interval of one operation class (gtx480.md, "Latency/initiation").
struct OpTiming {
  unsigned latency_cycles = 1;
  unsigned initiation_cycles = 1;
};

/// Parameters of one policy each: scheduler.<policy>.<parameter>.
struct TwoLevelConfig {
  unsigned fetch_group_warps = 8;  ///< warps per fetch group (Narasiman et al.)
};
enum class LongWait : std::uint8_t { kUntilData, kMarked };
struct TwoLevelActiveConfig {
  unsigned active_warps = 6;               ///< active warps per scheduler
  LongWait long_wait = LongWait::kMarked;  ///< who makes room for others
};
struct SwlConfig {
  unsigned warps = 48;  ///< warps of an SM that may issue
};
/// OAWS Table 3.
struct CcwsConfig {
  unsigned base_score = 100;
  unsigned k_throttle = 8;
  unsigned vta_entries = 16;  ///< victim tags per warp
  unsigned vta_ways = 8;
};
/// OAWS 5, "MASCAR": the memory is saturated with so many free or fewer.
struct MascarConfig {
  unsigned free_entries = 1;  ///< of the L1D's MSHRs
  unsigned free_queue = 1;    ///< places of the miss queue
};
/// Who decides about a kernel: the first SM on which a warp finishes, for all; each SM for itself; or, of a
/// pair of SMs that share two kernels, each SM about one of them, for all (iPAWS 4.3).
enum class IpawsDecider : std::uint8_t { kFirstSm, kEachSm, kSmPair };
/// What has an instruction-issue counter and a stall counter of its own.
enum class IpawsCounters : std::uint8_t { kWarp, kTb };
struct IpawsConfig {
  std::string greedy = "gto";     ///< QUALIFIER+PRIORITIZER of the Adapt phase and of concave kernels
  std::string fair = "lrr";       ///< of convex kernels
  bool recover = true;            ///< Recover phase before the fair scheduler
  bool warps_of_interest = true;  ///< false: all warps of the SM count
  IpawsDecider decider = IpawsDecider::kFirstSm;
  IpawsCounters counters = IpawsCounters::kWarp;
};
struct AdaptLocalConfig {
  std::string greedy = "gto";  ///< while intra-warp locality prevails, and at first
  std::string fair = "lrr";    ///< while inter-warp locality prevails
  unsigned sampling_period_cycles = 10000;
  unsigned intra_weight = 1;  ///< of an intra-warp hit
  unsigned inter_weight = 1;  ///< of an inter-warp hit
};

struct ProConfig {
  unsigned progress_bits = 32;            ///< of a progress register; it wraps (PRO III.E)
  std::uint64_t threshold_cycles = 1000;  ///< between sorts of the TBs that wait for nothing (PRO III.C.1)
  unsigned tb_comparators = 1;            ///< that sort the TBs of an SM
  unsigned warp_comparators = 1;          ///< per TB: that sort its warps
  unsigned cycles_per_compare = 0;        ///< hardware timing; 0: from the logic depth and the clock
  unsigned logged_sorts = 0;  ///< first sorts of each SM whose TB order is put into the statistics
};

/// oaws_static, oaws_dynamic, ocw_throttling (OAWS 4.2 to 4.4).
struct OawsConfig {
  unsigned miss_percent =
      50;  ///< of a divergent load's active lanes (dynamic: of thrashing warps); 0: no load is held back
  unsigned coherent_lines = 2;  ///< a load of more lines is divergent
  unsigned dlc_entries = 32;    ///< divergent load classifier
  unsigned ocw_min = 2;         ///< optimal cached warps: start and least value
  unsigned cnt_start = 128;
  unsigned cnt_max = 255;
  OawsDelta delta = OawsDelta::kByLoad;
};

struct WarpSchedulerConfig {
  std::string name = "gto";  ///< PRIORITIZER or QUALIFIER+PRIORITIZER; see `heddle list schedulers`
  hw::Timing timing = hw::Timing::kIdeal;  ///< of the parts that a policy is built of
  /// Core clock period: what a part's logic has to fit into.
  double clock_fo4 = hw::Owner::kDefaultClockFo4;
  TwoLevelConfig two_level;
  TwoLevelActiveConfig two_level_active;
  ProConfig pro;
  SwlConfig swl;
  CcwsConfig ccws;
  MascarConfig mascar;
  OawsConfig oaws;
  IpawsConfig ipaws;
  AdaptLocalConfig adapt_local;
};

/// The thread-block dispatcher and what an SM may hold together.
struct TbDispatcherConfig {
  std::string policy = "fifo";          ///< see `heddle list dispatch_policies`
  bool mixed_sms = false;               ///< an SM may hold TBs of several kernels; false: it drains first
  unsigned max_kernels = 8;             ///< that run at once (SRTF 5.1.2: 8 on Fermi); more wait
  unsigned sampling_sm = 0;             ///< srtf: where a new kernel is sampled (SRTF 5.1.1, figure 12)
  double adaptive_threshold = 0.5;      ///< srtf_adaptive: unfairness above which kernels share (SRTF 5.1.2)
  bool adaptive_only_if_fairer = true;  ///< srtf_adaptive: only if sharing is predicted to lessen it
  unsigned adaptive_residency =
      3;  ///< srtf_adaptive: TBs per SM of the fastest kernel when sharing (SRTF 5.1.2)
  std::uint64_t oracle_lookahead_cycles = 100;  ///< sjf, ljf: how long ahead they know what arrives
};

/// How the resources of an SM are given to thread blocks (WarpMan).
struct SmResourcesConfig {
  std::string management = "tb";  ///< see `heddle list resource_managements`
  std::string contention =
      "none";  ///< what holds partial thread blocks back; see `heddle list contention_controls`
  unsigned contention_warps =
      36;  ///< threshold: no warp-level allocation at so many warps of an SM (WarpMan 6.1)
  std::uint64_t dueling_period_cycles = 10000;  ///< dueling: the two SMs' IPC is compared so often
};

constexpr unsigned kMaxSchedulers = 4;  ///< of an SM

struct CoreConfig {
  unsigned sms = 15;
  unsigned warps = 48;  ///< warp slots
  unsigned threads = 1536;
  unsigned tb_slots = 8;
  unsigned registers = 32768;             ///< 32-bit
  unsigned register_allocation_unit = 4;  ///< registers per thread are rounded up to this
  unsigned max_registers_per_thread = 0;  ///< 0: no limit (nothing is spilled)
  unsigned shared_bytes = 49152;
  unsigned shared_allocation_bytes = 128;
  SmResourcesConfig resources;
  unsigned schedulers = 2;        ///< 1 to kMaxSchedulers
  bool rotate_schedulers = true;  ///< which scheduler picks first for the shared LD/ST and SFU slots
  std::uint64_t launch_latency_cycles = 0;
  bool load_statistics = false;            ///< see LoadStatistics; costs time
  std::uint64_t watchdog_cycles = 100000;  ///< no warp issues and nothing returns for so long: deadlock
};

struct FetchConfig {
  unsigned ibuffer_entries = 2;  ///< per warp; refilled when empty
  unsigned fetch_bytes = 16;
  CacheConfig cache{4, 4, 128, SetIndex::kLinear};
  unsigned mshr_entries = 2;
};

struct OperandCollectorConfig {
  unsigned banks = 16;
  unsigned sp_units = 6;
  unsigned sfu_units = 8;
  unsigned mem_units = 2;
  unsigned sp_issue_slots = 2;  ///< instructions per cycle into / out of the collector for SP
  unsigned sfu_issue_slots = 1;
  unsigned mem_issue_slots = 1;
};

struct ExecutionConfig {
  unsigned sp_units = 2;
  unsigned sfu_units = 1;
  unsigned result_bus_width = 2;  ///< results per cycle into write-back
  /// Indexed by OpClass. kMemory is not used.
  std::array<OpTiming, kNumOpClasses> timing{{
      {1, 1},      // simple
      {4, 1},      // int add
      {13, 2},     // int min/max
      {4, 2},      // int mul
      {5, 1},      // int mad
      {145, 8},    // int div
      {32, 4},     // shuffle
      {4, 1},      // fp32 add
      {13, 2},     // fp32 min/max
      {4, 1},      // fp32 mul
      {5, 1},      // fp32 mad
      {39, 4},     // fp32 div
      {8, 8},      // fp64 add
      {19, 16},    // fp64 min/max
      {8, 8},      // fp64 mul
      {8, 8},      // fp64 mad
      {330, 130},  // fp64 div
      {8, 8},      // transcendental
      {1, 1},      // memory
  }};
};

struct LdstConfig {
  unsigned shared_banks = 32;
  unsigned shared_bank_bytes = 4;
  unsigned shared_latency_cycles = 26;
  bool shared_atomic_turns = false;  ///< lanes whose atomics update one word use its bank one after the other
  unsigned replay_entries = 32;      ///< accesses; of the re-execution queue of policies that have one
  unsigned l1_latency_cycles = 35;   ///< access generation to the write-back of a hit
  CacheConfig constant_cache{64, 2, 64, SetIndex::kLinear};
  unsigned constant_mshr_entries = 2;
  unsigned constant_mshr_merges = 32;  ///< reads per entry, the first included
};

struct MshrConfig {
  unsigned entries = 64;
  unsigned merges = 8;  ///< requests per entry, the first included
  unsigned miss_queue = 8;
};

struct L1dConfig {
  CacheConfig cache{32, 4, 128, SetIndex::kHashed};
  AllocatePolicy allocate = AllocatePolicy::kOnMiss;
  bool enabled = true;              ///< false: every global access bypasses
  bool flush_at_kernel_end = true;  ///< invalidated when the SM has no live threads
  MshrConfig mshr;
};

struct InterconnectConfig {
  Topology topology = Topology::kCrossbar;
  unsigned flit_bytes = 40;
  unsigned header_bytes = 8;
  unsigned input_buffer_flits = 64;  ///< per port
  unsigned injection_queue_packets = 9;
  unsigned ejection_queue_packets = 32;
  unsigned latency_cycles = 5;   ///< minimum, one flit, injection to ejection
  unsigned sms_per_cluster = 1;  ///< SMs that share a port (OAWS: 2)
  unsigned butterfly_radix = 2;  ///< ports per side of a butterfly's switches
};

struct AddressMapConfig {
  unsigned channel_interleave_bytes = 256;
  unsigned column_low_bits = 6;  ///< bytes of a DRAM atom: log2(64)
};

struct L2Config {
  unsigned slices_per_channel = 2;
  CacheConfig cache{64, 8, 128, SetIndex::kLinear};
  unsigned mshr_entries = 256;
  unsigned mshr_merges = 4;
  unsigned miss_queue = 4;
  unsigned input_delay_cycles = 120;  ///< ROP delay, unbounded queue
  unsigned queue = 64;                ///< network->L2, L2->DRAM, DRAM->L2, L2->network queues
  unsigned hit_latency_cycles = 1;
  unsigned port_bytes = 32;  ///< data port: a sector per cycle
};

struct DramConfig {
  unsigned channels = 6;
  DramScheduling scheduling = DramScheduling::kFrFcfs;
  unsigned banks = 16;
  unsigned bank_groups = 4;
  unsigned bus_bytes = 8;  ///< data bus: chips x width
  unsigned burst_length = 8;
  unsigned data_rate = 4;  ///< transfers per command clock
  unsigned access_bytes =
      32;  ///< one L2 fetch; each takes whole bursts. Write-backs take whole bursts per line
  unsigned queue = 64;
  unsigned return_queue = 116;
  unsigned fixed_latency_core_cycles =
      100;  ///< on-chip path of each request before the controller, core cycles
  unsigned rows = 16384;
  unsigned row_bytes = 4096;  ///< per bank and channel: the six column bits of 64-byte atoms
  // In command clocks.
  unsigned tCL = 12, tRP = 12, tRC = 40, tRAS = 28, tRCD = 12, tRRD = 6, tCDLR = 5, tWR = 12;
  unsigned tCCD = 2, tCCDL = 3, tRTPL = 2, tWL = 4, tRCDWR = 7;
};

struct GpuConfig {
  std::string name = "gtx480";
  ClockConfig clock;
  CoreConfig core;
  TbDispatcherConfig tb_dispatcher;
  WarpSchedulerConfig scheduler;
  FetchConfig fetch;
  OperandCollectorConfig operand_collector;
  ExecutionConfig execution;
  LdstConfig ldst;
  L1dConfig l1d;
  InterconnectConfig interconnect;
  AddressMapConfig address_map;
  L2Config l2;
  DramConfig dram;
};

}  // namespace heddle
