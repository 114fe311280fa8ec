#pragma once

#include <string>

#include "workloads/ptx/load.h"

namespace heddle::ptx {

/// A module with one kernel `k` around `body`, with registers of every kind, a variable in every space and
/// the label DONE. The body starts in line 10.
inline std::string in_kernel(const std::string& body) {
  return ".version 9.0\n.target sm_75\n.address_size 64\n"
         ".const .align 16 .b8 table[64];\n.global .align 16 .b8 heap[64];\n"
         ".visible .entry k(.param .align 8 .b8 in[64])\n"
         "{ .local .align 16 .b8 frame[64]; .shared .align 16 .b8 tile[64]; .param .align 16 .b8 out[64];\n"
         ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<10>; .reg .f32 %f<9>;\n"
         ".reg .f64 %fd<9>;\n" +
         body + "\nDONE:\nret;\n}\n";
}

/// What load_text() says against the text, or against its first refused kernel; "" when all of it loads.
inline std::string load_error(const std::string& text) {
  try {
    const Module module = load_text(text, "t.ptx");
    return module.refused.empty() ? "" : module.refused.front().error;
  } catch (const PtxError& error) {
    return error.what();
  }
}

/// The only kernel of a text.
inline Code load_kernel(const std::string& text) { return load_text(text, "t.ptx").kernels.at(0); }

/// The first operation of `body` inside in_kernel().
inline Operation first_operation(const std::string& body) {
  return load_kernel(in_kernel(body)).operations.at(0);
}

}  // namespace heddle::ptx
