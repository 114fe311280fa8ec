#include "top/waves/wave_window.h"

#include <algorithm>
#include <map>
#include <utility>

#include "top/support/output/atomic_file.h"

namespace heddle {

namespace {

std::size_t lowest_bit(std::uint64_t mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }

constexpr std::size_t kWordBits = 64;

std::uint64_t bit_of(std::size_t number) { return std::uint64_t{1} << number % kWordBits; }

}  // namespace

WaveWindow::WaveWindow(const sc_core::sc_module_name& name, const std::string& path,
                       const std::vector<WaveSignal>& signals, std::vector<WaveClock> clocks,
                       CycleWindow window, ClockTree& tree, const Changers& changers)
    : sc_module(name),
      clocks_(std::move(clocks)),
      from_(time_of(window.from)),
      to_(time_of(window.to)),
      tree_(tree) {
  SC_METHOD(open);
  sensitive << event_;
  dont_initialize();
  tree.edge_handled.listen([this] { look(); });
  file_.emplace(path, signals, group(signals, changers), clocks_);
}

/// Signals that change at the same time are a group: its number, by signal.
std::vector<std::size_t> WaveWindow::group(const std::vector<WaveSignal>& signals, const Changers& changers) {
  std::vector<std::size_t> group_of_signal;
  using Key = std::pair<std::vector<const Clocked*>, const std::uint64_t*>;
  std::map<std::pair<std::string, const std::uint64_t*>, std::size_t> of_scope;
  std::map<Key, std::size_t> of_changes;
  for (const WaveSignal& signal : signals) {
    const auto [scope, is_new] = of_scope.emplace(std::make_pair(signal.scope, signal.version), 0);
    if (is_new) {
      const std::vector<const Clocked*> blocks = changers(signal.scope);
      scope->second = of_changes.emplace(Key(blocks, signal.version), groups_.size()).first->second;
      if (scope->second == groups_.size()) groups_.push_back({blocks, signal.version});
    }
    group_of_signal.push_back(scope->second);
  }
  return group_of_signal;
}

/// From the start of simulation on.
void WaveWindow::find_blocks() {
  always_.resize(groups_.size() / kWordBits + 1);
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    const std::vector<const Clocked*>& blocks = groups_[group].blocks;
    if (blocks.empty()) always_[group / kWordBits] |= bit_of(group);
    for (const Clocked* block : blocks) watch(*block, group);
  }
  due_ = always_;
}

void WaveWindow::watch(const Clocked& block, std::size_t group) {
  const ClockDomain& domain = block.domain();
  const std::size_t index = domain.index_of(block);
  const std::size_t word = index / kWordBits;
  auto watched = std::find_if(watched_.begin(), watched_.end(),
                              [&](const Watched& w) { return w.domain == &domain && w.word == word; });
  if (watched == watched_.end()) {
    watched = watched_.insert(watched_.end(), {&domain, word, 0, changed_by_.size()});
    changed_by_.resize(changed_by_.size() + kWordBits);
  }
  watched->blocks |= bit_of(index);
  std::vector<GroupMask>& masks = changed_by_[watched->first + index % kWordBits];
  if (masks.empty() || masks.back().word != group / kWordBits) masks.push_back({group / kWordBits, 0});
  masks.back().groups |= bit_of(group);
}

/// The last time that there is, when it is later.
Ticks WaveWindow::time_of(std::uint64_t cycle) const {
  const Ticks period = clocks_.front().period;
  return cycle > ClockTree::kNever / period ? ClockTree::kNever : cycle * period;
}

void WaveWindow::start_of_simulation() { event_.notify(sc_core::sc_time::from_value(from_)); }

/// At the time of the window's first edge, before that edge or after it: the blocks have not gone on.
void WaveWindow::open() {
  if (started_) return;
  started_ = true;
  find_blocks();
  file_->begin(from_);
}

void WaveWindow::look() {
  const Ticks now = tree_.time();
  if (!file_) return;
  if (!started_) {
    if (now != from_) return;
    open();
  }
  if (now >= to_) {
    end();
  } else {
    sample(now);
  }
}

void WaveWindow::find_due(Ticks now) {
  for (const Watched& watched : watched_) {
    if (watched.domain->now() != now) continue;
    std::uint64_t ticked = watched.domain->ticked()[watched.word] & watched.blocks;
    for (; ticked != 0; ticked &= ticked - 1) {
      const std::vector<GroupMask>& changed = changed_by_[watched.first + lowest_bit(ticked)];
      for (const GroupMask& mask : changed) due_[mask.word] |= mask.groups;
    }
  }
}

/// Groups in the order of their numbers, whichever blocks they are looked at for; those that follow each
/// other together.
void WaveWindow::sample(Ticks now) {
  find_due(now);
  std::size_t first = 0;
  std::size_t end = 0;
  for (std::size_t word = 0; word < due_.size(); ++word) {
    for (std::uint64_t left = std::exchange(due_[word], always_[word]); left != 0; left &= left - 1) {
      const std::size_t group = word * kWordBits + lowest_bit(left);
      if (!groups_[group].changed()) continue;
      if (group != end) {
        if (first != end) file_->sample(now, first, end);
        first = group;
      }
      end = group + 1;
    }
  }
  if (first != end) file_->sample(now, first, end);
}

void WaveWindow::end() {
  const Ticks period = clocks_.front().period;
  file_->end(std::min(to_, (tree_.time() / period + 1) * period));
  problem_ = file_->problem();
  file_.reset();
}

void WaveWindow::close() {
  if (started_ && file_) end();
  if (!problem_.empty()) throw OutputError(problem_);
}

}  // namespace heddle
