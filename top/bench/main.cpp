// Simulation speed of whole runs: `make bench`.
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "top/bench/accepted.h"
#include "top/bench/measurement.h"
#include "top/bench/reference_speed.h"

namespace {

namespace po = boost::program_options;
using namespace heddle::bench;

const std::vector<std::string> kReferenceKernels{"vecadd", "poly", "scalarprod", "atax_row"};
const std::vector<std::string> kOwnKernels{"matrix_multiply", "bfs",  "histogram",
                                           "hotspot",         "spmv", "black_scholes"};
/// Ticking everything at every cycle takes long where most of the machine would sleep.
const std::vector<std::string> kWithoutSleep{"--no-sleep", "--max-cycles", "20000"};
/// What waves of one SM cost is measured on a part of each run: the file grows with the cycles.
const std::vector<std::string> kWithoutWaves{"--max-cycles", "100000"};
const std::vector<std::string> kWithWaves{"--max-cycles", "100000", "--vcd-scope", "sm0.*"};
/// Beside the reference kernels: in it next to nothing but waves takes time.
const char* const kWaitingKernel = "pchase_l1";
constexpr double kMostWaveCost = 2;
const std::vector<std::string> kOnTwoThreads{"--threads", "2"};
constexpr double kBytesPerMegabyte = 1024.0 * 1024.0;
constexpr const char* kReferenceScheduler = "gto";

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
    std::ifstream csv(options.project / "workloads/reference/gpgpusim.csv");
    reference_ = read_reference_speeds(csv, kReferenceScheduler);
  }

  void run() {
    print_speeds();
    print_wave_costs();
    print_thread_gains();
    if (!options_.accept) return;
    accepted_.ratios = measured_;
    accepted_.save(options_.accepted);
    fmt::print("\naccepted: {}\n", options_.accepted);
  }

 private:
  std::string path_of(const std::string& kernel) const {
    const bool reference = reference_.count(kernel) != 0;
    const std::filesystem::path folder = reference ? options_.project / "workloads/reference"
                                                   : options_.project / "workloads/kernels" / kernel;
    return (folder / (kernel + ".yaml")).string();
  }

  void print_speeds() {
    fmt::print(
        "CPU time of the simulation alone, as the reference's figures are. Ratio: warp instructions per\n"
        "time of a fixed computation that is timed around each run; median of {} runs. A slowdown by more\n"
        "than {} % against the accepted ratio is marked with '!'. Multiple: of the reference's speed "
        "({}).\n\n",
        options_.runs, accepted_.tolerance_percent, kReferenceScheduler);
    fmt::print("{:26} {:>12} {:>12} {:>8} {:>10} {:>10} {:>9} {:>9}\n", "kernel", "warp inst/s", "cycles/s",
               "peak MB", "ratio", "accepted", "change", "multiple");
    std::vector<double> multiples;
    for (const std::string& kernel : kReferenceKernels) {
      const Speed speed = print_speed(kernel, {});
      multiples.push_back(speed.warp_instructions_per_second() / reference_.at(kernel));
      fmt::print(" {:8.1f}x\n", multiples.back());
    }
    fmt::print("{:26} {:>91.1f}x\n", "geometric mean", geometric_mean(multiples));
    for (const std::string& kernel : kOwnKernels) {
      print_speed(kernel, {});
      fmt::print("\n");
    }
    for (const std::string& kernel : kReferenceKernels) {
      print_speed(kernel, kWithoutSleep);
      fmt::print("\n");
    }
  }

  /// A line without its end.
  Speed print_speed(const std::string& kernel, const std::vector<std::string>& run_options) {
    const std::string name = run_options.empty() ? kernel : kernel + " " + run_options.front();
    const Speed speed = measurement_.speed(path_of(kernel), run_options, options_.runs);
    measured_[name] = speed.ratio;
    const bool known = accepted_.ratios.count(name) != 0;
    fmt::print("{:26} {:12.0f} {:12.0f} {:8.1f} {:10.0f} ", name, speed.warp_instructions_per_second(),
               speed.cycles_per_second(), static_cast<double>(speed.peak_memory_bytes) / kBytesPerMegabyte,
               speed.ratio);
    if (known) {
      fmt::print("{:10.0f} {:+7.1f}%{}", accepted_.ratios.at(name),
                 accepted_.change_percent(name, speed.ratio),
                 accepted_.slower(name, speed.ratio) ? "!" : " ");
    } else {
      fmt::print("{:>10} {:>9}", "-", "-");
    }
    std::fflush(stdout);
    return speed;
  }

  void print_wave_costs() {
    fmt::print(
        "\nWaves of one SM ({}), CPU time over that of a run without; more than {} is marked with '!'\n\n",
        kWithWaves.back(), kMostWaveCost);
    std::vector<std::string> kernels = kReferenceKernels;
    kernels.emplace_back(kWaitingKernel);
    for (const std::string& kernel : kernels) {
      const double cost = measurement_.cost(path_of(kernel), kWithWaves, kWithoutWaves, options_.runs);
      fmt::print("{:26} {:12.2f}{}\n", kernel, cost, cost > kMostWaveCost ? "!" : "");
      std::fflush(stdout);
    }
  }

  void print_thread_gains() {
    fmt::print("\nTwo threads: wall-clock time of the simulation on one thread over that on two\n\n");
    std::vector<double> gains;
    for (const std::string& kernel : kReferenceKernels) {
      gains.push_back(measurement_.gain(path_of(kernel), kOnTwoThreads, options_.runs));
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
