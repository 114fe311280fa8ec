#include <gtest/gtest.h>

#include "sc_tests/workloads/ptx/execution/exec_kernel_support.h"

namespace heddle::ptx::testing {
namespace {

/// A warp's steps of which the shared part is put off; the test finishes it.
class PutOffRun : public KernelRun {
 public:
  using KernelRun::KernelRun;

  void start(Dim3 block) {
    spec().grid = {1, 1, 1};
    spec().block = block;
    launch_ = module().launch(spec());
    block_ = launch_->start(0);
    site_.put_off = &put_off_;
  }
  /// Steps the warp until it has put something off or finished; the steps' addresses are kept.
  void step_until_put_off(unsigned warp) {
    const std::size_t before = put_off_.size();
    Step step;
    while (put_off_.size() == before && !step.warp_finished) {
      addresses_.push_back(std::make_unique<LaneAddresses>());
      block_->step(warp, site_, step, *addresses_.back());
      ++site_.cycle;
    }
  }
  void finish() {
    for (const PutOffStep& step : put_off_) step.block->finish(step);
    put_off_.clear();
  }
  std::size_t put_off() const { return put_off_.size(); }

 private:
  std::unique_ptr<KernelLaunch> launch_;
  std::unique_ptr<ThreadBlock> block_;
  ExecutionSite site_;
  std::vector<PutOffStep> put_off_;
  std::vector<std::unique_ptr<LaneAddresses>> addresses_;
};

TEST(ExecPutOff, AStoreChangesNothingBeforeItIsFinished) {
  PutOffRun kernel(kThreadAddress + "st.global.u32 [%rd2], %r1; ret;");
  for (unsigned i = 0; i < 32; ++i) kernel.set_word(i, 100);
  kernel.start({32, 1, 1});
  kernel.step_until_put_off(0);
  ASSERT_EQ(kernel.put_off(), 1U);
  EXPECT_EQ(kernel.word(7), 100U);
  kernel.finish();
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(kernel.word(i), i);
}

TEST(ExecPutOff, ALoadIsNotPutOff) {
  PutOffRun kernel(kThreadAddress +
                   "ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1; st.global.u32 [%rd2], %r2; ret;");
  for (unsigned i = 0; i < 32; ++i) kernel.set_word(i, 10 * i);
  kernel.start({32, 1, 1});
  kernel.step_until_put_off(0);                             // the store
  for (unsigned i = 0; i < 32; ++i) kernel.set_word(i, 0);  // after the load
  kernel.finish();
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(kernel.word(i), 10 * i + 1);
}

TEST(ExecPutOff, AnAtomicReturnsWhatItFindsWhenItIsFinished) {
  PutOffRun kernel(kThreadAddress + "atom.global.add.u32 %r2, [%rd1], 1; st.global.u32 [%rd2+4], %r2; ret;");
  kernel.set_word(0, 1);
  kernel.start({4, 1, 1});
  kernel.step_until_put_off(0);
  kernel.set_word(0, 50);
  kernel.finish();
  EXPECT_EQ(kernel.word(0), 54U);
  kernel.step_until_put_off(0);
  kernel.finish();
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(kernel.word(i + 1), 50 + i);
}

TEST(ExecPutOff, OnlyTheLanesThatAccessGlobalMemoryOfAGenericStore) {
  PutOffRun kernel(".shared .align 4 .b8 tile[128];\n" + kThreadAddress + R"(
    mov.u64 %rd3, tile; cvta.shared.u64 %rd4, %rd3; setp.lt.u32 %p1, %r1, 2; mov.u32 %r3, 9;
    selp.b64 %rd5, %rd4, %rd2, %p1; st.u32 [%rd5], %r3; ld.shared.u32 %r4, [tile];
    st.global.u32 [%rd2+64], %r4; ret;)");
  kernel.start({4, 1, 1});
  kernel.step_until_put_off(0);
  EXPECT_EQ(kernel.word(2), 0U);
  kernel.finish();
  EXPECT_EQ(kernel.word(0), 0U);
  EXPECT_EQ(kernel.word(1), 0U);
  EXPECT_EQ(kernel.word(2), 9U);
  EXPECT_EQ(kernel.word(3), 9U);
  kernel.step_until_put_off(0);
  kernel.finish();
  EXPECT_EQ(kernel.word(16), 9U);  // the shared part was done at once
}

// A source of another width than the access is copied to a place that all warps of the TB use in turn.
TEST(ExecPutOff, SourcesAreThoseOfTheStepWhatOtherWarpsHaveDoneSince) {
  PutOffRun kernel(kThreadAddress + "cvt.u64.u32 %rd3, %r1; st.global.u32 [%rd2], %rd3; ret;");
  kernel.start({64, 1, 1});
  kernel.step_until_put_off(0);
  kernel.step_until_put_off(1);
  ASSERT_EQ(kernel.put_off(), 2U);
  kernel.finish();
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(kernel.word(i), i);
}

TEST(ExecPutOff, OutputAppearsWhenItIsFinished) {
  PutOffRun kernel(R"(
    mov.u64 %rd5, text; cvta.global.u64 %rd6, %rd5; mov.u64 %rd7, 0;
    { .param .b64 param0; st.param.b64 [param0], %rd6; .param .b64 param1; st.param.b64 [param1], %rd7;
    .param .b32 retval0; call.uni (retval0), vprintf, (param0, param1); ld.param.b32 %r2, [retval0]; } ret;)",
                   ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
                   ".global .align 1 .b8 text[4] = {104, 105, 10, 0};");
  kernel.start({1, 1, 1});
  ::testing::internal::CaptureStdout();
  kernel.step_until_put_off(0);
  std::fflush(stdout);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  ::testing::internal::CaptureStdout();
  kernel.finish();
  std::fflush(stdout);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "hi\n");
}

}  // namespace
}  // namespace heddle::ptx::testing
