#include "workloads/description/input_files.h"

namespace heddle {

namespace {

void add_files(const std::vector<Statement>& statements, std::vector<std::string>& paths) {
  for (const Statement& statement : statements) {
    if (const auto* fill = std::get_if<FillStatement>(&statement.action)) {
      if (fill->init.kind == BufferInit::Kind::kFile) paths.push_back(fill->init.path);
    } else if (const auto* repeat = std::get_if<RepeatStatement>(&statement.action)) {
      add_files(repeat->body, paths);
    } else if (const auto* loop = std::get_if<WhileStatement>(&statement.action)) {
      add_files(loop->body, paths);
    }
  }
}

}  // namespace

std::vector<std::string> input_files(const Workload& workload) {
  std::vector<std::string> paths;
  for (const PtxFile& file : workload.ptx) paths.push_back(file.path);
  for (const BufferSpec& buffer : workload.buffers) {
    if (buffer.init.kind == BufferInit::Kind::kFile) paths.push_back(buffer.init.path);
  }
  add_files(workload.launches, paths);
  for (const StreamSpec& stream : workload.streams) add_files(stream.launches, paths);
  for (const CheckSpec& check : workload.checks) {
    if (check.kind == CheckSpec::Kind::kFile) paths.push_back(check.path);
  }
  return paths;
}

}  // namespace heddle
