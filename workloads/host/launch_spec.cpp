#include "workloads/host/launch_spec.h"

#include <fmt/format.h>

#include "base/limits.h"

namespace heddle {

namespace {

std::uint32_t extent(const MarkedExpression& value, const Scope& scope, std::uint64_t high,
                     const char* what) {
  return static_cast<std::uint32_t>(value.evaluate_in(scope, 1, static_cast<std::int64_t>(high), what));
}

}  // namespace

ptx::LoadedModule::LaunchSpec launch_spec(const LaunchStatement& statement, const Scope& scope) {
  ptx::LoadedModule::LaunchSpec spec;
  spec.entry = statement.kernel;
  spec.grid = {extent(statement.grid[0], scope, limits::kGridX, "grid x"),
               extent(statement.grid[1], scope, limits::kGridYZ, "grid y"),
               extent(statement.grid[2], scope, limits::kGridYZ, "grid z")};
  spec.block = {extent(statement.block[0], scope, limits::kBlockXY, "block x"),
                extent(statement.block[1], scope, limits::kBlockXY, "block y"),
                extent(statement.block[2], scope, limits::kBlockZ, "block z")};
  if (spec.block.count() > limits::kBlockThreads) {
    throw WorkloadError(
        statement.block[0].mark,
        fmt::format("the block has {} x {} x {} = {} threads, expected at most {}", spec.block.x,
                    spec.block.y, spec.block.z, spec.block.count(), limits::kBlockThreads));
  }
  spec.dynamic_shared_bytes = static_cast<unsigned>(
      statement.shared_bytes.evaluate_in(scope, 0, std::int64_t{limits::kSharedBytes}, "shared_bytes"));
  spec.registers_per_thread = static_cast<unsigned>(
      statement.registers.evaluate_in(scope, 0, std::int64_t{limits::kRegisters}, "registers"));
  return spec;
}

}  // namespace heddle
