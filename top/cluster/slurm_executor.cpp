#include "top/cluster/slurm_executor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "top/cluster/job_packing.h"
#include "top/support/output/atomic_file.h"
#include "top/support/output/output_folder.h"
#include "top/support/processes/exit_code.h"
#include "top/support/processes/interrupt.h"
#include "top/support/results.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPause{200};
/// Of a point of which nobody knows how long it takes.
constexpr double kUnknownSeconds = 30;
constexpr std::size_t kMostPointsOfJob = 500;
/// Slurm's MaxArraySize is 1001 unless the cluster says otherwise.
constexpr std::size_t kMostJobs = 1000;
/// Times that a point may be lost with its job.
constexpr unsigned kMostSubmissions = 3;

}  // namespace

SlurmExecutor::SlurmExecutor(SlurmOptions options) : options_(std::move(options)), client_(options_.request) {
  options_.folder = fs::absolute(options_.folder).string();
}

void SlurmExecutor::run(PointStore& store, SweepProgress& progress, const std::vector<PointTask>& tasks) {
  // One sweep at a time submits and gathers for a database; the lock lies on this machine's disk.
  const OutputFolder lock((fs::path(store.work_folder()) / "slurm").string(), OutputFolder::Wait::kShort);
  store_ = &store;
  progress_ = &progress;
  tasks_ = &tasks;
  places_.clear();
  for (std::size_t place = 0; place < tasks.size(); ++place) places_[tasks[place].id] = place;
  states_.assign(tasks.size(), State::kWaiting);
  submissions_.assign(tasks.size(), 0);
  batches_.clear();
  adopt();
  double next_look = 0;
  while (is_more() && !InterruptGuard::requested()) {
    if (seconds_now() >= next_look) {
      look_at_queue();
      submit();
      next_look = seconds_now() + options_.poll_seconds;
    }
    progress_->update();
    std::this_thread::sleep_for(kPause);
  }
  for (Batch& batch : batches_) gather(batch);
  remove_batches();
}

/// Those of which nothing is to come: their jobs have ended, or are about to.
void SlurmExecutor::remove_batches() {
  const double until = seconds_now() + options_.grace_seconds;
  for (const Batch& batch : batches_) {
    if (!batch.ours) continue;
    const bool settled = std::all_of(batch.jobs.begin(), batch.jobs.end(),
                                     [](const auto& job) { return job.second.points.empty(); });
    if (!settled) continue;
    const auto has_ended = [&batch](const auto& job) { return batch.files.has_ended(job.first); };
    while (!std::all_of(batch.jobs.begin(), batch.jobs.end(), has_ended) && seconds_now() < until &&
           !InterruptGuard::requested()) {
      std::this_thread::sleep_for(kPause);
    }
    batch.files.remove();
  }
}

bool SlurmExecutor::is_more() const {
  return std::any_of(states_.begin(), states_.end(), [](State state) { return state != State::kEnded; });
}

/// Takes over what an earlier sweep has submitted.
void SlurmExecutor::adopt() {
  for (const JobBatch& files : JobBatch::in(options_.folder)) {
    Batch batch{files, {}, true};
    for (std::size_t job = 0; job < files.jobs(); ++job) {
      Job& taken = batch.jobs[job];
      try {
        for (const PointJob& point : files.tasks(job)) {
          const auto place = places_.find(point.id);
          if (place != places_.end()) {
            taken.points.insert(point.id);
            states_[place->second] = State::kSubmitted;
          } else if (!store_->database().find(point.id)) {
            batch.ours = false;  // another experiment's
          }
        }
      } catch (const ResultsError&) {  // its points are submitted anew
        taken.points.clear();
      }
    }
    batches_.push_back(std::move(batch));
  }
}

void SlurmExecutor::submit() {
  std::vector<std::size_t> waiting;
  std::vector<double> seconds;
  for (std::size_t place = 0; place < states_.size(); ++place) {
    if (states_[place] != State::kWaiting) continue;
    waiting.push_back(place);
    seconds.push_back(
        progress_->forecast().seconds_of(workload_of((*tasks_)[place])).value_or(kUnknownSeconds));
  }
  const auto packed = pack_jobs(seconds, options_.job_seconds, kMostPointsOfJob);
  for (std::size_t first = 0; first < packed.size(); first += kMostJobs) {
    const std::string name = fmt::format(
        "heddle-{:x}-{}-{}", static_cast<std::uint64_t>(seconds_now() * 1000), getpid(), submitted_++);
    Batch batch{JobBatch((fs::path(options_.folder) / name).string()), {}, true};
    std::vector<std::vector<PointJob>> jobs;
    for (std::size_t job = first; job < std::min(first + kMostJobs, packed.size()); ++job) {
      auto& points = jobs.emplace_back();
      for (const std::size_t point : packed[job]) {
        points.push_back(job_of((*tasks_)[waiting[point]]));
        batch.jobs[job - first].points.insert(points.back().id);
      }
    }
    batch.files.write(jobs);
    try {
      client_.submit({name, batch.files.script(), batch.files.log(), jobs.size()});
    } catch (const OutputError&) {
      batch.files.remove();
      throw;
    }
    for (const auto& points : jobs) {
      for (const PointJob& point : points) {
        const std::size_t place = places_.at(point.id);
        states_[place] = State::kSubmitted;
        ++submissions_[place];
      }
    }
    batches_.push_back(std::move(batch));
  }
}

