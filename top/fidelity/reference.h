#pragma once

#include <istream>
#include <vector>

#include "top/fidelity/figures.h"

namespace heddle::fidelity {

/// The rows of a gpgpusim.csv (workloads/reference, workloads/kernels), with our names of the schedulers and
/// without `ours`. Throws std::runtime_error for a missing column or a malformed row.
std::vector<Row> read_reference(std::istream& csv);

}  // namespace heddle::fidelity
