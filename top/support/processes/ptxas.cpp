#include "top/support/processes/ptxas.h"

#include <fmt/format.h>

#include <optional>
#include <sstream>
#include <system_error>
#include <vector>

#include "top/support/processes/child_process.h"

namespace heddle {

namespace {

constexpr const char* kProgram = "ptxas";

/// What stands between `before` and `after` in a line.
std::optional<std::string> between(const std::string& line, const std::string& before,
                                   const std::string& after) {
  const std::size_t begin = line.find(before);
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t end = line.find(after, begin + before.size());
  if (end == std::string::npos) return std::nullopt;
  return line.substr(begin + before.size(), end - begin - before.size());
}

}  // namespace

std::map<std::string, unsigned> read_ptxas_registers(const std::string& output) {
  std::map<std::string, unsigned> found;
  std::string kernel;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (const auto name = between(line, "Compiling entry function '", "'")) kernel = *name;
    const auto count = between(line, "Used ", " registers");
    if (!count || kernel.empty()) continue;
    found[kernel] = static_cast<unsigned>(std::stoul(*count));
    kernel.clear();  // device functions that follow have counts of their own
  }
  return found;
}

bool is_ptxas_request(const std::string& source) {
  const std::string with_gpu = std::string(kProgram) + ":";
  return source == kProgram ||
         (source.compare(0, with_gpu.size(), with_gpu) == 0 && source.size() > with_gpu.size());
}

std::string ptxas_version() {
  try {
    ChildStart start;
    start.command = {kProgram, "--version"};
    start.output = ChildStart::Output::kRead;
    ChildProcess compiler(start);
    std::string output = compiler.read_output();
    return compiler.wait() == 0 ? output : "";
  } catch (const std::system_error&) {
    return "";
  }
}

std::map<std::string, unsigned> ptxas_registers(const std::string& source, const std::string& ptx_path) {
  std::vector<std::string> words{kProgram, "-v", "-o", "/dev/null"};
  const std::size_t colon = source.find(':');
  if (colon != std::string::npos) {
    words.emplace_back("--gpu-name");
    words.push_back(source.substr(colon + 1));
  }
  words.push_back(ptx_path);
  std::string output;
  int code = 0;
  try {
    ChildStart start;
    start.command = words;
    start.output = ChildStart::Output::kRead;
    ChildProcess compiler(start);
    output = compiler.read_output();
    code = compiler.wait();
  } catch (const std::system_error& error) {
    throw PtxasError(fmt::format("--registers: {} can't be started: {}", kProgram, error.code().message()));
  }
  if (code != 0) {
    std::string command;
    for (const std::string& word : words) command += (command.empty() ? "" : " ") + word;
    throw PtxasError(
        fmt::format("--registers {}: {} failed: {}", source, command, output.substr(0, output.find('\n'))));
  }
  return read_ptxas_registers(output);
}

}  // namespace heddle
