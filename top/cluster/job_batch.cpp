#include "top/cluster/job_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "top/support/output/atomic_file.h"
#include "top/support/results.h"
#include "top/text/shell_word.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw OutputError(fmt::format("{}: can't create the folder: {}", path.string(), error.message()));
}

std::string text_of(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// The number that a name begins with.
std::optional<std::size_t> number_in(const std::string& name) {
  std::size_t number = 0;
  const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && rest != name.data() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string JobBatch::name() const { return fs::path(folder_).filename().string(); }
std::string JobBatch::script() const { return (fs::path(folder_) / "job.sh").string(); }
std::string JobBatch::log() const { return (fs::path(folder_) / "logs" / "%a.txt").string(); }

std::string JobBatch::point_folder(std::size_t job, const std::string& id) const {
  return (fs::path(folder_) / "run" / std::to_string(job) / id).string();
}

std::optional<std::string> JobBatch::last_begun(std::size_t job,
                                                const std::vector<std::string>& points) const {
  std::error_code failed;
  const auto last = std::find_if(points.rbegin(), points.rend(), [&](const std::string& id) {
    return fs::exists(point_folder(job, id), failed);
  });
  return last == points.rend() ? std::nullopt : std::optional(*last);
}

std::string JobBatch::last_words(std::size_t job) const {
  std::ifstream file(fs::path(folder_) / "logs" / (std::to_string(job) + ".txt"));
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

void JobBatch::write(const std::vector<std::vector<PointJob>>& jobs) const {
  for (const char* const part : {"tasks", "results", "run", "logs"}) make_folder(fs::path(folder_) / part);
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    nlohmann::json points = nlohmann::json::array();
    for (const PointJob& point : jobs[job]) points.push_back(to_json(point));
    write_file_atomically((fs::path(folder_) / "tasks" / (std::to_string(job) + ".json")).string(),
                          text_of(points));
  }
  std::string text = "#!/bin/sh\n";
  const char* const home = std::getenv("HEDDLE_HOME");
  if (home != nullptr && *home != '\0') text += fmt::format("export HEDDLE_HOME={}\n", shell_word(home));
  text += fmt::format(
      "cd {} && exec {} __points {} \"$SLURM_ARRAY_TASK_ID\"\n", shell_word(fs::current_path().string()),
      shell_word(fs::read_symlink("/proc/self/exe").string()), shell_word(fs::absolute(folder_).string()));
  write_file_atomically(script(), text);  // the last one: it says that the tasks are there
}

std::vector<JobBatch> JobBatch::in(const std::string& folder) {
  std::vector<JobBatch> batches;
  std::error_code failed;
  for (fs::directory_iterator entries(folder, failed), end; !failed && entries != end;
       entries.increment(failed)) {
    if (!fs::exists(entries->path() / "tasks", failed)) continue;
    const JobBatch batch(entries->path().string());
    if (fs::exists(batch.script(), failed)) {
      batches.push_back(batch);
    } else {
      batch.remove();
    }
  }
  std::sort(batches.begin(), batches.end(),
            [](const JobBatch& a, const JobBatch& b) { return a.folder_ < b.folder_; });
  return batches;
}

std::size_t JobBatch::jobs() const {
  std::size_t count = 0;
  std::error_code failed;
  for (fs::directory_iterator entries(fs::path(folder_) / "tasks", failed), end; !failed && entries != end;
       entries.increment(failed)) {
    if (entries->path().extension() == ".json") ++count;
  }
  return count;
}

std::vector<PointJob> JobBatch::tasks(std::size_t job) const {
  const fs::path file = fs::path(folder_) / "tasks" / (std::to_string(job) + ".json");
  const auto root = read_result(file);
  if (!root) throw ResultsError(file.string() + ": is not there");
  std::vector<PointJob> points;
  try {
    for (const nlohmann::json& point : *root) points.push_back(point_job_of(point));
  } catch (const nlohmann::json::exception& error) {
    throw ResultsError(fmt::format("{}: damaged: {}", file.string(), error.what()));
  }
  return points;
}

void JobBatch::write_results(std::size_t job, std::size_t part,
                             const std::vector<PointResult>& results) const {
  nlohmann::json root = nlohmann::json::array();
  for (const PointResult& result : results) root.push_back(to_json(result));
  write_file_atomically((fs::path(folder_) / "results" / fmt::format("{}-{}.json", job, part)).string(),
                        text_of(root));
}

void JobBatch::write_end(std::size_t job) const {
  write_file_atomically((fs::path(folder_) / "results" / fmt::format("{}.end", job)).string(), "");
}

std::vector<JobBatch::Part> JobBatch::parts() const {
  std::vector<Part> parts;
  std::error_code failed;
  for (fs::directory_iterator entries(fs::path(folder_) / "results", failed), end; !failed && entries != end;
       entries.increment(failed)) {
    const fs::path& path = entries->path();
    const auto job = number_in(path.filename().string());
    if (path.extension() != ".json" || !job) continue;
    Part part{path.string(), *job, {}};
    try {
      const nlohmann::json root = read_result(path).value_or(nlohmann::json::array());
      for (const nlohmann::json& result : root) part.results.push_back(point_result_of(result));
    } catch (const ResultsError&) {  // what is lost is run again
      part.results.clear();
    } catch (const nlohmann::json::exception&) {
      part.results.clear();
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

bool JobBatch::has_ended(std::size_t job) const {
  std::error_code failed;
  return fs::exists(fs::path(folder_) / "results" / fmt::format("{}.end", job), failed);
}

void JobBatch::remove() const {
  std::error_code ignored;
  fs::remove(script(), ignored);  // the first one: what is left counts for nothing
  // The tasks last: by them is known what is left when this process is killed meanwhile.
  for (const char* const part : {"results", "run", "logs", "tasks"})
    fs::remove_all(fs::path(folder_) / part, ignored);
  fs::remove_all(folder_, ignored);
}

}  // namespace heddle
