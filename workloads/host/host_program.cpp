#include "workloads/host/host_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/limits.h"
#include "base/memory_budget.h"
#include "base/stop.h"
#include "workloads/checks/references.h"
#include "workloads/host/buffer_init.h"
#include "workloads/host/kernel_arguments.h"

namespace heddle {

namespace {

constexpr std::int64_t kMaxIterations = std::numeric_limits<std::int64_t>::max();

std::uint32_t extent(const MarkedExpression& value, const Scope& scope, std::uint64_t high,
                     const char* what) {
  return static_cast<std::uint32_t>(value.evaluate_in(scope, 1, static_cast<std::int64_t>(high), what));
}

ptx::Module load_checked(const Workload& workload, const ptx::CompileOptions& compile) {
  if (!std::filesystem::exists(workload.ptx_path)) {
    throw WorkloadError(workload.ptx_mark, fmt::format("there is no PTX file '{}'", workload.ptx_path));
  }
  ptx::Module module = ptx::load_file(workload.ptx_path, compile);
  check_launches(workload.launches, module);
  for (const StreamSpec& stream : workload.streams) {
    check_launches(stream.launches, module);
  }
  return module;
}

}  // namespace

HostProgram::HostProgram(Workload workload, const std::map<std::string, std::int64_t>& parameter_overrides,
                         const ProgramPlace& place, const ptx::CompileOptions& compile)
    : workload_(std::move(workload)),
      parameters_(workload_.scope(parameter_overrides)),
      place_(place),
      own_memory_(place.memory == nullptr ? std::make_unique<DeviceMemory>() : nullptr),
      memory_(place.memory == nullptr ? *own_memory_ : *place.memory) {
  ptx::Module module = load_checked(workload_, compile);
  allocate_buffers();
  // After the buffers, which thereby start at DeviceMemory::kBase as on the reference machine.
  loaded_ = std::make_unique<ptx::LoadedModule>(std::move(module), memory_, place_.code_base);
  begin_streams();
  for (const CheckSpec& check : workload_.checks) {  // so that it is known before anything runs
    tolerance_of(check.absolute, "absolute");
    tolerance_of(check.relative, "relative");
  }
}

void HostProgram::begin_streams() {
  const auto begin = [this](const std::string& name, std::uint64_t arrival,
                            const std::vector<Statement>& launches) {
    const auto number = static_cast<unsigned>(place_.first_stream + streams_.size());
    streams_.push_back({name, number, arrival, false, parameters_, {{&launches, 0, nullptr, 0, 0}}});
  };
  if (!concurrent()) {
    begin(workload_.name, 0, workload_.launches);
  }
  for (const StreamSpec& spec : workload_.streams) {
    const std::string what = fmt::format("arrival_cycles of stream '{}'", spec.name);
    begin(spec.name,
          static_cast<std::uint64_t>(
              spec.arrival_cycles.evaluate_in(parameters_, 0, kMaxArrival, what.c_str())),
          spec.launches);
  }
}

std::uint64_t HostProgram::count_of(const BufferSpec& spec) const {
  const std::string what = fmt::format("count of '{}'", spec.name);
  return static_cast<std::uint64_t>(
      spec.count.evaluate_in(parameters_, 1, std::int64_t{limits::kElements}, what.c_str()));
}

std::uint64_t HostProgram::buffer_bytes() const {
  std::uint64_t bytes = 0;
  for (const BufferSpec& spec : workload_.buffers) bytes += count_of(spec) * element_bytes(spec.type);
  return bytes;
}

void HostProgram::allocate_buffers() {
  const std::string what = fmt::format("{}: buffers", workload_.name);
  require_memory(std::min(buffer_bytes(), limits::kDeviceBytes), what.c_str());
  for (const BufferSpec& spec : workload_.buffers) {
    const std::uint64_t count = count_of(spec);
    const std::uint64_t bytes = count * element_bytes(spec.type);
    const std::uint64_t address = memory_.allocate(place_.buffer_prefix + spec.name, bytes).address;
    initialise_buffer(spec, parameters_, count, address, memory_.host(address));
    bindings_[spec.name] = {address, count, spec.type};
    copies_.push_back({address, bytes});
  }
}

std::unique_ptr<KernelLaunch> HostProgram::next(std::size_t index) {
  Stream& stream = streams_[index];
  for (std::uint64_t steps = 0; !stream.frames.empty(); ++steps) {
    Frame& frame = stream.frames.back();
    if (steps == limits::kHostSteps) fail_without_launch(frame);
    throw_if_stopped();
    if (frame.position == frame.body->size()) {
      end_of_body(stream);
      continue;
    }
    const Statement& statement = (*frame.body)[frame.position++];
    if (const auto* kernel = std::get_if<LaunchStatement>(&statement.action)) {
      return launch(stream, *kernel, statement.mark);
    }
    if (const auto* write = std::get_if<SetStatement>(&statement.action)) {
      set(stream, *write);
    } else if (const auto* names = std::get_if<SwapStatement>(&statement.action)) {
      swap(*names, statement.mark);
    } else {
      enter(stream, statement);
    }
  }
  return nullptr;
}

void HostProgram::fail_without_launch(const Frame& frame) const {
  const SourceMark file{workload_.file, 0, 0};
  throw WorkloadError(frame.loop == nullptr ? file : frame.loop->mark,
                      fmt::format("found {} steps of the host (statements and rounds of loops) without a "
                                  "launch, expected fewer",
                                  limits::kHostSteps));
}

std::vector<HostCopy> HostProgram::take_host_copies() { return std::exchange(copies_, {}); }

std::unique_ptr<KernelLaunch> HostProgram::launch(Stream& stream, const LaunchStatement& statement,
                                                  const SourceMark& mark) {
  const Scope& scope = stream.scope;
  if (stream.launched) stream.arrival_cycles = 0;
  stream.launched = true;
  if (statement.arrival_cycles) {
    stream.arrival_cycles = static_cast<std::uint64_t>(statement.arrival_cycles->evaluate_in(
        scope, static_cast<std::int64_t>(stream.arrival_cycles), kMaxArrival, "arrival_cycles"));
  }
  ptx::LoadedModule::LaunchSpec spec;
  spec.stream = stream.number;
  spec.entry = statement.kernel;
  spec.grid = {extent(statement.grid[0], scope, limits::kGridX, "grid x"),
               extent(statement.grid[1], scope, limits::kGridYZ, "grid y"),
               extent(statement.grid[2], scope, limits::kGridYZ, "grid z")};
  spec.block = {extent(statement.block[0], scope, limits::kBlockXY, "block x"),
                extent(statement.block[1], scope, limits::kBlockXY, "block y"),
                extent(statement.block[2], scope, limits::kBlockZ, "block z")};
  if (spec.block.count() > limits::kBlockThreads) {
    throw WorkloadError(
        statement.block[0].mark,
        fmt::format("the block has {} x {} x {} = {} threads, expected at most {}", spec.block.x,
                    spec.block.y, spec.block.z, spec.block.count(), limits::kBlockThreads));
  }
  spec.dynamic_shared_bytes = static_cast<unsigned>(
      statement.shared_bytes.evaluate_in(scope, 0, std::int64_t{limits::kSharedBytes}, "shared_bytes"));
  spec.registers_per_thread = static_cast<unsigned>(
      statement.registers.evaluate_in(scope, 0, std::int64_t{limits::kRegisters}, "registers"));
  const ptx::Code& kernel = *loaded_->module().find(statement.kernel);
  spec.params = pack_arguments(statement, kernel, scope,
                               [this](const std::string& name) { return binding(name).address; });
  try {
    return loaded_->launch(spec);
  } catch (const std::invalid_argument& error) {
    throw WorkloadError(mark, error.what());
  }
}

void HostProgram::set(const Stream& stream, const SetStatement& statement) {
  const Binding& target = binding(statement.buffer);
  const std::uint64_t index = write_element(statement.write, stream.scope, statement.buffer, target.type,
                                            target.count, memory_.host(target.address));
  const unsigned bytes = element_bytes(target.type);
  copies_.push_back({target.address + index * bytes, bytes});
}

void HostProgram::swap(const SwapStatement& statement, const SourceMark& mark) {
  Binding& first = binding(statement.buffers[0]);
  Binding& second = binding(statement.buffers[1]);
  if (first.count != second.count) {
    throw WorkloadError(mark,
                        fmt::format("swap: '{}' has {} elements but '{}' has {}; expected as many",
                                    statement.buffers[0], first.count, statement.buffers[1], second.count));
  }
  std::swap(first, second);
}

void HostProgram::enter(Stream& stream, const Statement& statement) {
  if (const auto* repeat = std::get_if<RepeatStatement>(&statement.action)) {
    const std::int64_t count = repeat->count.evaluate_in(stream.scope, 0, kMaxIterations, "repeat count");
    if (count > 0) {
      enter_body(stream, statement, repeat->body, repeat->variable, count);
    }
    return;
  }
  const auto& loop = std::get<WhileStatement>(statement.action);
  const std::int64_t at_most = loop.at_most.evaluate_in(stream.scope, 1, kMaxIterations, "at_most");
  if (loop.test_at_end || holds(stream, loop)) {
    enter_body(stream, statement, loop.body, loop.variable, at_most);
  }
}

void HostProgram::enter_body(Stream& stream, const Statement& statement, const std::vector<Statement>& body,
                             const std::string& variable, std::int64_t limit) {
  if (!variable.empty()) {
    stream.scope.push(variable, 0);
  }
  stream.frames.push_back({&body, 0, &statement, 0, limit});
}

void HostProgram::end_of_body(Stream& stream) {
  Frame& frame = stream.frames.back();
  if (frame.loop == nullptr) {
    stream.frames.pop_back();
    return;
  }
  ++frame.iteration;
  std::string variable;
  bool again = false;
  if (const auto* repeat = std::get_if<RepeatStatement>(&frame.loop->action)) {
    variable = repeat->variable;
    again = frame.iteration < frame.limit;
  } else {
    const auto& loop = std::get<WhileStatement>(frame.loop->action);
    variable = loop.variable;
    again = holds(stream, loop);
    if (again && frame.iteration >= frame.limit) {
      throw WorkloadError(
          frame.loop->mark,
          fmt::format("while: the condition on '{}' still holds after {} iterations (at_most)", loop.buffer,
                      frame.limit));
    }
  }
  if (again) {
    frame.position = 0;
    if (!variable.empty()) {
      stream.scope.set_last(frame.iteration);
    }
    return;
  }
  if (!variable.empty()) {
    stream.scope.pop();
  }
  stream.frames.pop_back();
}

bool HostProgram::holds(const Stream& stream, const WhileStatement& loop) const {
  using Condition = WhileStatement::Condition;
  const Binding& source = binding(loop.buffer);
  const std::string what = fmt::format("index of '{}'", loop.buffer);
  const auto index = static_cast<std::uint64_t>(
      loop.index.evaluate_in(stream.scope, 0, static_cast<std::int64_t>(source.count) - 1, what.c_str()));
  const Number value =
      load_element(source.type, memory_.host(source.address + index * element_bytes(source.type)));
  const Number limit = loop.value.evaluate(stream.scope);
  const bool integers = value.is_integer && limit.is_integer;
  const bool equal = integers ? value.integer == limit.integer : value.as_double() == limit.as_double();
  const bool less = integers ? value.integer < limit.integer : value.as_double() < limit.as_double();
  const bool greater = integers ? value.integer > limit.integer : value.as_double() > limit.as_double();
  switch (loop.condition) {
    case Condition::kEqual:
      return equal;
    case Condition::kNotEqual:
      return !equal;
    case Condition::kLess:
      return less;
    default:
      return greater;
  }
}

ReferenceMemory HostProgram::first_contents() const {
  require_memory(buffer_bytes(), "the reference's copy of the buffers");
  ReferenceMemory contents(parameters_);
  for (const BufferSpec& spec : workload_.buffers) {
    const DeviceMemory::Buffer& buffer = *memory_.find(place_.buffer_prefix + spec.name);
    const std::uint64_t count = buffer.bytes / element_bytes(spec.type);
    initialise_buffer(spec, parameters_, count, buffer.address, contents.add(spec.name, spec.type, count));
  }
  return contents;
}

double HostProgram::tolerance_of(const MarkedExpression& expression, const char* what) const {
  const double value = expression.evaluate(parameters_).as_double();
  if (!std::isfinite(value) || value < 0) {
    throw WorkloadError(expression.mark,
                        fmt::format("{} is {}, expected a finite number of at least 0", what, value));
  }
  return value;
}

std::vector<CheckResult> HostProgram::check() const {
  std::map<std::string, ReferenceMemory> expected;
  std::vector<CheckResult> results;
  for (const CheckSpec& spec : workload_.checks) {
    if (spec.kind == CheckSpec::Kind::kReference && expected.count(spec.reference) == 0) {
      ReferenceMemory& memory = expected.emplace(spec.reference, first_contents()).first->second;
      try {
        find_reference(spec.reference)(memory);
      } catch (const std::invalid_argument& error) {
        throw WorkloadError(spec.mark, fmt::format("reference '{}': {}", spec.reference, error.what()));
      }
    }
    results.push_back(run_check(spec, expected));
  }
  return results;
}

CheckResult HostProgram::run_check(const CheckSpec& spec,
                                   const std::map<std::string, ReferenceMemory>& expected) const {
  const Binding& buffer = binding(spec.buffer);
  const std::uint8_t* got = memory_.host(buffer.address);
  const Tolerance tolerance{tolerance_of(spec.absolute, "absolute"), tolerance_of(spec.relative, "relative")};
  CheckResult result;
  switch (spec.kind) {
    case CheckSpec::Kind::kReference:
      result = compare_elements(buffer.type, got, expected.at(spec.reference).bytes(spec.buffer),
                                buffer.count, tolerance);
      result.against = "reference " + spec.reference;
      break;
    case CheckSpec::Kind::kFile: {
      require_memory(buffer.count * element_bytes(buffer.type), "the expected contents of a buffer");
      std::vector<std::uint8_t> contents(buffer.count * element_bytes(buffer.type));
      read_raw_file(spec.path, contents.size(), spec.mark, contents.data());
      result = compare_elements(buffer.type, got, contents.data(), buffer.count, tolerance);
      result.against = "file " + spec.path;
      break;
    }
    case CheckSpec::Kind::kSum:
      result =
          compare_sum(buffer.type, got, buffer.count, spec.sum.evaluate(parameters_).as_double(), tolerance);
      break;
  }
  result.buffer = spec.buffer;
  return result;
}

}  // namespace heddle
