#include "modules/messages/foreign_requests.h"

#include <cstring>

namespace heddle {

namespace {

/// Sectors of the 128-byte line that [address, address + bytes) touches; it does not leave the line.
std::uint8_t sectors(std::uint64_t address, unsigned bytes) {
  const unsigned first = static_cast<unsigned>(address % kLineBytes) / kSectorBytes;
  const unsigned last = (static_cast<unsigned>(address % kLineBytes) + bytes - 1) / kSectorBytes;
  return static_cast<std::uint8_t>((2U << last) - (1U << first));
}

}  // namespace

tlm::tlm_response_status ForeignRequests::check(const tlm::tlm_generic_payload& request,
                                                unsigned line_bytes) {
  const unsigned length = request.get_data_length();
  const bool in_line =
      length != 0 && length <= line_bytes && request.get_address() % line_bytes + length <= line_bytes;
  return in_line ? check_form(request) : tlm::TLM_BURST_ERROR_RESPONSE;
}

tlm::tlm_response_status ForeignRequests::check_form(const tlm::tlm_generic_payload& request) {
  if (request.get_streaming_width() < request.get_data_length()) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (request.get_byte_enable_ptr() != nullptr && request.get_byte_enable_length() == 0) {
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

void ForeignRequests::copy_enabled(tlm::tlm_generic_payload& request, const unsigned char* from) {
  const unsigned char* const enables = request.get_byte_enable_ptr();
  const unsigned length = request.get_data_length();
  if (enables == nullptr) {
    std::memcpy(request.get_data_ptr(), from, length);
    return;
  }
  for (unsigned i = 0; i < length; ++i) {
    if (enables[i % request.get_byte_enable_length()] == TLM_BYTE_ENABLED)
      request.get_data_ptr()[i] = from[i];
  }
}

tlm::tlm_generic_payload& ForeignRequests::make(tlm::tlm_generic_payload& request, std::uint64_t address,
                                                unsigned bytes) {
  tlm::tlm_generic_payload& carried = pool_.make(request.get_command(), address, bytes);
  // What a memory that moves no data answers: zeros, as the GPU's own requests carry.
  if (request.is_read()) std::memset(carried.get_data_ptr(), 0, bytes);
  MemoryRequest& extension = *request_of(carried);
  extension.kind = request.is_write() ? RequestKind::kStore : RequestKind::kLoad;
  extension.sector_mask = sectors(address, bytes);
  extension.last = true;
  extension.stands_for = &request;
  extension.carrier = this;
  return carried;
}

tlm::tlm_generic_payload& ForeignRequests::carry(tlm::tlm_generic_payload& request) {
  tlm::tlm_generic_payload& carried = make(request, request.get_address(), request.get_data_length());
  if (request.is_write()) {
    std::memcpy(carried.get_data_ptr(), request.get_data_ptr(), request.get_data_length());
    carried.set_byte_enable_ptr(request.get_byte_enable_ptr());
    carried.set_byte_enable_length(request.get_byte_enable_length());
  }
  return carried;
}

tlm::tlm_generic_payload& ForeignRequests::carry_line(tlm::tlm_generic_payload& request,
                                                      unsigned line_bytes) {
  if (!request.is_read()) return carry(request);
  return make(request, request.get_address() & ~std::uint64_t{line_bytes - 1}, line_bytes);
}

tlm::tlm_generic_payload& ForeignRequests::refuse(tlm::tlm_generic_payload& request,
                                                  tlm::tlm_response_status status) {
  tlm::tlm_generic_payload& carried = make(request, request.get_address(), 1);
  carried.set_response_status(status);
  return carried;
}

tlm::tlm_generic_payload& ForeignRequests::end(tlm::tlm_generic_payload& carried) {
  tlm::tlm_generic_payload& request = *request_of(carried)->stands_for;
  request.set_response_status(carried.get_response_status());
  if (request.is_read() && carried.is_response_ok()) {
    copy_enabled(request, carried.get_data_ptr() + (request.get_address() - carried.get_address()));
  }
  carried.release();
  return request;
}

}  // namespace heddle
