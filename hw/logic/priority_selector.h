#pragma once

#include <cstdint>

#include "hw/pricing/part.h"

namespace heddle::hw {

/// No input was requested.
constexpr unsigned kNoInput = ~0U;

enum class SelectorForm : std::uint8_t {
  kFixed,     ///< input 0 first
  kRotating,  ///< from a start on, around
  kOrdered,   ///< in an order held in an array of indices: a multiplexer per position, most of the area
};

/// Picks one of up to 64 requests by priority. Combinational; selection takes cycles() (0 in ideal timing).
class PrioritySelector final : public Part {
 public:
  /// `inputs` 1 to 64: so many bits of the requests are wired, any of them. `passed_over`, at most `inputs`:
  /// of so many it is also told which come before the selected one, by a line each. Throws
  /// std::invalid_argument otherwise.
  PrioritySelector(const Owner& owner, std::string_view name, unsigned inputs, SelectorForm form,
                   unsigned passed_over = 0);

  /// The first of `requests`, or kNoInput. Form kFixed.
  unsigned select(std::uint64_t requests) {
    begin(SelectorForm::kFixed);
    return first(requests);
  }
  /// The first of `requests` from `start` on, going around. Form kRotating.
  unsigned select_from(std::uint64_t requests, unsigned start) {
    begin(SelectorForm::kRotating);
    const unsigned above = first(requests >> start << start);
    return above != kNoInput ? above : first(requests);
  }
  /// The first of `order[0 .. count)` that is requested, or kNoInput. Form kOrdered.
  unsigned select_in_order(std::uint64_t requests, const std::uint8_t* order, unsigned count) {
    begin(SelectorForm::kOrdered);
    for (unsigned i = 0; i < count; ++i) {
      if ((requests >> order[i] & 1U) != 0) return order[i];
    }
    return kNoInput;
  }

  Structure structure() const override;

 private:
  void begin(SelectorForm asked) {
    if (asked != form_) misuse("found a selection of another form than declared");
    ++activity_.selects;
  }
  static unsigned first(std::uint64_t requests) {
    return requests == 0 ? kNoInput : static_cast<unsigned>(__builtin_ctzll(requests));
  }

  double passing_over() const;

  unsigned inputs_;
  SelectorForm form_;
  unsigned passed_over_;
};

}  // namespace heddle::hw
