#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "workloads/checks/output_check.h"
#include "workloads/description/workload.h"
#include "workloads/host/module_set.h"
#include "workloads/host/program_memory.h"
#include "workloads/host/texture_bindings.h"
#include "workloads/launch/device_memory.h"
#include "workloads/launch/kernel_launch.h"
#include "workloads/ptx/load.h"

namespace heddle {

/// Where a program stands beside others on the same device.
struct ProgramPlace {
  DeviceMemory* memory = nullptr;  ///< nullptr: a memory of its own
  std::string buffer_prefix;       ///< of its buffers' names in the memory, such as "atax."
  std::uint64_t code_base = 0;     ///< of its first kernel; 0: where a program alone has it
  unsigned first_stream = 0;       ///< number of its first stream on the device
};

/// What a buffer, or a part of one, holds.
struct BufferDump {
  std::string buffer;
  const std::uint8_t* data = nullptr;
  std::uint64_t bytes = 0;
};

/// Runs the host side of a workload without any timing: allocates and fills the buffers, yields one kernel
/// launch after the other, and performs host writes, swaps, loops and conditions between them. A workload
/// with streams has a sequence of launches for each, which run beside each other; buffers and their names
/// are shared. `launches` are one stream. It runs once, and can't be reset: to run a workload again takes
/// another program of it. Its launches refer to it: it must outlive the GPU that has one which has not ended.
class HostProgram {
 public:
  /// Of a stream's arrival.
  static constexpr std::int64_t kMaxArrival = limits::kArrivalCycles;

  /// Loads the PTX, each file as `compile` says of it (ModuleSet), checks the launches against it, allocates
  /// and initialises the buffers. Throws
  /// WorkloadError, ptx::PtxError, std::invalid_argument (override of an unknown parameter),
  /// std::length_error (more device memory than there is) and MemoryError. Keeps a copy of the workload.
  explicit HostProgram(Workload workload, const std::map<std::string, std::int64_t>& parameter_overrides = {},
                       const ProgramPlace& place = {}, const std::vector<ptx::CompileOptions>& compile = {});
  HostProgram(const HostProgram&) = delete;
  HostProgram& operator=(const HostProgram&) = delete;

  const Workload& workload() const { return workload_; }
  /// Ends the host program after so many steps without a launch rather than limits::kHostSteps.
  void set_most_steps(std::uint64_t steps) { most_steps_ = steps; }

  /// Where the code of another program may begin.
  std::uint64_t code_end() const { return modules_.code_end(); }
  DeviceMemory& memory() { return memory_; }
  const DeviceMemory& memory() const { return memory_; }

  /// The workload has streams: kernels may run at the same time.
  bool concurrent() const { return !workload_.streams.empty(); }
  std::size_t streams() const { return streams_.size(); }
  const std::string& stream_name(std::size_t stream) const { return streams_[stream].name; }

  /// The next launch of the stream, or nullptr when it is finished. The stream's launch before must have run
  /// to its end: conditions read what it wrote. The launch refers to this object. Throws WorkloadError.
  std::unique_ptr<KernelLaunch> next(std::size_t stream = 0);
  /// next() has been called, of some stream: the program runs or has run.
  bool begun() const { return begun_; }
  /// Core cycle at which the launch that next() has returned last reaches the GPU: what the launch says, or
  /// for a stream's first launch what the stream says; 0 = at once.
  std::uint64_t arrival_cycles(std::size_t stream) const { return streams_[stream].arrival_cycles; }

  /// Host-to-device copies since the last call, in order: all buffers before the first launch, single
  /// elements that the host has written later.
  std::vector<HostCopy> take_host_copies() { return buffers_.take_host_copies(); }

  /// Does what the host will do, without the kernels, so that what is wrong with a statement is known before
  /// they run. A statement that reads an element of a buffer, which a kernel may have written by then, is
  /// left out with what is in it; a loop that ends by one has one round. Looks at limits::kHostSteps steps of
  /// each stream at most. Throws what next() throws, and MemoryError. next() must not be called behind it.
  void rehearse();

  /// Throws WorkloadError for a file that check() will need, when it can't be read or has another length: to
  /// be known before the kernels run.
  void check_expected_files() const;
  /// Verifies the buffers after the end; one result per check, in order. Throws WorkloadError when an
  /// expected file can't be read.
  std::vector<CheckResult> check() const;

  /// What the buffers of the workload's `dump` hold now, and all of those in `whole`, which go before it.
  /// Throws std::invalid_argument for a name in `whole` that is no buffer's.
  std::vector<BufferDump> dumps(const std::vector<std::string>& whole) const;

 private:
  /// One level of nested statements under way.
  struct Frame {
    const std::vector<Statement>* body = nullptr;
    std::size_t position = 0;
    const Statement* loop = nullptr;  ///< null for the top level
    std::int64_t iteration = 0;
    std::int64_t limit = 0;  ///< repeat: iterations; while: at_most
  };

  /// A sequence of statements under way.
  struct Stream {
    std::string name;
    unsigned number = 0;  ///< on the device
    std::uint64_t arrival_cycles = 0;
    bool launched = false;  ///< its first launch was yielded
    Scope scope;            ///< parameters and the loop variables in force
    std::vector<Frame> frames;
  };

  void bind_textures();
  void begin_streams();
  std::unique_ptr<KernelLaunch> launch(Stream& stream, const LaunchStatement& statement,
                                       const SourceMark& mark);
  [[noreturn]] void fail_without_launch(const Frame& frame) const;
  /// Of a statement that only writes memory: the steps it counts as; 0 when it is none of these.
  std::uint64_t write(const Stream& stream, const Statement& statement);
  void enter(Stream& stream, const Statement& statement);
  static void enter_body(Stream& stream, const Statement& statement, const std::vector<Statement>& body,
                         const std::string& variable, std::int64_t limit);
  /// At the end of a loop's body: starts it again or leaves the loop.
  void end_of_body(Stream& stream);
  bool holds(const Stream& stream, const WhileStatement& loop) const;
  /// `steps` are those that are left.
  void rehearse(Stream& stream, const std::vector<Statement>& statements, std::uint64_t& steps);
  void rehearse(Stream& stream, const Statement& statement, std::uint64_t& steps);

  Workload workload_;
  Scope parameters_;
  ProgramPlace place_;
  std::unique_ptr<DeviceMemory> own_memory_;
  DeviceMemory& memory_;
  ModuleSet modules_;
  ProgramMemory buffers_;
  std::unique_ptr<TextureBindings> textures_;
  std::vector<Stream> streams_;
  std::uint64_t most_steps_ = limits::kHostSteps;
  bool begun_ = false;
};

}  // namespace heddle
