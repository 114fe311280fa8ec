#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/observe.h"
#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/logic/multiplexer.h"
#include "hw/storage/table.h"
#include "modules/config/gpu_config.h"
#include "modules/warp_scheduler/policies/oaws/parameters.h"

namespace heddle {

/// OAWS's Divergent Load Classifier (OAWS 4.2, 4.4): the PCs of the loads that were seen to diverge, with how
/// often they came, and how many accesses and L1D sets that took. Plain C++.
///
/// The counts are narrow and only their ratio is used: before one of them would overflow, all three of the
/// entry are halved.
class DivergentLoadClassifier {
 public:
  /// What the entries hold beside the PC: static prediction needs no history.
  enum class History : bool { kNone, kKept };
  static constexpr unsigned kPcBits = 40;  ///< of a PC, OAWS 4.4

  /// Throws std::invalid_argument for no entries, or more than a Table holds.
  DivergentLoadClassifier(const hw::Owner& owner, const OawsParameters& config, History history);

  /// Does a load of so many lines diverge (scheduler-details.md, "OAWS")?
  bool diverges(hw::Cycle cycle, unsigned lines) { return threshold_.less(cycle, coherent_lines_, lines); }
  /// From a PC to whether it is there.
  hw::TimingPath lookup_path() const { return table_.structure().path; }
  /// Is the load at `pc` known to diverge?
  bool divergent(hw::Cycle cycle, std::uint64_t pc);
  /// A load at `pc` diverged into `accesses` lines. True when that was not known.
  bool record(hw::Cycle cycle, std::uint64_t pc, unsigned accesses);
  /// The accesses of a load at `pc` touched `sets` sets. True when the load is sensitive to associativity:
  /// its accesses are more than 1.5 x its sets.
  bool record_sets(hw::Cycle cycle, std::uint64_t pc, unsigned sets);
  // The same in two steps: the sets are counted; in the same or a later cycle what the entry then held is
  // compared.
  void count_sets(hw::Cycle cycle, std::uint64_t pc, unsigned sets);
  bool sensitive(hw::Cycle cycle);
  /// From the PC of a load that has left the L1D to its counts.
  hw::TimingPath count_path() const;
  void clear() { table_.clear(); }

  /// What the entry of `pc` holds; 0 without an entry. For inspection.
  std::uint64_t instances(std::uint64_t pc) const { return inspect(pc, kInstances); }
  std::uint64_t accesses(std::uint64_t pc) const { return inspect(pc, kAccesses); }
  std::uint64_t sets(std::uint64_t pc) const { return inspect(pc, kSets); }

  void report(StatSink& sink) const;
  void trace(WaveSink& sink) const;

 private:
  enum Field : unsigned { kInstances, kAccesses, kSets, kFields };

  using Amounts = std::array<std::uint64_t, kFields>;
  /// To an entry: what it held, and what is added to it in a cycle.
  struct Addition {
    hw::Cycle cycle = ~hw::Cycle{0};
    unsigned line = hw::Table::kNoLine;
    Amounts old{};
    Amounts amounts{};
    bool halved = false;
  };
  /// What an entry held at the end of the cycle in which sets were counted at it.
  struct Counted {
    hw::Cycle cycle = ~hw::Cycle{0};
    unsigned line = hw::Table::kNoLine;  ///< also when another load has taken it since
    bool known = false;
    std::uint64_t accesses = 0;
    std::uint64_t sets = 0;
  };

  /// Adds to the fields of a line, halving them first when one would overflow. A load that is coalesced and
  /// one that leaves the L1D may count at one entry in a cycle.
  void add(hw::Cycle cycle, unsigned line, const Amounts& amounts);
  std::uint64_t inspect(std::uint64_t pc, Field field) const;

  const bool keeps_history_;
  const bool merges_;  ///< hardware timing: what is added to an entry in one cycle
  const unsigned coherent_lines_;
  hw::Table table_;
  std::unique_ptr<hw::Adder> adder_;  ///< of the history, and so is ratio_
  std::unique_ptr<hw::Comparator> ratio_;
  hw::Comparator threshold_;              ///< for a load that is coalesced, and one that leaves the L1D
  std::unique_ptr<hw::Comparator> full_;  ///< hardware timing: would accesses or sets not fit?
  std::unique_ptr<hw::Multiplexer> halving_;
  Addition last_;
  Counted counted_;
  std::uint64_t asked_ = 0;
  std::uint64_t known_ = 0;
  std::uint64_t inserted_ = 0;
  std::uint64_t replaced_ = 0;
};

}  // namespace heddle
