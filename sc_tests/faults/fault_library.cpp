// A library to preload (LD_PRELOAD) that lets calls of a program fail. HEDDLE_FAULT says which and how:
// "CALLS COMMAND NUMBER ACTION", separated by blanks.
//
// CALLS: `write`, those that make and write files and print to stdout; `memory`, those that allocate.
// COMMAND: the program's first argument; other processes go undisturbed.
// NUMBER: which of these calls, from 1 on, counted from the start of main(). A '+' after it: all later ones
// too. ACTION: the name of an error, such as ENOSPC; `short`, a write of half of its bytes; `kill`, the
// process is killed, in a write after half of its bytes; `kill_parent`, its parent is.
//
// With HEDDLE_FAULT_COUNT, the name of a file, the number of calls is written there at the end.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {

enum class Calls { kNone, kWrite, kMemory };
enum class Action { kError, kShort, kKill, kKillParent };

struct Plan {
  Calls calls = Calls::kNone;
  Action action = Action::kError;
  int error = EIO;
  unsigned long number = 0;
  bool later_too = false;
};

Plan plan;
std::atomic<bool> armed{false};
std::atomic<unsigned long> count{0};
constexpr int kMostFiles = 256;
std::array<std::atomic<bool>, kMostFiles> written{};  ///< by descriptor: open for writing

int error_of(const char* name) {
  struct Named {
    const char* name;
    int error;
  };
  constexpr Named kErrors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EDQUOT", EDQUOT},
                               {"ENOMEM", ENOMEM}, {"EACCES", EACCES}, {"EINTR", EINTR}};
  for (const Named& named : kErrors) {
    if (std::strcmp(named.name, name) == 0) return named.error;
  }
  return EIO;
}

void read_plan(const char* command) {
  const char* const text = std::getenv("HEDDLE_FAULT");
  char calls[16] = "";
  char of[32] = "";
  char number[32] = "";
  char action[16] = "";
  if (text == nullptr || std::sscanf(text, "%15s %31s %31s %15s", calls, of, number, action) != 4) return;
  if (command == nullptr || std::strcmp(of, command) != 0) return;
  plan.calls = std::strcmp(calls, "memory") == 0 ? Calls::kMemory : Calls::kWrite;
  char* end = nullptr;
  plan.number = std::strtoul(number, &end, 10);
  plan.later_too = *end == '+';
  if (std::strcmp(action, "short") == 0) {
    plan.action = Action::kShort;
  } else if (std::strcmp(action, "kill") == 0) {
    plan.action = Action::kKill;
  } else if (std::strcmp(action, "kill_parent") == 0) {
    plan.action = Action::kKillParent;
  } else {
    plan.error = error_of(action);
  }
}

/// The turn of the call that is to fail; then its error is set.
bool turn_of(Calls calls) {
  if (!armed || plan.calls != calls) return false;
  const unsigned long number = ++count;
  if (number != plan.number && !(plan.later_too && number > plan.number)) return false;
  if (plan.action == Action::kKillParent) {
    kill(getppid(), SIGKILL);
    return false;
  }
  errno = plan.error;
  return true;
}

/// As turn_of(), for a call that has no half.
bool fails(Calls calls) {
  if (!turn_of(calls)) return false;
  if (plan.action == Action::kKill) kill(getpid(), SIGKILL);
  return plan.action == Action::kError;
}

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool is_written(int descriptor) {
  return descriptor > STDERR_FILENO && descriptor < kMostFiles &&
         written[static_cast<std::size_t>(descriptor)];
}

int note_open(int descriptor, bool writes) {
  if (descriptor >= 0 && descriptor < kMostFiles) written[static_cast<std::size_t>(descriptor)] = writes;
  return descriptor;
}

int open_file(const char* path, int flags, mode_t mode) {
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (writes && fails(Calls::kWrite)) return -1;
  static auto* const real = next<int(const char*, int, ...)>("open");
  return note_open(real(path, flags, mode), writes);
}

using Main = int(int, char**, char**);
Main* real_main = nullptr;

int armed_main(int argc, char** argv, char** environment) {
  read_plan(argc > 1 ? argv[1] : nullptr);
  armed = true;
  return real_main(argc, argv, environment);
}

__attribute__((destructor)) void write_count() {
  armed = false;
  const char* const path = std::getenv("HEDDLE_FAULT_COUNT");
  if (path == nullptr || plan.calls == Calls::kNone) return;
  if (std::FILE* const file = std::fopen(path, "w")) {
    std::fprintf(file, "%lu\n", count.load());
    std::fclose(file);
  }
}

