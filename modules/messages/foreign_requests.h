#pragma once

#include <tlm>

#include "modules/messages/memory_request.h"

namespace heddle {

/// Carries out the requests of standard initiators in blocks that need a MemoryRequest: a payload of the
/// pool, with one, stands for each on its way through the GPU and back, and carries its data. The one that a
/// block makes it ends, when the answer comes back to it.
class ForeignRequests {
 public:
  /// TLM_OK_RESPONSE, or TLM_BURST_ERROR_RESPONSE for one that is empty or leaves its line of `line_bytes` (a
  /// power of two, at most kLineBytes), or what check_form() finds.
  static tlm::tlm_response_status check(const tlm::tlm_generic_payload& request, unsigned line_bytes);
  /// TLM_OK_RESPONSE, or TLM_BURST_ERROR_RESPONSE for one that repeats (streaming width below its length), or
  /// TLM_BYTE_ENABLE_ERROR_RESPONSE for one with byte enables of no length.
  static tlm::tlm_response_status check_form(const tlm::tlm_generic_payload& request);
  /// Copies to a read's data the bytes of `from` that its initiator enables.
  static void copy_enabled(tlm::tlm_generic_payload& request, const unsigned char* from);

  /// The payload that stands for `request`, which check() lets pass, ready to be sent. A write carries a copy
  /// of its data, and its byte enables.
  tlm::tlm_generic_payload& carry(tlm::tlm_generic_payload& request);
  /// The same; a read asks for the whole line of `line_bytes`.
  tlm::tlm_generic_payload& carry_line(tlm::tlm_generic_payload& request, unsigned line_bytes);
  /// One that stands for a request that will not be carried out, with its answer.
  tlm::tlm_generic_payload& refuse(tlm::tlm_generic_payload& request, tlm::tlm_response_status status);

  /// carry() etc. of this object made it.
  bool made(const MemoryRequest& request) const { return request.carrier == this; }
  /// The request that `carried`, which this object made and which has been answered, stands for: it gets the
  /// response and the data, and `carried` goes back to the pool.
  tlm::tlm_generic_payload& end(tlm::tlm_generic_payload& carried);

  /// Requests under way.
  std::size_t under_way() const { return pool_.in_use(); }

 private:
  tlm::tlm_generic_payload& make(tlm::tlm_generic_payload& request, std::uint64_t address, unsigned bytes);

  PayloadPool pool_;
};

}  // namespace heddle
