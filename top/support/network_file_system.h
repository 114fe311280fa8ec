#pragma once

#include <sys/types.h>

#include <iosfwd>
#include <string>

namespace heddle {

/// The network file system that a file or folder lies on, "NFS"; "": none, or none that is known.
std::string network_file_system_of(const std::string& path);

/// By the number that statfs gives; "": none.
std::string network_file_system_of(long type);
/// Of a device whose file system is a program (FUSE), by the system's list of mounts (/proc/self/mountinfo).
std::string network_program_of(dev_t device, std::istream& mounts);

}  // namespace heddle
