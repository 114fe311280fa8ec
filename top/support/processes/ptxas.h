#pragma once

#include <map>
#include <stdexcept>
#include <string>

namespace heddle {

/// ptxas can't be run, or does not say what is asked of it.
class PtxasError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// 32-bit registers of a thread, by kernel, as a `ptxas -v` prints them: "ptxas info    : Compiling entry
/// function 'NAME' for 'sm_XX'", and after it "ptxas info    : Used N registers, ...".
std::map<std::string, unsigned> read_ptxas_registers(const std::string& output);

/// `source` is what ptxas_registers() takes.
bool is_ptxas_request(const std::string& source);

/// Runs `ptxas -v` on a PTX file. `source` is "ptxas", the program that is on the path, or "ptxas:sm_XX" to
/// compile for another GPU than its default. Throws PtxasError.
std::map<std::string, unsigned> ptxas_registers(const std::string& source, const std::string& ptx_path);

/// What `ptxas --version` prints: what ptxas_registers() says depends on it. "" when it can't be run.
std::string ptxas_version();

}  // namespace heddle
