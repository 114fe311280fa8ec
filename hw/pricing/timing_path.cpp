#include "hw/pricing/timing_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hw/pricing/gates.h"

namespace heddle::hw {

double TimingPath::fo4() const {
  if (stages_.empty()) return 0;
  double sum = gates::kFlipFlopFo4;
  for (const Stage& stage : stages_) sum += stage.fo4;
  return sum;
}

double TimingPath::sized_fo4() const {
  if (stages_.empty()) return 0;
  double sum = gates::kFlipFlopFo4;
  for (const Stage& stage : stages_) sum += stage.sized_fo4;
  return sum;
}

double TimingPath::longest(double Stage::*depth) const {
  double longest = 0;
  double sum = 0;
  for (const Stage& stage : stages_) {
    sum = (stage.after_register ? 0 : sum) + stage.*depth;
    longest = std::max(longest, sum);
  }
  return stages_.empty() ? 0 : gates::kFlipFlopFo4 + longest;
}

unsigned TimingPath::cycles(double path_fo4, double clock_fo4) {
  const double usable = clock_fo4 - gates::kFlipFlopFo4;
  if (!(usable > 0)) {
    throw std::invalid_argument(
        fmt::format("clock_fo4: found {}, expected more than {} (a flip-flop's own delay)", clock_fo4,
                    gates::kFlipFlopFo4));
  }
  const double logic = std::max(0.0, path_fo4 - gates::kFlipFlopFo4);
  return std::max(1U, static_cast<unsigned>(std::ceil(logic / usable)));
}

}  // namespace heddle::hw
