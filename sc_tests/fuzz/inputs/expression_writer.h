#pragma once

#include <string>
#include <vector>

#include "sc_tests/support/choice_stream.h"

namespace heddle::fuzz {

/// An expression over `names`; it can be read, but its value may be refused.
std::string write_expression(test::ChoiceStream& choices, const std::vector<std::string>& names);

}  // namespace heddle::fuzz
