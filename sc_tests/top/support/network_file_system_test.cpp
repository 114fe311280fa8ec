#include "top/support/network_file_system.h"

#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/sysmacros.h>

#include <sstream>

namespace heddle {
namespace {

TEST(NetworkFileSystem, IsToldByItsNumber) {
  EXPECT_EQ(network_file_system_of(NFS_SUPER_MAGIC), "NFS");
  EXPECT_EQ(network_file_system_of(SMB_SUPER_MAGIC), "SMB");
  EXPECT_EQ(network_file_system_of(CIFS_SUPER_MAGIC), "CIFS");
  EXPECT_EQ(network_file_system_of(static_cast<int>(CIFS_SUPER_MAGIC)), "CIFS") << "where it is signed";
  EXPECT_EQ(network_file_system_of(CEPH_SUPER_MAGIC), "CephFS");
  EXPECT_EQ(network_file_system_of(AFS_SUPER_MAGIC), "AFS");
  EXPECT_EQ(network_file_system_of(0x0bd00bd0), "Lustre");
  EXPECT_EQ(network_file_system_of(EXT4_SUPER_MAGIC), "");
  EXPECT_EQ(network_file_system_of(TMPFS_MAGIC), "");
  EXPECT_EQ(network_file_system_of(OVERLAYFS_SUPER_MAGIC), "");
}

TEST(NetworkFileSystem, OfAProgramIsToldByTheMounts) {
  const std::string mounts =
      "22 1 254:0 / / rw,relatime - ext4 /dev/root rw\n"
      "41 22 0:38 / /mnt/host rw,nosuid shared:3 - fuse.sshfs me@host: rw,user_id=1000\n"
      "42 22 0:39 / /mnt/disk rw,nosuid - fuseblk /dev/sdb1 rw\n";
  std::istringstream first(mounts);
  EXPECT_EQ(network_program_of(makedev(0, 38), first), "sshfs");
  std::istringstream second(mounts);
  EXPECT_EQ(network_program_of(makedev(0, 39), second), "");
  std::istringstream third(mounts);
  EXPECT_EQ(network_program_of(makedev(0, 40), third), "");
}

TEST(NetworkFileSystem, ThisMachinesOwnIsNone) {
  EXPECT_EQ(network_file_system_of("/proc"), "");
  EXPECT_EQ(network_file_system_of("/no/such/folder"), "");
}

}  // namespace
}  // namespace heddle
