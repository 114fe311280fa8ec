#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "top/options/options.h"

namespace heddle {

/// Values of parameters, by their names.
using Parameters = std::map<std::string, std::int64_t>;

/// What a program is called beside others of these names: "atax", "atax#2".
std::string unique_name(const std::string& name, const std::vector<std::string>& taken);

/// What of `given` goes to one of several programs: a NAME that is among its `names`, and PROGRAM.NAME, which
/// goes over that.
Parameters parameters_of(const std::string& program, const std::vector<std::string>& names,
                         const Parameters& given);

/// The same of the program at `place` of a run of several, loaded for it; all that is given when that one
/// can't be read, which is for its run to say.
Parameters parameters_alone(const RunOptions& run, std::size_t place);

}  // namespace heddle
