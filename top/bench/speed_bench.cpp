// Simulation speed of whole runs: `make bench`. Each run is a process of its own, so that peak memory is the
// kernel's; its CPU time is what is reported, since wall-clock time on a shared machine says little.
#include <benchmark/benchmark.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

extern char** environ;

namespace {

constexpr double kMicroseconds = 1e-6;
constexpr double kBytesPerMegabyte = 1024.0 * 1024.0;

struct Run {
  std::string workload;
  bool sleeping = true;
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + kMicroseconds * static_cast<double>(time.tv_usec);
}

/// Runs the command to its end; CPU seconds, or a negative number when it failed.
double cpu_seconds(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) return -1;
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return -1;
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void simulate(benchmark::State& state, const std::string& heddle, const Run& run) {
  const std::filesystem::path out =
      std::filesystem::temp_directory_path() / ("heddle-bench-" + std::to_string(getpid()));
  std::vector<std::string> command{heddle, "run", run.workload, "--quiet", "--out", out.string()};
  if (!run.sleeping) command.emplace_back("--no-sleep");
  nlohmann::json speed;
  double cpu = 0;
  for (auto _ : state) {
    const double once = cpu_seconds(command);
    if (once < 0) {
      state.SkipWithError((run.workload + " could not be run").c_str());
      return;
    }
    state.SetIterationTime(once);
    cpu += once;
    speed = nlohmann::json::parse(std::ifstream(out / "speed.json"));
  }
  const double per_run = cpu / static_cast<double>(state.iterations());
  state.counters["warp_insts/s"] = speed.at("warp_instructions").get<double>() / per_run;
  state.counters["cycles/s"] = speed.at("cycles").get<double>() / per_run;
  state.counters["peak_MB"] = speed.at("peak_memory_bytes").get<double>() / kBytesPerMegabyte;
  std::filesystem::remove_all(out);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s [benchmark options] HEDDLE PROJECT_FOLDER\n", argv[0]);
    return 2;
  }
  const std::string heddle = argv[1];
  const std::filesystem::path workloads = std::filesystem::path(argv[2]) / "workloads";
  std::vector<std::string> names;
  for (const char* name : {"vecadd", "poly", "scalarprod", "atax_row"}) {
    names.push_back((workloads / "reference" / (std::string(name) + ".yaml")).string());
  }
  for (const char* name : {"matrix_multiply", "bfs", "histogram", "hotspot", "spmv", "black_scholes"}) {
    names.push_back((workloads / "kernels" / name / (std::string(name) + ".yaml")).string());
  }
  for (const std::string& name : names) {
    for (const bool sleeping : {true, false}) {
      const std::string title =
          std::filesystem::path(name).stem().string() + (sleeping ? "" : "/no_sleep");
      benchmark::RegisterBenchmark(title.c_str(), simulate, heddle, Run{name, sleeping})
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
