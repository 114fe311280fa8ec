#include "workloads/host/buffer_init.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "workloads/host/element_values.h"

namespace heddle {

namespace {

bool is_positive_zero(const Number& value) {
  return value.is_integer ? value.integer == 0 : value.real == 0.0 && !std::signbit(value.real);
}

/// Memory that is fresh from the system holds zeros and takes none until it is written.
bool is_there_already(const BufferSpec& buffer, const Scope& scope) {
  return buffer.init.kind == BufferInit::Kind::kValue && !buffer.symbol &&
         is_positive_zero(buffer.init.value.evaluate(scope));
}

}  // namespace

std::uint64_t write_element(const ElementWrite& write, const Scope& scope, const std::string& buffer,
                            const Binding& place, std::uint8_t* target) {
  const std::string what = fmt::format("index of '{}'", buffer);
  const auto index = static_cast<std::uint64_t>(
      write.index.evaluate_in(scope, 0, static_cast<std::int64_t>(place.count) - 1, what.c_str()));
  try {
    store_element(place.type, write.value.evaluate(scope), target + index * place.element_bytes());
  } catch (const std::range_error& error) {
    throw WorkloadError(write.value.mark, fmt::format("value for '{}': {}", buffer, error.what()));
  }
  return index;
}

void initialise_buffer(const BufferSpec& buffer, const Scope& scope, const Bindings& buffers,
                       std::uint8_t* target) {
  const Binding& place = buffers.at(buffer.name);
  if (!is_there_already(buffer, scope))
    write_elements(buffer.init, buffer.name, place, scope, buffers, target);
  for (const ElementWrite& write : buffer.sets) write_element(write, scope, buffer.name, place, target);
}

}  // namespace heddle
