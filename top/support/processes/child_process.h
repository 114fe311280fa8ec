#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// How a program is started.
struct ChildStart {
  enum class Output {
    kInherit,  ///< stdout and stderr are the parent's
    kDrop,  ///< stdout is dropped or goes to `output_file`, stderr is the parent's or goes to `stderr_file`
    kRead,  ///< read_output() takes stdout and stderr
  };

  std::vector<std::string> command;  ///< program, looked for on the PATH unless it has a '/', and arguments
  Output output = Output::kInherit;
  std::string output_file = {};  ///< "" = none; emptied first
  std::string stderr_file = {};  ///< likewise
  /// In a process group of its own, which a terminal's Ctrl-C doesn't reach.
  bool own_group = false;
};

/// What a program has taken when it has ended.
struct ProcessUse {
  double cpu_seconds = 0;               ///< of itself and those of its own that it has waited for
  std::uint64_t peak_memory_bytes = 0;  ///< its largest resident set
};

/// A program that runs beside this one, without input. It does not outlive this object.
class ChildProcess {
 public:
  /// Throws std::system_error when the program can't be started.
  explicit ChildProcess(const ChildStart& start);
  /// Kills it if it still runs, with its group if that is its own.
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess& operator=(ChildProcess&&) = delete;

  /// What it writes (Output::kRead), until it closes its output. Throws std::system_error.
  std::string read_output();
  /// Appends what it writes within `milliseconds` (-1: until there is something). False: it has closed its
  /// output. Throws std::system_error.
  bool read_some(std::string& text, int milliseconds);

  /// Sends it a signal, if it still runs.
  void signal(int number);
  /// Likewise to all of its group, which is its own.
  void signal_group(int number);

  /// Waits for its end. Its exit code; 128 + signal when a signal ended it. Throws std::system_error.
  int wait();

  /// As wait(), but nothing while it still runs.
  std::optional<int> poll();

  /// Of one that has ended.
  const ProcessUse& use() const { return use_; }

 private:
  std::optional<int> collect(int wait_options);

  pid_t id_ = 0;
  bool own_group_ = false;
  int output_ = -1;  ///< the end of the pipe to read from; -1 = none
  std::optional<int> code_;
  ProcessUse use_;
};

}  // namespace heddle
