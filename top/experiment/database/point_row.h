#pragma once

#include "top/experiment/database/result_database.h"
#include "top/intervals/sqlite_database.h"

namespace heddle {

/// What a query asks of the table of points, called p in it, so that point_in can read it.
inline constexpr const char* kPointColumns =
    "p.id, p.workload, p.config, p.scheduler, p.tb_policy, p.labels, p.command, p.code, p.status, p.message, "
    "p.host, p.began, p.wall_seconds, p.cpu_seconds, p.peak_memory_bytes, p.cycles_per_second, p.attempts, "
    "p.limit_seconds, p.limit_memory_bytes, p.limit_cycles, p.records";

inline constexpr int kNumPointColumns = 21;

/// The point in a row whose first columns are kPointColumns.
StoredPoint point_in(const SqliteStatement& row);

}  // namespace heddle
