#include "top/experiment/point_store.h"

#include <filesystem>

#include "top/experiment/point/kept_run.h"
#include "top/support/output/durable_file.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

/// More gain nothing on a disk that is slow, and threads would pile up.
constexpr std::size_t kNotesAtOnce = 8;

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
    : database_(database, access), notes_(kNotesAtOnce) {}

PointFolder PointStore::folder_of(const PointTask& task) const {
  return task.folder.empty() ? PointFolder((fs::path(work_folder()) / task.id).string())
                             : PointFolder::kept(task.folder);
}

std::string PointStore::records_folder(const std::string& name) const {
  return (fs::path(database_.path() + ".records") / name).string();
}

void PointStore::take_kept(const PointTask& task) {
  if (database_.find(task.id)) return;
  if (const auto result = find_kept_run(task.folder, job_of(task)))
    database_.store({{&task.point, task.identity, *result, task.machine, ""}});
}

std::optional<StoredPoint> PointStore::settled(const PointTask& task) {
  if (!task.folder.empty()) {
    take_kept(task);
    return database_.find(task.id);
  }
  auto stored = database_.find(task.id);
  if (!stored) return std::nullopt;
  if (!is_done(task.point, stored->code)) {
    if (task.retry && stored->attempts == task.attempts_before) return std::nullopt;
    if (has_more_room(task.point.limits, *stored)) return std::nullopt;
    return stored;
  }
  return has_records(records_folder(task.id), job_of(task)) ? stored : std::nullopt;
}

std::optional<PointClaim> PointStore::claim(const PointTask& task) const {
  if (!task.folder.empty()) {
    const OutputFolder made(task.folder, OutputFolder::Wait::kShort);  // its run takes it
    return PointClaim{};
  }
  auto folder = OutputFolder::try_open(folder_of(task).path());
  return folder ? std::optional(PointClaim{std::move(folder)}) : std::nullopt;
}

/// Moves the wanted files out of the run's folder; their names.
std::string PointStore::keep_records(const Finished& finished) const {
  std::string names;
  if (!finished.task->folder.empty() || !is_done(finished.task->point, finished.result.code)) return names;
  for (const std::string& file : job_of(*finished.task).records) {
    const fs::path from = fs::path(finished.folder.run_folder()) / file;
    if (!has_contents(from)) continue;
    move_durably(from, fs::path(records_folder(finished.task->id)) / file);
    names += (names.empty() ? "" : " ") + file;
  }
  return names;
}

bool PointStore::would_undo(const Finished& finished) {
  const PointTask& task = *finished.task;
  if (is_done(task.point, finished.result.code)) return false;
  const auto stored = database_.find(task.id);
  return stored && is_done(task.point, stored->code);
}

const PointResult* PointStore::failure_of(const std::string& id) const {
  const auto found = failures_.find(id);
  return found == failures_.end() ? nullptr : &found->second;
}

void PointStore::store(const std::vector<Finished>& finished) {
  if (finished.empty()) return;
  std::vector<ResultDatabase::Entry> entries;
  entries.reserve(finished.size());
  for (const Finished& one : finished) {
    if (would_undo(one)) {
      failures_[one.task->id] = one.result;
      continue;
    }
    entries.push_back(
        {&one.task->point, one.task->identity, one.result, one.task->machine, keep_records(one)});
  }
  database_.store(entries);
  for (const Finished& one : finished) {
    if (one.task->folder.empty()) {
      one.folder.remove();
    } else {
      note(one);
    }
  }
}

/// Beside other work: the disk takes its time.
void PointStore::note(const Finished& finished) {
  const std::string text = note_of(finished.result);
  if (text.empty()) return;
  notes_.start([folder = finished.task->folder, text] { write_note(folder, text); });
}

void PointStore::finish() { notes_.finish(); }

}  // namespace heddle
