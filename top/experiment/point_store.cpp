#include "top/experiment/point_store.h"

#include <filesystem>

#include "top/support/output/durable_file.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

/// What failed for a limit may do under a larger one.
bool has_more_room(const PointLimits& now, const StoredPoint& stored) {
  const auto more = [](std::uint64_t one, std::uint64_t other) {
    return other != 0 && (one == 0 || one > other);
  };
  switch (static_cast<ExitCode>(stored.code)) {
    case ExitCode::kTimeLimit:
      return more(now.seconds, stored.limits.seconds);
    case ExitCode::kMemoryLimit:
      return more(now.memory_bytes, stored.limits.memory_bytes);
    default:
      return false;
  }
}

}  // namespace

PointStore::PointStore(const std::string& database, ResultDatabase::Access access)
    : database_(database, access) {}

PointFolder PointStore::folder_of(const PointTask& task) const {
  return PointFolder((fs::path(work_folder()) / task.id).string());
}

std::string PointStore::records_folder(const std::string& id) const {
  return (fs::path(database_.path() + ".records") / id).string();
}

std::optional<StoredPoint> PointStore::settled(const PointTask& task) {
  const auto stored = database_.find(task.id);
  if (!stored) return std::nullopt;
  if (!is_done(task.point, stored->code)) {
    if (task.retry && stored->attempts == task.attempts_before) return std::nullopt;
    return has_more_room(task.point.limits, *stored) ? std::nullopt : stored;
  }
  for (const std::string& file : job_of(task).records) {
    if (!has_contents(fs::path(records_folder(task.id)) / file)) return std::nullopt;
  }
  return stored;
}

std::optional<OutputFolder> PointStore::claim(const PointTask& task) const {
  return OutputFolder::try_open(folder_of(task).path());
}

/// Moves the wanted files out of the run's folder; their names.
std::string PointStore::keep_records(const Finished& finished) const {
  std::string names;
  if (!is_done(finished.task->point, finished.result.code)) return names;
  for (const std::string& file : job_of(*finished.task).records) {
    const fs::path from = fs::path(finished.folder.run_folder()) / file;
    if (!has_contents(from)) continue;
    move_durably(from, fs::path(records_folder(finished.task->id)) / file);
    names += (names.empty() ? "" : " ") + file;
  }
  return names;
}

void PointStore::store(const std::vector<Finished>& finished) {
  if (finished.empty()) return;
  std::vector<ResultDatabase::Entry> entries;
  for (const Finished& one : finished) {
    entries.push_back(
        {&one.task->point, one.task->identity, one.result, one.task->machine, keep_records(one)});
  }
  database_.store(entries);
  for (const Finished& one : finished) one.folder.remove();
}

}  // namespace heddle
