#include "top/experiment/point/point_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/input_scope.h"
#include "top/intervals/sqlite_database.h"
#include "top/support/output/durable_file.h"
#include "top/support/results.h"

namespace heddle {

namespace {

using Words = std::vector<std::string>;

constexpr const char* kIntervals = "intervals.sqlite";

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

Words arguments_of_timed(const PairsOptions& pairs, const std::string& tb_policy) {
  Words words{"pairs",          pairs.workloads.front(),
              "--policy",       tb_policy,
              "--arrival",      pairs.arrivals.front(),
              "--seed",         std::to_string(pairs.seed),
              "--together",     std::to_string(pairs.together),
              "--interference", fmt::format("{}", pairs.interference),
              "--format",       "json"};
  if (!pairs.config.config.empty()) append(words, {"--config", pairs.config.config});
  for (const std::string& assignment : pairs.config.assignments) append(words, {"--set", assignment});
  return words;
}

/// Files that the options of a run ask for.
Words records_of(const RecordOptions& record) {
  Words files;
  if (record.tb_log) append(files, {"thread_blocks.json", "predictions.csv"});
  if (record.interval_cycles != 0) files.emplace_back(kIntervals);
  if (record.profile) files.emplace_back("profile.json");
  if (record.waves.wanted) append(files, {record.waves.fst ? "waves.fst" : "waves.vcd", "waves.gtkw"});
  return files;
}

bool is_of_interval(const std::filesystem::path& file, std::uint64_t cycles) {
  try {
    const SqliteDatabase database(file.string(), SqliteDatabase::Access::kRead);
    SqliteStatement run(database, "SELECT interval_cycles FROM run");
    return run.step() && run.number(0) == cycles;
  } catch (const SqliteError&) {
    return false;
  }
}

}  // namespace

bool has_records(const std::filesystem::path& folder, const PointJob& job) {
  const bool all = std::all_of(job.records.begin(), job.records.end(), [&folder](const std::string& record) {
    return has_contents(folder / record);
  });
  return all && (job.interval_cycles == 0 || is_of_interval(folder / kIntervals, job.interval_cycles));
}

PointJob job_of(const PointTask& task) {
  const Point& point = task.point;
  PointJob job;
  job.id = task.id;
  job.identity = task.identity.run;
  job.timed = point.timed.has_value();
  if (job.timed) {
    job.arguments = arguments_of_timed(*point.timed, task.machine.tb_policy);
  } else {
    job.arguments = point.run.model_arguments();
    append(job.arguments, point.run.record_arguments());
    job.arguments.emplace_back("--quiet");
    job.records = records_of(point.run.record);
    job.interval_cycles = point.run.record.interval_cycles;
  }
  if (point.limits.seconds != 0)
    append(job.arguments, {"--max-seconds", std::to_string(point.limits.seconds)});
  if (files_outside_allowed()) job.arguments.emplace_back("--allow-outside");
  job.memory_bytes = point.limits.memory_bytes;
  return job;
}

nlohmann::json to_json(const PointJob& job) {
  return {{"id", job.id},
          {"program", job.identity.program},
          {"configuration", job.identity.configuration},
          {"workload", job.identity.workload},
          {"timed", job.timed},
          {"arguments", job.arguments},
          {"memory_bytes", job.memory_bytes},
          {"records", job.records},
          {"interval_cycles", job.interval_cycles}};
}

PointJob point_job_of(const nlohmann::json& json) {
  PointJob job;
  json.at("id").get_to(job.id);
  json.at("program").get_to(job.identity.program);
  json.at("configuration").get_to(job.identity.configuration);
  json.at("workload").get_to(job.identity.workload);
  json.at("timed").get_to(job.timed);
  json.at("arguments").get_to(job.arguments);
  job.memory_bytes = whole_number(json.at("memory_bytes"));
  json.at("records").get_to(job.records);
  job.interval_cycles = whole_number(json.at("interval_cycles"));
  return job;
}

}  // namespace heddle
