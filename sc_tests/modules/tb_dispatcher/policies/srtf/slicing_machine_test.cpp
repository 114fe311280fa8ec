// The Simple Slicing predictor in hardware timing.
#include "modules/tb_dispatcher/policies/srtf/slicing_machine.h"

#include <gtest/gtest.h>

#include <random>

#include "hw/pricing/gates.h"
#include "hw/pricing/inventory.h"
#include "modules/tb_dispatcher/policies/srtf/slicing_machines.h"

namespace heddle {
namespace {

hw::Owner strict_hardware_owner() {
  hw::Owner owner;
  owner.timing = hw::Timing::kHardware;
  owner.strict = true;
  return owner;
}

/// An SM by itself, stepped through every cycle.
class SlicingMachineTest : public ::testing::Test {
 protected:
  static constexpr unsigned kSteps = 26 + 26 + 32;
  /// Ends the present cycle and all before `cycle`.
  void go_to(std::uint64_t cycle) {
    for (; now_ < cycle; ++now_) {
      const SlicingMachine::Landing landing = machine_.step(now_);
      if (landing.kernel != SlicingMachine::kNone) landed_.push_back(now_);
    }
  }
  void launch(unsigned kernel, unsigned residency, std::uint64_t blocks) {
    machine_.launch(kernel, residency, blocks);
    go_to(now_ + 1);
  }

