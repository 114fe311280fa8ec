#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "modules/config/gpu_config.h"

namespace heddle {

/// What a twin is told in a cycle, a bit per warp slot each where nothing else is said. docs/rtl-lockstep.md
/// has their times.
enum class TwinInput : std::uint8_t {
  kStart,           ///< warps that start
  kFinish,          ///< warps that issue their exit
  kReady,           ///< warps that may issue
  kStale,           ///< warps whose I-buffer is stale, among which the scheduler may come to some
  kIssue,           ///< warps that issue
  kRuns,            ///< resident warps that wait for nothing that takes long (WarpTable::waits_long)
  kWaits,           ///< slots that make room for others (Prioritizer::waiting)
  kResident,        ///< warps of the SM
  kNow,             ///< low bits of the core cycle
  kTbStart,         ///< by TB slot: the one in which a TB starts
  kTbWarps,         ///< its warps
  kTbNumWarps,      ///< a number: how many
  kTbTie,           ///< a number: of its launch, then its index in the grid
  kTbSlow,          ///< a bit: its kernel has no TBs left
  kTbEnd,           ///< by TB slot: TBs that end
  kPhase,           ///< by TB slot: TBs of a kernel of which the last waiting TB was given away
  kLanes,           ///< a number per scheduler: active lanes of what issues
  kArrive,          ///< warps that come to a barrier
  kRelease,         ///< warps that a barrier lets go on
  kUnderWay,        ///< warps whose choice has not taken effect: not chosen again
  kLimit,           ///< a number, always the same: how many warps may issue
  kLoad,            ///< warps whose next instruction is a load that goes to the L1D or past it
  kCached,          ///< of these, those that look for their lines in the L1D
  kPredictPc,       ///< a number: PC of the load of which a prediction was begun in the cycle before
  kPredictLanes,    ///< its active lanes, a bit each
  kCoalesced,       ///< a bit: a load that looks for its lines in the L1D was coalesced
  kCoalescedPc,     ///< a number: its PC
  kCoalescedLines,  ///< a number: its lines
  kClear,           ///< a bit: a kernel starts
  kRoomValid,       ///< a bit: the MSHRs say how many entries are free
  kRoom,            ///< a number: so many
  kTake,            ///< warps that issue a load that looks for its lines in the L1D
  kTag,             ///< a number: what it is called while it is in flight
  kLeft,            ///< a bit: a load has left the L1D
  kLeftTag,         ///< a number: what it was called
  kTbLaunch,        ///< a number: the low bits of the launch of the TB that starts
  kValid,        ///< warps with an instruction that wait at no barrier and no membar; held until it changes
  kUnblocked,    ///< of these, those that pass the scoreboard; likewise
  kVerdictIn,    ///< of some SM about a kernel: convex or not, and the launch, as TwinOutput::kVerdict
  kAccess,       ///< a bit: a load's access was looked up in the L1D
  kAccessFirst,  ///< a bit: the first of its load
  kAccessMiss,   ///< a bit: it found no data
  kAccessSet,    ///< a number: its set
  kLeftPc,       ///< a number: the PC of the load that has left the L1D
  kLeftLines,    ///< a number: its lines
  kQueueRoom,    ///< a number: so many places of the miss queue are free
  kQueued,       ///< warps that had no access in the re-execution queue and now have
  kDrained,      ///< warps whose last access has left it
  kMemory,       ///< warps whose next instruction accesses global or local memory
  kCandidate,    ///< of these, those that wait for nothing but its unit
  kWaiting,      ///< warps that wait for their own data, at a barrier or membar (WarpTable::waits_long)
  kLookUp,       ///< a bit: victim tags are asked, as a load has missed on a line or a store changed it
  kLookUpStore,  ///< a bit: a store
  kLookUpWarp,   ///< a number: whose load
  kLookUpLine,   ///< a number: the line's
  kEvict,        ///< a bit: a line was evicted from the L1D
  kEvictWarp,    ///< a number: the warp that had it filled
  kEvictLine,    ///< a number: the line's
};
constexpr unsigned kNumTwinInputs = 58;

/// What a twin decides, a bit per warp slot each where nothing else is said.
enum class TwinOutput : std::uint8_t {
  kGrant,      ///< the choice, one of a scheduler at most
  kPassed,     ///< stale warps that come before it
  kQualified,  ///< behind a qualifier: ready warps that may issue
  kPredict,    ///< behind one of OAWS: the warp of which a prediction is begun
  kVerdict,    ///< what the SM tells all SMs: whether there is something, convex or not, the low bits of the
               ///< launch
  kSaturated,  ///< a bit, of MASCAR: the memory is saturated
  kOwner,      ///< of MASCAR: the owner
  kEligible,   ///< of CCWS: warps that may issue loads
};
constexpr unsigned kNumTwinOutputs = 8;

/// Names of the ports.
const char* port_name(TwinInput input);
const char* port_name(TwinOutput output);

/// The SystemVerilog twin of a configuration's warp schedulers: the modules in rtl/schedulers that stand for
/// all of an SM, a qualifier's in front of a prioritizer's, with their parameters and ports.
struct TwinDesign {
  struct Parameter {
    std::string name;
    std::uint64_t value = 0;
    std::string meaning;  ///< with the key of the configuration
  };
  /// An input that is another module's output.
  struct Connection {
    const char* port;
    TwinOutput output;
  };
  /// An input of a number per warp, of which the module reads one warp's in a cycle: that one alone is told.
  struct Spread {
    const char* port;
    TwinInput input;
  };
  /// One module, and what of the design's it has.
  struct Module {
    std::string name;  ///< heddle_gto_sm
    std::vector<std::string> parameters;
    std::vector<TwinInput> inputs;
    std::vector<TwinOutput> outputs;
    std::vector<Connection> from_qualifier;
    std::vector<Spread> to_each_warp;
    /// Without what the SM keeps anyway, for netlists beside estimates: a module of the same parameters.
    std::string priced;
  };
  /// An input that never changes.
  struct Constant {
    TwinInput input;
    std::uint64_t value = 0;
  };

