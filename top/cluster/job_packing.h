#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

/// Points, by number, that jobs run one after the other: as many as fill `job_seconds` by what they are
/// predicted to take, at least one and at most `most` of them, in their order.
std::vector<std::vector<std::size_t>> pack_jobs(const std::vector<double>& seconds, double job_seconds,
                                                std::size_t most);

}  // namespace heddle
