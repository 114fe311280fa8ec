#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <tlm>
#include <typeinfo>
#include <vector>

#include "tlm/clock_domain.h"

namespace heddle {

/// Bytes of a cache line and of a coalesced access (gtx480.md, "L1D").
constexpr unsigned kLineBytes = 128;
/// Bytes of a sector: the unit of L2 data and of DRAM accesses.
constexpr unsigned kSectorBytes = 32;
constexpr unsigned kSectorsPerLine = kLineBytes / kSectorBytes;

struct LaunchCounts;
struct WarpInstruction;
class ForeignRequests;

enum class RequestKind : std::uint8_t { kLoad, kStore, kAtomic, kInstruction, kConstant, kTexture };

/// Which client of an SM's memory port sent a request; responses are routed back by it.
enum class Requester : std::uint8_t {
  kL1d,        ///< what the LD/ST unit sends through the L1D
  kWriteBack,  ///< the L1D itself: a modified line that it evicts
  kL1i,
  kConstantCache,
  kTextureCache,
  kExternal
};

/// Where a memory request is. At every moment of its life a request is in exactly one place; the times spent
/// add up to its lifetime.
enum class Stage : std::uint8_t {
  kLdst,        ///< generated, waiting to enter the L1D
  kL1d,         ///< in the L1D's latency pipe, or blocked at its end
  kMshr,        ///< in the MSHR's miss queue (primary) or merged, waiting for the line
  kMemoryPort,  ///< waiting for the SM's injection port
  kRequestNetwork,
  kL2Queue,     ///< in a partition's input delay and queue
  kL2,          ///< in an L2 slice (lookup, or merged with an outstanding fetch)
  kDramQueue,   ///< waiting in the DRAM controller for its first command
  kDram,        ///< from the first DRAM command to the last data beat
  kReplyQueue,  ///< ready in the partition, waiting for the reply network
  kReplyNetwork,
  kFill,  ///< back in the SM, waiting to be written and handed to the LD/ST unit
};
constexpr unsigned kNumStages = 12;
const char* to_string(Stage stage);

/// Why a cache does not take a request that it is offered: the LD/ST unit charges its stall to it.
enum class Refusal : std::uint8_t {
  kNone,
  kBankBusy,      ///< its input is taken by another access: a coalescing stall when of the same instruction
  kMshrEntries,   ///< no free MSHR entry
  kMshrMerges,    ///< the entry of that line can't take another merge
  kLineReserved,  ///< every way of the set waits for a fill
  kInterconnect,  ///< the miss queue is full because the network does not take requests
  kReplay,        ///< it has to wait in the L1D's re-execution queue, which can't take it
};
constexpr unsigned kNumRefusals = 7;
/// Names in the order of the values, for waves.
std::vector<std::string> refusal_names();

/// Who had brought in the line that a load finds in the L2, or waits for there.
enum class LineOrigin : std::uint8_t { kSameWarp, kSameSm, kOtherSm, kNobody };

/// What Heddle adds to a generic payload. One extension serves every hop from LD/ST unit to DRAM and back.
class MemoryRequest : public tlm::tlm_extension<MemoryRequest> {
 public:
  RequestKind kind = RequestKind::kLoad;
  Requester requester = Requester::kExternal;
  Refusal refusal = Refusal::kNone;
  bool bypass_l1d = false;
  bool local = false;    ///< local space: the L1D writes back what it holds
  bool primary = false;  ///< set by the MSHR: fetches the line; false when merged
  bool hit = false;      ///< set by the L1D: served without a miss
  bool l2_hit = false;
  LineOrigin l2_origin = LineOrigin::kNobody;  ///< set by the L2 for loads that did not fetch from DRAM
  bool last = false;                           ///< the last access of its instruction
  std::uint8_t sector_mask = 0;  ///< sectors of the 128-byte line that are touched (bit 0: lowest)
  std::uint16_t sm = 0;
  std::uint16_t partition = 0;  ///< set by the interconnect's address map: global L2 slice index
  std::uint16_t warp = 0;       ///< warp slot in the SM
  std::uint16_t line_warp =
      0;  ///< set by the MSHR of what it merges: the warp whose request fetches the line
  std::uint32_t pc = 0;
  std::uint64_t access_id = 0;         ///< unique per SM, in order of generation
  std::uint64_t instruction = 0;       ///< the instruction's number on the SM
  Ticks l2_before_dram = 0;            ///< of what was fetched for it: time in Stage::kL2 before that
  WarpInstruction* waiting = nullptr;  ///< whose result the response is part of; none for stores
  tlm::tlm_generic_payload* stands_for = nullptr;  ///< a standard initiator's request, whose data it carries
  const ForeignRequests* carrier = nullptr;        ///< who carries out stands_for
  LaunchCounts* counts = nullptr;  ///< of the kernel launch that it belongs to, when they are wanted

