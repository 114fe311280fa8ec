#include <string>

#include "modules/memory_partition/l2_slice.h"

namespace heddle {

L2Slice::Origin L2Slice::origin_of(std::uint32_t filler, const L2Access& access) {
  if (filler == TagArray::kNoFiller) return Origin::kNobody;
  if (filler == access.filler) return Origin::kSameWarp;
  return filler >> kWarpBits == access.filler >> kWarpBits ? Origin::kSameSm : Origin::kOtherSm;
}

void L2Slice::count_access(tlm::tlm_generic_payload& payload, const L2Access& access,
                           const L2Outcome& outcome) {
  const MemoryRequest* request = request_of(payload);
  const RequestKind kind =
      request != nullptr ? request->kind : (payload.is_write() ? RequestKind::kStore : RequestKind::kLoad);
  ++counts_.accesses[static_cast<unsigned>(kind)];
  counts_.sectors += static_cast<unsigned>(__builtin_popcount(access.touched));
  const bool load = access.filler != TagArray::kNoFiller && kind == RequestKind::kLoad;
  if (outcome.result == L2Result::kHit) {
    ++counts_.hits;
    if (load) ++counts_.load_hits[static_cast<unsigned>(origin_of(outcome.filler, access))];
  } else if (outcome.fetch != 0) {
    ++counts_.misses;
  } else {
    ++counts_.merged;
    if (load) ++counts_.load_merged[static_cast<unsigned>(origin_of(outcome.filler, access))];
  }
}

void L2Slice::report(StatSink& sink) const {
  const auto accesses = [this](RequestKind kind) { return counts_.accesses[static_cast<unsigned>(kind)]; };
  const auto cycles = [this](Activity activity) { return counts_.cycles[static_cast<unsigned>(activity)]; };
  sink.count("loads", accesses(RequestKind::kLoad), "requests", "load requests looked up");
  sink.count("stores", accesses(RequestKind::kStore), "requests", "store requests looked up");
  sink.count("atomics", accesses(RequestKind::kAtomic), "requests", "atomic requests looked up");
  sink.count("instruction_reads", accesses(RequestKind::kInstruction), "requests",
             "instruction fetches looked up");
  sink.count("constant_reads", accesses(RequestKind::kConstant), "requests", "constant fetches looked up");
  // These three add up to the requests.
  sink.count("hits", counts_.hits, "requests", "requests done without DRAM (all stores are)");
  sink.count("misses", counts_.misses, "requests", "requests that fetched sectors");
  sink.count("merged", counts_.merged, "requests", "requests that waited for a fetch under way");
  // The loads among the hits and the merged ones, by who had brought the line in.
  const auto split = [&sink](const std::array<std::uint64_t, kNumOrigins>& counts, const std::string& name,
                             const std::string& what) {
    const auto of = [&counts](Origin origin) { return counts[static_cast<unsigned>(origin)]; };
    sink.count(name + "_intra_warp", of(Origin::kSameWarp), "requests", what + " of the warp itself");
    sink.count(name + "_inter_warp", of(Origin::kSameSm), "requests", what + " of another warp of its SM");
    sink.count(name + "_inter_sm", of(Origin::kOtherSm), "requests", what + " of another SM");
    sink.count(name + "_no_warp", of(Origin::kNobody), "requests",
               what + " of no warp: the host's copies, instruction and constant fetches");
  };
  split(counts_.load_hits, "load_hits", "loads that hit on a line");
  split(counts_.load_merged, "load_merged", "loads that waited for a fetch");
  sink.count("sectors", counts_.sectors, "sectors", "sectors asked for");
  sink.count("fetches", counts_.fetches, "requests", "lines of which sectors were fetched from DRAM");
  sink.count("fetched_sectors", counts_.fetched_sectors, "sectors", "sectors fetched from DRAM");
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
  sink.signal(wave_->outstanding, kCountBits, "mshr_sectors");
  sink.enumeration(
      wave_->activity, 3, "activity",
      {"idle", "access", "line_reserved", "mshr_entries", "mshr_merges", "miss_queue", "reply_queue"});
}

void L2Slice::update_wave(Cycle now) {
  wave_->input = inputs_.size() - queued_;
  wave_->queue = queue_sectors_;
  wave_->miss_queue = misses_.size();
  wave_->reply_queue = reply_sectors_;
  wave_->outstanding = cache_.sectors_outstanding();
  wave_->activity = static_cast<unsigned>(port_free_ > now ? Activity::kAccess : activity_);
}

}  // namespace heddle
