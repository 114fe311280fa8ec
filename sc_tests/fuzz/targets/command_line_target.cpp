#include <sstream>
#include <vector>

#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/options/options.h"
#include "top/support/glob.h"

namespace heddle::fuzz {

namespace {

/// An argument a line. Those of waves are patterns, too.
Verdict run_command_line(std::string_view input) {
  return verdict_of([input] {
    std::vector<std::string> arguments;
    std::istringstream lines{std::string(input)};
    for (std::string line; std::getline(lines, line);) {
      glob_matches(line, "gpu.sm0.scheduler1.pick");
      glob_may_match_below(line, "gpu.sm0");
      arguments.push_back(line);
    }
    const CommandLine parsed = parse_command_line(arguments);
    if (parsed.run) parsed.run->model_command();
  });
}

}  // namespace

Target command_line_target() {
  return {"command_line", "command lines", 512, &run_command_line, &write_command_line};
}

}  // namespace heddle::fuzz
