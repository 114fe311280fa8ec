#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "hw/pricing/owner.h"
#include "modules/config/policy_settings.h"
#include "workloads/launch/instruction.h"

namespace heddle {

/// The complete, checked configuration that the model runs on. Member initialisers are the defaults: the
/// GTX480-like reference machine of gtx480.md; top/ maps YAML keys onto these members one to one, with the
/// ranges. All sizes are per instance (per SM, per slice, per channel).

enum class SetIndex : std::uint8_t { kLinear, kHashed };
enum class AllocatePolicy : std::uint8_t { kOnMiss, kOnFill };
enum class Topology : std::uint8_t { kCrossbar, kButterfly };
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

struct WarpSchedulerConfig {
  std::string name = "gto";  ///< PRIORITIZER or QUALIFIER+PRIORITIZER; see `heddle list schedulers`
  hw::Timing timing = hw::Timing::kIdeal;  ///< of the parts that a policy is built of
  /// Core clock period: what a part's logic has to fit into.
  double clock_fo4 = hw::Owner::kDefaultClockFo4;
  /// Hardware timing: from what a choice of a warp is made by until the warp issues; 0: from the depth of the
  /// policy's logic and the clock, 1: in the cycle in which it issues.
  unsigned choice_cycles = 1;
  /// Hardware timing: from what one block decides, for all SMs or of the whole grid, until SMs go by it. An
  /// estimate for a die of 23 mm at 700 MHz: out of the register, two cycles along the wires to its middle,
  /// one to let one through, two back.
  unsigned broadcast_cycles = 6;
  PolicySettings settings;  ///< of each policy: scheduler.<policy>.<parameter>
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
  unsigned first_residency = 0;  ///< fixed_residency: TBs per SM of the first stream's kernels; 0: no limit
  unsigned other_residency = 0;  ///< fixed_residency: of each kernel of the other streams
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
  unsigned registers = 32768;              ///< 32-bit
  unsigned register_allocation_unit = 4;   ///< registers per thread are rounded up to this
  unsigned max_registers_per_thread = 63;  ///< what is over is kept in local memory; 0: no limit
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
  unsigned mshr_merges = 32;  ///< warps that wait for a line
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
  bool constant_word_turns = false;  ///< lanes that read different words of a line of constants take turns
  unsigned constant_mshr_entries = 2;
  unsigned constant_mshr_merges = 32;  ///< reads per entry, the first included
};

/// The texture unit of an SM and its cache (gtx480.md, "Textures").
struct TextureConfig {
  CacheConfig cache{4, 24, 128, SetIndex::kLinear};
  unsigned lanes_per_cycle = 4;    ///< of a warp, whose texels are addressed in a cycle
  unsigned latency_cycles = 3;     ///< from the addressing of a line's texels to the write-back of a hit
  unsigned fifo_entries = 128;     ///< lines looked up whose texels were not read yet
  unsigned request_queue = 4;      ///< misses waiting for the SM's memory port
  unsigned reorder_entries = 128;  ///< misses whose line was not read yet
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
  unsigned speedup = 2;          ///< steps of a switch in a cycle of its links
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
  TextureConfig texture;
  InterconnectConfig interconnect;
  AddressMapConfig address_map;
  L2Config l2;
  DramConfig dram;
};

}  // namespace heddle
