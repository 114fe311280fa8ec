#include "top/experiment/database/point_row.h"

namespace heddle {

StoredPoint point_in(const SqliteStatement& row) {
  StoredPoint point;
  int column = 0;
  for (std::string* const text : {&point.id, &point.workload, &point.config, &point.scheduler,
                                  &point.tb_policy, &point.labels, &point.command})
    *text = row.text(column++);
  point.code = static_cast<int>(row.number(column++));
  for (std::string* const text : {&point.status, &point.message, &point.host}) *text = row.text(column++);
  for (double* const number : {&point.began, &point.wall_seconds, &point.cpu_seconds})
    *number = row.real(column++);
  point.peak_memory_bytes = row.number(column++);
  point.cycles_per_second = row.real(column++);
  point.attempts = row.number(column++);
  point.limits.seconds = row.number(column++);
  point.limits.memory_bytes = row.number(column++);
  point.limits.cycles = row.number(column++);
  point.records = row.text(column++);
  return point;
}

}  // namespace heddle
