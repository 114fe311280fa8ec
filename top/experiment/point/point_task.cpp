#include "top/experiment/point/point_task.h"

#include "top/support/processes/exit_code.h"

namespace heddle {

bool is_done(const Point& point, int code) {
  return code == static_cast<int>(ExitCode::kOk) ||
         (point.until_cycle && code == static_cast<int>(ExitCode::kCycleLimit));
}

std::string workload_of(const PointTask& task) {
  return std::string(label_of(task.point.labels, "workload"));
}

}  // namespace heddle
