#include "workloads/host/program_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "base/limits.h"
#include "base/memory_budget.h"
#include "base/stop.h"
#include "workloads/host/buffer_init.h"
#include "workloads/host/element_values.h"

namespace heddle {

namespace {

/// An element's value may be found after others have been written.
bool reads_as_it_writes(const BufferInit& init) {
  const auto reads = [](const MarkedExpression& value) { return !value.expression.buffers().empty(); };
  return (init.kind == BufferInit::Kind::kFormula && reads(init.value)) ||
         std::any_of(init.addresses.begin(), init.addresses.end(),
                     [&](const BufferInit::Address& address) { return reads(address.offset); });
}

/// memmove() that ends early when this process is asked to.
void move_bytes(std::uint8_t* to, const std::uint8_t* from, std::uint64_t bytes) {
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20U;
  for (std::uint64_t done = 0; done < bytes;) {
    throw_if_stopped();
    const std::uint64_t piece = std::min(kPiece, bytes - done);
    // What lies over each other is moved from the end that is not written yet.
    const std::uint64_t at = to <= from ? done : bytes - done - piece;
    std::memmove(to + at, from + at, piece);
    done += piece;
  }
}

}  // namespace

ProgramMemory::ProgramMemory(const Workload& workload, const Scope& parameters, DeviceMemory& memory,
                             std::string prefix)
    : workload_(workload), parameters_(parameters), memory_(memory), prefix_(std::move(prefix)) {}

std::uint64_t ProgramMemory::count_of(const BufferSpec& spec) const {
  const std::string what = fmt::format("count of '{}'", spec.name);
  return static_cast<std::uint64_t>(
      spec.count->evaluate_in(parameters_, 1, std::int64_t{limits::kElements}, what.c_str()));
}

std::uint64_t ProgramMemory::own_bytes() const {
  std::uint64_t bytes = 0;
  for (const BufferSpec& spec : workload_.buffers) {
    if (!spec.symbol) bytes += count_of(spec) * element_bytes(spec.type);
  }
  return bytes;
}

void ProgramMemory::allocate() {
  const std::string what = fmt::format("{}: buffers", workload_.name);
  require_memory(std::min(own_bytes(), limits::kDeviceBytes), what.c_str());
  for (const BufferSpec& spec : workload_.buffers) {
    if (spec.symbol) continue;
    Binding& place = buffers_[spec.name] = {0, count_of(spec), spec.type};
    try {
      place.address = memory_.allocate(prefix_ + spec.name, place.bytes()).address;
    } catch (const std::length_error& error) {
      throw WorkloadError(spec.mark, error.what());
    }
  }
}

void ProgramMemory::bind_symbols(const ModuleSet& modules) {
  for (const BufferSpec& spec : workload_.buffers) {
    if (spec.symbol) buffers_[spec.name] = bind_symbol(spec, modules);
  }
  homes_ = buffers_;
}

Binding ProgramMemory::bind_symbol(const BufferSpec& spec, const ModuleSet& modules) const {
  const ModuleSet::Symbol symbol = modules.symbol(*spec.symbol);
  const std::string what =
      fmt::format("buffer '{}': offset in the symbol '{}'", spec.name, spec.symbol->name);
  const auto offset = static_cast<std::uint64_t>(
      spec.symbol->offset.evaluate_in(parameters_, 0, static_cast<std::int64_t>(symbol.bytes), what.c_str()));
  const std::uint64_t bytes = element_bytes(spec.type);
  if (offset % bytes != 0) {
    throw WorkloadError(spec.symbol->offset.mark,
                        fmt::format("{} is {}, expected a multiple of the {} bytes of {}", what, offset,
                                    bytes, element_name(spec.type)));
  }
  const std::uint64_t most = (symbol.bytes - offset) / bytes;
  const std::uint64_t count = spec.count ? count_of(spec) : most;
  if (count > most || count == 0) {
    throw WorkloadError(
        spec.symbol->mark,
        fmt::format("buffer '{}' has {} x {} = {} bytes from offset {} on, but the symbol '{}' has {} bytes",
                    spec.name, std::max<std::uint64_t>(count, 1), element_name(spec.type),
                    std::max<std::uint64_t>(count, 1) * bytes, offset, spec.symbol->name, symbol.bytes));
  }
  return {symbol.address + offset, count, spec.type};
}

void ProgramMemory::initialise() {
  for (const BufferSpec& spec : workload_.buffers) {
    const Binding& place = buffers_.at(spec.name);
    initialise_buffer(spec, parameters_, buffers_, bytes(place));
    const bool is_written = spec.init.kind != BufferInit::Kind::kNone || !spec.sets.empty();
    if (!spec.symbol || is_written) copies_.push_back({place.address, place.bytes()});
  }
  keep_first_contents();
}

void ProgramMemory::keep_first_contents() {
  const bool is_wanted = std::any_of(workload_.checks.begin(), workload_.checks.end(), [](const auto& check) {
    return check.kind == CheckSpec::Kind::kReference;
  });
  if (!is_wanted) return;
  for (const BufferSpec& spec : workload_.buffers) {
    if (!spec.symbol) continue;
    const Binding& place = buffers_.at(spec.name);
    require_memory(place.bytes(), "the reference's copy of a symbol");
    first_in_symbols_[spec.name].assign(bytes(place), bytes(place) + place.bytes());
  }
}

ReferenceMemory ProgramMemory::first_contents() const {
  std::uint64_t bytes = 0;
  for (const auto& [name, place] : homes_) bytes += place.bytes();
  require_memory(bytes, "the reference's copy of the buffers");
  ReferenceMemory contents(parameters_);
  for (const BufferSpec& spec : workload_.buffers) {
    std::uint8_t* const target = contents.add(spec.name, spec.type, homes_.at(spec.name).count);
    const auto in_symbol = first_in_symbols_.find(spec.name);
    if (in_symbol != first_in_symbols_.end()) {
      std::memcpy(target, in_symbol->second.data(), in_symbol->second.size());
    } else {
      initialise_buffer(spec, parameters_, homes_, target);
    }
  }
  return contents;
}

void ProgramMemory::set(const SetStatement& statement, const Scope& scope) {
  const Binding& place = buffers_.at(statement.buffer);
  const std::uint64_t index = write_element(statement.write, scope, statement.buffer, place, bytes(place));
  const unsigned bytes = place.element_bytes();
  copies_.push_back({place.address + index * bytes, bytes});
}

std::uint64_t ProgramMemory::fill(const FillStatement& statement, const Scope& scope) {
  const Binding place = part_of(statement.part, buffers_, scope);
  if (place.count == 0) return 0;
  if (reads_as_it_writes(statement.init)) {
    require_memory(place.bytes(), "the elements of a fill that reads buffers");
    std::vector<std::uint8_t> elements(place.bytes());
    write_elements(statement.init, statement.part.buffer, place, scope, buffers_, elements.data());
    move_bytes(bytes(place), elements.data(), place.bytes());
  } else {
    write_elements(statement.init, statement.part.buffer, place, scope, buffers_, bytes(place));
  }
  copies_.push_back({place.address, place.bytes()});
  return place.count;
}

std::uint64_t ProgramMemory::copy(const CopyStatement& statement, const Scope& scope) {
  const Binding from = part_of(statement.from, buffers_, scope);
  const Binding to = part_of(statement.to, buffers_, scope);
  if (from.count > to.count) {
    throw WorkloadError(statement.to.mark,
                        fmt::format("copy: {} elements of '{}' to '{}', expected at most {}, its elements "
                                    "from there on",
                                    from.count, statement.from.buffer, statement.to.buffer, to.count));
  }
  if (from.count == 0) return 0;
  move_bytes(bytes(to), bytes(from), from.bytes());
  copies_.push_back({to.address, from.bytes()});
  return from.count;
}

Number ProgramMemory::read_element(const std::string& buffer, std::int64_t index) const {
  const Binding& place = buffers_.at(buffer);
  if (index < 0 || static_cast<std::uint64_t>(index) >= place.count) {
    throw std::out_of_range(
        fmt::format("index of '{}' is {}, expected 0..{}", buffer, index, place.count - 1));
  }
  return load_element(place.type, bytes(place) + static_cast<std::uint64_t>(index) * place.element_bytes());
}

void ProgramMemory::swap(const SwapStatement& statement, const SourceMark& mark) {
  Binding& first = buffers_.at(statement.buffers[0]);
  Binding& second = buffers_.at(statement.buffers[1]);
  if (first.count != second.count) {
    throw WorkloadError(mark,
                        fmt::format("swap: '{}' has {} elements but '{}' has {}; expected as many",
                                    statement.buffers[0], first.count, statement.buffers[1], second.count));
  }
  std::swap(first, second);
}

std::vector<HostCopy> ProgramMemory::take_host_copies() { return std::exchange(copies_, {}); }

}  // namespace heddle
