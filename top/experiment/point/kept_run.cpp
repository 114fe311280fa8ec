#include "top/experiment/point/kept_run.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "top/support/output/atomic_file.h"
#include "top/support/output/durable_file.h"
#include "top/support/processes/exit_code.h"
#include "top/support/results.h"

namespace heddle {

namespace {

namespace fs = std::filesystem;

constexpr const char* kNote = "point.json";

/// What is simulated ends so each time.
bool always_ends_so(int code) {
  switch (static_cast<ExitCode>(code)) {
    case ExitCode::kOk:
    case ExitCode::kCheckFailed:
    case ExitCode::kProgramFault:
    case ExitCode::kDeadlock:
    case ExitCode::kPolicyDeadlock:
    case ExitCode::kCycleLimit:
      return true;
    default:
      return false;
  }
}

void sync_files(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) sync_to_disk(entry.path());
  }
  sync_to_disk(folder);
}

bool is_whole(const fs::path& folder, const PointJob& job) {
  const auto identity = RunIdentity::read(folder.string());
  if (!identity || !identity->differences(job.identity).empty()) return false;
  return has_contents(folder / "cost.json") && has_records(folder, job);
}

}  // namespace

std::string note_of(const PointResult& result) {
  if (!always_ends_so(result.code) || result.figures.empty()) return "";
  nlohmann::json note = to_json(result);
  note["figures"] = nlohmann::json::array();  // stats.json has them
  note["details"] = nullptr;
  return note.dump(2) + "\n";
}

void write_note(const std::string& folder, const std::string& note) {
  try {
    sync_files(folder);
  } catch (const fs::filesystem_error& error) {
    throw OutputError(error.what());
  }
  write_file_atomically((fs::path(folder) / kNote).string(), note);
}

std::optional<PointResult> find_kept_run(const std::string& folder, const PointJob& job) {
  try {
    const auto note = read_result(fs::path(folder) / kNote);
    if (!note) return std::nullopt;
    PointResult result = point_result_of(*note);
    if (result.id != job.id || !is_whole(folder, job)) return std::nullopt;
    read_run_results(folder, result);
    return result.figures.empty() ? std::nullopt : std::optional(std::move(result));
  } catch (const ResultsError&) {
    return std::nullopt;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace heddle
