#include "hw/reports/cost_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <nlohmann/json.hpp>
#include <string>

#include "hw/order/in_place_sorter.h"
#include "hw/reports/cost_json.h"
#include "hw/storage/bit_vector.h"
#include "hw/storage/counter_array.h"
#include "hw/storage/register.h"

namespace heddle::hw {
namespace {

/// PRO's storage (III.E): progress of 48 warps and 8 TBs at 4 bytes, two bytes per TB besides.
struct ProStorage {
  explicit ProStorage(const Owner& owner)
      : warps(owner, "warp_progress", {48, 32, Overflow::kWrap, 1, 1, 2, false, 0}, PaperCount::kBits),
        tbs(owner, "tb_progress", {8, 32, Overflow::kWrap, 1, 1, 2, false, 0}, PaperCount::kBits),
        waiting(owner, "tb_waiting", {8, 8, Overflow::kSaturate, 1, 1, 1, false, 0}, PaperCount::kBits),
        tb_order(owner, "tb_sorter", tb_shape(), PaperCount::kBytes) {
    for (unsigned tb = 0; tb < 8; ++tb) {
      warp_orders.emplace_back(owner, "warp_sorter" + std::to_string(tb), InPlaceSorterShape{});
    }
  }
  static InPlaceSorterShape tb_shape() {
    InPlaceSorterShape shape;
    shape.entries = 8;
    return shape;
  }

  CounterArray warps;
  CounterArray tbs;
  CounterArray waiting;
  InPlaceSorter tb_order;
  std::list<InPlaceSorter> warp_orders;
};

Owner owner_of(Inventory& inventory, const std::string& path) {
  Owner owner;
  owner.inventory = &inventory;
  owner.path = path;
  return owner;
}

const CostRow& row(const CostTable& table, const std::string& name) {
  for (const CostRow& candidate : table.rows) {
    if (candidate.name == name) return candidate;
  }
  throw std::runtime_error("no row " + name);
}

TEST(CostTable, ArrivesAtTheBytesOfThePaper) {
  Inventory inventory;
  const ProStorage pro(owner_of(inventory, "sm0/pro"));
  const CostTable table = make_cost_table(inventory, {});
  EXPECT_EQ(table.totals.paper_bits_per_sm, 240U * 8);
  EXPECT_GT(table.totals.bits_per_sm, 240U * 8);
  EXPECT_EQ(table.rows.size(), 5U);
}

TEST(CostTable, LikePartsOfABlockAreOneRow) {
  Inventory inventory;
  const ProStorage pro(owner_of(inventory, "sm0/pro"));
  const CostTable table = make_cost_table(inventory, {});
  const CostRow& sorters = row(table, "warp_sorter*");
  EXPECT_EQ(sorters.instances, 8U);
  EXPECT_EQ(sorters.instances_per_gpu, 8U * 15);
  EXPECT_EQ(sorters.bits, 8 * sorters.structure.total_bits());
  EXPECT_DOUBLE_EQ(sorters.area.total(), 8 * sorters.structure.area.total());
  EXPECT_EQ(row(table, "tb_sorter").instances, 1U);
}

TEST(CostTable, AnInventoryOfAllSmsCountsWhatIsThere) {
  Inventory inventory;
  std::list<Register> registers;
  for (const char* path : {"sm0/b", "sm1/b", "sm2/b"}) {
    registers.emplace_back(owner_of(inventory, path), "r", RegisterShape{8, Overflow::kWrap, 0});
  }
  registers.emplace_back(owner_of(inventory, "sm1/c"), "other", RegisterShape{4, Overflow::kWrap, 0});
  registers.emplace_back(owner_of(inventory, "dispatcher"), "global", RegisterShape{16, Overflow::kWrap, 0});
  const CostTable table = make_cost_table(inventory, {});
  EXPECT_EQ(row(table, "r").instances, 1U);
  EXPECT_EQ(row(table, "r").bits_per_gpu, 24U);
  EXPECT_EQ(row(table, "other").bits_per_gpu, 4U);  // one SM has it: not multiplied
  EXPECT_FALSE(row(table, "global").in_sm);
  EXPECT_EQ(table.totals.bits_per_sm, 12U);
  EXPECT_EQ(table.totals.bits_per_gpu, 24U + 4 + 16);
}

TEST(CostTable, SeveralInventoriesAreOneGpu) {
  Inventory first;
  Inventory second;
  const Register a(owner_of(first, "sm0/b"), "r", {8, Overflow::kWrap, 0});
  const Register b(owner_of(second, "sm1/b"), "r", {8, Overflow::kWrap, 0});
  owner_of(first, "sm0/b").declare_path("p", TimingPath().through("x", 30));
  owner_of(second, "sm1/b").declare_path("p", TimingPath().through("x", 30));
  const CostTable table = make_cost_table({&first, &second}, {});
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].instances, 1U);
  EXPECT_EQ(table.rows[0].bits_per_gpu, 16U);
  EXPECT_EQ(std::count_if(table.paths.begin(), table.paths.end(),
                          [](const CostPath& path) { return path.name == "p"; }),
            1);
}

