#include "workloads/ptx/text/ptx_error.h"

namespace heddle::ptx {

namespace {

std::string place(const std::string& file, unsigned line, unsigned column) {
  return line == 0 ? file : file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace

PtxError::PtxError(const std::string& file, unsigned line, unsigned column, const std::string& message)
    : std::runtime_error(place(file, line, column) + ": " + message), line_(line), column_(column) {}

}  // namespace heddle::ptx
