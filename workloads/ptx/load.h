#pragma once

#include <map>
#include <string>
#include <string_view>

#include "workloads/ptx/isa/operation.h"
#include "workloads/ptx/text/ptx_error.h"

namespace heddle::ptx {

/// What of a machine decides how PTX is compiled for it, and what is known of the result.
struct CompileOptions {
  /// Most registers of a thread; 0: no limit. A kernel's .maxnreg holds too.
  unsigned max_registers = 0;
  /// Registers of a thread by kernel, as another compiler has them. Those of the others are counted.
  std::map<std::string, unsigned> registers;
};

/// Parses PTX text (versions 3.0 to 9.x, clang's and nvcc's) and lowers every .entry: device functions are
/// inlined, branches get their immediate post-dominator, virtual registers get numbers by liveness.
/// `file` is used in messages. A kernel that can't be read or lowered, or a function that it calls, is among
/// the module's refused ones; what is wrong with the rest of the file is thrown as a PtxError.
Module load_text(std::string_view text, const std::string& file, const CompileOptions& options = {});

/// Reads the file and calls load_text. Throws PtxError (line 0) when it can't be read.
Module load_file(const std::string& path, const CompileOptions& options = {});

}  // namespace heddle::ptx
