#include "sc_tests/modules/tb_dispatcher/policies/srtf/told_srtf_fixture.h"

namespace heddle {
namespace {

/// Hand-offs (SRTF 5.1.1): from when a kernel goes first on an SM to its first block there.
class SrtfOrderTest : public ToldSrtfTest {
 protected:
  /// 1000 cycles are left of the first kernel and 950 of the second, which waits for room.
  void SetUp() override {
    build("srtf");
    tell({{10, 1, 500, 500}, {19, 2}});
    wait_at(kNow);
  }
  /// Whoever goes first finds no room.
  void wait_at(std::uint64_t cycle) {
    view_.now = cycle;
    view_.room = false;
    EXPECT_EQ(next(), -1);
    view_.room = true;
  }
};

// A block of the first kernel ends, 900 are left of it: it goes on, until none of its blocks waits.
TEST_F(SrtfOrderTest, AHandOffIsOffWhenTheOtherKernelGetsThePlace) {
  view_.now += 50;
  end(0, 0);
  ASSERT_EQ(next(), 0);
  start(0, 0);
  kernel(0).tbs_started = kernel(0).tbs;
  wait_at(kNow + 500);
  view_.now = kNow + 600;
  ASSERT_EQ(next(), 1);
  start(1, 3);
  EXPECT_EQ(value("hand_offs"), 1);
  EXPECT_EQ(value("hand_off_cycles"), 100);
}

// The second kernel ends elsewhere, and another comes, whose record the dispatcher keeps in the same place.
TEST_F(SrtfOrderTest, AHandOffIsOffWhenTheKernelEnds) {
  std::unique_ptr<LaunchRecord> record = std::move(view_.running.back());
  view_.running.pop_back();
  policy_->on_end(view_, *record);
  record->launch_id = 2;
  view_.running.push_back(std::move(record));
  policy_->on_launch(view_, kernel(1));
  wait_at(kNow + 500);
  view_.now = kNow + 600;
  ASSERT_EQ(next(), 2) << "it is sampled here";
  start(1, 3);
  EXPECT_EQ(value("hand_offs"), 1);
  EXPECT_EQ(value("hand_off_cycles"), 100);
}

}  // namespace
}  // namespace heddle