  std::string scheduler;  ///< as scheduler.name has it; of another block its name
  /// The block of the cost table that has its estimate, and what it is: of other blocks than warp schedulers.
  std::string block;
  std::string subject;
  std::optional<Module> qualifier;  ///< in front of the prioritizer
  /// For netlists beside estimates: the file below rtl/ of a module of both, which has the qualifier's
  /// parameters; "": each by itself.
  std::string priced_together;
  Module prioritizer;                ///< its ready_i are warps that qualify and are not under way
  std::vector<std::string> sources;  ///< files below rtl/, what is instantiated before who does
  std::vector<Parameter> parameters;
  std::vector<TwinInput> inputs;
  std::vector<unsigned> input_bits;   ///< of each of them, 1 to 64
  std::vector<Constant> constants;    ///< of them
  std::vector<TwinOutput> outputs;    ///< of the prioritizer, then of the qualifier
  std::vector<unsigned> output_bits;  ///< of each of them
  unsigned warps = 0;                 ///< of an SM
  /// Parts of the estimate that the priced modules have not, by the beginnings of their names.
  std::vector<std::string> not_in_netlist;
  /// Nothing changes in it when it has been told nothing for so many cycles, no input is held, the model's
  /// policies rest (SharedPolicy::restless), and the cycle is no multiple of timer_cycles; 0: nor does
  /// meanwhile, or in these.
  std::uint64_t settle_cycles = 0;
  std::uint64_t timer_cycles = 0;

  /// The widest port.
  unsigned widest() const;
  /// Names of its modules, "heddle_swl, heddle_gto_sm".
  std::string modules() const;
};

}  // namespace heddle