  SlicingMachine machine_{strict_hardware_owner(), 8, 8, true};
  std::uint64_t now_ = 0;
  std::vector<std::uint64_t> landed_;
};

// Found at 110, measured at 111, begun at 112; there in the cycle after the last step.
TEST_F(SlicingMachineTest, APredictionTakesTheStepsOfItsUnit) {
  launch(2, 4, 30);
  go_to(10);
  machine_.block_start(2, TbSlot(5));
  go_to(110);
  machine_.block_end(2, TbSlot(5));
  go_to(111);
  EXPECT_EQ(machine_.tb_cycles(2), 0U);
  go_to(112);
  EXPECT_EQ(machine_.tb_cycles(2), 100U);
  const std::uint64_t lands = 112 + kSteps * machine_.step_cycles();
  go_to(lands);
  EXPECT_FALSE(machine_.known(2));
  EXPECT_EQ(machine_.first(lands, 4), SlicingMachine::kNone);
  go_to(lands + 1);
  EXPECT_TRUE(machine_.known(2));
  EXPECT_EQ(landed_, std::vector<std::uint64_t>{lands});
  EXPECT_EQ(machine_.remaining_cycles(2), 29U * 100 / 4);
  EXPECT_EQ(machine_.predicted_cycles(2), 100U + 29 * 100 / 4);
  EXPECT_EQ(machine_.first(lands + 1, 4), 2U);
}

// What ends meanwhile is predicted anew, from what there is then, and of two kernels the lower one first.
TEST_F(SlicingMachineTest, PredictsOneKernelAtATime) {
  launch(0, 2, 10);
  launch(1, 2, 10);
  for (unsigned kernel = 0; kernel < 2; ++kernel) {
    machine_.block_start(kernel, TbSlot(kernel));
    go_to(now_ + 1);
  }
  go_to(101);
  machine_.block_end(1, TbSlot(1));
  go_to(102);
  machine_.block_end(0, TbSlot(0));
  go_to(105);
  machine_.block_start(1, TbSlot(1));
  go_to(110);
  machine_.block_end(1, TbSlot(1));
  const unsigned unit = kSteps * machine_.step_cycles();
  go_to(103 + unit + 1);
  EXPECT_EQ(machine_.known(), 2U);
  EXPECT_EQ(machine_.remaining_cycles(1), 9U * 98 / 2) << "of when it began";
  go_to(103 + 3 * unit + 1);
  EXPECT_EQ(machine_.known(), 3U);
  EXPECT_EQ(machine_.remaining_cycles(1), 8U * 98 / 2);
  EXPECT_EQ(landed_, (std::vector<std::uint64_t>{103 + unit, 103 + 2 * unit, 103 + 3 * unit}));
}

TEST_F(SlicingMachineTest, OfTbsThatEndTogetherTheLowestSlotIsMeasuredAndAllAreCounted) {
  launch(0, 4, 30);
  for (unsigned slot = 0; slot < 3; ++slot) {
    machine_.block_start(0, TbSlot(slot));
    go_to(now_ + 10);
  }
  go_to(200);
  machine_.block_end(0, TbSlot(2));
  machine_.block_end(0, TbSlot(1));
  go_to(203);
  EXPECT_EQ(machine_.tb_cycles(0), 200U - 11);
  EXPECT_EQ(machine_.blocks_left(0), 28U);
  machine_.block_end(0, TbSlot(0));
  go_to(206);
  EXPECT_EQ(machine_.tb_cycles(0), 200U - 11) << "not the first of the slice";
}

// A kernel that ends takes its prediction with it, also one that is under way when the slot has another one.
TEST_F(SlicingMachineTest, WhatBelongsToAKernelThatEndsIsDropped) {
  launch(3, 1, 10);
  machine_.block_start(3, TbSlot(0));
  go_to(50);
  machine_.block_end(3, TbSlot(0));
  go_to(60);
  EXPECT_TRUE(machine_.busy());
  machine_.kernel_end(3);
  go_to(61);
  EXPECT_FALSE(machine_.busy());
  EXPECT_FALSE(machine_.sample().valid);
  launch(3, 2, 7);
  go_to(5000);
  EXPECT_FALSE(machine_.known(3));
  EXPECT_TRUE(landed_.empty());
  EXPECT_EQ(machine_.blocks_left(3), 7U);
}

TEST_F(SlicingMachineTest, OfEqualsTheLowestSlotIsFirst) {
  for (const unsigned kernel : {6U, 1U, 4U}) launch(kernel, 4, kernel == 4 ? 31 : 30);
  for (const unsigned kernel : {6U, 1U, 4U}) {
    machine_.adopt({true, kernel, 500}, false);
    go_to(now_ + 1);
  }
  go_to(2000);
  const std::vector<std::pair<std::uint64_t, unsigned>> asked{
      {0x52, 1}, {0x50, 6}, {0x10, 4}, {0x2d, SlicingMachine::kNone}};
  for (const auto& [waiting, first] : asked) {
    EXPECT_EQ(machine_.first(now_, waiting), first) << waiting;
    go_to(now_ + 1);  // one choice a cycle
  }
}

/// In a netlist of sized cells, of the predictor of an SM of 8 TB slots.
double sized_fo4_of_begin(unsigned kernels) {
  hw::Inventory inventory;
  hw::Owner owner = strict_hardware_owner();
  owner.inventory = &inventory;
  owner.path = "sm0";
  const SlicingParts parts(owner, kernels, 8);
  for (const hw::Inventory::BlockPath& path : inventory.paths()) {
    if (path.name == "begin of a prediction") return path.path.sized_fo4();
  }
  ADD_FAILURE() << "no such path";
  return 0;
}

// That the unit is ready is known later than which of two or four kernels is the next, which is found
// meanwhile: two more kernels are a level more of what is read of the next one, and no other delay.
TEST(SlicingParts, FindTheNextKernelWhileTheUnitSaysThatItIsReady) {
  const double level = hw::gates::one_hot_mux_fo4(4).sized - hw::gates::one_hot_mux_fo4(2).sized;
  EXPECT_NEAR(sized_fo4_of_begin(4) - sized_fo4_of_begin(2), level, 1e-9);
  EXPECT_GT(sized_fo4_of_begin(8) - sized_fo4_of_begin(4), level);
}

/// Several SMs, with the lines between them.
class SlicingMachinesTest : public ::testing::Test {
 protected:
  SlicingMachinesTest() { core_.sms = 3; }

