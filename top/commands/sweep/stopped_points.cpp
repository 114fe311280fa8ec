#include "top/commands/sweep/stopped_points.h"

#include "base/stop.h"
#include "top/support/output/console.h"
#include "top/support/processes/budget_guard.h"

namespace heddle {

void tell_stopped_points(const char* command, std::size_t done, std::size_t points,
                         const ClusterOptions& cluster) {
  if (stop_cause() == StopCause::kNone) return;
  tell("heddle {}: {}: {} of {} points are done; the same command goes on with the others{}\n", command,
       stop_text(stop_cause()), done, points,
       cluster.slurm ? ", and jobs that are submitted go on by themselves" : "");
}

}  // namespace heddle