void SlurmExecutor::gather(Batch& batch) {
  for (const JobBatch::Part& part : batch.files.parts()) {
    const auto is_of_task = [this](const PointResult& result) { return places_.count(result.id) != 0; };
    const bool all_known = std::all_of(part.results.begin(), part.results.end(), is_of_task);
    take(batch, part);
    // What belongs to another experiment waits for its sweep.
    if (!all_known && !batch.ours) continue;
    const auto job = batch.jobs.find(part.job);
    if (job != batch.jobs.end()) {
      for (const PointResult& result : part.results) job->second.points.erase(result.id);
    }
    std::error_code ignored;
    fs::remove(part.file, ignored);
  }
}

void SlurmExecutor::take(const Batch& batch, const JobBatch::Part& part) {
  std::vector<PointStore::Finished> finished;
  for (const PointResult& result : part.results) {
    const auto place = places_.find(result.id);
    if (place == places_.end() || states_[place->second] == State::kEnded) continue;
    finished.push_back(
        {&(*tasks_)[place->second], result, PointFolder(batch.files.point_folder(part.job, result.id))});
  }
  store_->store(finished);
  for (const PointStore::Finished& one : finished) {
    const std::size_t place = places_.at(one.task->id);
    states_[place] = State::kEnded;
    progress_->end(place, workload_of(*one.task), is_done(one.task->point, one.result.code),
                   one.result.wall_seconds);
  }
}

void SlurmExecutor::look_at_queue() {
  std::vector<std::string> names;
  for (const Batch& batch : batches_) {
    if (!batch.jobs.empty()) names.push_back(batch.files.name());
  }
  const auto queue = client_.jobs(names);
  if (!queue) {  // the controller is away: what it knows will be seen later
    for (Batch& batch : batches_) gather(batch);
    return;
  }
  std::size_t running = 0;
  for (Batch& batch : batches_) {
    const auto of_batch = queue->find(batch.files.name());
    for (auto& [number, job] : batch.jobs) {
      const bool queued = of_batch != queue->end() && of_batch->second.count(number) != 0;
      job.runs = queued && of_batch->second.at(number);
      if (queued) job.missed_at = 0;
      if (!queued && job.missed_at == 0) job.missed_at = seconds_now();
      running += job.runs ? 1 : 0;
    }
    look_at_ended(batch);
  }
  progress_->set_running(running);
  progress_->set_at_once(static_cast<unsigned>(std::max<std::size_t>(running, 1)));
}

/// Jobs that the queue no longer has, and all of whose files are there, or have had time to come.
void SlurmExecutor::look_at_ended(Batch& batch) {
  gather(batch);
  for (auto it = batch.jobs.begin(); it != batch.jobs.end();) {
    const auto& [number, job] = *it;
    const bool gone = job.missed_at != 0 && (batch.files.has_ended(number) ||
                                             seconds_now() - job.missed_at >= options_.grace_seconds);
    if (!gone) {
      ++it;
      continue;
    }
    for (const std::string& id : job.points) {
      const auto place = places_.find(id);
      if (place == places_.end() || states_[place->second] != State::kSubmitted) continue;
      states_[place->second] = State::kWaiting;
      if (submissions_[place->second] >= kMostSubmissions) give_up(batch, number, place->second);
    }
    it = batch.jobs.erase(it);
  }
  if (batch.ours && batch.jobs.empty()) batch.files.remove();
}

void SlurmExecutor::give_up(const Batch& batch, std::size_t job, std::size_t place) {
  const PointTask& task = (*tasks_)[place];
  PointResult result;
  result.id = task.id;
  result.code = static_cast<int>(ExitCode::kNoOutput);
  const std::string words = batch.files.last_words(job);
  result.message =
      fmt::format("its job was lost {} times{}", kMostSubmissions, words.empty() ? "" : ": " + words);
  store_->store({{&task, result, PointFolder(batch.files.point_folder(job, task.id))}});
  states_[place] = State::kEnded;
  progress_->end(place, workload_of(task), false, std::nullopt);
}

}  // namespace heddle
