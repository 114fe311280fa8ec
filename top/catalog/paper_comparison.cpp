#include "top/catalog/paper_comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "top/options/compile_options.h"
#include "workloads/description/workload_loader.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;
using For = TableColumn::For;
using Figure = std::optional<std::uint64_t>;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

/// What the paper says of its threads, in threads or in warps.
Figure their_warps(const PaperEntry& entry) {
  if (entry.warps_per_tb) return entry.warps_per_tb;
  if (entry.threads_per_tb) return round_up(*entry.threads_per_tb, kWarpSize) / kWarpSize;
  return std::nullopt;
}

/// Rounded up to whole registers.
Figure their_registers_per_thread(const PaperEntry& entry) {
  const Figure warps = their_warps(entry);
  if (!entry.registers_per_tb || !warps || *warps == 0) return std::nullopt;
  const std::uint64_t threads = *warps * kWarpSize;
  return round_up(*entry.registers_per_tb, threads) / threads;
}

Figure their_resident_warps(const PaperEntry& entry) {
  if (entry.resident_warps) return entry.resident_warps;
  const Figure warps = their_warps(entry);
  if (entry.resident_tbs && warps) return *entry.resident_tbs * *warps;
  return std::nullopt;
}

/// For people: a figure of ours in parentheses where the paper has none, both where they differ.
std::string both(const Figure& theirs, std::uint64_t ours, bool differ) {
  if (!theirs) return fmt::format("({})", ours);
  return differ ? fmt::format("{} -> {}", *theirs, ours) : std::to_string(ours);
}

bool has(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Table::Cell cell_of(const Figure& figure) { return figure ? Table::Cell(*figure) : Table::Cell(); }

PaperMatch match(const PaperEntry& entry, const Workload& workload, const WorkloadShape& shape) {
  PaperMatch match{entry, true, shape.size, {}};
  const LaunchShape* const launch = shape.find(entry.launch);
  if (launch == nullptr) {
    throw WorkloadError(entry.mark, fmt::format("{} launches no kernel '{}'", workload.name, entry.launch));
  }
  match.launch = *launch;
  return match;
}

}  // namespace

std::vector<PaperEntry> all_paper_entries(const ProjectFiles& files) {
  std::vector<PaperEntry> entries;
  for (const std::string& path : files.paper_tables()) {
    std::vector<PaperEntry> of_paper = load_paper_tables(path);
    std::move(of_paper.begin(), of_paper.end(), std::back_inserter(entries));
  }
  return entries;
}

std::string paper_size(const Workload& workload) { return workload.sizes.count("paper") != 0 ? "paper" : ""; }

std::vector<std::string> PaperMatch::differences(const CoreConfig& core) const {
  std::vector<std::string> names;
  if (!exists) return names;
  const Occupancy& ours = launch.occupancy;
  if (entry.tbs && *entry.tbs != launch.tbs()) names.emplace_back("TBs");
  const bool same_threads = entry.threads_per_tb
                                ? *entry.threads_per_tb == launch.threads_per_tb()
                                : !entry.warps_per_tb || *entry.warps_per_tb == ours.demand.warps;
  if (!same_threads) names.emplace_back("threads");
  const bool same_residency =
      entry.resident_tbs
          ? *entry.resident_tbs == ours.tbs_per_sm
          : !entry.resident_warps || *entry.resident_warps == ours.tbs_per_sm * ours.demand.warps;
  if (!same_residency) names.emplace_back("resident");
  if (const Figure registers = their_registers_per_thread(entry)) {
    if (round_up(*registers, core.register_allocation_unit) != ours.demand.registers_per_thread)
      names.emplace_back("registers");
  }
  if (entry.shared_bytes &&
      round_up(*entry.shared_bytes, core.shared_allocation_bytes) != ours.demand.shared_bytes)
    names.emplace_back("shared memory");
  return names;
}

std::vector<PaperMatch> match_papers(const ProjectFiles& files, const GpuConfig& config) {
  const std::vector<std::string> names = files.workload_names();
  std::map<std::string, Workload> workloads;
  std::map<std::pair<std::string, std::string>, WorkloadShape> shapes;  // by workload and size
  std::vector<PaperMatch> matches;
  for (const PaperEntry& entry : all_paper_entries(files)) {
    if (!std::binary_search(names.begin(), names.end(), entry.workload)) {
      matches.push_back({entry, false, "", {}});
      continue;
    }
    auto workload = workloads.find(entry.workload);
    if (workload == workloads.end())
      workload = workloads.emplace(entry.workload, load_workload(files.workload(entry.workload))).first;
    const std::string size = entry.size.empty() ? paper_size(workload->second) : entry.size;
    auto shape = shapes.find({entry.workload, size});
    if (shape == shapes.end()) {
      try {
        shape = shapes
                    .emplace(std::pair(entry.workload, size),
                             shape_of(workload->second, size, {}, config.core,
                                      compile_options(config, {}, workload->second)))
                    .first;
      } catch (const std::invalid_argument& error) {
        throw WorkloadError(entry.mark, error.what());
      }
    }
    matches.push_back(match(entry, workload->second, shape->second));
  }
  return matches;
}

