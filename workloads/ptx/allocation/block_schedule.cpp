#include "workloads/ptx/allocation/block_schedule.h"

#include <algorithm>

namespace heddle::ptx {

namespace {

constexpr std::uint32_t kNothing = ValueGraph::kNone;
// These fit what ptxas 11.8 does for sm_35; docs/ptx.md says how well.
constexpr unsigned kLoadsAhead = 10;  ///< registers
constexpr unsigned kWindow = 12;      ///< operations
constexpr unsigned kLoadWindow = 32;  ///< loads that are looked at
/// Operations that may be looked at for loads in a block, one at a time: hundreds of times what kernels take.
constexpr std::uint64_t kMostSearched = std::uint64_t{1} << 20U;

class Scheduler {
 public:
  explicit Scheduler(const ValueGraph& graph)
      : graph_(graph),
        done_(graph.nodes().size(), false),
        height_(graph.nodes().size(), 0),
        there_(graph.values().size(), 0),
        waiting_(graph.values().size(), false),
        seen_(graph.nodes().size(), 0),
        next_(graph.nodes().size()) {
    for (std::size_t i = nodes().size(); i-- > 0;) {
      const ValueGraph::Node& node = nodes()[i];
      height_[i] += node.operation->latency;
      const auto lift = [&](std::uint32_t before) {
        height_[before] = std::max(height_[before], height_[i]);
      };
      for (const std::uint32_t value : node.reads) {
        if (values()[value].made_by != kNothing) lift(values()[value].made_by);
      }
      for (const std::uint32_t before : node.after) lift(before);
    }
    for (std::uint32_t i = 0; i < nodes().size(); ++i) {
      next_[i] = i + 1;
      if (nodes()[i].operation->is_load) loads_.push_back(i);
    }
  }

  std::vector<std::uint32_t> run() {
    std::vector<std::uint32_t> order;
    order.reserve(nodes().size());
    while (order.size() < nodes().size()) {
      order.push_back(choose());
      issue(order.back());
    }
    return order;
  }

 private:
  const std::vector<ValueGraph::Node>& nodes() const { return graph_.nodes(); }
  const std::vector<ValueGraph::Value>& values() const { return graph_.values(); }

  bool has_operands(std::uint32_t number) const {
    const std::vector<std::uint32_t>& reads = nodes()[number].reads;
    return std::all_of(reads.begin(), reads.end(), [&](std::uint32_t value) {
      const std::uint32_t made_by = values()[value].made_by;
      return made_by == kNothing || done_[made_by];
    });
  }

  bool may_go(std::uint32_t number) const {
    const std::vector<std::uint32_t>& after = nodes()[number].after;
    return std::all_of(after.begin(), after.end(), [&](std::uint32_t before) { return done_[before]; });
  }

  /// The first operation that `number` waits for and that can go at once; kNothing when something else comes
  /// first.
  std::uint32_t first_needed(std::uint32_t number) {
    ++search_;
    work_ = {number};
    std::uint32_t found = kNothing;
    while (!work_.empty()) {
      const std::uint32_t at = work_.back();
      work_.pop_back();
      ++searched_;
      if (!may_go(at)) return kNothing;
      if (has_operands(at)) {
        found = std::min(found, at);
        continue;
      }
      for (const std::uint32_t value : nodes()[at].reads) {
        const std::uint32_t made_by = values()[value].made_by;
        if (made_by == kNothing || done_[made_by] || seen_[made_by] == search_) continue;
        seen_[made_by] = search_;
        work_.push_back(made_by);
      }
    }
    return found;
  }

  /// What brings the next load closer; kNothing when enough are under way.
  std::uint32_t choose_for_loads() {
    if (in_flight_ >= kLoadsAhead) return kNothing;
    while (first_load_ < loads_.size() && done_[loads_[first_load_]]) ++first_load_;
    unsigned seen = 0;
    for (std::size_t i = first_load_; i < loads_.size() && seen < kLoadWindow; ++i) {
      if (done_[loads_[i]]) continue;
      if (searched_ > kMostSearched) return kNothing;
      ++seen;
      const std::uint32_t needed = first_needed(loads_[i]);
      if (needed != kNothing) return needed;
    }
    return kNothing;
  }

