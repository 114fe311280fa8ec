#include "modules/counts/launch_counts.h"
#include "modules/memory_partition/l2_slice.h"

namespace heddle {

L2Slice::Origin L2Slice::origin_of(std::uint32_t filler, const L2Access& access) {
  if (filler == TagArray::kNoFiller) return Origin::kNobody;
  if (filler == access.filler) return Origin::kSameWarp;
  return filler >> kWarpBits == access.filler >> kWarpBits ? Origin::kSameSm : Origin::kOtherSm;
}

L2Slice::Origin L2Slice::told_origin(const MemoryRequest& request, const L2Access& access,
                                     const L2Outcome& outcome, Cycle now) {
  return owners_ ? owners_->origin(now, LineIndex(outcome.line), SmId(request.sm), WarpSlot(request.warp))
                 : origin_of(outcome.filler, access);
}

void L2Slice::note_owner(const MemoryRequest* request, const L2Access& access, LineIndex line, Cycle now) {
  if (access.filler == TagArray::kNoFiller) {
    owners_->note_nobody(now, line);
  } else {
    owners_->note(now, line, SmId(request->sm), WarpSlot(request->warp));
  }
}

void L2Slice::install(std::uint64_t address) {
  const unsigned line = cache_.install(line_of(address), map_.slice_address(address));
  if (owners_ && line != TagArray::kNoLine) owners_->installed(LineIndex(line));
}

void L2Slice::warm(std::uint64_t address, SectorMask sectors, bool writes) {
  const unsigned line = cache_.warm(line_of(address), map_.slice_address(address), sectors, writes);
  if (owners_ && line != TagArray::kNoLine) owners_->installed(LineIndex(line));
}

void L2Slice::count_access(tlm::tlm_generic_payload& payload, const L2Access& access,
                           const L2Outcome& outcome) {
  const MemoryRequest* request = request_of(payload);
  const RequestKind kind =
      request != nullptr ? request->kind : (payload.is_write() ? RequestKind::kStore : RequestKind::kLoad);
  const bool load = access.filler != TagArray::kNoFiller && kind == RequestKind::kLoad;
  const auto result = outcome.result == L2Result::kHit ? L2Counts::Result::kHit
                      : outcome.fetch != 0             ? L2Counts::Result::kMiss
                                                       : L2Counts::Result::kMerged;
  const Origin origin = origin_of(outcome.filler, access);
  const auto asked = static_cast<unsigned>(__builtin_popcount(access.touched));
  const auto fetched = static_cast<unsigned>(__builtin_popcount(outcome.fetch));
  counts_.count(kind, result, origin, load, asked, fetched);
  if (request != nullptr && request->counts != nullptr) {
    request->counts->l2.count(kind, result, origin, load, asked, fetched);
  }
}

void L2Slice::report(StatSink& sink) const {
  const auto cycles = [this](Activity activity) { return counts_.cycles[static_cast<unsigned>(activity)]; };
  counts_.report(sink);
  sink.count("writebacks", counts_.writebacks, "requests", "dirty lines written back");
  sink.count("writeback_sectors", counts_.writeback_sectors, "sectors", "dirty sectors written back");
  // These add up to the cycles.
  sink.count("cycles_idle", cycles(Activity::kIdle), "cycles", "no request to look up");
  sink.count("cycles_access", cycles(Activity::kAccess), "cycles", "the data port is in use");
  sink.count("cycles_line_reserved", cycles(Activity::kLineReserved), "cycles",
             "refused: every way of the set waits for a fill");
  sink.count("cycles_mshr_entries", cycles(Activity::kMshrEntries), "cycles", "refused: no MSHR entry free");
  sink.count("cycles_mshr_merges", cycles(Activity::kMshrMerges), "cycles",
             "refused: the MSHR entry can't take another merge");
  sink.count("cycles_miss_queue", cycles(Activity::kMissQueue), "cycles", "refused: the miss queue is full");
  sink.count("cycles_reply_queue", cycles(Activity::kReplyQueue), "cycles", "held: the reply queue is full");
  if (!socket_peers().foreign.empty()) {
    sink.count("cycles_write_back", cycles(Activity::kWriteBack), "cycles",
               "held: a write-back of bytes that a standard initiator writes is under way");
  }
  sink.count("cycles", charged_until_ - 1, "cycles", "L2 clock cycles");
}

void L2Slice::trace(WaveSink& sink) {
  if (!sink.wanted()) return;
  wave_ = std::make_unique<Wave>();
  constexpr unsigned kCountBits = 16;
  sink.signal(wave_->input, kCountBits, "input_delay_requests");
  sink.signal(wave_->queue, kCountBits, "queue_sectors");
  sink.signal(wave_->miss_queue, kCountBits, "miss_queue");
  sink.signal(wave_->reply_queue, kCountBits, "reply_queue_sectors");
  sink.signal(wave_->mshr_sectors, kCountBits, "mshr_sectors");
  sink.enumeration(wave_->activity, "activity",
                   {"idle", "access", "line_reserved", "mshr_entries", "mshr_merges", "miss_queue",
                    "reply_queue", "write_back"});
}

void L2Slice::update_wave(Cycle now) {
  wave_->input = inputs_.size() - queued_;
  wave_->queue = queue_sectors_;
  wave_->miss_queue = misses_.size();
  wave_->reply_queue = reply_sectors_;
  wave_->mshr_sectors = cache_.mshr_entries_used();
  wave_->activity = static_cast<unsigned>(port_free_ > now ? Activity::kAccess : activity_);
}

}  // namespace heddle
