#pragma once

#include <string>

#include "sc_tests/support/choice_stream.h"

namespace heddle::fuzz {

/// A configuration of a few keys, each with a value in its range; small ones where the range is wide. They
/// need not fit each other.
std::string write_config(test::ChoiceStream& choices);
/// One of its lines: "section.key: value" as nested flow maps of YAML.
std::string write_config_line(test::ChoiceStream& choices);

}  // namespace heddle::fuzz
