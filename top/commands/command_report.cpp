#include <fmt/format.h>

#include <filesystem>

#include "top/commands/commands.h"
#include "top/page/database_runs.h"
#include "top/page/report_data.h"
#include "top/page/report_page.h"
#include "top/support/output/atomic_file.h"
#include "top/text/shown_path.h"

namespace heddle {

ExitCode report_command(const ReportOptions& options) {
  const std::filesystem::path first = options.folders.front();
  const std::filesystem::path folder = is_result_database(first.string()) ? first.parent_path() : first;
  const std::string file = options.out.empty() ? (folder / "report.html").string() : options.out;
  const nlohmann::json data = report_data(options.folders);
  write_file_atomically(file, report_page(data));
  const bool papers = data.contains("papers");
  const std::size_t shown =
      papers ? data.at("papers").size() : data.at("runs").size() + data.at("timed_pairs").size();
  fmt::print("Report of {} {}{} in {}\n", shown, papers ? "paper" : "run", shown == 1 ? "" : "s",
             shown_path(file));
  return ExitCode::kOk;
}

}  // namespace heddle