Table paper_table(const std::vector<PaperMatch>& matches, const CoreConfig& core) {
  Table table({{"paper", "paper", Kind::kText, Rank::kKey},
               {"table", "table", Kind::kText, Rank::kDetail, For::kPrograms},
               {"suite", "suite", Kind::kText, Rank::kDetail, For::kPrograms},
               {"benchmark", "benchmark", Kind::kText, Rank::kKey},
               {"kernel", "kernel", Kind::kText, Rank::kDetail},
               {"type", "type"},
               {"workload", "workload", Kind::kText, Rank::kKey},
               {"launch", "launch", Kind::kText, Rank::kUsual},
               {"size", "size", Kind::kText, Rank::kDetail},
               {"", "TBs", Kind::kText, Rank::kUsual, For::kPeople},
               {"", "warps per TB", Kind::kText, Rank::kUsual, For::kPeople},
               {"", "warps per SM", Kind::kText, Rank::kUsual, For::kPeople},
               {"", "registers", Kind::kText, Rank::kUsual, For::kPeople},
               {"", "shared bytes", Kind::kText, Rank::kUsual, For::kPeople},
               {"their_tbs", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"tbs", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"their_threads_per_tb", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"threads_per_tb", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"their_warps_per_tb", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"warps_per_tb", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"their_tbs_per_sm", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"tbs_per_sm", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"their_warps_per_sm", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"warps_per_sm", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"their_registers_per_thread", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"registers_per_thread", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"their_shared_bytes_per_tb", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"shared_bytes_per_tb", "", Kind::kWhole, Rank::kUsual, For::kPrograms},
               {"tb_rounds", "rounds of TBs", Kind::kTenths},
               {"differs", "differs in", Kind::kText, Rank::kKey},
               {"note", "note", Kind::kText, Rank::kDetail}});
  for (const PaperMatch& match : matches) {
    const PaperEntry& entry = match.entry;
    std::vector<Table::Cell> row{entry.paper,
                                 entry.table,
                                 entry.suite,
                                 entry.benchmark,
                                 entry.kernel,
                                 entry.type,
                                 entry.workload,
                                 match.exists ? match.launch.kernel : entry.launch,
                                 match.exists && match.size.empty() ? "default" : match.size};
    const LaunchShape& launch = match.launch;
    const std::vector<std::string> differs = match.differences(core);
    const std::uint64_t warps = launch.occupancy.demand.warps;
    const std::uint64_t resident = launch.occupancy.tbs_per_sm;
    if (match.exists) {
      row.emplace_back(both(entry.tbs, launch.tbs(), has(differs, "TBs")));
      row.emplace_back(both(their_warps(entry), warps, has(differs, "threads")));
      row.emplace_back(both(their_resident_warps(entry), resident * warps, has(differs, "resident")));
      row.emplace_back(
          both(their_registers_per_thread(entry), launch.registers_per_thread, has(differs, "registers")));
      row.emplace_back(both(entry.shared_bytes, launch.shared_bytes, has(differs, "shared memory")));
    } else {
      row.insert(row.end(), 5, Table::Cell());
    }
    const std::pair<Figure, std::uint64_t> figures[] = {
        {entry.tbs, launch.tbs()},
        {entry.threads_per_tb, launch.threads_per_tb()},
        {their_warps(entry), warps},
        {entry.resident_tbs, resident},
        {their_resident_warps(entry), resident * warps},
        {their_registers_per_thread(entry), launch.registers_per_thread},
        {entry.shared_bytes, launch.shared_bytes}};
    for (const auto& [theirs, ours] : figures) {
      row.push_back(cell_of(theirs));
      row.push_back(match.exists ? Table::Cell(ours) : Table::Cell());
    }
    row.push_back(match.exists ? Table::Cell(launch.tb_rounds) : Table::Cell());
    row.emplace_back(match.exists ? fmt::format("{}", fmt::join(differs, ", ")) : "no such workload");
    row.emplace_back(entry.note + (entry.note.empty() || entry.few_rounds.empty() ? "" : "; ") +
                     entry.few_rounds);
    table.add(std::move(row));
  }
  return table;
}

}  // namespace heddle
