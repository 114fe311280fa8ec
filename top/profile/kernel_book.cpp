#include "top/profile/kernel_book.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

namespace {

std::string source_of(const Program& program, std::size_t index) {
  if (index >= program.source.size() || program.source[index].line == 0) return "";
  const SourceLine& line = program.source[index];
  return fmt::format("{}:{}", program.source_files[line.file], line.line);
}

}  // namespace

const KernelText& KernelBook::text_of(const KernelLaunch& launch) {
  const Program& program = launch.program();
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = std::find_if(kernels_.begin(), kernels_.end(), [&](const auto& kernel) {
    return kernel->code_base == launch.code_base() && kernel->name == program.name;
  });
  if (known != kernels_.end()) return **known;
  KernelText& kernel = *kernels_.emplace_back(std::make_unique<KernelText>());
  kernel.name = program.name;
  kernel.file = program.source_file;
  kernel.code_base = launch.code_base();
  kernel.lines.reserve(program.code.size());
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Instruction& instruction = program.code[i];
    kernel.lines.push_back({instruction.line, i < program.text.size() ? program.text[i] : "",
                            source_of(program, i), instruction.mem, instruction.space,
                            instruction.bytes_per_lane});
  }
  return kernel;
}

}  // namespace heddle
