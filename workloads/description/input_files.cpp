#include "workloads/description/input_files.h"

namespace heddle {

std::vector<std::string> input_files(const Workload& workload) {
  std::vector<std::string> paths;
  for (const PtxFile& file : workload.ptx) paths.push_back(file.path);
  for (const BufferSpec& buffer : workload.buffers) {
    if (buffer.init.kind == BufferInit::Kind::kFile) paths.push_back(buffer.init.path);
  }
  for (const CheckSpec& check : workload.checks) {
    if (check.kind == CheckSpec::Kind::kFile) paths.push_back(check.path);
  }
  return paths;
}

}  // namespace heddle
