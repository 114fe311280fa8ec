#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "hw/logic/adder.h"
#include "hw/logic/comparator.h"
#include "hw/logic/minimum_tree.h"
#include "hw/logic/population_count.h"
#include "hw/logic/priority_selector.h"
#include "hw/order/age_order.h"
#include "hw/order/group_sorter.h"
#include "hw/order/in_place_sorter.h"
#include "hw/pricing/gates.h"
#include "hw/reports/cost_table.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/fifo_queue.h"
#include "hw/storage/register.h"
#include "hw/storage/table.h"

namespace heddle::hw::test {

/// A block that hardware-cost.md gives figures of, assembled of parts; 0 where the page gives none.
struct SynthesisedBlock {
  std::string name;
  double flip_flops = 0;
  double nand2 = 0;
  double fo4 = 0;        ///< on the page: of a netlist with buffers, but no sized cells
  double sized_fo4 = 0;  ///< of a netlist of rtl/synthesis, whose cells are sized; 0 where there is none
  CostTable model;

  double model_fo4() const {
    double longest = 0;
    for (const CostPath& path : model.paths) longest = std::max(longest, path.fo4);
    return longest;
  }
  double model_sized_fo4() const {
    double longest = 0;
    for (const CostPath& path : model.paths) longest = std::max(longest, path.path.sized_fo4());
    return longest;
  }
};

class BlockBuilder {
 public:
  BlockBuilder() {
    owner_.inventory = &inventory_;
    owner_.path = "sm0/block";
    owner_.timing = Timing::kHardware;
  }

  /// Progress counters with a saturating adder of up to 32 active threads (6 bits), one compare-swap a cycle
  /// in place, selection of the first ready warp of the order. The longest path is the compare-swap: sized,
  /// it is that of heddle_in_place_sorter with fixed members and one order.
  SynthesisedBlock pro(unsigned warps, unsigned bits, double flip_flops, double nand2, double fo4,
                       double sized_fo4) {
    const CounterArray progress(owner_, "progress", {warps, bits, Overflow::kSaturate, 0, 0, 1, false, 6});
    InPlaceSorterShape shape;
    shape.entries = warps;
    shape.key_bits = bits;
    shape.cycles_per_compare = 1;  // as the netlist has it
    shape.buffered = false;
    shape.dynamic = false;
    const InPlaceSorter sorter(owner_, "sorter", shape);
    const PrioritySelector selector(owner_, "selector", warps, SelectorForm::kOrdered);
    return {"PRO-like, " + std::to_string(warps) + " warps x " + std::to_string(bits) + " bits",
            flip_flops,
            nand2,
            fo4,
            sized_fo4,
            make_cost_table(inventory_, {})};
  }

  /// Predictions of 24 warps, compared in parallel with available less in-flight entries; the selected one's
  /// is added to those in flight. The qualified warps are registered.
  SynthesisedBlock oaws() {
    const CounterArray predictions(owner_, "predictions", {24, 5, Overflow::kWrap, 1, 1, 0, false, 0});
    const Register available(owner_, "available", {5, Overflow::kWrap, 0});
    const Register in_flight(owner_, "in_flight", {5, Overflow::kWrap, 0});
    const BitVector qualified(owner_, "qualified", 24);
    const Adder room(owner_, "room", {5, Overflow::kSaturate, 1, 0, 0});
    const Adder update(owner_, "update", {5, Overflow::kSaturate, 2, 0, 0});
    const Comparator compare(owner_, "compare", {5, 24, 0, false});
    const PrioritySelector selector(owner_, "selector", 24, SelectorForm::kFixed);
    TimingPath path;
    path.through("subtract", gates::adder_fo4(5, 5))
        .through("compare", gates::comparator_fo4(5))
        .through("select", gates::find_first_fo4(24))
        .through("prediction multiplexer", gates::mux_fo4(24, 5))
        .through("update", gates::adder_fo4(5, 5));
    owner_.declare_path("qualify", path);
    return {"OAWS-like qualification, 24 warps x 5 bits", 154, 2061, 42, 0, make_cost_table(inventory_, {})};
  }

  /// 32 entries x 72 bits in flip-flops, one read and one write port.
  SynthesisedBlock dlc() {
    TableShape shape = TableShape::direct(32, {{"pc", 40}, {"rest", 32}});
    const Table table(owner_, "dlc", shape);
    return {"DLC, 32 entries x 72 bits", 2304, 21539, 0, 0, make_cost_table(inventory_, {})};
  }

  SynthesisedBlock comparator(unsigned bits, double nand2, double fo4, double sized_fo4) {
    const Comparator compare(owner_, "compare", {bits, 1, 0, false});
    return part("comparator, " + std::to_string(bits) + " bits", nand2, fo4, sized_fo4);
  }
  SynthesisedBlock adder() {
    const Adder add(owner_, "add", {32, Overflow::kSaturate, 1, 0, 6});
    return part("saturating adder, 32 bits", 168, 31, 36);
  }
  SynthesisedBlock select() {
    const PrioritySelector selector(owner_, "selector", 24, SelectorForm::kOrdered);
    return part("priority select, 24 ways", 1880, 27, 29);
  }

