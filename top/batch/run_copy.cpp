#include "top/batch/run_copy.h"

#include <unistd.h>

#include <fstream>

#include "base/input_scope.h"
#include "base/utf8.h"

namespace heddle {

ProgramCopy copy_of_run(const RunOptions& options, const std::string& messages_file,
                        const std::vector<std::string>& limits) {
  ProgramCopy copy{options.model_arguments(), messages_file};
  copy.arguments.insert(copy.arguments.end(),
                        {"--quiet", "--out", options.out, "--started-by", std::to_string(getpid())});
  const std::vector<std::string> record = options.record_arguments();
  copy.arguments.insert(copy.arguments.end(), record.begin(), record.end());
  copy.arguments.insert(copy.arguments.end(), limits.begin(), limits.end());
  if (files_outside_allowed()) copy.arguments.emplace_back("--allow-outside");
  return copy;
}

std::string first_message(const std::string& messages_file) {
  std::string line;
  std::ifstream file(messages_file);
  std::getline(file, line);
  const std::string prefix = "heddle: ";
  return as_utf8(line.compare(0, prefix.size(), prefix) == 0 ? line.substr(prefix.size()) : line);
}

}  // namespace heddle
