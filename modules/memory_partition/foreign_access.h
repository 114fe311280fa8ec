#pragma once

#include <tlm>

#include "modules/memory_partition/backing_store.h"

namespace heddle {

/// Moves the data of a payload that ForeignRequests::check_form() lets pass, byte enables included, between it
/// and the store. False when the store lacks the bytes. An ignore command moves nothing.
bool move_data(BackingStore& store, tlm::tlm_generic_payload& payload);

/// As move_data() without byte enables, for debug transport: bytes moved.
unsigned move_debug_data(BackingStore& store, tlm::tlm_generic_payload& payload);

}  // namespace heddle
