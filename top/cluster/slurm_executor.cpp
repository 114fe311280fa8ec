#include "top/cluster/slurm_executor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <thread>
#include <utility>

#include "top/cluster/job_packing.h"
#include "top/cluster/slurm_time.h"
#include "top/support/output/atomic_file.h"
#include "top/support/output/console.h"
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
/// Of a point that is a job of its own.
constexpr double kWholeJob = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostPointsOfJob = 500;
/// Slurm's MaxArraySize is 1001 unless the cluster says otherwise.
constexpr std::size_t kMostJobs = 1000;
/// Times that a point may be lost while it runs.
constexpr unsigned kMostLosses = 3;
/// Of the time that the user gives a job, filled with points by what they are predicted to take: they may
/// take longer, and starting them takes time too.
constexpr double kShareOfLimit = 0.5;

}  // namespace

bool SlurmExecutor::Job::take(const std::string& id) {
  const auto found = std::find(points.begin(), points.end(), id);
  if (found == points.end()) return false;
  points.erase(found);
  return has_brought = true;
}

SlurmExecutor::SlurmExecutor(SlurmOptions options)
    : options_(std::move(options)), client_(options_.request), limit_(slurm_seconds(options_.request.time)) {
  options_.folder = fs::absolute(options_.folder).string();
  if (limit_) options_.job_seconds = std::min(options_.job_seconds, kShareOfLimit * *limit_);
}

void SlurmExecutor::run(PointStore& store, SweepProgress& progress, const std::vector<PointTask>& tasks) {
  // One sweep at a time submits and gathers for a database; the lock lies on this machine's disk.
  const OutputFolder lock((fs::path(store.work_folder()) / "slurm").string(), OutputFolder::Wait::kShort);
  store_ = &store;
  progress_ = &progress;
  tasks_ = &tasks;
  places_.clear();
  for (std::size_t place = 0; place < tasks.size(); ++place) places_[tasks[place].id] = place;
  standings_.assign(tasks.size(), {});
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
  return std::any_of(standings_.begin(), standings_.end(),
                     [](const Standing& one) { return one.state != State::kEnded; });
}

