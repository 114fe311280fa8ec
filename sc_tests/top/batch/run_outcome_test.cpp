#include "top/batch/run_outcome.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(RunOutcome, SaysHowTheRunEnded) {
  RunFigures estimates;
  estimates.sampled = true;
  EXPECT_EQ((RunOutcome{ExitCode::kOk, RunFigures()}.status()), "complete");
  EXPECT_EQ((RunOutcome{ExitCode::kOk, estimates}.status()), "sampled");
  EXPECT_EQ((RunOutcome{ExitCode::kCheckFailed, estimates}.status()), "check failed");
  EXPECT_EQ((RunOutcome{ExitCode::kBadInput, {}}.status()), "bad input");
  EXPECT_EQ((RunOutcome{static_cast<ExitCode>(128 + 9), {}}.status()), "crash (signal 9)");
  EXPECT_EQ((RunOutcome{ExitCode::kInternal, {}}.status()), "crash (exit code 70)");
}

TEST(RunOutcome, IsCompleteWithItsFiguresOnly) {
  RunFigures figures;
  EXPECT_FALSE((RunOutcome{ExitCode::kOk, {}}.complete()));
  EXPECT_FALSE((RunOutcome{ExitCode::kCycleLimit, figures}.complete()));
  figures.complete = true;
  EXPECT_TRUE((RunOutcome{ExitCode::kCheckFailed, figures}.complete()));
}

}  // namespace
}  // namespace heddle
