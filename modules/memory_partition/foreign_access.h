#pragma once

#include <tlm>

#include "modules/memory_partition/backing_store.h"

namespace heddle {

/// What the blocks of a partition answer to a payload of a standard initiator: TLM_OK_RESPONSE, or
/// TLM_BURST_ERROR_RESPONSE when it leaves its 128-byte line or repeats (streaming width below its length).
tlm::tlm_response_status check_access(const tlm::tlm_generic_payload& payload);

/// Moves the payload's data, byte enables included, between it and the store. False when the store lacks the
/// bytes. An ignore command moves nothing.
bool move_data(BackingStore& store, tlm::tlm_generic_payload& payload);

/// As move_data() without byte enables, for debug transport: bytes moved.
unsigned move_debug_data(BackingStore& store, tlm::tlm_generic_payload& payload);

}  // namespace heddle