/// Takes over what an earlier sweep has submitted.
void SlurmExecutor::adopt() {
  for (const JobBatch& files : JobBatch::in(options_.folder)) {
    Batch batch{files, {}, true};
    for (std::size_t job = 0; job < files.jobs(); ++job) {
      Job& taken = batch.jobs[job];
      taken.waited_at = seconds_now();
      try {
        for (const PointJob& point : files.tasks(job)) {
          const auto place = places_.find(point.id);
          if (place != places_.end()) {
            taken.points.push_back(point.id);
            standings_[place->second].state = State::kSubmitted;
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
  std::map<std::size_t, double> predicted;
  for (std::size_t place = 0; place < standings_.size(); ++place) {
    if (standings_[place].state != State::kWaiting) continue;
    waiting.push_back(place);
    const auto seconds = progress_->forecast().seconds_of(workload_of((*tasks_)[place]));
    predicted[place] = standings_[place].alone ? kWholeJob : seconds.value_or(kUnknownSeconds);
  }
  // A long point that begins late is waited for alone.
  std::stable_sort(waiting.begin(), waiting.end(), [&predicted](std::size_t one, std::size_t other) {
    return predicted[one] > predicted[other];
  });
  std::vector<double> seconds;
  seconds.reserve(waiting.size());
  for (const std::size_t place : waiting) seconds.push_back(predicted[place]);
  const auto packed = pack_jobs(seconds, options_.job_seconds, kMostPointsOfJob);
  for (std::size_t first = 0; first < packed.size(); first += kMostJobs) {
    std::vector<std::vector<std::size_t>> jobs;
    for (std::size_t job = first; job < std::min(first + kMostJobs, packed.size()); ++job) {
      auto& places = jobs.emplace_back();
      for (const std::size_t point : packed[job]) places.push_back(waiting[point]);
    }
    if (!submit_array(jobs)) return;
  }
}

/// Jobs with tasks by their places. False: it is to be tried again later.
bool SlurmExecutor::submit_array(const std::vector<std::vector<std::size_t>>& jobs) {
  const std::string name = fmt::format("heddle-{:x}-{}-{}", static_cast<std::uint64_t>(seconds_now() * 1000),
                                       getpid(), written_++);
  Batch batch{JobBatch((fs::path(options_.folder) / name).string()), {}, true};
  std::vector<std::vector<PointJob>> points;
  for (std::size_t number = 0; number < jobs.size(); ++number) {
    Job& job = batch.jobs[number];
    job.waited_at = seconds_now();
    auto& of_job = points.emplace_back();
    for (const std::size_t place : jobs[number]) {
      of_job.push_back(job_of((*tasks_)[place]));
      job.points.push_back(of_job.back().id);
    }
  }
  batch.files.write(points);
  try {
    client_.submit({name, batch.files.script(), batch.files.log(), jobs.size()});
  } catch (const OutputError& error) {
    batch.files.remove();
    if (!has_submitted_) throw;
    tell_refusal(error.what());
    return false;
  }
  has_submitted_ = true;
  refusal_told_ = false;
  for (const auto& places : jobs) {
    for (const std::size_t place : places) standings_[place].state = State::kSubmitted;
  }
  batches_.push_back(std::move(batch));
  return true;
}

/// Of jobs like others that were taken: once, until some are taken again.
void SlurmExecutor::tell_refusal(const std::string& problem) {
  if (std::exchange(refusal_told_, true)) return;
  progress_->clear();
  tell("heddle sweep: {}; it is tried again every {:.0f} s\n", problem, options_.poll_seconds);
}

void SlurmExecutor::gather(Batch& batch) {
  for (const JobBatch::Part& part : batch.files.parts()) {
    const auto is_of_task = [this](const PointResult& result) { return places_.count(result.id) != 0; };
    const bool all_known = std::all_of(part.results.begin(), part.results.end(), is_of_task);
    take(batch, part);
    // What belongs to another experiment waits for its sweep.
    if (!all_known && !batch.ours) continue;
    std::error_code ignored;
    fs::remove(part.file, ignored);
  }
}

void SlurmExecutor::take(Batch& batch, const JobBatch::Part& part) {
  std::vector<PointStore::Finished> finished;
  const auto job = batch.jobs.find(part.job);
  for (const PointResult& result : part.results) {
    const bool is_new = job != batch.jobs.end() && job->second.take(result.id);
    const auto place = places_.find(result.id);
    if (place == places_.end() || standings_[place->second].state == State::kEnded) continue;
    if (is_signal(result.code) && !(is_new && is_lost_for_good(place->second))) continue;
    finished.push_back(
        {&(*tasks_)[place->second], result, PointFolder(batch.files.point_folder(part.job, result.id))});
  }
  store_->store(finished);
  for (const PointStore::Finished& one : finished) {
    const std::size_t place = places_.at(one.task->id);
    standings_[place].state = State::kEnded;
    progress_->end(place, workload_of(*one.task), is_done(one.task->point, one.result.code),
                   one.result.wall_seconds);
  }
}

/// A point that has not come to its end, which may be its job's or its node's fault, or its own.
bool SlurmExecutor::is_lost_for_good(std::size_t place) {
  Standing& standing = standings_[place];
  standing.state = State::kWaiting;
  standing.alone = true;
  return ++standing.losses >= kMostLosses;
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
      if (queued && !job.runs) job.waited_at = seconds_now();
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
    lose(batch, number, job);
    it = batch.jobs.erase(it);
  }
  if (batch.ours && batch.jobs.empty()) batch.files.remove();
}

/// A job with points that no result has come of: they are submitted anew. When it has brought nothing, and
/// nothing says which one it ran, it may be any of them.
void SlurmExecutor::lose(const Batch& batch, std::size_t number, const Job& job) {
  const auto begun = batch.files.last_begun(number, job.points);
  for (const std::string& id : job.points) {
    const auto place = places_.find(id);
    if (place == places_.end() || standings_[place->second].state != State::kSubmitted) continue;
    Standing& standing = standings_[place->second];
    standing.state = State::kWaiting;
    standing.alone |= id == begun;
    const bool counts = begun ? id == *begun : !job.has_brought;
    if (counts && ++standing.losses >= kMostLosses) give_up(batch, number, job, place->second);
  }
}

/// As far as one can tell from Slurm's words in the job's log, and from how long it was there.
bool SlurmExecutor::was_out_of_time(const Job& job, const std::string& words) const {
  return words.find("TIME LIMIT") != std::string::npos ||
         (limit_ && job.missed_at - job.waited_at >= *limit_);
}

void SlurmExecutor::give_up(const Batch& batch, std::size_t number, const Job& job, std::size_t place) {
  const PointTask& task = (*tasks_)[place];
  PointResult result;
  result.id = task.id;
  result.code = static_cast<int>(ExitCode::kNoOutput);
  result.message = fmt::format("its job was lost {} times", kMostLosses);
  const std::string words = batch.files.last_words(number);
  if (!words.empty()) result.message += ": " + words;
  if (was_out_of_time(job, words))
    result.message += limit_
                          ? "; its time limit seems too short: give more than --time " + options_.request.time
                          : "; its time limit seems too short: give more with --time";
  store_->store({{&task, result, PointFolder(batch.files.point_folder(number, task.id))}});
  standings_[place].state = State::kEnded;
  progress_->end(place, workload_of(task), false, std::nullopt);
}

}  // namespace heddle
