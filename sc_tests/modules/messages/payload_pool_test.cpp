#include <gtest/gtest.h>

#include "modules/messages/memory_request.h"

namespace heddle {
namespace {

/// What a foreign memory notes in the payloads that it gets.
class Note : public tlm::tlm_extension<Note> {
 public:
  ~Note() override { ++freed; }
  tlm::tlm_extension_base* clone() const override { return nullptr; }
  void copy_from(const tlm::tlm_extension_base& /*other*/) override {}
  static inline unsigned freed = 0;
};

TEST(PayloadPool, WhatAnotherNotesInAPayloadEndsWithItsTransaction) {
  PayloadPool pool;
  tlm::tlm_generic_payload& payload = pool.make(tlm::TLM_READ_COMMAND, 0, 32);
  payload.set_auto_extension(new Note);
  payload.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
  payload.acquire();
  payload.release();
  EXPECT_EQ(Note::freed, 0U);
  payload.release();
  EXPECT_EQ(Note::freed, 1U);
  tlm::tlm_generic_payload& next = pool.make(tlm::TLM_READ_COMMAND, 0, 32);
  ASSERT_EQ(&next, &payload);
  EXPECT_EQ(next.get_extension<Note>(), nullptr);
  EXPECT_EQ(next.get_gp_option(), tlm::TLM_MIN_PAYLOAD);
  EXPECT_EQ(next.get_extension<MemoryRequest>(), request_of(next));
  next.release();
}

}  // namespace
}  // namespace heddle
