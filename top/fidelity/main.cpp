// Runs the reference kernels and compares them with what the reference machine reported: `make fidelity`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <fstream>
#include <iostream>

#include "top/fidelity/measurement.h"
#include "top/fidelity/reference.h"
#include "top/fidelity/table.h"
#include "top/fidelity/targets.h"

namespace {

using heddle::fidelity::Figures;
using heddle::fidelity::Row;
using heddle::fidelity::Table;

constexpr int kTargetMissed = 1;
constexpr int kUsage = 2;
constexpr int kRunFailed = 3;

constexpr double kPercent = 100;

struct Options {
  std::string heddle;
  std::string project;
  std::string config;
  std::string format;
  std::string rows;
};

/// Kernels with what the reference machine reported for them.
struct RowSet {
  const char* name;
  const char* figures;   ///< in the project's folder
  const char* workload;  ///< likewise, of kernel {0}; a row may name a size: "matrix_multiply:medium"
};
constexpr std::array kRowSets{
    RowSet{"reference", "workloads/reference/gpgpusim.csv", "workloads/reference/{0}.yaml"},
    RowSet{"kernels", "workloads/kernels/gpgpusim.csv", "workloads/kernels/{0}/{0}.yaml"},
};

/// In what the reference machine differs from the configuration on purpose (gtx480.md, "Textures").
constexpr std::array kReferenceSettings{"texture.lanes_per_cycle=32", "texture.latency_cycles=2"};

const RowSet* find_rows(const std::string& name) {
  const auto* const found =
      std::find_if(kRowSets.begin(), kRowSets.end(), [&](const RowSet& set) { return set.name == name; });
  return found == kRowSets.end() ? nullptr : found;
}

std::string rates(double ours, double reference) { return fmt::format("{:.4f} / {:.4f}", ours, reference); }

std::string shares(double ours, double reference) {
  return fmt::format("{:.1f} / {:.1f}", kPercent * ours, kPercent * reference);
}

Table performance(const std::vector<Row>& rows) {
  Table table({"kernel", "scheduler", "cycles", "reference", "ratio", "active cycles of an SM", "IPC",
               "L1D miss rate", "L2 miss rate"});
  for (const Row& row : rows) {
    const Figures& ours = row.ours;
    const Figures& reference = row.reference;
    table.add({row.kernel, row.scheduler, fmt::format("{}", ours.cycles), fmt::format("{}", reference.cycles),
               fmt::format("{:.3f}", row.ratio()),
               fmt::format("{:.0f} / {:.0f}", ours.active_cycles, reference.active_cycles),
               rates(ours.ipc, reference.ipc), rates(ours.l1d_miss, reference.l1d_miss),
               rates(ours.l2_miss, reference.l2_miss)});
  }
  return table;
}

Table stalls(const std::vector<Row>& rows) {
  Table table({"kernel", "scheduler", "issued %", "idle %", "scoreboard %", "pipeline %"});
  for (const Row& row : rows) {
    const Figures& ours = row.ours;
    const Figures& reference = row.reference;
    table.add({row.kernel, row.scheduler, shares(ours.issued, reference.issued),
               shares(ours.idle, reference.idle), shares(ours.scoreboard, reference.scoreboard),
               shares(ours.pipeline, reference.pipeline)});
  }
  return table;
}

int compare(const Options& options) {
  const RowSet& set = *find_rows(options.rows);
  const std::string figures = options.project + "/" + set.figures;
  std::ifstream csv(figures);
  if (!csv) throw std::runtime_error(figures + " can't be read");
  std::vector<Row> rows = heddle::fidelity::read_reference(csv);
  const heddle::fidelity::Measurement measurement(options.heddle, options.config,
                                                  {kReferenceSettings.begin(), kReferenceSettings.end()});
  for (Row& row : rows) {
    fmt::print(stderr, "{} under {}\n", row.kernel, row.scheduler);
    const std::size_t colon = std::min(row.kernel.find(':'), row.kernel.size());
    const std::string workload = fmt::format(fmt::runtime(set.workload), row.kernel.substr(0, colon));
    const std::string size = row.kernel.substr(std::min(colon + 1, row.kernel.size()));
    row.ours = measurement.run(options.project + "/" + workload, size, row.scheduler);
  }
  for (const Table& table : {performance(rows), stalls(rows)}) {
    fmt::print("{}\n", options.format == "md" ? table.markdown() : table.text());
  }
  const heddle::fidelity::Verdict verdict = heddle::fidelity::judge(rows);
  fmt::print("Error of cycles, geometric mean: {:.1f}%. Rankings that count: {}.\n",
             kPercent * heddle::fidelity::mean_error(rows), verdict.pairs);
  for (const std::string& miss : verdict.misses) fmt::print("missed: {}\n", miss);
  return verdict.misses.empty() ? 0 : kTargetMissed;
}

}  // namespace

/// libsystemc, which the machine's configuration brings along, asks for one; main() takes the place of the
/// library's.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return kUsage; }

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  Options options;
  po::options_description description("heddle_fidelity HEDDLE PROJECT_FOLDER [options]");
  description.add_options()  //
      ("heddle", po::value(&options.heddle)->required(), "the heddle program")(
          "project", po::value(&options.project)->required(), "the project's folder")(
          "config", po::value(&options.config)->default_value("gtx480"), "configuration, by name or path")(
          "format", po::value(&options.format)->default_value("text"), "text or md (Markdown)")(
          "rows", po::value(&options.rows)->default_value(kRowSets.front().name),
          "reference (workloads/reference) or kernels (workloads/kernels)");
  po::positional_options_description positions;
  positions.add("heddle", 1).add("project", 1);
  try {
    po::variables_map values;
    po::store(po::command_line_parser(argc, argv).options(description).positional(positions).run(), values);
    po::notify(values);
    if (options.format != "text" && options.format != "md") {
      throw po::error("--format: expected text or md, found '" + options.format + "'");
    }
    if (find_rows(options.rows) == nullptr)
      throw po::error("--rows: expected reference or kernels, found '" + options.rows + "'");
  } catch (const po::error& error) {
    std::cerr << error.what() << '\n' << description;
    return kUsage;
  }
  try {
    return compare(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle_fidelity: {}\n", error.what());
    return kRunFailed;
  }
}
