#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::ptx {

/// What PTX may ask for, each checked before memory is taken for it. docs/ptx.md, "Limits", has them all.
namespace limits {

// Of the hardware: compute capability 2.0, CUDA C Programming Guide, "Compute Capabilities", and what ptxas
// refuses for it.
constexpr std::uint64_t kParamBytes = 4096;    ///< of a kernel's parameters, offsets included
constexpr std::uint64_t kConstBytes = 65536;   ///< of a file's .const variables
constexpr std::uint64_t kSharedBytes = 49152;  ///< of a TB, without dynamic shared memory
constexpr std::uint64_t kLocalBytes = 524288;  ///< of a thread
constexpr std::uint64_t kTbThreads = 1024;
constexpr std::uint64_t kGlobalBytes = std::uint64_t{1} << 33U;  ///< of a variable: DeviceMemory's range

// Of this front end: far beyond what compilers write.
constexpr std::uint64_t kFileBytes = std::uint64_t{1} << 24U;
constexpr std::uint64_t kNesting = 256;  ///< parentheses, operators, braces, brackets in one another
constexpr std::uint64_t kFunctions = 4096;
constexpr std::uint64_t kVariables = std::uint64_t{1} << 20U;        ///< .param of calls included
constexpr std::uint64_t kModuleVariables = std::uint64_t{1} << 16U;  ///< .global and .const
constexpr std::uint64_t kInitialBytes = std::uint64_t{1} << 26U;     ///< of variables with initial values
constexpr std::uint64_t kBlocks = std::uint64_t{1} << 18U;           ///< `{ }` in functions
constexpr std::uint64_t kFileInstructions = std::uint64_t{1} << 19U;
constexpr std::uint64_t kOperands = 16;     ///< of an instruction, and of a vector
constexpr std::uint64_t kParameters = 512;  ///< of a function, and arguments of a call
constexpr std::uint64_t kDeclaredRegisters = std::uint64_t{1} << 18U;  ///< of a function
constexpr std::uint64_t kCallDepth = 128;                              ///< of calls that call
constexpr std::uint64_t kInlinedCalls = std::uint64_t{1} << 14U;       ///< of a kernel
constexpr std::uint64_t kOperations = std::uint64_t{1} << 18U;         ///< of a kernel, calls inlined
constexpr std::uint64_t kFileOperations = std::uint64_t{1} << 19U;     ///< of all kernels of a file
constexpr std::uint64_t kVirtualRegisters = std::uint64_t{1} << 20U;   ///< of a kernel, calls inlined
constexpr std::uint64_t kLiveRegisters = 512;  ///< Instruction::kFirstPredicate: numbers of an instruction
constexpr std::uint64_t kLivePredicates = 64;
constexpr std::uint64_t kLiveSum = std::uint64_t{1}
                                   << 25U;  ///< of registers alive, over a kernel's instructions
constexpr std::uint64_t kSpillWork = std::uint64_t{1}
                                     << 21U;  ///< a kernel's instructions, once for each register
constexpr std::uint64_t kPrintfField = 4096;  ///< width or precision
constexpr std::uint64_t kPrintfString = std::uint64_t{1} << 16U;   ///< format, and what a %s names
constexpr std::uint64_t kPrintfMessage = std::uint64_t{1} << 20U;  ///< CUDA's buffer

}  // namespace limits

/// A row of the table in docs/ptx.md.
struct Limit {
  std::string_view what;
  std::uint64_t most = 0;
};
const std::vector<Limit>& limit_table();

/// "found 5000 bytes of parameters, expected at most 4096": `found` is what there is too much of.
std::string over_limit(const std::string& found, std::uint64_t most);

}  // namespace heddle::ptx
