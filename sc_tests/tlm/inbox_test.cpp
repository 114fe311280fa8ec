#include "tlm/inbox.h"

#include <gtest/gtest.h>

#include <set>

#include "sc_tests/support/memory_stubs.h"

namespace heddle::test {
namespace {

class InboxTest : public ::testing::Test {
 protected:
  ~InboxTest() override {
    for (auto* payload : made_) payload->release();
  }
  tlm::tlm_generic_payload& payload(std::uint64_t address) {
    made_.push_back(&pool_.make(tlm::TLM_READ_COMMAND, address, 4));
    return *made_.back();
  }
  PayloadPool pool_;
  std::vector<tlm::tlm_generic_payload*> made_;
};

TEST_F(InboxTest, ShowsAPayloadOnlyStrictlyAfterItsArrival) {
  Inbox inbox(2);
  ASSERT_TRUE(inbox.offer(payload(1), 10, 12));
  EXPECT_FALSE(inbox.ready(11));
  EXPECT_FALSE(inbox.ready(12));
  EXPECT_TRUE(inbox.ready(13));
}

TEST_F(InboxTest, CountsWhatArrivedStrictlyBefore) {
  Inbox inbox(3);
  ASSERT_TRUE(inbox.offer(payload(1), 10, 10));
  ASSERT_TRUE(inbox.offer(payload(2), 20, 20));
  EXPECT_EQ(inbox.visible(10), 0U);
  EXPECT_EQ(inbox.visible(20), 1U);
  EXPECT_EQ(inbox.visible(21), 2U);
  inbox.pop(21);
  EXPECT_EQ(inbox.visible(21), 1U);
}

TEST_F(InboxTest, KeepsOrderAroundTheRing) {
  Inbox inbox(3);
  std::uint64_t next_out = 0;
  for (std::uint64_t in = 0; in < 10; ++in) {
    ASSERT_TRUE(inbox.offer(payload(in), 10 * in, 10 * in));
    if (inbox.size() < 3) continue;
    EXPECT_EQ(inbox.front().get_address(), next_out++);
    inbox.pop(10 * in + 1);
  }
  EXPECT_EQ(next_out, 8U);
}

TEST_F(InboxTest, APlaceFreedAtATimeCountsOnlyAfterThatTime) {
  Inbox inbox(1);
  ASSERT_TRUE(inbox.offer(payload(1), 10, 10));
  inbox.pop(20);
  EXPECT_FALSE(inbox.has_room(20));
  EXPECT_TRUE(inbox.has_room(21));
  EXPECT_FALSE(inbox.offer(payload(2), 20, 20));
  EXPECT_TRUE(inbox.has_offer());
}

TEST_F(InboxTest, SeveralPopsAtOneTimeAllCountLater) {
  Inbox inbox(2);
  ASSERT_TRUE(inbox.offer(payload(1), 10, 10));
  ASSERT_TRUE(inbox.offer(payload(2), 10, 10));
  inbox.pop(20);
  inbox.pop(20);
  EXPECT_FALSE(inbox.has_room(20));
  EXPECT_TRUE(inbox.has_room(30));
}

TEST_F(InboxTest, AWithheldOfferIsAcceptedOnceThereIsRoomAndStrictlyLater) {
  Inbox inbox(1);
  auto& second = payload(2);
  ASSERT_TRUE(inbox.offer(payload(1), 10, 10));
  ASSERT_FALSE(inbox.offer(second, 20, 20));
  EXPECT_EQ(inbox.offered(), &second);
  EXPECT_EQ(inbox.accept_offer(30), nullptr);  // full
  inbox.pop(30);
  EXPECT_EQ(inbox.accept_offer(20), nullptr);  // not before it was made
  EXPECT_EQ(inbox.accept_offer(40), &second);
  EXPECT_FALSE(inbox.has_offer());
  EXPECT_EQ(&inbox.front(), &second);
  EXPECT_TRUE(inbox.ready(40));
}

TEST_F(InboxTest, AnyOfSeesQueuedInvisibleAndOfferedPayloads) {
  Inbox inbox(2);
  ASSERT_TRUE(inbox.offer(payload(1), 10, 10));
  inbox.pop(11);
  ASSERT_TRUE(inbox.offer(payload(2), 12, 12));
  ASSERT_TRUE(inbox.offer(payload(3), 12, 99));
  ASSERT_FALSE(inbox.offer(payload(4), 12, 12));
  const auto holds = [&](std::uint64_t address) {
    return inbox.any_of([&](const tlm::tlm_generic_payload& held) { return held.get_address() == address; });
  };
  EXPECT_FALSE(holds(1));
  EXPECT_TRUE(holds(2));
  EXPECT_TRUE(holds(3));
  EXPECT_TRUE(holds(4));
}

TEST(PayloadPool, AReleasedPayloadIsUsedAgainFresh) {
  PayloadPool pool;
  auto& first = pool.make(tlm::TLM_WRITE_COMMAND, 0x80, 32);
  EXPECT_EQ(pool.in_use(), 1U);
  EXPECT_EQ(first.get_ref_count(), 1);
  request_of(first)->kind = RequestKind::kStore;
  first.set_response_status(tlm::TLM_OK_RESPONSE);
  first.set_dmi_allowed(true);
  first.acquire();
  first.release();
  EXPECT_EQ(pool.in_use(), 1U);
  first.release();
  EXPECT_EQ(pool.in_use(), 0U);
  auto& second = pool.make(tlm::TLM_READ_COMMAND, 0x100, 64);
  EXPECT_EQ(&second, &first);
  EXPECT_EQ(second.get_command(), tlm::TLM_READ_COMMAND);
  EXPECT_EQ(second.get_address(), 0x100U);
  EXPECT_EQ(second.get_data_length(), 64U);
  EXPECT_EQ(second.get_streaming_width(), 64U);
  EXPECT_EQ(second.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_FALSE(second.is_dmi_allowed());
  EXPECT_NE(second.get_data_ptr(), nullptr);
  EXPECT_EQ(request_of(second)->kind, RequestKind::kLoad);
  second.release();
}

TEST(PayloadPool, PayloadsInUseAreDistinct) {
  PayloadPool pool;
  auto& a = pool.make(tlm::TLM_READ_COMMAND, 0, 128);
  auto& b = pool.make(tlm::TLM_READ_COMMAND, 128, 128);
  EXPECT_NE(&a, &b);
  EXPECT_NE(a.get_data_ptr(), b.get_data_ptr());
  EXPECT_NE(request_of(a), request_of(b));
  a.release();
  b.release();
}

TEST(MemoryRequest, StagesAddUpToTheLifetime) {
  MemoryRequest request;
  request.born(Stage::kLdst, 100);
  request.enter(Stage::kL1d, 107);
  request.enter(Stage::kMshr, 150);
  request.enter(Stage::kL1d, 151);
  request.finish(160);
  std::uint64_t sum = 0;
  for (const Ticks ticks : request.spent()) sum += ticks;
  EXPECT_EQ(sum, 60U);
  EXPECT_EQ(request.spent()[static_cast<unsigned>(Stage::kLdst)], 7U);
  EXPECT_EQ(request.spent()[static_cast<unsigned>(Stage::kL1d)], 43U + 9U);
  EXPECT_EQ(request.born_at(), 100U);
}

TEST(MemoryRequest, EveryStageHasItsOwnName) {
  std::set<std::string> names;
  for (unsigned i = 0; i < kNumStages; ++i) names.insert(to_string(static_cast<Stage>(i)));
  EXPECT_EQ(names.size(), kNumStages);
}

TEST(MemoryRequest, CloneAndCopyFromKeepEverything) {
  MemoryRequest request;
  request.kind = RequestKind::kAtomic;
  request.access_id = 77;
  request.born(Stage::kLdst, 5);
  request.enter(Stage::kL2, 9);
  MemoryRequest* clone = static_cast<MemoryRequest*>(request.clone());
  EXPECT_EQ(clone->access_id, 77U);
  EXPECT_EQ(clone->stage(), Stage::kL2);
  MemoryRequest other;
  other.copy_from(*clone);
  EXPECT_EQ(other.kind, RequestKind::kAtomic);
  EXPECT_EQ(other.born_at(), 5U);
  delete clone;
}

}  // namespace
}  // namespace heddle::test
