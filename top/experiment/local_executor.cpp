#include "top/experiment/local_executor.h"

#include <algorithm>

#include "base/memory_budget.h"
#include "top/support/processes/budget_guard.h"
#include "top/support/processes/exit_code.h"

namespace heddle {

namespace {

/// Between two looks at points that other processes have.
constexpr double kLookInterval = 0.5;

}  // namespace

std::uint64_t LocalExecutor::memory_of(const PointTask& task) const {
  if (task.point.limits.memory_bytes != 0) return task.point.limits.memory_bytes;
  return memory_budget() == 0 ? 0 : std::max(memory_budget() / jobs_, kLeastMemoryBytes);
}

bool LocalExecutor::has_memory_for(std::uint64_t bytes) const {
  if (running_.empty() || memory_budget() == 0) return true;
  std::uint64_t taken = bytes;
  for (const auto& [place, running] : running_) taken += running.memory_bytes;
  return taken <= std::max(memory_budget(), kLeastMemoryBytes * jobs_);
}

void LocalExecutor::run(const std::vector<PointTask>& tasks) {
  tasks_ = &tasks;
  // Who is not there needs no share of the memory.
  jobs_ = static_cast<unsigned>(std::clamp<std::size_t>(tasks.size(), 1, jobs_));
  for (std::size_t place = 0; place < tasks.size(); ++place) wait_for_processor(place);
  const auto is_more = [this] { return !pool_.interrupted() && (!pending_.empty() || !of_others_.empty()); };
  while (pool_.running() > 0 || is_more()) {
    take_ended();
    if (!pool_.interrupted()) {
      look_at_others();
      start_some();
    }
    store_finished();  // while others run: the disk takes its time
    progress_.update();
  }
}

void LocalExecutor::wait_for_processor(std::size_t place) {
  pending_.add(workload_of((*tasks_)[place]), place);
}

void LocalExecutor::start_some() {
  while (!pending_.empty() && pool_.running() < jobs_ && !pool_.interrupted()) {
    const std::size_t place = pending_.next(progress_.forecast());
    const PointTask& task = (*tasks_)[place];
    if (!has_memory_for(memory_of(task))) return;
    pending_.remove(workload_of(task), place);
    if (!begin(place)) of_others_.push_back(place);
  }
}

bool LocalExecutor::begin(std::size_t place) {
  const PointTask& task = (*tasks_)[place];
  auto claim = store_.claim(task);
  if (!claim) return false;
  // Since the tasks were planned another process may have run it.
  if (const auto stored = store_.settled(task)) {
    store_.folder_of(task).remove();
    progress_.end(place, workload_of(task), is_done(task.point, stored->code), std::nullopt);
    return true;
  }
  if (auto left = store_.folder_of(task).left_behind(job_of(task))) {
    finished_.push_back({&task, std::move(*left), store_.folder_of(task)});
    finished_claims_.push_back(std::move(*claim));
    return true;
  }
  start(place, std::move(*claim));
  return true;
}

void LocalExecutor::start(std::size_t place, PointClaim claim) {
  const PointTask& task = (*tasks_)[place];
  const std::uint64_t memory = memory_of(task);
  pool_.start(place, store_.folder_of(task).copy(job_of(task), memory));
  running_.emplace(place, Running{std::move(claim), seconds_now(), memory});
  progress_.begin(place);
}

void LocalExecutor::take_ended() {
  for (const EndedCopy& ended : pool_.wait()) {
    const PointTask& task = (*tasks_)[ended.place];
    const auto running = running_.find(ended.place);
    if (pool_.interrupted() && ended.code == static_cast<int>(ExitCode::kInterrupted)) {
      store_.folder_of(task).remove();
      progress_.give_back(ended.place);
    } else {
      const PointFolder folder = store_.folder_of(task);
      finished_.push_back({&task, folder.collect(job_of(task), ended, running->second.began), folder});
      finished_claims_.push_back(std::move(running->second.claim));
    }
    running_.erase(running);
  }
}

void LocalExecutor::store_finished() {
  if (finished_.empty()) return;
  store_.store(finished_);
  for (const PointStore::Finished& finished : finished_) {
    const auto place = static_cast<std::size_t>(finished.task - tasks_->data());
    progress_.end(place, workload_of(*finished.task), is_done(finished.task->point, finished.result.code),
                  finished.result.wall_seconds);
  }
  finished_.clear();
  finished_claims_.clear();
}

void LocalExecutor::look_at_others() {
  if (of_others_.empty() || seconds_now() < next_look_) return;
  next_look_ = seconds_now() + kLookInterval;
  std::deque<std::size_t> still;
  still.swap(of_others_);
  for (const std::size_t place : still) {
    const PointTask& task = (*tasks_)[place];
    if (const auto stored = store_.settled(task)) {
      progress_.end(place, workload_of(task), is_done(task.point, stored->code), std::nullopt);
    } else {
      wait_for_processor(place);
    }
  }
}

}  // namespace heddle
