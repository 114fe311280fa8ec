#include "workloads/host/raw_file.h"

#include <fmt/format.h>

#include "base/input_file.h"

namespace heddle {

namespace {

/// Opens the file, and uses it when it has the length.
template <typename Use>
void with_raw_file(const std::string& path, std::uint64_t bytes, const SourceMark& mark, const Use& use) {
  try {
    InputFile file(path);
    if (file.bytes() != bytes) {
      throw WorkloadError(mark,
                          fmt::format("the file '{}' has {} bytes, expected {}", path, file.bytes(), bytes));
    }
    use(file);
  } catch (const InputFileError& error) {
    throw WorkloadError(mark, fmt::format("the file '{}': {}", path, error.problem()));
  }
}

}  // namespace

void expect_raw_file(const std::string& path, std::uint64_t bytes, const SourceMark& mark) {
  with_raw_file(path, bytes, mark, [](const InputFile& /*file*/) {});
}

void read_raw_file(const std::string& path, std::uint64_t bytes, const SourceMark& mark,
                   std::uint8_t* target) {
  with_raw_file(path, bytes, mark, [&](InputFile& file) { file.read(target, bytes); });
}

}  // namespace heddle
