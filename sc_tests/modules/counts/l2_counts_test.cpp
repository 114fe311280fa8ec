#include "modules/counts/l2_counts.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sc_tests/support/stat_table.h"

namespace heddle {
namespace {

using Result = L2Counts::Result;

struct Requests {
  unsigned times;
  RequestKind kind;
  Result result;
  LineOrigin origin;
  bool has_origin;
  unsigned sectors;
  unsigned fetched;
};

TEST(L2Counts, ARequestIsCountedByKindResultAndWhoBroughtTheLineIn) {
  L2Counts counts;
  for (const Requests& requests : {
           Requests{1, RequestKind::kLoad, Result::kHit, LineOrigin::kSameWarp, true, 4, 0},
           Requests{2, RequestKind::kLoad, Result::kHit, LineOrigin::kSameSm, true, 4, 0},
           Requests{3, RequestKind::kLoad, Result::kHit, LineOrigin::kOtherSm, true, 4, 0},
           Requests{4, RequestKind::kLoad, Result::kHit, LineOrigin::kNobody, true, 4, 0},
           Requests{5, RequestKind::kLoad, Result::kMerged, LineOrigin::kSameWarp, true, 2, 0},
           Requests{6, RequestKind::kLoad, Result::kMerged, LineOrigin::kSameSm, true, 2, 0},
           Requests{7, RequestKind::kLoad, Result::kMerged, LineOrigin::kOtherSm, true, 2, 0},
           Requests{8, RequestKind::kLoad, Result::kMerged, LineOrigin::kNobody, true, 2, 0},
           Requests{9, RequestKind::kLoad, Result::kMiss, LineOrigin::kNobody, true, 4, 3},
           // Only loads are told apart by who brought the line in.
           Requests{10, RequestKind::kStore, Result::kHit, LineOrigin::kSameWarp, false, 1, 0},
           Requests{11, RequestKind::kAtomic, Result::kMerged, LineOrigin::kSameWarp, false, 1, 0},
           Requests{12, RequestKind::kInstruction, Result::kMiss, LineOrigin::kNobody, false, 4, 4},
           Requests{13, RequestKind::kConstant, Result::kHit, LineOrigin::kNobody, false, 2, 0},
           Requests{14, RequestKind::kTexture, Result::kHit, LineOrigin::kNobody, false, 4, 0},
       }) {
    for (unsigned i = 0; i < requests.times; ++i) {
      counts.count(requests.kind, requests.result, requests.origin, requests.has_origin, requests.sectors,
                   requests.fetched);
    }
  }
  test::StatTable table;
  counts.report(table);
  EXPECT_EQ(table.values, (std::map<std::string, std::uint64_t>{
                              {"loads", 45},
                              {"stores", 10},
                              {"atomics", 11},
                              {"instruction_reads", 12},
                              {"constant_reads", 13},
                              {"texture_reads", 14},
                              {"hits", 1 + 2 + 3 + 4 + 10 + 13 + 14},
                              {"misses", 9 + 12},
                              {"merged", 5 + 6 + 7 + 8 + 11},
                              {"load_hits_intra_warp", 1},
                              {"load_hits_inter_warp", 2},
                              {"load_hits_inter_sm", 3},
                              {"load_hits_no_warp", 4},
                              {"load_merged_intra_warp", 5},
                              {"load_merged_inter_warp", 6},
                              {"load_merged_inter_sm", 7},
                              {"load_merged_no_warp", 8},
                              {"sectors", 10 * 4 + 26 * 2 + 9 * 4 + 10 + 11 + 12 * 4 + 13 * 2 + 14 * 4},
                              {"fetches", 9 + 12},
                              {"fetched_sectors", 9 * 3 + 12 * 4},
                          }));
}

}  // namespace
}  // namespace heddle
