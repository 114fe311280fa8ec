#include "workloads/host/host_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/limits.h"
#include "base/nearest_name.h"
#include "base/stop.h"
#include "workloads/host/kernel_arguments.h"
#include "workloads/host/launch_spec.h"
#include "workloads/host/program_checks.h"

namespace heddle {

namespace {

constexpr std::int64_t kMaxIterations = std::numeric_limits<std::int64_t>::max();

}  // namespace

HostProgram::HostProgram(Workload workload, const std::map<std::string, std::int64_t>& parameter_overrides,
                         const ProgramPlace& place, const std::vector<ptx::CompileOptions>& compile)
    : workload_(std::move(workload)),
      parameters_(workload_.scope(parameter_overrides)),
      place_(place),
      own_memory_(place.memory == nullptr ? std::make_unique<DeviceMemory>() : nullptr),
      memory_(place.memory == nullptr ? *own_memory_ : *place.memory),
      modules_(workload_, compile),
      buffers_(workload_, parameters_, memory_, place.buffer_prefix) {
  // Buffers before modules: they thereby start at DeviceMemory::kBase as on the reference machine.
  buffers_.allocate();
  modules_.place(memory_, place_.code_base);
  buffers_.bind_symbols(modules_);
  buffers_.initialise();
  bind_textures();
  begin_streams();
  // So that it is known before anything runs.
  check_checks(workload_, parameters_, buffers_.buffers());
  dumps({});
}

void HostProgram::bind_textures() {
  textures_ = std::make_unique<TextureBindings>(workload_, parameters_, modules_, buffers_.buffers());
  try {
    textures_->allocate(place_.buffer_prefix, memory_);
  } catch (const std::length_error& error) {
    throw WorkloadError({workload_.file, 0, 0}, error.what());
  }
  for (const HostCopy& array : textures_->arrays()) buffers_.note_copy(array);
}

void HostProgram::begin_streams() {
  const auto begin = [this](const std::string& name, std::uint64_t arrival,
                            const std::vector<Statement>& launches) {
    const auto number = static_cast<unsigned>(place_.first_stream + streams_.size());
    Scope scope = parameters_;
    scope.read_elements_with(&buffers_);
    streams_.push_back({name, number, arrival, false, std::move(scope), {{&launches, 0, nullptr, 0, 0}}});
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

std::unique_ptr<KernelLaunch> HostProgram::next(std::size_t index) {
  Stream& stream = streams_[index];
  begun_ = true;
  for (std::uint64_t steps = 0; !stream.frames.empty();) {
    Frame& frame = stream.frames.back();
    if (steps >= most_steps_) fail_without_launch(frame);
    throw_if_stopped();
    if (frame.position == frame.body->size()) {
      end_of_body(stream);
      ++steps;
      continue;
    }
    const Statement& statement = (*frame.body)[frame.position++];
    if (const auto* kernel = std::get_if<LaunchStatement>(&statement.action)) {
      return launch(stream, *kernel, statement.mark);
    }
    const std::uint64_t written = write(stream, statement);
    if (written == 0) enter(stream, statement);
    steps += std::max<std::uint64_t>(written, 1);
  }
  return nullptr;
}

std::uint64_t HostProgram::write(const Stream& stream, const Statement& statement) {
  const auto steps = [](std::uint64_t elements) { return 1 + elements / limits::kHostElements; };
  if (const auto* element = std::get_if<SetStatement>(&statement.action)) {
    buffers_.set(*element, stream.scope);
    return 1;
  }
  if (const auto* names = std::get_if<SwapStatement>(&statement.action)) {
    buffers_.swap(*names, statement.mark);
    return 1;
  }
  if (const auto* fill = std::get_if<FillStatement>(&statement.action))
    return steps(buffers_.fill(*fill, stream.scope));
  if (const auto* copy = std::get_if<CopyStatement>(&statement.action))
    return steps(buffers_.copy(*copy, stream.scope));
  return 0;
}

void HostProgram::fail_without_launch(const Frame& frame) const {
  const SourceMark file{workload_.file, 0, 0};
  throw WorkloadError(frame.loop == nullptr ? file : frame.loop->mark,
                      fmt::format("found {} steps of the host (statements, rounds of loops, each {} elements "
                                  "that are filled or copied) without a launch, expected fewer",
                                  most_steps_, limits::kHostElements));
}

std::unique_ptr<KernelLaunch> HostProgram::launch(Stream& stream, const LaunchStatement& statement,
                                                  const SourceMark& mark) {
  const Scope& scope = stream.scope;
  if (stream.launched) stream.arrival_cycles = 0;
  stream.launched = true;
  if (statement.arrival_cycles) {
    stream.arrival_cycles = static_cast<std::uint64_t>(statement.arrival_cycles->evaluate_in(
        scope, static_cast<std::int64_t>(stream.arrival_cycles), kMaxArrival, "arrival_cycles"));
  }
  ptx::LoadedModule::LaunchSpec spec = launch_spec(statement, scope);
  spec.stream = stream.number;
  const ptx::LoadedModule& loaded = modules_.of(statement, mark);
  const ptx::Module& module = loaded.module();
  const ptx::Code& kernel = *module.find(statement.kernel);
  spec.params = pack_arguments(statement, kernel, scope, buffers_.buffers(),
                               [&](const std::string& name) { return textures_->handle(module, name); });
  textures_->check(module, kernel, mark);
  spec.textures = textures_->bound(module, buffers_.buffers());
  try {
    std::unique_ptr<KernelLaunch> launch = loaded.launch(spec);
    launch->set_place(mark.text() + ": ");
    return launch;
  } catch (const std::invalid_argument& error) {
    throw WorkloadError(mark, error.what());
  }
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
  const Binding& source = buffers_.buffers().at(loop.buffer);
  const std::string what = fmt::format("index of '{}'", loop.buffer);
  const Number value = buffers_.read_element(
      loop.buffer,
      loop.index.evaluate_in(stream.scope, 0, static_cast<std::int64_t>(source.count) - 1, what.c_str()));
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

void HostProgram::check_expected_files() const {
  heddle::check_expected_files(workload_, parameters_, buffers_.buffers());
}

std::vector<CheckResult> HostProgram::check() const {
  return check_buffers(workload_, parameters_, buffers_);
}

std::vector<BufferDump> HostProgram::dumps(const std::vector<std::string>& whole) const {
  const Bindings& buffers = buffers_.buffers();
  std::vector<BufferDump> dumps;
  const auto add = [&](const std::string& name, const Binding& place) {
    dumps.push_back({name, buffers_.bytes(place), place.bytes()});
  };
  const auto is_there = [&dumps](const std::string& name) {
    return std::any_of(dumps.begin(), dumps.end(),
                       [&name](const BufferDump& dump) { return dump.buffer == name; });
  };
  for (const std::string& name : whole) {
    const auto found = buffers.find(name);
    if (found == buffers.end()) {
      std::vector<std::string> known;
      for (const auto& [buffer, place] : buffers) known.push_back(buffer);
      throw std::invalid_argument(
          fmt::format("unknown buffer '{}'{}", name, name_hint(name, known, "buffers")));
    }
    if (!is_there(name)) add(name, found->second);
  }
  for (const BufferPart& part : workload_.dumps) {
    if (!is_there(part.buffer)) add(part.buffer, part_of(part, buffers, parameters_));
  }
  return dumps;
}

}  // namespace heddle
