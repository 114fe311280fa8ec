#include "top/waves/wave_window.h"

#include <algorithm>
#include <map>
#include <utility>

#include "top/support/output/atomic_file.h"

namespace heddle {

namespace {

std::size_t lowest_bit(std::uint64_t mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }

}  // namespace

WaveWindow::WaveWindow(const sc_core::sc_module_name& name, std::string path,
                       const std::vector<WaveSignal>& signals, std::vector<WaveClock> clocks,
                       CycleWindow window, ClockTree& tree, const Changers& changers)
    : sc_module(name),
      path_(std::move(path)),
      signals_(signals),
      clocks_(std::move(clocks)),
      from_(time_of(window.from)),
      to_(time_of(window.to)),
      tree_(tree) {
  SC_METHOD(open);
  sensitive << event_;
  dont_initialize();
  tree.edge_handled.listen([this] { look(); });
  group(changers);
}

/// Signals that change at the same time are a group.
void WaveWindow::group(const Changers& changers) {
  using Key = std::pair<std::vector<const Clocked*>, const std::uint64_t*>;
  std::map<std::string, std::size_t> of_scope;
  std::map<Key, std::size_t> of_changes;
  for (const WaveSignal& signal : signals_) {
    const auto [scope, is_new] = of_scope.emplace(signal.scope, 0);
    if (is_new) {
      const Changes changes = changers(signal.scope);
      scope->second = of_changes.emplace(Key(changes.blocks, changes.version), groups_.size()).first->second;
      if (scope->second == groups_.size()) groups_.push_back({changes});
    }
    group_of_signal_.push_back(scope->second);
  }
}

/// From the start of simulation on.
void WaveWindow::find_blocks() {
  always_.resize(groups_.size() / kWordBits + 1);
  watched_.resize(always_.size());
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    const std::vector<const Clocked*>& blocks = groups_[group].changes.blocks;
    if (blocks.empty()) always_[group / kWordBits] |= std::uint64_t{1} << group % kWordBits;
    for (const Clocked* block : blocks) watch(*block, group);
  }
}

void WaveWindow::watch(const Clocked& block, std::size_t group) {
  const ClockDomain& domain = block.domain();
  const std::size_t index = domain.index_of(block);
  const std::size_t word = index / kWordBits;
  std::vector<Watched>& list = watched_[group / kWordBits];
  auto watched = std::find_if(list.begin(), list.end(),
                              [&](const Watched& w) { return w.domain == &domain && w.word == word; });
  if (watched == list.end()) watched = list.insert(list.end(), {&domain, word});
  watched->blocks |= std::uint64_t{1} << index % kWordBits;
  watched->groups[index % kWordBits] |= std::uint64_t{1} << group % kWordBits;
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
  file_.emplace(path_, signals_, group_of_signal_, clocks_);
  file_->begin(from_);
}

void WaveWindow::look() {
  const Ticks now = tree_.time();
  if (!file_) {
    if (started_ || now != from_) return;
    open();
  }
  if (now >= to_) {
    end();
  } else {
    sample(now);
  }
}

/// Of a word of the groups those that are looked at after this edge.
std::uint64_t WaveWindow::due(Ticks now, std::size_t word) const {
  std::uint64_t due = always_[word];
  for (const Watched& watched : watched_[word]) {
    if (watched.domain->now() != now) continue;
    const std::uint64_t ticked = watched.domain->ticked()[watched.word] & watched.blocks;
    for (std::uint64_t left = ticked; left != 0; left &= left - 1) due |= watched.groups[lowest_bit(left)];
  }
  return due;
}

/// Groups in the order of their numbers, whichever blocks they are looked at for.
void WaveWindow::sample(Ticks now) {
  for (std::size_t word = 0; word < always_.size(); ++word) {
    for (std::uint64_t left = due(now, word); left != 0; left &= left - 1) {
      const std::size_t group = word * kWordBits + lowest_bit(left);
      if (groups_[group].changed()) file_->sample(now, group);
    }
  }
}

void WaveWindow::end() {
  const Ticks period = clocks_.front().period;
  file_->end(std::min(to_, (tree_.time() / period + 1) * period));
  problem_ = file_->problem();
  file_.reset();
}

void WaveWindow::close() {
  if (file_) end();
  if (!problem_.empty()) throw OutputError(problem_);
}

}  // namespace heddle