  /// Begins the life at time `now` in `stage`.
  void born(Stage stage, Ticks now);
  /// Leaves the present stage and enters `stage`.
  void enter(Stage stage, Ticks now) {
    spent_[static_cast<unsigned>(stage_)] += now - since_;
    stage_ = stage;
    since_ = now;
  }
  /// Ends the life: closes the present stage.
  void finish(Ticks now) { enter(stage_, now); }
  Stage stage() const { return stage_; }
  Ticks born_at() const { return born_at_; }
  const std::array<Ticks, kNumStages>& spent() const { return spent_; }

  tlm::tlm_extension_base* clone() const override { return new MemoryRequest(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const MemoryRequest&>(other);
  }

 private:
  Stage stage_ = Stage::kLdst;
  Ticks since_ = 0;
  Ticks born_at_ = 0;
  std::array<Ticks, kNumStages> spent_{};
};

class PayloadPool;

/// A payload of a PayloadPool: the standard one with its extension and a line of data in one piece.
class PooledPayload final : public tlm::tlm_generic_payload {
 public:
  explicit PooledPayload(PayloadPool& pool);
  ~PooledPayload() override;
  PooledPayload(const PooledPayload&) = delete;
  PooledPayload& operator=(const PooledPayload&) = delete;

  MemoryRequest request;

 private:
  friend class PayloadPool;
  std::array<unsigned char, kLineBytes> data_{};
  PooledPayload* next_ = nullptr;
};

/// The payload's MemoryRequest; nullptr when it has none, as a foreign initiator's. The extension of a pooled
/// payload is found by its type, without a look-up in the payload's extension table.
inline MemoryRequest* request_of(tlm::tlm_generic_payload& payload) {
  // One type has one type_info in a program; were there two, the look-up below would find the same.
  if (&typeid(payload) == &typeid(PooledPayload)) return &static_cast<PooledPayload&>(payload).request;
  return payload.get_extension<MemoryRequest>();
}

/// The payload's data mean something: a standard initiator sent it, or what it stands for. Requests of the
/// GPU's own carry time only.
inline bool carries_data(tlm::tlm_generic_payload& payload) {
  const MemoryRequest* const request = request_of(payload);
  return request == nullptr || request->stands_for != nullptr;
}

/// A pool of payloads with their extension and a line of data each. Payloads return to the pool when their
/// last reference is released. The pool must outlive them.
class PayloadPool : public tlm::tlm_mm_interface {
 public:
  PayloadPool() = default;
  PayloadPool(const PayloadPool&) = delete;
  PayloadPool& operator=(const PayloadPool&) = delete;

  /// A payload with one reference (acquire() done), ready to send: command, address and length set, response
  /// incomplete, streaming width = length, no byte enables, no DMI, a fresh MemoryRequest. `bytes` is 1 to
  /// kLineBytes.
  tlm::tlm_generic_payload& make(tlm::tlm_command command, std::uint64_t address, unsigned bytes);
  void free(tlm::tlm_generic_payload* payload) override;

  std::size_t in_use() const { return in_use_; }

 private:
  PooledPayload* free_list_ = nullptr;
  std::vector<std::unique_ptr<PooledPayload>> all_;
  std::size_t in_use_ = 0;
};

}  // namespace heddle