  CoreConfig core_;
  TbDispatcherConfig dispatch_;
  SampleBus bus_{strict_hardware_owner(), 3, 36};
};

TEST_F(SlicingMachinesTest, TheLowestSmTellsItsSampleFirstAndTheOthersTakeIt) {
  SlicingMachines machines({core_, dispatch_, strict_hardware_owner()}, true, bus_);
  std::vector<unsigned> landed;
  const auto note = [&landed](const SlicingMachines::Landing& landing) { landed.push_back(landing.sm); };
  machines.launch(0, 4, 20);
  machines.launch(5, 4, 20);
  machines.advance(10, note);
  machines.sm(1).block_start(5, TbSlot(0));
  machines.sm(2).block_start(5, TbSlot(0));
  machines.advance(20, note);
  machines.sm(2).block_end(5, TbSlot(0));
  machines.advance(21, note);
  machines.sm(1).block_end(5, TbSlot(0));
  machines.advance(24, note);
  // SM 2 measured 10 cycles and told so at 22, when SM 1 measured 11.
  EXPECT_EQ(machines.sm(0).tb_cycles(5), 10U);
  EXPECT_EQ(machines.sm(1).tb_cycles(5), 11U);
  EXPECT_EQ(machines.sm(2).tb_cycles(5), 10U);
  EXPECT_GT(machines.next_change(), 24U);
  machines.advance(1000, note);
  EXPECT_EQ(landed, (std::vector<unsigned>{2, 0, 1}));
  EXPECT_EQ(machines.next_change(), SlicingMachine::kNever);
  EXPECT_EQ(machines.sm(0).remaining_cycles(5), 20U * 10 / 4);
  EXPECT_EQ(machines.sm(2).remaining_cycles(5), 19U * 10 / 4);
}

// No port is used more often than it is there, whatever comes together; cycles that are left out change
// nothing.
TEST_F(SlicingMachinesTest, KeepsToItsPortsAndMayLeaveOutIdleCycles) {
  SampleBus other_bus{strict_hardware_owner(), 3, 36};
  SlicingMachines each({core_, dispatch_, strict_hardware_owner()}, true, bus_);
  SlicingMachines some({core_, dispatch_, strict_hardware_owner()}, true, other_bus);
  std::mt19937 random(7);
  const auto drawn = [&random](unsigned below) { return static_cast<unsigned>(random() % below); };
  const auto ignore = [](const SlicingMachines::Landing& /*landing*/) {};
  std::vector<std::vector<unsigned>> held(3, std::vector<unsigned>(8, ~0U));  // kernel by SM and slot
  std::uint64_t alive = 0;
  std::uint64_t cycle = 0;
  std::uint64_t predictions = 0;
  for (unsigned turn = 0; turn < 20000; ++turn) {
    const std::uint64_t next = cycle + 1 + (drawn(4) == 0 ? drawn(400) : 0);
    for (; cycle < next; ++cycle) each.advance(cycle + 1, [&](const auto& /*landing*/) { ++predictions; });
    some.advance(next, ignore);
    for (unsigned sm = 0; sm < 3; ++sm) {
      bool started = false;
      for (unsigned slot = 0; slot < 8; ++slot) {
        unsigned& kernel = held[sm][slot];
        if (kernel != ~0U && drawn(4) == 0) {
          for (SlicingMachines* const machines : {&each, &some})
            machines->sm(sm).block_end(kernel, TbSlot(slot));
          kernel = ~0U;
        }
        const unsigned starting = drawn(8);
        if (kernel != ~0U || started || (alive >> starting & 1U) == 0 || drawn(3) != 0) continue;
        for (SlicingMachines* const machines : {&each, &some})
          machines->sm(sm).block_start(starting, TbSlot(slot));
        kernel = starting;
        started = true;
      }
    }
    const unsigned changed = drawn(200);
    if (changed < 8) {
      for (unsigned sm = 0; sm < 3; ++sm) {
        for (unsigned slot = 0; slot < 8; ++slot) {
          if (held[sm][slot] == changed) {
            for (SlicingMachines* const machines : {&each, &some})
              machines->sm(sm).block_end(changed, TbSlot(slot));
            held[sm][slot] = ~0U;
          }
        }
      }
      for (SlicingMachines* const machines : {&each, &some}) {
        if ((alive >> changed & 1U) != 0) machines->kernel_end(changed);
        machines->launch(changed, 1 + changed, 1000);
      }
      alive |= std::uint64_t{1} << changed;
    }
    for (unsigned sm = 0; sm < 3; ++sm) {
      ASSERT_EQ(each.sm(sm).known(), some.sm(sm).known()) << cycle;
      for (unsigned kernel = 0; kernel < 8; ++kernel) {
        ASSERT_EQ(each.sm(sm).predicted_cycles(kernel), some.sm(sm).predicted_cycles(kernel)) << cycle;
        ASSERT_EQ(each.sm(sm).tb_cycles(kernel), some.sm(sm).tb_cycles(kernel)) << cycle;
      }
    }
  }
  EXPECT_GT(predictions, 1000U);
}

}  // namespace
}  // namespace heddle
