#include "top/experiment/alone_runs.h"

#include <filesystem>

#include "top/experiment/point_executor.h"
#include "top/support/output/console.h"
#include "top/support/sized_workload.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "alone";

/// They stay, as the stored commands of the points name them.
std::string times_folder_of(const EngineOptions& options, const PointStore& store) {
  return options.executor != nullptr ? (fs::path(options.executor->shared_folder()) / kFolder).string()
                                     : store.records_folder(kFolder);
}

}  // namespace

AloneRuns::AloneRuns(const EngineOptions& options, PointStore& store, PointIdentities& identities)
    : options_(options),
      database_(store.database()),
      identities_(identities),
      times_folder_(times_folder_of(options, store)) {
  if (options.folders != nullptr) cache_.emplace(options.folders->alone_cache);
}

Point AloneRuns::point_of(const Point& point, std::size_t program) {
  Point alone;
  alone.run = alone_run_options(point, program);
  alone.limits = point.limits;
  if (point.until_cycle) {  // what the arrivals are reckoned from are whole runs
    alone.limits.cycles = 0;
    alone.run.on.max_cycles = 0;
  }
  alone.labels = {{"workload", SizedWorkload::of(alone.run.workload).name()}, {"arrival", "alone"}};
  return alone;
}

std::string AloneRuns::folder_of(const std::string& name) {
  if (!folder_) folder_.emplace(options_.folders->all.path_of(kFolder), OutputFolder::Wait::kShort);
  return folder_->folder_of_run(programs_.size(), name + " alone");
}

AloneRuns::Program& AloneRuns::of(const Point& point, std::size_t program) {
  Point alone = point_of(point, program);
  const std::string key = identities_.of(alone).id();
  const auto [place, first] = places_.emplace(key, programs_.size());
  if (!first) return programs_[place->second];
  Program added{key, {std::move(alone), ""}};
  if (cache_) {
    if (const auto found = cache_->find(key)) {
      added.times = *found;
      added.file = cache_->file_of(key);
    } else {
      added.row.folder = folder_of(added.name());
    }
  }
  return programs_.emplace_back(std::move(added));
}

void AloneRuns::clear_others() const {
  if (!folder_) return;
  std::vector<std::string> kept;
  for (const Program& program : programs_) kept.push_back(program.row.folder);
  folder_->clear_runs(kept);
}

void AloneRuns::learn() {
  for (Program& program : programs_) {
    if (!program.known()) learn(program);
  }
}

void AloneRuns::learn(Program& program) {
  const auto stored = database_.find(program.row.id);
  if (!stored) return;  // it was not to be run, or the work was ended
  program.row.take(*stored, stored->done());
  if (!stored->done()) return;
  program.times.streams = streams_in({{"streams", database_.detail(program.row.id, "streams")},
                                      {"launches", database_.detail(program.row.id, "launches")}});
  if (program.times.valid()) {
    program.file = keep(program);
    return;
  }
  program.row.state = ExperimentRow::State::kFailed;
  program.row.code = static_cast<int>(ExitCode::kInternal);
  program.row.message = "it has no run times";
}

std::string AloneRuns::keep(const Program& program) const {
  if (cache_) return keep_in_folder(program);
  std::string file = (fs::path(times_folder_) / (program.key + ".json")).string();
  if (options_.plan_only) return file;
  std::error_code error;
  fs::create_directories(times_folder_, error);
  if (!read_alone_run(file, program.key)) write_file_atomically(file, to_json(program.times, program.key));
  return file;
}

std::string AloneRuns::keep_in_folder(const Program& program) const {
  if (cache_->store(program.key, program.times)) return cache_->file_of(program.key);
  const OutputFolder of_run(program.row.folder, OutputFolder::Wait::kShort);
  of_run.write("alone.json", to_json(program.times, program.key));
  tell("heddle {}: {}: can't be written: the run alone of {} is not kept\n", options_.command,
       cache_->folder().empty() ? "cache folder" : cache_->folder(), program.name());
  return fs::absolute(of_run.path_of("alone.json")).string();
}

std::vector<ExperimentRow> AloneRuns::rows() const {
  std::vector<ExperimentRow> rows;
  for (const Program& program : programs_) {
    if (!program.row.id.empty()) rows.push_back(program.row);
  }
  return rows;
}

}  // namespace heddle
