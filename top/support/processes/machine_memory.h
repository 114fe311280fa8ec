#pragma once

#include <cstdint>
#include <string>

namespace heddle {

/// Memory that this process may have at all: the machine's, or less where its control groups say so. 0 when
/// it can't be known.
std::uint64_t machine_memory_bytes();

/// The least limit that the control groups of a process set, by its /proc/PID/cgroup and the folder in which
/// the groups are mounted (/sys/fs/cgroup), of version 1 or 2; 0 without any.
std::uint64_t cgroup_memory_bytes(const std::string& groups_of_process, const std::string& mounted);

}  // namespace heddle
