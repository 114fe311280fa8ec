#include "top/experiment/point/point_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <climits>
#include <filesystem>
#include <fstream>

#include "base/utf8.h"
#include "top/support/output/atomic_file.h"
#include "top/support/output/durable_file.h"
#include "top/support/output/output_folder.h"
#include "top/support/processes/exit_code.h"
#include "top/support/results.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPairsFile = "pairs.json";

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string PointFolder::file(const char* name) const { return (fs::path(path_) / name).string(); }

PointFolder::PointFolder(std::string path) : path_(std::move(path)), run_folder_(file("run")) {}

PointFolder PointFolder::kept(std::string path) {
  PointFolder folder(std::move(path));
  folder.run_folder_ = folder.path_;
  return folder;
}

void PointFolder::remove() const {
  if (is_kept()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

ProgramCopy PointFolder::copy(const PointJob& job, std::uint64_t memory_bytes) const {
  ProgramCopy copy{job.arguments, file(kMessagesFile), job.timed ? file(kPairsFile) : ""};
  copy.arguments.insert(copy.arguments.end(),
                        {"--out", run_folder(), "--started-by", std::to_string(getpid())});
  if (memory_bytes != 0)
    copy.arguments.insert(copy.arguments.end(), {"--max-memory", std::to_string(memory_bytes)});
  return copy;
}

PointResult PointFolder::collect(const PointJob& job, const EndedCopy& ended, double began) const {
  PointResult result;
  result.id = job.id;
  result.code = ended.code;
  result.host = host_name();
  result.began = began;
  result.wall_seconds = ended.wall_seconds;
  result.cpu_seconds = ended.use.cpu_seconds;
  result.peak_memory_bytes = ended.use.peak_memory_bytes;
  result.message = first_message(file(kMessagesFile));
  const std::string problem = problem_of(job, result);
  if (problem.empty()) return result;
  result.figures.clear();
  result.details = nullptr;
  if (result.code > static_cast<int>(ExitCode::kCheckFailed)) return result;
  // It says that all is well, and what it has left does not.
  result.code = static_cast<int>(ExitCode::kNoOutput);
  result.message = problem;
  return result;
}

/// Takes what the point has left; what is wrong with it, or "".
std::string PointFolder::problem_of(const PointJob& job, PointResult& result) const {
  try {
    if (job.timed) {
      if (result.code == 0) read_pairs_results(file(kPairsFile), result);
      return "";
    }
    std::optional<OutputFolder> mine;  // who runs something in it by hand is waited for, and found out
    if (is_kept()) mine.emplace(run_folder(), OutputFolder::Wait::kShort);
    read_run_results(run_folder(), result);
    if (!result.figures.empty()) {
      job.identity.expect_in(run_folder());
    } else if (result.code <= static_cast<int>(ExitCode::kCheckFailed)) {
      return run_folder() + ": the run has left no results";
    }
    return "";
  } catch (const ResultsError& error) {
    return error.what();
  } catch (const OutputError& error) {
    return error.what();
  }
}

std::optional<PointResult> PointFolder::left_behind(const PointJob& job) const {
  if (job.timed || !written_since_start(fs::path(run_folder()) / "stats.json")) return std::nullopt;
  const auto code = code_in(run_folder());
  const auto identity = RunIdentity::read(run_folder());
  if (!code || !identity || !identity->differences(job.identity).empty()) return std::nullopt;
  if (!has_records(run_folder(), job)) return std::nullopt;
  PointResult result;
  result.id = job.id;
  result.code = *code;
  result.host = host_name();
  result.message = first_message(file(kMessagesFile));
  if (result.code != 0 && result.message.empty()) return std::nullopt;  // ended before it could say why
  try {
    read_run_results(run_folder(), result);
    const auto speed = read_result(fs::path(run_folder()) / "speed.json");
    if (!speed) return std::nullopt;
    result.wall_seconds = speed->at("seconds");
    result.cpu_seconds = speed->at("cpu_seconds");
    result.peak_memory_bytes = speed->at("peak_memory_bytes");
  } catch (const ResultsError&) {
    return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return result;
}

std::string first_message(const std::string& messages_file) {
  std::string line;
  std::ifstream file(messages_file);
  std::getline(file, line);
  const std::string prefix = "heddle: ";
  return as_utf8(line.compare(0, prefix.size(), prefix) == 0 ? line.substr(prefix.size()) : line);
}

}  // namespace heddle
