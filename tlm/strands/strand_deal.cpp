#include "tlm/strands/strand_deal.h"

#include <algorithm>
#include <numeric>

namespace heddle {

namespace {

constexpr std::uint64_t kLeastGain = 20;  ///< a move must gain this part of a thread's mean work

}  // namespace

StrandDeal::StrandDeal(std::size_t strands, unsigned threads) : strands_(threads) {
  for (std::size_t strand = 0; strand < strands; ++strand) strands_[strand % threads].push_back(strand);
}

bool StrandDeal::deal(const std::vector<std::uint64_t>& work, std::uint64_t beside) {
  std::vector<std::uint64_t> load(strands_.size(), 0);
  load[0] = beside;
  for (std::size_t thread = 0; thread < strands_.size(); ++thread) {
    for (const std::size_t strand : strands_[thread]) load[thread] += work[strand];
  }
  const std::uint64_t mean = std::accumulate(load.begin(), load.end(), std::uint64_t{0}) / load.size();
  bool moved = false;
  while (true) {
    const auto from = static_cast<std::size_t>(std::max_element(load.begin(), load.end()) - load.begin());
    const auto to = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
    const auto busier_after = [&](std::size_t strand) {
      return std::max(load[from] - work[strand], load[to] + work[strand]);
    };
    std::vector<std::size_t>& givers = strands_[from];
    const auto best = std::min_element(givers.begin(), givers.end(), [&](std::size_t a, std::size_t b) {
      return busier_after(a) < busier_after(b);
    });
    if (best == givers.end() || busier_after(*best) + mean / kLeastGain >= load[from]) return moved;
    const std::size_t strand = *best;
    load[from] -= work[strand];
    load[to] += work[strand];
    givers.erase(best);
    std::vector<std::size_t>& takers = strands_[to];
    takers.insert(std::upper_bound(takers.begin(), takers.end(), strand), strand);
    moved = true;
  }
}

}  // namespace heddle
