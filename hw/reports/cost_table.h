#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/pricing/inventory.h"
#include "hw/pricing/owner.h"
#include "hw/pricing/part.h"
#include "hw/pricing/structure.h"
#include "hw/pricing/technology.h"

namespace heddle::hw {

/// What the figures of a cost table are set in relation to.
struct CostContext {
  /// What is priced, shown above the table: {"scheduler", "pro"}.
  std::vector<std::pair<std::string, std::string>> about;
  unsigned sms = 15;                     ///< SMs of the GPU
  std::uint64_t register_file_bits = 0;  ///< of one SM; 0: no share is given
  std::uint64_t l1d_bits = 0;            ///< of one SM; 0: no share is given
  std::uint64_t cycles = 0;              ///< of the run whose activity the parts counted; 0: no run
  double clock_fo4 = Owner::kDefaultClockFo4;
  std::optional<Technology> technology;
  /// What belongs to the priced thing but is built of no parts: the totals are without it.
  std::vector<std::string> unpriced;
};

/// NAND2-equivalents are known to this factor (hardware-cost.md: +-30%).
constexpr double kAreaUncertainty = 1.3;

/// Like parts of a block: one line of the report. Figures per SM are 0 for what the GPU has beside its SMs.
struct CostRow {
  std::string block;       ///< path of the owner without the SM; "*" where like blocks differ in a number
  std::string name;        ///< of the part; "*" likewise
  bool in_sm = true;       ///< false: one per GPU
  unsigned instances = 0;  ///< per SM, or per GPU when not in_sm
  unsigned instances_per_gpu = 0;
  Structure structure;           ///< of one instance
  std::uint64_t paper_bits = 0;  ///< per SM (GPU), as the paper counts them
  std::uint64_t bits = 0;        ///< per SM (GPU): all storage
  std::string note;              ///< why the paper does not count it; may be empty
  std::uint64_t bits_per_gpu = 0;
  Area area;                              ///< per SM (GPU), NAND2-equivalents
  double register_file_share = 0;         ///< bits / those of the register file
  double l1d_share = 0;                   ///< bits / those of the L1D
  Activity activity;                      ///< of all instances of the GPU
  double accesses_per_kilocycle = 0;      ///< per SM (GPU); 0 without a run
  std::optional<Estimate> area_um2;       ///< per SM (GPU)
  std::optional<Estimate> energy_fj;      ///< per access of one instance
  std::optional<Estimate> run_energy_nj;  ///< of all accesses of all instances in the run; none without a run
};

/// A register-to-register path: of a part alone, or declared by a block through several.
struct CostPath {
  std::string block;
  std::string name;
  TimingPath path;
  double fo4 = 0;
  unsigned cycles = 0;  ///< of CostContext::clock_fo4
  std::optional<Estimate> picoseconds;
};

/// Sums over the rows inside SMs, per SM, and over the GPU.
struct CostTotals {
  std::uint64_t paper_bits_per_sm = 0;
  std::uint64_t bits_per_sm = 0;
  std::uint64_t bits_per_gpu = 0;  ///< of all rows
  Area area_per_sm;
  double nand2_per_gpu = 0;           ///< of all rows
  double accesses_per_kilocycle = 0;  ///< per SM
  std::optional<Estimate> area_um2_per_sm;
  std::optional<Estimate> run_energy_nj;  ///< of the GPU; only when that of every row is known
};

struct CostTable {
  CostContext context;
  std::vector<CostRow> rows;
  std::vector<CostPath> paths;
  CostTotals totals;
};

/// Walks an inventory. A first path component "sm0", "sm1", ... is the SM; equal parts of several SMs, and
/// equal parts of a block whose names differ in a final number ("tb_sorter0" ...), are one row. An inventory
/// with the parts of one SM stands for all SMs of the context.
CostTable make_cost_table(const Inventory& inventory, const CostContext& context);
/// The same over several inventories, as when each SM has its own.
CostTable make_cost_table(const std::vector<const Inventory*>& inventories, const CostContext& context);

}  // namespace heddle::hw
