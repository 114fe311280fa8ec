#include "workloads/ptx/isa/limits.h"

namespace heddle::ptx {

const std::vector<Limit>& limit_table() {
  static const std::vector<Limit> rows = {
      {"bytes of a kernel's parameters", limits::kParamBytes},
      {"bytes of a file's `.const` variables", limits::kConstBytes},
      {"bytes of `.shared` variables of a thread block", limits::kSharedBytes},
      {"bytes of local memory of a thread", limits::kLocalBytes},
      {"threads of a thread block", limits::kTbThreads},
      {"bytes of a `.global` variable", limits::kGlobalBytes},
      {"bytes of a file", limits::kFileBytes},
      {"parentheses, operators, braces or blocks in one another", limits::kNesting},
      {"functions of a file", limits::kFunctions},
      {"variables of a file, `.param` included", limits::kVariables},
      {"`.global` and `.const` variables of a file", limits::kModuleVariables},
      {"bytes of a file's variables with initial values", limits::kInitialBytes},
      {"blocks `{ }` of a file", limits::kBlocks},
      {"instructions of a file", limits::kFileInstructions},
      {"operands of an instruction, elements of a vector", limits::kOperands},
      {"parameters of a function, arguments of a call", limits::kParameters},
      {"registers that a function declares", limits::kDeclaredRegisters},
      {"calls in one another", limits::kCallDepth},
      {"calls of a kernel", limits::kInlinedCalls},
      {"instructions of a kernel, calls inlined", limits::kOperations},
      {"instructions of all kernels of a file, calls inlined", limits::kFileOperations},
      {"registers of a kernel, calls inlined", limits::kVirtualRegisters},
      {"32-bit registers alive at once", limits::kLiveRegisters},
      {"predicates alive at once", limits::kLivePredicates},
      {"registers alive, summed over the instructions of a kernel", limits::kLiveSum},
      {"instructions of a kernel times its spilled registers", limits::kSpillWork},
      {"characters of a field of vprintf (width, precision)", limits::kPrintfField},
      {"characters of a string that vprintf reads", limits::kPrintfString},
      {"characters of a message of vprintf", limits::kPrintfMessage},
  };
  return rows;
}

std::string over_limit(const std::string& found, std::uint64_t most) {
  return "found " + found + ", expected at most " + std::to_string(most);
}

}  // namespace heddle::ptx
