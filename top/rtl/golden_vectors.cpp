#include "top/rtl/golden_vectors.h"

#include <fmt/format.h>

#include <iterator>

namespace heddle {

namespace {

constexpr unsigned kBitsPerDigit = 4;

}  // namespace

GoldenVectors::GoldenVectors(const TwinDesign& design, unsigned sm, std::uint64_t limit)
    : scheduler_(design.scheduler),
      sm_(sm),
      limit_(limit),
      inputs_(static_cast<unsigned>(design.inputs.size())),
      outputs_(design.outputs()),
      digits_((design.widest() + kBitsPerDigit - 1) / kBitsPerDigit) {
  columns_ = "cycle";
  for (const TwinInput input : design.inputs) columns_ += fmt::format(" {}", port_name(input));
  for (unsigned i = 0; i < outputs_; ++i)
    columns_ += fmt::format(" {}", port_name(static_cast<TwinOutput>(i)));
}

void GoldenVectors::append(std::uint64_t cycle, const std::uint64_t* in, const std::uint64_t* out) {
  auto to = std::back_inserter(body_);
  fmt::format_to(to, "{}", cycle);
  for (unsigned i = 0; i < inputs_; ++i) fmt::format_to(to, " {:0{}x}", in[i], digits_);
  for (unsigned i = 0; i < outputs_; ++i) fmt::format_to(to, " {:0{}x}", out[i], digits_);
  body_ += '\n';
  ++lines_;
}

std::string GoldenVectors::text(const std::string& command) const {
  return fmt::format("# {}, SM {}: {}\n# {}\n", scheduler_, sm_, command, columns_) + body_;
}

}  // namespace heddle