bool is_stdout(const std::FILE* stream) { return stream == stdout; }

/// As glibc marks a stream on which writing failed.
void mark_failed(std::FILE* stream) { stream->_flags |= 0x20; }

}  // namespace

extern "C" {

int __libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack_end) {
  real_main = main;
  auto* const real =
      next<int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*)>("__libc_start_main");
  return real(&armed_main, argc, argv, init, fini, rtld_fini, stack_end);
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open_file(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open_file(path, flags, mode);
}

std::FILE* fopen(const char* path, const char* mode) {
  if (std::strpbrk(mode, "wa+") != nullptr && fails(Calls::kWrite)) return nullptr;
  static auto* const real = next<std::FILE*(const char*, const char*)>("fopen");
  return real(path, mode);
}

std::FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t)>("write");
  if (!is_written(descriptor) || !turn_of(Calls::kWrite)) return real(descriptor, bytes, size);
  if (plan.action == Action::kError) return -1;
  const ssize_t half = real(descriptor, bytes, (size + 1) / 2);
  if (plan.action == Action::kKill) kill(getpid(), SIGKILL);
  return half;
}

ssize_t pwrite64(int descriptor, const void* bytes, std::size_t size, off64_t offset) {
  static auto* const real = next<ssize_t(int, const void*, std::size_t, off64_t)>("pwrite64");
  if (!is_written(descriptor) || !turn_of(Calls::kWrite)) return real(descriptor, bytes, size, offset);
  if (plan.action == Action::kError) return -1;
  const ssize_t half = real(descriptor, bytes, (size + 1) / 2, offset);
  if (plan.action == Action::kKill) kill(getpid(), SIGKILL);
  return half;
}

ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) {
  return pwrite64(descriptor, bytes, size, offset);
}

ssize_t writev(int descriptor, const struct iovec* parts, int number) {
  if (is_written(descriptor) && fails(Calls::kWrite)) return -1;
  static auto* const real = next<ssize_t(int, const struct iovec*, int)>("writev");
  return real(descriptor, parts, number);
}

int close(int descriptor) {
  static auto* const real = next<int(int)>("close");
  const bool failing = is_written(descriptor) && fails(Calls::kWrite);
  note_open(descriptor, false);
  const int result = real(descriptor);
  if (!failing) return result;
  errno = plan.error;
  return -1;
}

std::size_t fwrite(const void* bytes, std::size_t size, std::size_t number, std::FILE* stream) {
  if (is_stdout(stream) && fails(Calls::kWrite)) {
    mark_failed(stream);
    return 0;
  }
  static auto* const real = next<std::size_t(const void*, std::size_t, std::size_t, std::FILE*)>("fwrite");
  return real(bytes, size, number, stream);
}

int fflush(std::FILE* stream) {
  if (stream != nullptr && is_stdout(stream) && fails(Calls::kWrite)) {
    mark_failed(stream);
    return EOF;
  }
  static auto* const real = next<int(std::FILE*)>("fflush");
  return real(stream);
}

int rename(const char* from, const char* to) noexcept {
  if (fails(Calls::kWrite)) return -1;
  return next<int(const char*, const char*)>("rename")(from, to);
}

int unlink(const char* path) noexcept {
  if (fails(Calls::kWrite)) return -1;
  return next<int(const char*)>("unlink")(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
  if (fails(Calls::kWrite)) return -1;
  return next<int(const char*, mode_t)>("mkdir")(path, mode);
}

int rmdir(const char* path) noexcept {
  if (fails(Calls::kWrite)) return -1;
  return next<int(const char*)>("rmdir")(path);
}

int ftruncate(int descriptor, off_t length) noexcept {
  if (fails(Calls::kWrite)) return -1;
  return next<int(int, off_t)>("ftruncate")(descriptor, length);
}

int flock(int descriptor, int operation) noexcept {
  if (fails(Calls::kWrite)) return -1;
  return next<int(int, int)>("flock")(descriptor, operation);
}

void* malloc(std::size_t bytes) noexcept { return fails(Calls::kMemory) ? nullptr : __libc_malloc(bytes); }

void* calloc(std::size_t number, std::size_t bytes) noexcept {
  return fails(Calls::kMemory) ? nullptr : __libc_calloc(number, bytes);
}

void* realloc(void* block, std::size_t bytes) noexcept {
  return fails(Calls::kMemory) ? nullptr : __libc_realloc(block, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return fails(Calls::kMemory) ? nullptr : __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept { return memalign(alignment, bytes); }

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
  *block = memalign(alignment, bytes);
  return *block == nullptr ? ENOMEM : 0;
}

}  // extern "C"
