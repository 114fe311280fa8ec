#include "modules/counts/l2_counts.h"

#include <string>

namespace heddle {

void L2Counts::count(RequestKind kind, Result result, LineOrigin origin, bool has_origin,
                     unsigned sectors_asked, unsigned sectors_fetched) {
  ++accesses[static_cast<unsigned>(kind)];
  sectors += sectors_asked;
  switch (result) {
    case Result::kHit:
      ++hits;
      if (has_origin) ++load_hits[static_cast<unsigned>(origin)];
      break;
    case Result::kMiss:
      ++misses;
      break;
    case Result::kMerged:
      ++merged;
      if (has_origin) ++load_merged[static_cast<unsigned>(origin)];
      break;
  }
  if (sectors_fetched == 0) return;
  ++fetches;
  fetched_sectors += sectors_fetched;
}

void L2Counts::report(StatSink& sink) const {
  const auto of_kind = [this](RequestKind kind) { return accesses[static_cast<unsigned>(kind)]; };
  sink.count("loads", of_kind(RequestKind::kLoad), "requests", "load requests looked up");
  sink.count("stores", of_kind(RequestKind::kStore), "requests", "store requests looked up");
  sink.count("atomics", of_kind(RequestKind::kAtomic), "requests", "atomic requests looked up");
  sink.count("instruction_reads", of_kind(RequestKind::kInstruction), "requests",
             "instruction fetches looked up");
  sink.count("constant_reads", of_kind(RequestKind::kConstant), "requests", "constant fetches looked up");
  sink.count("texture_reads", of_kind(RequestKind::kTexture), "requests", "texture fetches looked up");
  // These three add up to the requests.
  sink.count("hits", hits, "requests", "requests done without DRAM (all stores are)");
  sink.count("misses", misses, "requests", "requests that fetched sectors");
  sink.count("merged", merged, "requests", "requests that waited for a fetch under way");
  // The loads among the hits and the merged ones, by who had brought the line in.
  const auto split = [&sink](const std::array<std::uint64_t, kNumOrigins>& counts, const std::string& name,
                             const std::string& what) {
    const auto of = [&counts](LineOrigin origin) { return counts[static_cast<unsigned>(origin)]; };
    sink.count(name + "_intra_warp", of(LineOrigin::kSameWarp), "requests", what + " of the warp itself");
    sink.count(name + "_inter_warp", of(LineOrigin::kSameSm), "requests",
               what + " of another warp of its SM");
    sink.count(name + "_inter_sm", of(LineOrigin::kOtherSm), "requests", what + " of another SM");
    sink.count(name + "_no_warp", of(LineOrigin::kNobody), "requests",
               what + " of no warp: the host's copies, instruction, constant and texture fetches");
  };
  split(load_hits, "load_hits", "loads that hit on a line");
  split(load_merged, "load_merged", "loads that waited for a fetch");
  sink.count("sectors", sectors, "sectors", "sectors asked for");
  sink.count("fetches", fetches, "requests", "lines of which sectors were fetched from DRAM");
  sink.count("fetched_sectors", fetched_sectors, "sectors", "sectors fetched from DRAM");
}

}  // namespace heddle
