#include "workloads/host/raw_file.h"

#include <fmt/format.h>

#include "base/input_file.h"

namespace heddle {

void read_raw_file(const std::string& path, std::uint64_t bytes, const SourceMark& mark,
                   std::uint8_t* target) {
  try {
    InputFile file(path);
    if (file.bytes() != bytes) {
      throw WorkloadError(mark,
                          fmt::format("the file '{}' has {} bytes, expected {}", path, file.bytes(), bytes));
    }
    file.read(target, bytes);
  } catch (const InputFileError& error) {
    throw WorkloadError(mark, fmt::format("the file '{}': {}", path, error.problem()));
  }
}

}  // namespace heddle
