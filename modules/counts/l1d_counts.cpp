#include "modules/counts/l1d_counts.h"

namespace heddle {

void L1dCounts::report(StatSink& sink) const {
  sink.count("accesses", loads + stores + bypasses, "accesses", "accesses that left the L1D's input");
  sink.count("loads", loads, "accesses", "loads looked up");
  sink.count("hits", hits, "accesses", "loads whose line was present");
  sink.count("hits_intra_warp", intra_warp_hits, "accesses",
             "hits on a line that the warp itself had filled");
  sink.count("hits_inter_warp", hits - intra_warp_hits, "accesses",
             "hits on a line that another warp had filled");
  sink.count("pending_hits", pending_hits, "accesses", "loads merged with the fetch of their line");
  sink.count("pending_hits_intra_warp", intra_warp_pending_hits, "accesses",
             "pending hits on a line that the warp itself fetches");
  sink.count("pending_hits_inter_warp", pending_hits - intra_warp_pending_hits, "accesses",
             "pending hits on a line that another warp fetches");
  sink.count("misses", misses, "accesses", "loads that began to fetch a line");
  sink.count("stores", stores, "accesses", "stores looked up");
  sink.count("store_hits", store_hits, "accesses",
             "stores whose line was present: invalidated (global) or written (local)");
  sink.count("bypasses", bypasses, "accesses", "bypassing loads and stores, and atomics");
  sink.count("fills", fills, "lines", "lines filled");
  sink.count("evictions", evictions, "lines", "lines replaced by others");
  sink.count("writebacks", writebacks, "lines", "modified local lines written back");
}

}  // namespace heddle