TEST(CostTable, EnergyOfARunIsThatOfItsAccesses) {
  Inventory inventory;
  CounterArray counters(owner_of(inventory, "sm0/b"), "c", {4, 8, Overflow::kWrap, 1, 1, 1, false, 0});
  counters.add(0, 0, 1);  // a read, an addition, a write
  CostContext context;
  context.technology = Technology{};
  context.technology->nand2_switch_energy_fj = Figure{100, 2, "test"};
  context.technology->switching_fraction = Figure{0.5, 1, "test"};
  EXPECT_FALSE(make_cost_table(inventory, context).rows[0].run_energy_nj.has_value());
  context.cycles = 10;
  const CostTable table = make_cost_table(inventory, context);
  ASSERT_TRUE(table.rows[0].run_energy_nj.has_value());
  EXPECT_DOUBLE_EQ(table.rows[0].run_energy_nj->value, 3 * table.rows[0].energy_fj->value * 1e-6);
  EXPECT_DOUBLE_EQ(table.totals.run_energy_nj->high, 3 * table.rows[0].energy_fj->high * 1e-6);
  context.technology->switching_fraction.reset();
  EXPECT_FALSE(make_cost_table(inventory, context).totals.run_energy_nj.has_value());
}

TEST(CostTable, SchedulersOfAnSmAreOneRow) {
  Inventory inventory;
  const Register a(owner_of(inventory, "sm0/scheduler0/gto"), "last", {6, Overflow::kWrap, 0});
  const Register b(owner_of(inventory, "sm0/scheduler1/gto"), "last", {6, Overflow::kWrap, 0});
  const CostTable table = make_cost_table(inventory, {});
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].block, "scheduler*/gto");
  EXPECT_EQ(table.rows[0].instances, 2U);
}

TEST(CostTable, UnlikePartsKeepTheirRows) {
  Inventory inventory;
  const Register a(owner_of(inventory, "sm0/b"), "level1", {6, Overflow::kWrap, 0});
  const Register b(owner_of(inventory, "sm0/b"), "level2", {7, Overflow::kWrap, 0});
  const CostTable table = make_cost_table(inventory, {});
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].name, "level1");
}

TEST(CostTable, CountsAccessesPerThousandCyclesOfAnSm) {
  Inventory inventory;
  CounterArray first(owner_of(inventory, "sm0/b"), "c", {4, 8, Overflow::kWrap, 1, 1, 1, false, 0});
  CounterArray second(owner_of(inventory, "sm1/b"), "c", {4, 8, Overflow::kWrap, 1, 1, 1, false, 0});
  for (Cycle cycle = 0; cycle < 30; ++cycle) first.read(cycle, 0);
  second.add(0, 0, 1);  // a read, an addition, a write
  CostContext context;
  context.cycles = 2000;
  EXPECT_DOUBLE_EQ(make_cost_table(inventory, context).rows[0].accesses_per_kilocycle, 33.0 / 2 / 2);
  EXPECT_EQ(make_cost_table(inventory, {}).rows[0].accesses_per_kilocycle, 0);
}

TEST(CostTable, SharesAndEstimatesFollowTheContext) {
  Inventory inventory;
  const BitVector bits(owner_of(inventory, "sm0/b"), "v", 64);
  CostContext context;
  context.register_file_bits = 6400;
  context.l1d_bits = 640;
  context.technology = Technology{};
  context.technology->nand2_area_um2 = Figure{2, 1.5, "test"};
  const CostTable table = make_cost_table(inventory, context);
  EXPECT_DOUBLE_EQ(table.rows[0].register_file_share, 0.01);
  EXPECT_DOUBLE_EQ(table.rows[0].l1d_share, 0.1);
  ASSERT_TRUE(table.rows[0].area_um2.has_value());
  EXPECT_DOUBLE_EQ(table.rows[0].area_um2->value, 2 * table.rows[0].area.total());
  EXPECT_DOUBLE_EQ(table.rows[0].area_um2->high, 2 * table.rows[0].area.total() * 1.3 * 1.5);
  EXPECT_FALSE(table.rows[0].energy_fj.has_value());  // no energy in the technology
}

TEST(CostTable, DeclaredPathsStandBesideThoseOfParts) {
  Inventory inventory;
  for (const char* path : {"sm0/b", "sm1/b"}) {
    owner_of(inventory, path).declare_path("compare", TimingPath().through("a", 30).through("b", 40));
  }
  const CostTable table = make_cost_table(inventory, {});
  ASSERT_EQ(table.paths.size(), 1U);
  EXPECT_DOUBLE_EQ(table.paths[0].fo4, 74);
  EXPECT_EQ(table.paths[0].cycles, 3U);  // 70 FO4 of logic in cycles of 28 - 4
}

TEST(CostJson, HasWhatTheTableHas) {
  Inventory inventory;
  const ProStorage pro(owner_of(inventory, "sm0/pro"));
  const CostTable table = make_cost_table(inventory, {});
  const nlohmann::json json = nlohmann::json::parse(cost_json(table));
  EXPECT_EQ(json["totals"]["paper_bits_per_sm"], 1920);
  EXPECT_EQ(json["totals"]["paper_bytes_per_sm"], 240);
  EXPECT_EQ(json["structures"][0]["paper_bytes"], 192);  // 48 x 4
  EXPECT_EQ(json["structures"].size(), table.rows.size());
  EXPECT_EQ(json["structures"][0]["nand2"]["total"], table.rows[0].area.total());
}

}  // namespace
}  // namespace heddle::hw
