#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "hw/logic/multiplexer.h"
#include "hw/logic/priority_selector.h"
#include "hw/pricing/owner.h"

namespace heddle {

/// The lines on which an SM tells all others how long a TB takes (SRTF 5.1.1), the lowest SM first: once per
/// GPU.
class SampleBus {
 public:
  /// For `sms` predictors of `bits` each.
  SampleBus(const hw::Owner& owner, unsigned sms, unsigned bits) {
    constexpr unsigned kMost = 64;
    for (unsigned from = 0; from < sms; from += kMost) add_selector(owner, from, std::min(sms - from, kMost));
    if (sms > kMost) add_selector(owner, sms, (sms + kMost - 1) / kMost);
    hw::MultiplexerShape shape;
    shape.inputs = sms;
    shape.bits = bits;
    shape.one_hot = true;
    lines_ = std::make_unique<hw::Multiplexer>(owner, "sample", shape);
    owner.note("*", "not in table 1: how the other SMs come by a first prediction");
  }

  void tell(hw::Cycle cycle) { lines_->read(cycle); }

 private:
  void add_selector(const hw::Owner& owner, unsigned from, unsigned inputs) {
    selectors_.push_back(std::make_unique<hw::PrioritySelector>(owner, "teller" + std::to_string(from),
                                                                inputs, hw::SelectorForm::kFixed));
  }

  std::vector<std::unique_ptr<hw::PrioritySelector>> selectors_;
  std::unique_ptr<hw::Multiplexer> lines_;
};

}  // namespace heddle
