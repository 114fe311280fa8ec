#pragma once

#include <cstdint>
#include <vector>

/// The greatest sizes of what is read and of what an input may ask for, whatever the machine's memory; those
/// of PTX are ptx::limits. Each has a row in docs/security.md, "Limits".
namespace heddle::limits {

// Texts.
inline constexpr std::uint64_t kYamlBytes = std::uint64_t{4} << 20U;
inline constexpr std::uint64_t kYamlNodes = 100'000;  ///< with what aliases repeat
inline constexpr std::uint64_t kYamlDepth = 64;       ///< likewise
inline constexpr std::uint64_t kAloneBytes = std::uint64_t{64} << 20U;
inline constexpr std::uint64_t kResultBytes = std::uint64_t{256} << 20U;
inline constexpr std::uint64_t kConfigBases = 16;
inline constexpr std::uint64_t kExpressionCharacters = 4096;
inline constexpr std::uint64_t kExpressionDepth = 64;

// A workload.
inline constexpr std::uint64_t kPtxFiles = 64;
inline constexpr std::uint64_t kParameters = 1000;
inline constexpr std::uint64_t kBuffers = 1000;
inline constexpr std::uint64_t kTextures = 128;
inline constexpr std::uint64_t kStreams = 1000;
inline constexpr std::uint64_t kElements = std::uint64_t{1} << 33U;
inline constexpr std::uint64_t kDeviceBytes = std::uint64_t{8} << 30U;
inline constexpr std::uint64_t kHostSteps = 1'000'000;
inline constexpr std::uint64_t kHostElements = 4096;  ///< written by one step
inline constexpr std::uint64_t kArrivalCycles = 1'000'000'000'000;

// A launch: those of CUDA for compute capability 2.0, and of what a size here may be.
inline constexpr std::uint64_t kGridX = 2147483647;
inline constexpr std::uint64_t kGridYZ = 65535;
inline constexpr std::uint64_t kBlockXY = 1024;
inline constexpr std::uint64_t kBlockZ = 64;
inline constexpr std::uint64_t kBlockThreads = 1024;
inline constexpr std::uint64_t kSharedBytes = std::uint64_t{1} << 20U;
inline constexpr std::uint64_t kRegisters = 255;

// A workload of kind timed.
inline constexpr std::uint64_t kTimedTbs = std::uint64_t{1} << 24U;
inline constexpr std::uint64_t kTimedCycles = 1'000'000'000;
inline constexpr std::uint64_t kTimedLaunches = 1000;

struct Limit {
  const char* of;
  std::uint64_t value;
};

/// All of them, as docs/security.md lists them.
const std::vector<Limit>& all();

}  // namespace heddle::limits
