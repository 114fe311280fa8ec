// What the model asks for parts at sizes that rtl/synthesis/parts.sh synthesises: a line each of what it is
// called, the module, its parameters, inputs that are constant and outputs that are left out because the
// price is without them, flip-flops, NAND2-equivalents and FO4 of the longest path.
#include <fmt/format.h>

#include <string>

#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/logic/minimum_tree.h"
#include "hw/logic/multiplexer.h"
#include "hw/logic/population_count.h"
#include "hw/logic/priority_selector.h"
#include "hw/logic/ratio_unit.h"
#include "hw/logic/request_groups.h"
#include "hw/order/age_order.h"
#include "hw/order/group_sorter.h"
#include "hw/order/in_place_sorter.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/decaying_counters.h"
#include "hw/storage/fifo_queue.h"
#include "hw/storage/pipeline.h"
#include "hw/storage/register.h"
#include "hw/storage/table.h"

namespace heddle::hw {
namespace {

/// Of prices alone.
struct NoRule final : SortRule {
  bool swap_needed(unsigned /*group*/, unsigned /*first*/, unsigned /*second*/) const override {
    return false;
  }
};

/// A twin, and how it is synthesised.
struct Twin {
  const char* module;
  std::string parameters;
  const char* constants = "";
  const char* left_out = "";
};

void print(const char* name, const Twin& twin, const Part& part) {
  const Structure model = part.structure();
  const std::uint64_t flip_flops = model.storage == StorageKind::kNone ? 0 : model.total_bits();
  fmt::print("{};{};{};{};{};{};{:.0f};{:.1f}\n", name, twin.module, twin.parameters, twin.constants,
             twin.left_out, flip_flops, model.area.total(), model.path.sized_fo4());
}

void print_storage(const Owner& owner) {
  print("register, 32 bits", {"register", "Width 32"}, Register(owner, "p", {32, Overflow::kWrap, 0}));
  print("bit vector, 48 bits", {"bit_vector", "Width 48"}, BitVector(owner, "p", 48));
  print("pipeline, 3 x 32 bits", {"pipeline", "Width 32 Stages 3"}, Pipeline(owner, "p", {32, 3}));

  CounterArrayShape progress;
  progress.entries = 24;
  progress.overflow = Overflow::kSaturate;
  progress.read_ports = progress.write_ports = 0;
  progress.amount_bits = 6;
  print("counters, 24 x 32 bits, an adder that saturates",
        {"counter_array", "Entries 24 Width 32 AmountWidth 6 ReadPorts 0 WritePorts 0 Saturate 1'b1",
         "subtract_i=0", "next_o"},
        CounterArray(owner, "p", progress));
  CounterArrayShape addressed;
  addressed.entries = 16;
  addressed.bits = 13;
  addressed.read_ports = 2;
  addressed.write_ports = 0;
  print("counters, 16 x 13 bits, two read ports and an adder",
        {"counter_array", "Entries 16 Width 13 AmountWidth 13 ReadPorts 2 WritePorts 0", "subtract_i=0",
         "next_o"},
        CounterArray(owner, "p", addressed));
  CounterArrayShape in_place;
  in_place.entries = 20;
  in_place.bits = 24;
  in_place.read_ports = in_place.write_ports = in_place.adders = 0;
  in_place.amount_bits = 1;
  in_place.counts_in_place = true;
  in_place.clear = true;
  print("counters, 20 x 24 bits, counting in place",
        {"counter_array",
         "Entries 20 Width 24 AmountWidth 1 ReadPorts 0 WritePorts 0 Adders 0 Clear 1'b1 CountsInPlace 1'b1",
         "", "next_o"},
        CounterArray(owner, "p", in_place));
  CounterArrayShape merged;
  merged.entries = 8;
  merged.read_ports = merged.write_ports = 0;
  merged.adders = 2;
  merged.amount_bits = 6;
  merged.clear = true;
  merged.same_entry = SameEntry::kMerged;
  print("counters, 8 x 32 bits, two adders merged",
        {"counter_array",
         "Entries 8 Width 32 AmountWidth 6 ReadPorts 0 WritePorts 0 Adders 2 Clear 1'b1 SameEntry 1",
         "subtract_i=0", "next_o"},
        CounterArray(owner, "p", merged));
  print("decaying counters, 24 x 9 bits",
        {"decaying_counters", "Entries 24 Width 9 Floor 9'd100", "", "above_o"},
        DecayingCounters(owner, "p", {24, 9, 100}));
  print("FIFO queue, 6 x 17 bits", {"fifo_queue", "Entries 6 Width 17", "clear_i=0"},
        FifoQueue(owner, "p", {6, 17}));
  print("FIFO queue, 16 x 32 bits", {"fifo_queue", "Entries 16 Width 32", "clear_i=0"},
        FifoQueue(owner, "p", {16, 32}));
}

void print_tables(const Owner& owner) {
  print("array, 32 x 72 bits",
        {"table", "Sets 32 Ways 1 TagWidth 0 FieldsWidth 72 LookupPorts 0", "insert_i=0 write_mask_i=1",
         "fields_o victim_line_o"},
        Table(owner, "p", TableShape::direct(32, {{"pc", 40}, {"rest", 32}})));
  print("direct table, 16 x (20 + 9) bits",
        {"table", "Sets 16 Ways 1 TagWidth 20 FieldsWidth 9", "write_mask_i=1", "fields_o"},
        Table(owner, "p", TableShape::direct(16, {{"value", 9}}, 20)));
  print("set-associative table, 4 x 4 x (20 + 9) bits, LRU",
        {"table", "Sets 4 Ways 4 TagWidth 20 FieldsWidth 9", "write_mask_i=1", "fields_o"},
        Table(owner, "p", TableShape::set_associative(4, 4, 20, {{"value", 9}})));
  TableShape fifo = TableShape::set_associative(2, 8, 24, {});
  fifo.replacement = Replacement::kFifo;
  fifo.read_ports = 0;
  print("set-associative table, 2 x 8 x 24 bits, FIFO",
        {"table", "Sets 2 Ways 8 TagWidth 24 FieldsWidth 0 ReadPorts 0 Fifo 1'b1", "", "fields_o"},
        Table(owner, "p", fifo));
  print("CAM, 12 x (20 + 9) bits, LRU",
        {"table", "Sets 1 Ways 12 TagWidth 20 FieldsWidth 9", "write_mask_i=1", "fields_o"},
        Table(owner, "p", TableShape::cam(12, 20, {{"value", 9}})));
}

void print_logic(const Owner& owner) {
  print("multiplexer, 24 x 32 bits", {"multiplexer", "Inputs 24 Width 32"},
        Multiplexer(owner, "p", {24, 32, 1}));
  AdderShape adder;
  print("adder, 32 bits", {"adder", "Width 32 AmountWidth 32", "subtract_i=0", "overflow_o"},
        Adder(owner, "p", adder));
  adder.amount_bits = 6;
  adder.overflow = Overflow::kSaturate;
  print("adder, 32 + 6 bits, saturating",
        {"adder", "Width 32 AmountWidth 6 Saturate 1'b1", "subtract_i=0", "overflow_o"},
        Adder(owner, "p", adder));
  print("comparator, 32 bits", {"comparator", "Width 32", "", "equal_o"},
        Comparator(owner, "p", {32, 1, 0, false}));
  print("comparator, 32 bits, for equality", {"comparator", "Width 32 Equality 1'b1", "", "less_o"},
        Comparator(owner, "p", {32, 1, 0, true}));
  print("minimum tree, 20 x 24 bits", {"minimum_tree", "Inputs 20 Width 24"},
        MinimumTree(owner, "p", {20, 24, 1}));
  print("population count of 20", {"population_count", "Inputs 20"}, PopulationCount(owner, "p", 20));
  print("population count of 48", {"population_count", "Inputs 48"}, PopulationCount(owner, "p", 48));
  print("request groups, 8 of 24", {"request_groups", "Groups 8 Inputs 24"},
        RequestGroups(owner, "p", {8, 24, false}));
  print("fixed selector of 24", {"fixed_selector", "Inputs 24", "passable_i=0", "passed_o"},
        PrioritySelector(owner, "p", 24, SelectorForm::kFixed));
  print("fixed selector of 64", {"fixed_selector", "Inputs 64", "passable_i=0", "passed_o"},
        PrioritySelector(owner, "p", 64, SelectorForm::kFixed));
  print("rotating selector of 24", {"rotating_selector", "Inputs 24", "passable_i=0", "passed_o"},
        PrioritySelector(owner, "p", 24, SelectorForm::kRotating));
  print("rotating selector of 40", {"rotating_selector", "Inputs 40", "passable_i=0", "passed_o"},
        PrioritySelector(owner, "p", 40, SelectorForm::kRotating));
  print("ordered selector of 24", {"ordered_selector", "Inputs 24", "passable_i=0", "select_o passed_o"},
        PrioritySelector(owner, "p", 24, SelectorForm::kOrdered));
  RatioUnitShape ratio;
  print("ratio unit, 32 x 16 / 32 bits", {"ratio_unit", ""}, RatioUnit(owner, "p", ratio));
  ratio.factor_bits = 20;
  ratio.divisor_bits = 18;
  print("ratio unit, 20 x 16 / 18 bits", {"ratio_unit", "FactorWidth 20 DivisorWidth 18"},
        RatioUnit(owner, "p", ratio));
  RatioUnitShape of_predictor;  // of srtf
  of_predictor.multiplier_bits = 26;
  of_predictor.divisor_bits = 4;
  of_predictor.result_bits = 32;
  print("ratio unit, 32 x 26 / 4 bits", {"ratio_unit", "MultiplierWidth 26 DivisorWidth 4 ResultWidth 32"},
        RatioUnit(owner, "p", of_predictor));
}

void print_orders(const Owner& owner) {
  AgeOrderShape age;
  age.entries = 20;
  print("age matrix of 20", {"age_order", "Entries 20", "passable_i=0", "passed_o"},
        AgeOrder(owner, "p", age));
  age.entries = 24;
  age.passes_over = true;
  print("age matrix of 24, who is passed over", {"age_order", "Entries 24"}, AgeOrder(owner, "p", age));
  age.passes_over = false;
  age.form = AgeForm::kList;
  print("age list of 24", {"age_list", "Entries 24", "clear_i=0", "present_o"}, AgeOrder(owner, "p", age));
  InPlaceSorterShape sorter;
  sorter.entries = 20;
  sorter.key_bits = 18;
  sorter.comparators = 3;
  sorter.cycles_per_compare = 2;
  Owner in_cycles = owner;
  in_cycles.timing = Timing::kHardware;
  print("in-place sorter, 20 x 18 bits, three comparators",
        {"in_place_sorter", "Entries 20 KeyWidth 18 Comparators 3 CyclesPerCompare 2", "clear_i=0"},
        InPlaceSorter(in_cycles, "p", sorter));
  sorter.entries = 24;
  sorter.key_bits = 32;
  sorter.comparators = 1;
  sorter.buffered = sorter.dynamic = false;
  print("in-place sorter, 24 x 32 bits, fixed members",
        {"in_place_sorter", "Entries 24 KeyWidth 32 Buffered 1'b0 Dynamic 1'b0"},
        InPlaceSorter(owner, "p", sorter));
}

void print_group_sorters(const Owner& owner) {
  NoRule rule;
  GroupSorterShape warps;
  warps.groups = 4;
  warps.entries = 24;
  warps.removals = 0;
  print("group sorter, 24 x 32 bits in 4 groups",
        {"group_sorter", "Entries 24 Groups 4 KeyWidth 32 CyclesPerCompare 3 Removals 0",
         "remove_i=0 remove_index_i=0 fixed_i=0"},
        GroupSorter(owner, "p", warps, rule));
  GroupSorterShape tbs;
  tbs.entries = 8;
  tbs.groups = 1;
  tbs.key_bits = 43;
  tbs.tie_bits = 29;
  tbs.class_bits = 3;
  tbs.removals = 2;
  print("group sorter, 8 x 72 bits in classes",
        {"group_sorter",
         "Entries 8 Groups 1 KeyWidth 72 KeysDiffer 1'b1 ClassWidth 3 CyclesPerCompare 2 Removals 2",
         "group_i=0 descending_i=0"},
        GroupSorter(owner, "p", tbs, rule));
}

}  // namespace
}  // namespace heddle::hw

int main() {
  const heddle::hw::Owner owner;
  heddle::hw::print_storage(owner);
  heddle::hw::print_tables(owner);
  heddle::hw::print_logic(owner);
  heddle::hw::print_orders(owner);
  heddle::hw::print_group_sorters(owner);
  return 0;
}
