// Simulation speed of whole runs: `make bench`.
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "top/bench/accepted.h"
#include "top/bench/measurement.h"
#include "top/bench/reference_speed.h"
#include "top/bench/rows.h"

namespace {

namespace po = boost::program_options;
using namespace heddle::bench;

/// What schedulers cost is measured on the same cycles of each run, of the order of the shortest whole one.
constexpr const char* kComparedCycles = "60000";
/// What waves of one SM cost is measured on a part of each run: the file grows with the cycles.
const std::vector<std::string> kWithoutWaves{"--max-cycles", "100000"};
const std::vector<std::string> kWithWaves{"--max-cycles", "100000", "--vcd-scope", "sm0.*"};
/// Beside the reference kernels: in it next to nothing but waves takes time.
const char* const kWaitingKernel = "pchase_l1";
constexpr double kMostWaveCost = 2;
const std::vector<std::string> kOnTwoThreads{"--threads", "2"};
constexpr double kMostSchedulerCost = 1.3;
constexpr double kBytesPerMegabyte = 1024.0 * 1024.0;
constexpr const char* kReferenceScheduler = "gto";
/// What the reference calls two_level_active.
constexpr const char* kReferenceTwoLevel = "two_level";
constexpr double kMicrosecondsPerSecond = 1e6;

struct Options {
  std::string heddle;
  std::filesystem::path project;
  std::string accepted;
  unsigned runs = 5;
  bool accept = false;
};

Options parse(int argc, char** argv) {
  Options options;
  po::options_description named;
  named.add_options()("runs", po::value(&options.runs));
  named.add_options()("accept", po::bool_switch(&options.accept));
  named.add_options()("accepted", po::value(&options.accepted));
  named.add_options()("heddle", po::value(&options.heddle)->required());
  named.add_options()("project", po::value<std::string>()->required());
  po::positional_options_description positional;
  positional.add("heddle", 1).add("project", 1);
  po::variables_map values;
  po::store(po::command_line_parser(argc, argv).options(named).positional(positional).run(), values);
  po::notify(values);
  options.project = values["project"].as<std::string>();
  if (options.accepted.empty()) options.accepted = (options.project / "top/bench/accepted.json").string();
  if (options.runs == 0) throw std::runtime_error("--runs: expected at least 1, found 0");
  return options;
}

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options), accepted_(Accepted::load(options.accepted)), measurement_(options.heddle) {
    reference_ = reference("speed.csv", kReferenceSpeed, kReferenceScheduler);
  }

  void run() {
    print_speeds();
    print_scheduler_costs();
    print_wave_costs();
    print_thread_gains();
    if (!options_.accept) return;
    accepted_.ratios = measured_;
    accepted_.save(options_.accepted);
    fmt::print("\naccepted: {}\n", options_.accepted);
  }

 private:
  std::map<std::string, double> reference(const char* file, const ReferenceFigure& figure,
                                          const char* scheduler) const {
    std::ifstream csv(options_.project / "workloads/reference" / file);
    return read_reference(csv, figure, scheduler);
  }

  std::string path_of(const std::string& workload) const { return (options_.project / workload).string(); }

  void print_speeds() {
    fmt::print(
        "CPU time of the simulation alone, as the reference's figures are. Ratio: warp instructions per\n"
        "time of a fixed computation that is timed around each run; median of {} runs. A slowdown by more\n"
        "than {} % against the accepted ratio is marked with '!'. Multiple: of the reference's ratio "
        "({}).\n\n",
        options_.runs, accepted_.tolerance_percent, kReferenceScheduler);
    fmt::print("{:26} {:>12} {:>12} {:>8} {:>10} {:>10} {:>9} {:>9}\n", "row", "warp inst/s", "cycles/s",
               "peak MB", "ratio", "accepted", "change", "multiple");
    std::vector<double> multiples;
    for (const Row& row : timed_rows()) {
      const bool all_compared = row.reference.empty() && !multiples.empty();
      if (all_compared) {
        fmt::print("{:26} {:>75.1f}x\n", "geometric mean", geometric_mean(multiples));
        multiples.clear();
      }
      const Speed speed = print_speed(row);
      if (!row.reference.empty()) {
        multiples.push_back(speed.ratio / reference_.at(row.reference));
        fmt::print(" {:8.1f}x", multiples.back());
      }
      fmt::print("\n");
    }
  }

  /// A line without its end.
  Speed print_speed(const Row& row) {
    const Speed speed = measurement_.speed(path_of(row.workload), row.options, options_.runs);
    measured_[row.name] = speed.ratio;
    const bool known = accepted_.ratios.count(row.name) != 0;
    fmt::print("{:26} {:12.0f} {:12.0f} {:8.1f} {:10.0f} ", row.name, speed.warp_instructions_per_second(),
               speed.cycles_per_second(), static_cast<double>(speed.peak_memory_bytes) / kBytesPerMegabyte,
               speed.ratio);
    if (known) {
      fmt::print("{:10.0f} {:+7.1f}%{}", accepted_.ratios.at(row.name),
                 accepted_.change_percent(row.name, speed.ratio),
                 accepted_.slower(row.name, speed.ratio) ? "!" : " ");
    } else {
      fmt::print("{:>10} {:>9}", "-", "-");
    }
    std::fflush(stdout);
    return speed;
  }

  void print_scheduler_costs() {
    fmt::print(
        "\nSchedulers: CPU time per simulated cycle, in us, of the first {2} cycles, in runs that alternate "
        "with\n{0}'s, and over {0}'s; more than {1} is marked with '!'. Reference: the same of it, where it "
        "has the\nscheduler.\n\n",
        kReferenceScheduler, kMostSchedulerCost, kComparedCycles);
    fmt::print("{:26} {:>12} {:>12} {:>9} {:>10}\n", "row", kReferenceScheduler, "scheduler", "cost",
               "reference");
    const auto gto = reference("gpgpusim.csv", kReferenceCycleSpeed, kReferenceScheduler);
    const auto two_level = reference("gpgpusim.csv", kReferenceCycleSpeed, kReferenceTwoLevel);
    for (const std::string& kernel : compared_kernels()) {
      for (const std::string& scheduler : compared_schedulers()) {
        print_scheduler_cost(kernel, scheduler);
        const bool known = scheduler == "two_level_active" && two_level.count(kernel) != 0;
        if (known) fmt::print(" {:10.2f}", gto.at(kernel) / two_level.at(kernel));
        fmt::print("\n");
        std::fflush(stdout);
      }
    }
  }

  /// A line without its end.
  void print_scheduler_cost(const std::string& kernel, const std::string& scheduler) {
    const auto under = [](const std::string& name) {
      return std::vector<std::string>{"--scheduler", name, "--max-cycles", kComparedCycles};
    };
    const Cost cost = measurement_.cost(path_of(reference_workload(kernel)), under(scheduler),
                                        under(kReferenceScheduler), options_.runs);
    fmt::print("{:26} {:12.2f} {:12.2f} {:8.2f}{}", kernel + " " + scheduler,
               cost.without * kMicrosecondsPerSecond, cost.with * kMicrosecondsPerSecond, cost.ratio,
               cost.ratio > kMostSchedulerCost ? "!" : " ");
  }

  void print_wave_costs() {
    fmt::print(
        "\nWaves of one SM ({}), CPU time over that of a run without; more than {} is marked with '!'\n\n",
        kWithWaves.back(), kMostWaveCost);
    std::vector<std::string> kernels = main_kernels();
    kernels.emplace_back(kWaitingKernel);
    for (const std::string& kernel : kernels) {
      const double cost =
          measurement_.cost(path_of(reference_workload(kernel)), kWithWaves, kWithoutWaves, options_.runs)
              .ratio;
      fmt::print("{:26} {:12.2f}{}\n", kernel, cost, cost > kMostWaveCost ? "!" : "");
      std::fflush(stdout);
    }
  }

  void print_thread_gains() {
    fmt::print("\nTwo threads: wall-clock time of the simulation on one thread over that on two\n\n");
    std::vector<double> gains;
    for (const std::string& kernel : main_kernels()) {
      gains.push_back(measurement_.gain(path_of(reference_workload(kernel)), kOnTwoThreads, options_.runs));
      fmt::print("{:26} {:12.2f}\n", kernel, gains.back());
      std::fflush(stdout);
    }
    fmt::print("{:26} {:12.2f}\n", "geometric mean", geometric_mean(gains));
  }

  Options options_;
  Accepted accepted_;
  Measurement measurement_;
  std::map<std::string, double> reference_;
  Ratios measured_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    Bench(parse(argc, argv)).run();
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "heddle_bench: " << error.what()
              << "\nusage: heddle_bench [--runs N] [--accept] [--accepted FILE] HEDDLE PROJECT_FOLDER\n";
    return 2;
  }
}
