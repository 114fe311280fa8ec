#include "modules/memory_partition/foreign_access.h"

#include <cstring>

namespace heddle {

unsigned move_debug_data(BackingStore& store, tlm::tlm_generic_payload& payload) {
  const unsigned length = payload.get_data_length();
  std::uint8_t* bytes = store.bytes(payload.get_address(), length);
  if (bytes == nullptr || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
  if (payload.is_read()) {
    std::memcpy(payload.get_data_ptr(), bytes, length);
  } else {
    std::memcpy(bytes, payload.get_data_ptr(), length);
  }
  return length;
}

bool move_data(BackingStore& store, tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return true;
  if (payload.get_byte_enable_ptr() == nullptr) return move_debug_data(store, payload) != 0;
  const unsigned length = payload.get_data_length();
  std::uint8_t* bytes = store.bytes(payload.get_address(), length);
  if (bytes == nullptr) return false;
  for (unsigned i = 0; i < length; ++i) {
    const unsigned enable = i % payload.get_byte_enable_length();
    if (payload.get_byte_enable_ptr()[enable] != TLM_BYTE_ENABLED) continue;
    if (payload.is_read()) {
      payload.get_data_ptr()[i] = bytes[i];
    } else {
      bytes[i] = payload.get_data_ptr()[i];
    }
  }
  return true;
}

}  // namespace heddle
