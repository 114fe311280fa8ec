// A process for which a system call fails, as on a file system that does not have it.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <exception>
#include <optional>

namespace heddle::test {

/// For this process and those that it starts. False: the system does not let it.
inline bool let_fail(unsigned call, unsigned error) {
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof(steps) / sizeof(steps[0]), steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// Does `use` in a process of its own in which `call` (SYS_...) fails with `error` (errno): whether that
/// threw no exception. Nothing where the system does not let a process change its calls.
template <class Use>
std::optional<bool> goes_well_where_fails(long call, int error, const Use& use) {
  enum Code { kWell, kThrown, kNotLet };
  const pid_t child = fork();
  if (child == 0) {
    if (!let_fail(static_cast<unsigned>(call), static_cast<unsigned>(error))) _exit(kNotLet);
    try {
      use();
    } catch (const std::exception&) {
      _exit(kThrown);
    }
    _exit(kWell);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotLet) return std::nullopt;
  return WIFEXITED(status) && WEXITSTATUS(status) == kWell;
}

}  // namespace heddle::test
