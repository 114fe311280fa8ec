#include "top/bench/measurement.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "top/support/processes/exit_code.h"

extern char** environ;

namespace heddle::bench {

namespace {

/// A run that was cut short by --max-cycles is as good as any.
bool ended_well(int status) {
  if (!WIFEXITED(status)) return false;
  const auto code = static_cast<ExitCode>(WEXITSTATUS(status));
  return code == ExitCode::kOk || code == ExitCode::kCycleLimit;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Starts `command`, its errors going to the file `messages`; 0 when it can't.
pid_t start(std::vector<std::string>& command, const std::string& messages) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  constexpr mode_t kReadWrite = 0600;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   kReadWrite);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? child : 0;
}

}  // namespace

Measurement::Measurement(std::string heddle)
    : heddle_(std::move(heddle)),
      out_((std::filesystem::temp_directory_path() / ("heddle-bench-" + std::to_string(getpid()))).string()),
      messages_(out_ + ".log") {
  yardstick_.run();  // the first touches the memory
}

Measurement::~Measurement() {
  std::error_code ignored;
  std::filesystem::remove_all(out_, ignored);
  std::filesystem::remove(messages_, ignored);
}

void Measurement::run_once(const std::string& workload, const std::vector<std::string>& options) {
  std::vector<std::string> command{heddle_, "run", workload, "--quiet", "--out", out_};
  command.insert(command.end(), options.begin(), options.end());
  const pid_t child = start(command, messages_);
  int status = 0;
  if (child == 0 || waitpid(child, &status, 0) != child || !ended_well(status)) {
    throw std::runtime_error(workload + ": the run failed: " + heddle_ + " run " + workload + "\n" +
                             content_of(messages_));
  }
}

template <class Number>
Number Measurement::told(const char* figure) const {
  const auto json = nlohmann::json::parse(std::ifstream(std::filesystem::path(out_) / "speed.json"));
  return json.at(figure).get<Number>();
}

Speed Measurement::speed(const std::string& workload, const std::vector<std::string>& options,
                         unsigned runs) {
  Speed speed;
  std::vector<double> ratios;
  double fixed_before = yardstick_.run();
  for (unsigned run = 0; run < runs; ++run) {
    run_once(workload, options);
    const double fixed_after = yardstick_.run();
    const auto cpu = told<double>("cpu_seconds");
    if (run == 0) {
      speed.warp_instructions = told<std::uint64_t>("warp_instructions");
      speed.cycles = told<std::uint64_t>("cycles");
      speed.peak_memory_bytes = told<std::uint64_t>("peak_memory_bytes");
    }
    speed.seconds = run == 0 ? cpu : std::min(speed.seconds, cpu);
    ratios.push_back(static_cast<double>(speed.warp_instructions) * (fixed_before + fixed_after) / 2 / cpu);
    fixed_before = fixed_after;
  }
  speed.ratio = median(ratios);
  return speed;
}

double Measurement::seconds_per_cycle(const std::string& workload, const std::vector<std::string>& options) {
  run_once(workload, options);
  return told<double>("cpu_seconds") / static_cast<double>(told<std::uint64_t>("cycles"));
}

Cost Measurement::cost(const std::string& workload, const std::vector<std::string>& with,
                       const std::vector<std::string>& without, unsigned runs) {
  std::vector<double> costs_with;
  std::vector<double> costs_without;
  std::vector<double> ratios;
  for (unsigned run = 0; run < runs; ++run) {
    costs_without.push_back(seconds_per_cycle(workload, without));
    costs_with.push_back(seconds_per_cycle(workload, with));
    ratios.push_back(costs_with.back() / costs_without.back());
  }
  return {median(costs_with), median(costs_without), median(ratios)};
}

double Measurement::gain(const std::string& workload, const std::vector<std::string>& with, unsigned runs) {
  std::vector<double> gains;
  for (unsigned run = 0; run < runs; ++run) {
    run_once(workload, {});
    const auto without = told<double>("seconds");
    run_once(workload, with);
    gains.push_back(without / told<double>("seconds"));
  }
  return median(gains);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double geometric_mean(const std::vector<double>& values) {
  const double logarithms = std::accumulate(values.begin(), values.end(), 0.0,
                                            [](double sum, double value) { return sum + std::log(value); });
  return std::exp(logarithms / static_cast<double>(values.size()));
}

}  // namespace heddle::bench
