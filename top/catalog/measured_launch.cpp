#include "top/catalog/measured_launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <utility>

#include "modules/counts/issue_cause.h"
#include "top/config/config_error.h"
#include "top/config/config_loader.h"
#include "top/experiment/database/result_database.h"
#include "top/report/metrics/derived_metrics.h"
#include "top/support/project_files.h"
#include "top/support/results.h"
#include "top/support/sized_workload.h"
#include "top/support/stats_file.h"
#include "top/text/shell_word.h"

namespace heddle {

namespace {

using nlohmann::json;

// Thresholds of workloads.md, "What a workload is bound by".
constexpr double kIssueBound = 0.6;
constexpr double kDramBound = 0.6;
constexpr double kLdstBound = 0.75;
constexpr double kFriendly = 1.03;
constexpr double kDivergentLines = 2;  // OAWS, section 2.2
constexpr double kBarrierBound = 0.2;
constexpr double kUnequal = 0.1;  // WarpMan, section 3.2.4

struct GroupOfCause {
  std::string_view cause;
  double SlotShares::*group;
};

constexpr GroupOfCause kGroups[] = {
    {"scoreboard_shared", &SlotShares::shared},  {"scoreboard_sfu", &SlotShares::arithmetic},
    {"scoreboard_alu", &SlotShares::arithmetic}, {"pipeline_sp", &SlotShares::arithmetic},
    {"pipeline_sfu", &SlotShares::arithmetic},   {"idle_barrier", &SlotShares::barrier},
    {"idle_flush", &SlotShares::fetch},          {"idle_fetch", &SlotShares::fetch},
    {"idle_no_warp", &SlotShares::no_warp},      {"idle_drain", &SlotShares::no_warp},
    {"pipeline_policy", &SlotShares::policy}};

/// All others are about memory.
double SlotShares::*group_of(std::string_view cause) {
  for (const GroupOfCause& group : kGroups) {
    if (group.cause == cause) return group.group;
  }
  return &SlotShares::memory;
}

/// The counts of all launches of a kernel.
struct KernelCounts {
  std::string kernel;
  std::uint64_t launches = 0;
  std::uint64_t cycles = 0;
  std::map<std::string, std::uint64_t> counts;
};

std::vector<KernelCounts> kernels_of(const json& launches) {
  std::vector<KernelCounts> kernels;
  for (const json& launch : launches) {
    const auto name = launch.at("kernel").get<std::string>();
    auto known = std::find_if(kernels.begin(), kernels.end(),
                              [&name](const KernelCounts& kernel) { return kernel.kernel == name; });
    if (known == kernels.end()) known = kernels.insert(kernels.end(), {name, 0, 0, {}});
    ++known->launches;
    for_each_metric(launch.at("metrics"), [&known](const std::string& metric, const json& value) {
      if (value.is_number_unsigned()) known->counts[metric] += value.get<std::uint64_t>();
    });
  }
  for (KernelCounts& kernel : kernels) kernel.cycles = kernel.counts["cycles"];
  return kernels;
}

/// The machine that a run says it had.
GpuConfig machine_of(const json& stats, const std::string& file) {
  std::vector<std::string> assignments;
  for (const auto& [key, value] : stats.at("config").at("values").items()) {
    if (key == "name") continue;
    assignments.push_back(key + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  try {
    return load_config("", assignments).config;
  } catch (const ConfigError& error) {
    throw ResultsError(fmt::format("{}: its configuration can't be one: {}", file, error.what()));
  }
}

SlotShares shares_of(const TotalView& totals) {
  SlotShares shares;
  const auto all = static_cast<double>(totals.count("sm.scheduler.cycles"));
  if (all == 0) return shares;
  shares.issued = static_cast<double>(totals.count("sm.scheduler.issued")) / all;
  for (unsigned c = 1; c < kNumIssueCauses; ++c) {
    const std::string cause = info(static_cast<IssueCause>(c)).name;
    shares.*group_of(cause) += static_cast<double>(totals.count("sm.scheduler." + cause)) / all;
  }
  return shares;
}

std::optional<double> ratio(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

void add_ldst(MeasuredLaunch& launch, const std::map<std::string, std::uint64_t>& counts) {
  const std::string prefix = "sm.ldst.cycles.";
  std::uint64_t all = 0;
  std::uint64_t idle = 0;
  std::uint64_t most = 0;
  for (auto count = counts.lower_bound(prefix);
       count != counts.end() && count->first.compare(0, prefix.size(), prefix) == 0; ++count) {
    const std::string cause = count->first.substr(prefix.size());
    all += count->second;
    if (cause == "idle") {
      idle = count->second;
    } else if (count->second > most) {
      most = count->second;
      launch.ldst_cause = cause;
    }
  }
  launch.ldst_busy = ratio(all - idle, all);
}

/// Each kernel of the launches, as stats.json has them; `run` says what they have in common.
void add_kernels(const MeasuredLaunch& run, const json& stats_launches, const GpuConfig& machine,
                 std::vector<MeasuredLaunch>& launches) {
  for (KernelCounts& kernel : kernels_of(stats_launches)) {
    MeasuredLaunch launch = run;
    launch.kernel = kernel.kernel;
    launch.launches = kernel.launches;
    launch.cycles = kernel.cycles;
    add_ldst(launch, kernel.counts);
    const TotalView totals(std::move(kernel.counts));
    const MetricInputs inputs{totals, launch.cycles, machine};
    launch.warp_instructions = totals.count("sm.warp_instructions");
    launch.slots = shares_of(totals);
    launch.achieved_occupancy = derived_metric("achieved_occupancy", inputs);
    launch.simd_efficiency = derived_metric("simd_efficiency", inputs);
    launch.rtru = derived_metric("rtru", inputs);
    launch.l1d_hit_rate = derived_metric("l1d_hit_rate", inputs);
    launch.lines_per_access =
        ratio(totals.count("sm.ldst.accesses"), totals.count("sm.ldst.global_instructions"));
    launch.barrier_wait = ratio(totals.count("sm.barrier_wait_cycles"), totals.count("sm.warp_cycles"));
    if (totals.has("partition.dram.data_bytes")) {
      launch.bytes_per_instruction =
          ratio(totals.count("partition.dram.data_bytes"), totals.count("sm.thread_instructions"));
      launch.dram_utilization = derived_metric("dram_utilization", inputs);
    }
    launches.push_back(std::move(launch));
  }
}

/// Calls read(); what it finds in JSON of another form becomes a ResultsError that names the file.
template <class Read>
void read_as_written(const std::string& file, const Read& read) {
  try {
    read();
  } catch (const json::exception& error) {
    throw ResultsError(fmt::format("{}: not as this version writes it: {}", file, error.what()));
  } catch (const std::out_of_range& error) {
    throw ResultsError(fmt::format("{}: not as this version writes it: {}", file, error.what()));
  }
}

/// Of a folder's run: every value of the configuration, and of the parameters.
std::map<std::string, std::string> settings_of(const json& stats) {
  std::map<std::string, std::string> settings{{"config", stats.at("config").at("name").get<std::string>()}};
  const auto take = [&settings](const std::string& prefix, const json& values) {
    for (const auto& [key, value] : values.items())
      settings[prefix + key] = value.is_string() ? value.get<std::string>() : value.dump();
  };
  take("", stats.at("config").at("values"));
  take("param.", stats.value("parameters", json::object()));
  settings.erase("scheduler.name");
  return settings;
}

/// Of a point: what its command says. All points of a database are complete in that.
std::map<std::string, std::string> settings_of(const StoredPoint& point) {
  std::map<std::string, std::string> settings{{"config", point.config}};
  std::string option;
  for (const std::string& word : shell_words(point.command)) {
    const std::string before = std::exchange(option, word);
    const bool parameter = before == "--param";
    const std::size_t equals = word.find('=');
    if ((!parameter && before != "--set") || equals == std::string::npos) continue;
    settings[(parameter ? "param." : "") + word.substr(0, equals)] = word.substr(equals + 1);
  }
  settings.erase("scheduler.name");
  return settings;
}

/// False: the run is left out.
bool add_run(const std::filesystem::path& folder, std::vector<MeasuredLaunch>& launches) {
  const std::string file = (folder / "stats.json").string();
  bool alone = true;
  read_as_written(file, [&] {
    const json stats = read_result(folder / "stats.json").value_or(json::object());
    check_stats_format(stats, file);
    alone = !stats.contains("streams");
    if (!alone) return;
    MeasuredLaunch run;
    run.workload = stats.at("workload").get<std::string>();
    run.size = stats.at("size").get<std::string>();
    run.scheduler = stats.at("scheduler").get<std::string>();
    run.settings = settings_of(stats);
    run.status = run_status(stats);
    run.correct = run.status == "complete" || run.status == "sampled";
    const json speed = read_result(folder / "speed.json").value_or(json::object());
    run.seconds = speed.value("cpu_seconds", 0.0);
    run.memory_bytes = whole_number(speed.value("peak_memory_bytes", json(0)));
    add_kernels(run, stats.at("launches"), machine_of(stats, file), launches);
  });
  return alone;
}

/// The points of a database of experiments that have figures, by workload, scheduler and labels: they ended
/// in any order. Returns how many are left out.
std::size_t add_points(const std::string& file, std::vector<MeasuredLaunch>& launches) {
  ResultDatabase database(file, ResultDatabase::Access::kRead);
  std::vector<StoredPoint> points = database.points();
  std::stable_sort(points.begin(), points.end(), [](const StoredPoint& a, const StoredPoint& b) {
    return std::tie(a.workload, a.scheduler, a.labels) < std::tie(b.workload, b.scheduler, b.labels);
  });
  std::size_t left_out = 0;
  for (const StoredPoint& point : points) {
    const json stats_launches = database.detail(point.id, "launches");
    if (!stats_launches.is_array()) continue;
    if (database.detail(point.id, "streams").is_array()) {
      ++left_out;
      continue;
    }
    const SizedWorkload sized = SizedWorkload::of(point.workload);
    MeasuredLaunch run;
    run.workload = sized.workload;
    run.size = sized.size;
    run.scheduler = point.scheduler;
    run.settings = settings_of(point);
    run.status = point.status;
    run.correct = point.done();
    run.seconds = point.cpu_seconds;
    run.memory_bytes = point.peak_memory_bytes;
    const std::string config = point.config.empty() ? "" : ProjectFiles().config(point.config);
    read_as_written(file,
                    [&] { add_kernels(run, stats_launches, load_config(config, {}).config, launches); });
  }
  return left_out;
}

std::string bound_by_memory(const MeasuredLaunch& launch) {
  if (launch.dram_utilization.value_or(0) >= kDramBound) return "DRAM bandwidth";
  if (launch.ldst_busy.value_or(0) >= kLdstBound) return "LD/ST unit: " + launch.ldst_cause;
  return "memory latency";
}

}  // namespace

std::vector<MeasuredLaunch> measured_launches(const std::vector<std::string>& paths) {
  std::vector<MeasuredLaunch> launches;
  std::size_t left_out = 0;
  for (const std::string& path : paths) {
    if (std::filesystem::is_regular_file(path)) {
      left_out += add_points(path, launches);
      continue;
    }
    if (!std::filesystem::exists(path)) {
      throw ResultsError(fmt::format("{}: there is no such folder or database", path));
    }
    for (const std::filesystem::path& run : run_folders(path)) left_out += add_run(run, launches) ? 0 : 1;
  }
  if (launches.empty() && left_out != 0) {
    throw ResultsError(fmt::format(
        "{}: expected runs of one workload at a time, found {} of kernels that run at the same time",
        fmt::join(paths, ", "), left_out));
  }
  return launches;
}

bool differ_in_scheduler_only(const MeasuredLaunch& a, const MeasuredLaunch& b) {
  return a.workload == b.workload && a.size == b.size && a.kernel == b.kernel && a.settings == b.settings;
}

std::string bound_by(const MeasuredLaunch& launch) {
  const SlotShares& slots = launch.slots;
  if (slots.issued >= kIssueBound) return "issue";
  const std::array<std::pair<double, const char*>, 7> others{{{slots.memory, "memory"},
                                                              {slots.shared, "shared memory"},
                                                              {slots.arithmetic, "arithmetic"},
                                                              {slots.barrier, "barriers"},
                                                              {slots.fetch, "instruction fetch"},
                                                              {slots.no_warp, "too few warps"},
                                                              {slots.policy, "the policy"}}};
  const auto most = std::max_element(others.begin(), others.end(),
                                     [](const auto& a, const auto& b) { return a.first < b.first; });
  return most == others.begin() ? bound_by_memory(launch) : most->second;
}

std::string scheduler_class(double lrr_cycles, double gto_cycles) {
  if (lrr_cycles >= kFriendly * gto_cycles) return "GTO-friendly";
  if (gto_cycles >= kFriendly * lrr_cycles) return "RR-friendly";
  return "neutral";
}

std::vector<std::string> behaviours(const MeasuredLaunch& launch) {
  std::vector<std::string> names;
  if (launch.lines_per_access) {
    names.emplace_back(*launch.lines_per_access > kDivergentLines ? "divergent" : "coherent");
  }
  if (launch.barrier_wait.value_or(0) >= kBarrierBound) names.emplace_back("barrier-bound");
  if (launch.rtru.value_or(0) >= kUnequal) names.emplace_back("unequal warps");
  return names;
}

}  // namespace heddle
