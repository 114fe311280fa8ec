#include "modules/counts/issue_cause.h"

namespace heddle {

namespace {

constexpr std::array<IssueCauseInfo, kNumIssueCauses> kCauseInfo{{
    {IssueClass::kIssued, "issued", "an instruction was issued"},
    {IssueClass::kIdle, "idle_no_warp", "no warp resident"},
    {IssueClass::kIdle, "idle_drain", "all warps have exited and wait for instructions in flight"},
    {IssueClass::kIdle, "idle_barrier", "oldest warp at a barrier, none with a valid instruction"},
    {IssueClass::kIdle, "idle_membar", "oldest warp at a membar, none with a valid instruction"},
    {IssueClass::kIdle, "idle_flush", "I-buffer of the oldest warp flushed behind a taken branch"},
    {IssueClass::kIdle, "idle_fetch", "I-buffer of the oldest warp empty"},
    {IssueClass::kScoreboard, "scoreboard_memory",
     "oldest valid warp waits for a load, texture fetch or atomic"},
    {IssueClass::kScoreboard, "scoreboard_shared", "oldest valid warp waits for a shared-memory access"},
    {IssueClass::kScoreboard, "scoreboard_sfu", "oldest valid warp waits for an SFU result"},
    {IssueClass::kScoreboard, "scoreboard_alu", "oldest valid warp waits for an SP result"},
    {IssueClass::kPipeline, "pipeline_sp", "no free SP input register for the oldest warp that could issue"},
    {IssueClass::kPipeline, "pipeline_sfu",
     "no free SFU input register for the oldest warp that could issue"},
    {IssueClass::kPipeline, "pipeline_ldst",
     "no free LD/ST input register for the oldest warp that could issue"},
    {IssueClass::kPipeline, "pipeline_policy",
     "qualifier or prioritizer held back the oldest warp that could issue"},
}};

}  // namespace

const IssueCauseInfo& info(IssueCause cause) { return kCauseInfo[static_cast<unsigned>(cause)]; }

const char* to_string(IssueClass issue_class) {
  static constexpr std::array<const char*, kNumIssueClasses> kNames{"issued", "idle", "scoreboard",
                                                                    "pipeline"};
  return kNames[static_cast<unsigned>(issue_class)];
}

std::vector<std::string> issue_cause_names() {
  std::vector<std::string> names;
  names.reserve(kCauseInfo.size());
  for (const IssueCauseInfo& entry : kCauseInfo) names.emplace_back(entry.name);
  return names;
}

std::uint64_t cycles_of(const CauseCycles& cycles, IssueClass issue_class) {
  std::uint64_t sum = 0;
  for (unsigned c = 0; c < kNumIssueCauses; ++c) {
    if (kCauseInfo[c].issue_class == issue_class) sum += cycles[c];
  }
  return sum;
}

}  // namespace heddle
