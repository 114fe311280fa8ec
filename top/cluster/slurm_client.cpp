#include "top/cluster/slurm_client.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <sstream>
#include <system_error>

#include "top/support/output/atomic_file.h"
#include "top/support/processes/child_process.h"

namespace heddle {

namespace {

struct Answer {
  int code = 0;
  std::string text;
};

Answer ask(const std::vector<std::string>& command) {
  try {
    ChildStart start;
    start.command = command;
    start.output = ChildStart::Output::kRead;
    start.own_group = true;
    ChildProcess process(start);
    Answer answer;
    answer.text = process.read_output();
    answer.code = process.wait();
    return answer;
  } catch (const std::system_error& error) {
    throw OutputError(
        fmt::format("{}: can't be started: {}; --executor slurm needs Slurm's programs on the PATH",
                    command.front(), error.code().message()));
  }
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::string SlurmClient::submit(const SlurmArray& array) const {
  std::vector<std::string> command{"sbatch",
                                   "--parsable",
                                   "--no-requeue",
                                   "--job-name=" + array.name,
                                   "--ntasks=1",
                                   "--output=" + array.log,
                                   fmt::format("--array=0-{}", array.jobs - 1)};
  const auto option = [&command](const char* name, const std::string& value) {
    if (!value.empty()) command.push_back(fmt::format("--{}={}", name, value));
  };
  option("partition", request_.partition);
  option("account", request_.account);
  option("time", request_.time);
  option("mem", request_.memory);
  command.push_back(array.script);
  const Answer answer = ask(command);
  if (answer.code != 0) throw OutputError("sbatch: " + first_line(answer.text));
  return first_line(answer.text);
}

std::optional<SlurmClient::Jobs> SlurmClient::jobs(const std::vector<std::string>& names) const {
  Jobs jobs;
  if (names.empty()) return jobs;
  const Answer answer = ask({"squeue", "--noheader", "--array", "--states=all",
                             fmt::format("--name={}", fmt::join(names, ",")), "--format=%j|%K|%T"});
  if (answer.code != 0) return std::nullopt;
  std::istringstream lines(answer.text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t one = line.find('|');
    const std::size_t two = line.find('|', one == std::string::npos ? one : one + 1);
    if (one == std::string::npos || two == std::string::npos) continue;
    const std::string state = line.substr(two + 1);
    const bool waits =
        state == "PENDING" || state == "CONFIGURING" || state == "SUSPENDED" || state == "REQUEUED";
    const bool runs =
        state == "RUNNING" || state == "COMPLETING" || state == "STOPPED" || state == "SIGNALING";
    std::size_t number = 0;
    std::from_chars(line.data() + one + 1, line.data() + two, number);
    if (waits || runs) jobs[line.substr(0, one)][number] = runs;
  }
  return jobs;
}

}  // namespace heddle
