#include "workloads/ptx/execute.h"

namespace heddle::ptx {

bool is_executable(const Operation& operation) {
  return operation.opcode <= Opcode::kPrintf && operation.type != Type::kF16;
}

}  // namespace heddle::ptx