 private:
  /// A block of logic alone: the page gives its depth without flip-flops.
  SynthesisedBlock part(const std::string& name, double nand2, double fo4, double sized_fo4) {
    return {
        name, 0, nand2, fo4 == 0 ? 0 : fo4 + gates::kFlipFlopFo4, sized_fo4, make_cost_table(inventory_, {})};
  }

  Inventory inventory_;
  Owner owner_;
};

/// The tables of hardware-cost.md.
inline std::vector<SynthesisedBlock> synthesised_blocks() {
  return {
      BlockBuilder().pro(8, 32, 0, 4829, 48, 41),
      BlockBuilder().pro(16, 32, 0, 9518, 59, 44),
      BlockBuilder().pro(24, 32, 901, 14758, 70, 50),
      BlockBuilder().pro(32, 32, 0, 20308, 84, 48),
      BlockBuilder().pro(48, 32, 0, 32128, 98, 53),
      BlockBuilder().pro(24, 8, 0, 6661, 61, 44),
      BlockBuilder().pro(24, 16, 0, 9365, 64, 48),
      BlockBuilder().oaws(),
      BlockBuilder().dlc(),
      BlockBuilder().comparator(32, 172, 8, 12),
      BlockBuilder().comparator(5, 14, 0, 0),
      BlockBuilder().adder(),
      BlockBuilder().select(),
  };
}

/// A part that hardware-cost.md, "Parts", gives figures of.
struct SynthesisedPart {
  std::string name;
  std::unique_ptr<Part> model;
  double nand2 = 0;
  double fo4 = 0;  ///< register to register; 0 where the page gives none
};

/// Prices are the same in either timing; the parts are in no inventory.
inline std::vector<SynthesisedPart> synthesised_parts() {
  struct NoRule final : SortRule {
    bool swap_needed(unsigned, unsigned, unsigned) const override { return false; }
  };
  static NoRule no_rule;
  const Owner owner;

  CounterArrayShape addressed;
  addressed.entries = 16;
  addressed.bits = 13;
  addressed.read_ports = 2;
  addressed.write_ports = 0;
  CounterArrayShape in_place;
  in_place.entries = 20;
  in_place.bits = 24;
  in_place.read_ports = in_place.write_ports = in_place.adders = 0;
  in_place.amount_bits = 1;
  in_place.counts_in_place = true;
  in_place.clear = true;
  AgeOrderShape age;
  age.entries = 20;
  InPlaceSorterShape sorter;
  sorter.entries = 20;
  sorter.key_bits = 18;
  sorter.comparators = 3;
  GroupSorterShape groups;
  groups.entries = 24;
  groups.groups = 3;
  groups.key_bits = 14;

  std::vector<SynthesisedPart> parts;
  const auto add = [&parts](const char* name, std::unique_ptr<Part> model, double nand2, double fo4 = 0) {
    parts.push_back({name, std::move(model), nand2, fo4});
  };
  add("comparator, 21 bits", std::make_unique<Comparator>(owner, "p", ComparatorShape{21}), 126);
  add("population count of 20", std::make_unique<PopulationCount>(owner, "p", 20), 146);
  add("fixed selector of 64", std::make_unique<PrioritySelector>(owner, "p", 64, SelectorForm::kFixed), 185);
  add("rotating selector of 40", std::make_unique<PrioritySelector>(owner, "p", 40, SelectorForm::kRotating),
      382);
  add("ordered selector of 40", std::make_unique<PrioritySelector>(owner, "p", 40, SelectorForm::kOrdered),
      4514);
  add("FIFO queue, 6 x 17 bits", std::make_unique<FifoQueue>(owner, "p", FifoQueueShape{6, 17}), 1062);
  add("counters, 16 x 13 bits, two read ports and an adder",
      std::make_unique<CounterArray>(owner, "p", addressed), 2778);
  add("counters, 20 x 24 bits, counting in place", std::make_unique<CounterArray>(owner, "p", in_place),
      4934);
  add("CAM, 12 x (20 + 9) bits, LRU",
      std::make_unique<Table>(owner, "p", TableShape::cam(12, 20, {{"value", 9}})), 4208);
  add("age matrix of 20", std::make_unique<AgeOrder>(owner, "p", age), 1996);
  add("in-place sorter, 20 x 18 bits, three comparators", std::make_unique<InPlaceSorter>(owner, "p", sorter),
      9021);
  add("group sorter, 24 x 14 bits, three groups", std::make_unique<GroupSorter>(owner, "p", groups, no_rule),
      12964);
  add("minimum tree, 20 x 24 bits", std::make_unique<MinimumTree>(owner, "p", MinimumTreeShape{20, 24}), 3757,
      67);
  return parts;
}

}  // namespace heddle::hw::test
