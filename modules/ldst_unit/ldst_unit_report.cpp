#include <algorithm>

#include "modules/ldst_unit/ldst_unit.h"

namespace heddle {

void LdstUnit::report(StatSink& sink) const {
  const auto by_op = [this](MemOp op) { return counters_.by_op[static_cast<unsigned>(op)]; };
  sink.count("loads", by_op(MemOp::kLoad), "instructions", "warp load instructions");
  sink.count("stores", by_op(MemOp::kStore), "instructions", "warp store instructions");
  sink.count("atomics", by_op(MemOp::kAtomic), "instructions", "warp atomics with a result");
  sink.count("reductions", by_op(MemOp::kReduction), "instructions", "warp atomics without a result");
  sink.count("global_instructions", counters_.global, "instructions", "accessing global or local memory");
  sink.count("shared_instructions", counters_.shared, "instructions", "accessing shared memory");
  sink.count("constant_instructions", counters_.constant, "instructions", "reading params or constants");
  sink.count("texture_instructions", counters_.texture, "instructions", "fetching from textures");
  sink.count("texture_lines", counters_.texture_lines, "accesses", "lines of textures that they look up");
  sink.count("accesses", counters_.accesses, "accesses", "coalesced accesses to the L1D");
  sink.count("access_lanes", counters_.access_lanes, "lanes", "lanes that these accesses serve");
  sink.count("results", counters_.loads_done, "instructions", "loads and atomics handed to write-back");
  sink.count("result_latency", counters_.load_cycles, "cycles", "sum over results, from issue to write-back");
  {
    const StatScope scope(sink, "cycles");
    const auto cause = [&](Cause which, std::string_view name, std::string_view description) {
      sink.count(name, cycles(which), "cycles", description);
    };
    cause(Cause::kIdle, "idle", "no instruction in the dispatch register");
    cause(Cause::kProgress, "progress", "the last access or word of an instruction was served");
    cause(Cause::kCoalescing, "coalescing", "other accesses of the same instruction follow");
    cause(Cause::kMshr, "mshr", "the L1D is held up by MSHR entries, merges or reserved lines");
    cause(Cause::kInterconnect, "interconnect", "the L1D is held up by a full miss queue");
    cause(Cause::kSharedConflict, "shared_conflict", "further cycles of the shared memory banks");
    cause(Cause::kConstantMiss, "constant_miss", "the constant cache's MSHR has no place for a miss");
    cause(Cause::kWriteback, "write_back", "earlier results wait for the write-back slot");
    cause(Cause::kReplay, "replay", "the L1D is held up by its re-execution queue");
    cause(Cause::kTextureAddress, "texture_address", "lines of further texels of the same fetch follow");
    cause(Cause::kTextureCache, "texture_cache", "the texture cache has no place for a line");
  }
  {
    const StatScope scope(sink, "requests");
    lifetimes_.report(sink);
  }
  const StatScope scope(sink, "constant_cache");
  constant_cache.report(sink);
}

void LdstUnit::trace(WaveSink& sink) {
  {
    const WaveScope scope(sink, "constant_cache");
    constant_cache.trace(sink);
  }
  if (!sink.wanted()) return;
  wave_ = std::make_unique<Wave>();
  sink.enumeration(wave_->path, "state", {"idle", "global", "shared", "constant", "texture", "no_access"});
  sink.enumeration(wave_->cause, "cause",
                   {"idle", "progress", "coalescing", "mshr", "interconnect", "shared_conflict",
                    "constant_miss", "write_back", "replay", "texture_address", "texture_cache"});
  sink.signal(wave_->warp, 6, "warp");
  sink.signal(wave_->remaining, 8, "remaining");
}

void LdstUnit::tell_start(const WarpInstruction& instruction) const {
  LdstWork work;
  work.parts = remaining();
  if (path_ == Path::kGlobal) {
    for (unsigned i = 0; i < accesses_.size(); ++i) work.moved_bytes += accesses_[i].bytes;
  }
  started.fire(instruction, work);
}

unsigned LdstUnit::remaining() const {
  switch (path_) {
    case Path::kGlobal:
      return accesses_.size() - next_access_;
    case Path::kShared:
      return bank_cycles_left_;
    case Path::kConstant:
      return num_constants_ - next_constant_;
    case Path::kTexture:
      return texel_lines_.size() - next_line_;
    case Path::kNone:
    case Path::kNothing:
      break;
  }
  return 0;
}

void LdstUnit::update_wave() {
  wave_->path = static_cast<std::uint64_t>(path_);
  wave_->remaining = std::min(remaining(), 255U);  // a linear filter may read a line a texel, 256 of them
  if (register_ != nullptr) wave_->warp = register_->warp;
}

}  // namespace heddle
