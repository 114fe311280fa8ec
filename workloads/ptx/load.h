#pragma once

#include <string>
#include <string_view>

#include "workloads/ptx/isa/operation.h"
#include "workloads/ptx/text/ptx_error.h"

namespace heddle::ptx {

/// Parses PTX text (versions 3.0 to 9.x, clang's and nvcc's) and lowers every .entry: device functions are
/// inlined, branches get their immediate post-dominator, virtual registers get numbers by liveness.
/// `file` is used in messages. A kernel that can't be read or lowered, or a function that it calls, is among
/// the module's refused ones; what is wrong with the rest of the file is thrown as a PtxError.
Module load_text(std::string_view text, const std::string& file);

/// Reads the file and calls load_text. Throws PtxError (line 0) when it can't be read.
Module load_file(const std::string& path);

}  // namespace heddle::ptx
