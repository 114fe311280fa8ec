#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// Lanes of a warp.
constexpr unsigned kWarpSize = 32;

/// One bit per lane; bit 0 is lane 0.
using LaneMask = std::uint32_t;
constexpr LaneMask kAllLanes = 0xFFFFFFFFU;

/// The execution unit that an instruction is dispatched to. Integer, logic and control run on the SP
/// units, doubles and transcendentals on the SFU, as on the reference machine (gtx480.md, "SM pipeline").
enum class Unit : std::uint8_t { kSp, kSfu, kLdst };
constexpr unsigned kNumUnits = 3;

/// Row of the latency table that an instruction falls in; latencies and initiation intervals per row come
/// from the configuration (gtx480.md, "Latency/initiation").
enum class OpClass : std::uint8_t {
  kSimple,  ///< mov, logic, shift, setp, selp, cvt, branch, barrier, exit
  kIntAdd,
  kIntMinMax,
  kIntMul,
  kIntMad,
  kIntDiv,
  kShuffle,
  kFp32Add,
  kFp32MinMax,
  kFp32Mul,
  kFp32Mad,
  kFp32Div,
  kFp64Add,
  kFp64MinMax,
  kFp64Mul,
  kFp64Mad,
  kFp64Div,
  kTranscendental,
  kMemory,  ///< timed by the LD/ST unit and the memory system, not by the table
};
constexpr unsigned kNumOpClasses = 19;

enum class Control : std::uint8_t { kNone, kBranch, kBarrier, kMembar, kExit };

/// State space of an access as the LD/ST unit sees it. A generic address is resolved to kGlobal, kShared
/// or kLocal when the instruction is executed; param reads of a kernel go through the constant cache, texture
/// fetches (loads of kTexture) through the texture cache.
enum class Space : std::uint8_t { kNone, kGlobal, kLocal, kShared, kConst, kParam, kGeneric, kTexture };

enum class MemOp : std::uint8_t {
  kNone,
  kLoad,
  kStore,
  kAtomic,     ///< returns the old value
  kReduction,  ///< an atomic without a result (PTX red)
};

/// Where a load or store may be cached: kAll as the L1D's policy says; kGlobalLevel (PTX .cg, .volatile)
/// bypasses the L1D.
enum class CacheOp : std::uint8_t { kAll, kGlobalLevel };

/// What the timing model knows of one static instruction. PCs are byte addresses, 8 bytes an instruction.
struct Instruction {
  static constexpr std::uint32_t kBytes = 8;
  static constexpr unsigned kMaxSources = 12;
  static constexpr unsigned kMaxDestinations = 8;
  /// Register numbers below this are 32-bit general registers; predicates follow from here.
  static constexpr std::uint16_t kFirstPredicate = 512;
  static constexpr unsigned kNumScoreboardBits = 576;  ///< 512 general + 64 predicates

  Unit unit = Unit::kSp;
  OpClass op_class = OpClass::kSimple;
  Control control = Control::kNone;
  Space space = Space::kNone;
  MemOp mem = MemOp::kNone;
  CacheOp cache = CacheOp::kAll;
  /// Bytes that one lane moves: element size times vector length. 0 when not a memory instruction.
  std::uint8_t bytes_per_lane = 0;
  /// Bytes of one element: 1, 2, 4 or 8 (the coalescer's segment size depends on it).
  std::uint8_t element_bytes = 0;
  /// Registers read and written, each once: general ones (a 64-bit operand lists two), then predicates.
  std::uint8_t num_sources = 0;
  std::uint8_t num_destinations = 0;
  std::uint8_t num_general_sources = 0;       ///< of the sources, those in the register banks
  std::uint8_t num_general_destinations = 0;  ///< likewise
  std::uint8_t num_address_sources = 0;       ///< the first sources: read only for a memory address
  /// Bit i: the PTX register of destination i is never loaded from global, local or parameter memory nor
  /// written by an atomic. The allocated number may have been another PTX register's that was.
  std::uint8_t never_loaded = 0;
  std::array<std::uint16_t, kMaxSources> sources{};
  std::array<std::uint16_t, kMaxDestinations> destinations{};
  /// Source line and column in the program's file, 1-based; 0 when there is none.
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// Lists a register unless it is listed already. General ones come before predicates. Throws
  /// std::out_of_range when the list is full.
  void add_source(std::uint16_t number) { add(number, sources, num_sources, num_general_sources); }
  void add_destination(std::uint16_t number) {
    add(number, destinations, num_destinations, num_general_destinations);
  }

 private:
  template <class List>
  static void add(std::uint16_t number, List& list, std::uint8_t& count, std::uint8_t& general) {
    const auto end = list.begin() + count;
    if (std::find(list.begin(), end, number) != end) return;
    list.at(count++) = number;
    if (number < kFirstPredicate) ++general;
  }
};

/// A line of the program that a kernel was compiled from.
struct SourceLine {
  std::uint32_t file = 0;  ///< place in Program::source_files
  std::uint32_t line = 0;  ///< from 1; 0: not known
};

/// A program's static instructions, in PC order (pc = index * Instruction::kBytes), and what it needs.
struct Program {
  std::string name;         ///< the kernel's entry name
  std::string source_file;  ///< for messages
  std::vector<Instruction> code;
  std::vector<std::string> text;   ///< one printable line per instruction, for messages and waves
  std::vector<SourceLine> source;  ///< per instruction; empty when nothing is known of them
  std::vector<std::string> source_files;
  /// 32-bit registers that a compiler for the GPU gives a thread, before rounding to the hardware's
  /// allocation unit.
  unsigned registers_per_thread = 0;
  unsigned static_shared_bytes = 0;
  unsigned local_bytes_per_thread = 0;
  unsigned spilled_bytes_per_thread = 0;  ///< of these, what is kept there for want of registers
  unsigned param_bytes = 0;
};

}  // namespace heddle
