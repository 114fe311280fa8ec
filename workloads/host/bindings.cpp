#include "workloads/host/bindings.h"

#include <fmt/format.h>

namespace heddle {

Binding part_of(const BufferPart& part, const Bindings& buffers, const Scope& scope) {
  Binding place = buffers.at(part.buffer);
  const auto at_most = [&](const MarkedExpression& value, std::uint64_t most, const char* what) {
    return static_cast<std::uint64_t>(
        value.evaluate_in(scope, 0, static_cast<std::int64_t>(most),
                          fmt::format("{} of a part of '{}'", what, part.buffer).c_str()));
  };
  const std::uint64_t first = at_most(part.first, place.count, "first");
  place.count -= first;
  place.address += first * place.element_bytes();
  if (part.count) place.count = at_most(*part.count, place.count, "count");
  return place;
}

}  // namespace heddle
