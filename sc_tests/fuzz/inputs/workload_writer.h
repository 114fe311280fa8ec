#pragma once

#include <string>

#include "sc_tests/support/choice_stream.h"

namespace heddle::fuzz {

/// A workload whose kernels are those of data/kernels.ptx. Most can be run; in some a value does not fit.
std::string write_workload(test::ChoiceStream& choices);

}  // namespace heddle::fuzz
