#include "top/support/network_file_system.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <fstream>
#include <sstream>
#include <string_view>

namespace heddle {

namespace {

struct NetworkType {
  unsigned long number;
  const char* name;
};

/// As statfs(2) and the file systems' own sources number them.
constexpr NetworkType kNetworkTypes[] = {
    {0x6969, "NFS"},          {0x517b, "SMB"},      {0xff534d42, "CIFS"},   {0xfe534d42, "SMB"},
    {0x0bd00bd0, "Lustre"},   {0x47504653, "GPFS"}, {0x19830326, "BeeGFS"}, {0x00c36400, "CephFS"},
    {0x5346414f, "AFS"},      {0x6b414653, "AFS"},  {0x73757245, "Coda"},   {0xaad7aaea, "PanFS"},
    {0x20030528, "OrangeFS"}, {0x01161970, "GFS2"}, {0x7461636f, "OCFS2"},
};
constexpr unsigned long kFuse = 0x65735546;
constexpr const char* kNetworkPrograms[] = {"sshfs",   "glusterfs", "ceph-fuse", "s3fs",   "rclone",
                                            "juicefs", "mfs",       "davfs",     "gcsfuse"};

}  // namespace

std::string network_file_system_of(long type) {
  constexpr unsigned long kBits = 0xffffffff;  // the field may be signed
  for (const NetworkType& known : kNetworkTypes) {
    if ((static_cast<unsigned long>(type) & kBits) == known.number) return known.name;
  }
  return "";
}

std::string network_program_of(dev_t device, std::istream& mounts) {
  const std::string number = fmt::format("{}:{}", major(device), minor(device));
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word >> word >> word;
    if (word != number) continue;
    while (words >> word && word != "-") {
    }
    words >> word;
    for (const char* const program : kNetworkPrograms) {
      if (word == fmt::format("fuse.{}", program)) return program;
    }
  }
  return "";
}

std::string network_file_system_of(const std::string& path) {
  struct statfs system {};
  if (statfs(path.c_str(), &system) != 0) return "";
  if (static_cast<unsigned long>(system.f_type) != kFuse) return network_file_system_of(system.f_type);
  struct stat file {};
  std::ifstream mounts("/proc/self/mountinfo");
  return stat(path.c_str(), &file) == 0 ? network_program_of(file.st_dev, mounts) : "";
}

}  // namespace heddle
