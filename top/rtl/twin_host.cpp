#include "top/rtl/twin_host.h"

#include <fmt/format.h>

#include "top/rtl/rtl_error.h"

namespace heddle {

void check_vectors_sm(unsigned sm, unsigned sms) {
  if (sm < sms) return;
  throw RtlError(fmt::format("--vectors-sm: expected an SM, 0 to {}, found {}", sms - 1, sm));
}

std::unique_ptr<GoldenVectors> wanted_vectors(const TwinDesign& design, unsigned sms,
                                              const TwinHost::Options& options) {
  if (options.vector_cycles == 0) return nullptr;
  check_vectors_sm(options.vectors_sm, sms);
  return std::make_unique<GoldenVectors>(design, options.vectors_sm, options.vector_cycles);
}

}  // namespace heddle
