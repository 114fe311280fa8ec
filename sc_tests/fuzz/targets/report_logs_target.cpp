#include <nlohmann/json.hpp>

#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/target.h"
#include "top/page/parts/run_part.h"
#include "top/support/results.h"

namespace heddle::fuzz {

namespace {

/// The input is thread_blocks.json if it begins as JSON does, else predictions.csv.
Verdict run_report_logs(std::string_view input) {
  const ScratchFolder& folder = ScratchFolder::get();
  const bool is_json = !input.empty() && input.front() == '{';
  folder.write(is_json ? "thread_blocks.json" : "predictions.csv", input);
  const nlohmann::json no_stats;
  try {
    const nlohmann::json shown =
        is_json ? thread_blocks_part(folder.path(), no_stats) : predictions_part(folder.path(), no_stats);
    return Verdict::kLoaded;
  } catch (const ResultsError&) {
  } catch (const nlohmann::json::exception&) {  // told as a damaged result
  }
  return Verdict::kRefused;
}

}  // namespace

Target report_logs_target() {
  return {"report_logs", "thread_blocks.json and predictions.csv, as heddle report reads them", 4096,
          &run_report_logs, &write_report_log};
}

}  // namespace heddle::fuzz