  unsigned operands_at(std::uint32_t number) const {
    unsigned at = 0;
    for (const std::uint32_t value : nodes()[number].reads) at = std::max(at, there_[value]);
    return at;
  }

  /// The next operation from `i` on that is not done.
  std::uint32_t not_done(std::uint32_t i) {
    std::uint32_t end = i;
    while (end < nodes().size() && done_[end]) end = next_[end];
    while (i != end) {  // so that it is skipped at once next time
      const std::uint32_t after = next_[i];
      next_[i] = end;
      i = after;
    }
    return end;
  }

  std::uint32_t choose_other() {
    std::uint32_t best = kNothing;
    unsigned best_at = 0;
    unsigned seen = 0;
    for (std::uint32_t i = begin_; i < nodes().size() && seen < kWindow; i = not_done(i + 1)) {
      ++seen;
      const MachineOperation& operation = *nodes()[i].operation;
      if (operation.is_branch || operation.is_load || !has_operands(i) || !may_go(i)) continue;
      const unsigned at = std::max(operands_at(i), time_);
      if (best == kNothing || at < best_at || (at == best_at && at == time_ && height_[i] > height_[best])) {
        best = i;
        best_at = at;
      }
    }
    return best;
  }

  std::uint32_t choose() {
    begin_ = not_done(begin_);
    const std::uint32_t towards_load = choose_for_loads();
    if (towards_load != kNothing) return towards_load;
    const std::uint32_t other = choose_other();
    if (other != kNothing) return other;
    for (std::uint32_t i = begin_; i < nodes().size(); i = not_done(i + 1)) {
      if (!nodes()[i].operation->is_branch && has_operands(i) && may_go(i)) return i;
    }
    return begin_;  // the branch
  }

  void issue(std::uint32_t number) {
    const ValueGraph::Node& node = nodes()[number];
    done_[number] = true;
    time_ = std::max(time_, operands_at(number));
    for (const std::uint32_t value : node.reads) {
      if (!waiting_[value]) continue;
      waiting_[value] = false;
      in_flight_ -= values()[value].slots;
    }
    for (const std::uint32_t value : node.writes) {
      there_[value] = time_ + node.operation->latency;
      if (!node.operation->is_load || values()[value].readers.empty()) continue;
      waiting_[value] = true;
      in_flight_ += values()[value].slots;
    }
    ++time_;
  }

  const ValueGraph& graph_;
  std::vector<bool> done_;
  std::vector<unsigned> height_;  ///< cycles from a node's issue to the end of all that waits for it
  std::vector<unsigned> there_;   ///< cycle from which a value may be read
  std::vector<bool> waiting_;     ///< loaded and not yet read
  std::vector<std::uint32_t> work_;
  std::vector<unsigned> seen_;  ///< number of the last search that came to a node
  unsigned search_ = 0;
  std::uint64_t searched_ = 0;        ///< operations, in all searches
  std::vector<std::uint32_t> next_;   ///< of one that is done: those in between are done too
  std::vector<std::uint32_t> loads_;  ///< in the order of the PTX
  std::size_t first_load_ = 0;        ///< in loads_, that is not done
  unsigned in_flight_ = 0;            ///< registers of those
  unsigned time_ = 0;                 ///< cycles, one operation each
  std::uint32_t begin_ = 0;
};

}  // namespace

std::vector<std::uint32_t> schedule(const ValueGraph& graph, Effort effort) {
  if (effort == Effort::kFast) return Scheduler(graph).run();
  std::vector<std::uint32_t> order(graph.nodes().size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  return order;
}

}  // namespace heddle::ptx
