#include <fmt/format.h>

#include <filesystem>

#include "top/commands/commands.h"
#include "top/page/report_data.h"
#include "top/page/report_page.h"
#include "top/support/atomic_file.h"
#include "top/text/shown_path.h"

namespace heddle {

ExitCode report_command(const ReportOptions& options) {
  const std::string file = options.out.empty()
                               ? (std::filesystem::path(options.folders.front()) / "report.html").string()
                               : options.out;
  const nlohmann::json data = report_data(options.folders);
  write_file_atomically(file, report_page(data));
  const std::size_t runs = data.at("runs").size() + data.at("timed_pairs").size();
  fmt::print("Report of {} run{} in {}\n", runs, runs == 1 ? "" : "s", shown_path(file));
  return ExitCode::kOk;
}

}  // namespace heddle
