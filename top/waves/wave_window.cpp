#include "top/waves/wave_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "top/support/atomic_file.h"

namespace heddle {

namespace {

constexpr std::size_t kWordBits = 64;

std::size_t lowest_bit(std::uint64_t mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }

}  // namespace

WaveWindow::WaveWindow(const sc_core::sc_module_name& name, std::string path,
                       const std::vector<WaveSignal>& signals, std::vector<WaveClock> clocks,
                       CycleWindow window, ClockTree& tree, const Changers& changers)
    : sc_module(name),
      path_(std::move(path)),
      signals_(signals),
      clocks_(std::move(clocks)),
      window_(window),
      to_(time_of(window.to)),
      tree_(tree) {
  SC_METHOD(open);
  sensitive << event_;
  dont_initialize();
  tree.edge_handled.listen([this] { look(); });
  group(changers);
}

/// Signals that change in ticks of the same blocks are a group.
void WaveWindow::group(const Changers& changers) {
  std::map<std::string, std::size_t> of_scope;
  std::map<std::vector<const Clocked*>, std::size_t> of_blocks;
  for (const WaveSignal& signal : signals_) {
    const auto [scope, is_new] = of_scope.emplace(signal.scope, 0);
    if (is_new) {
      const std::vector<const Clocked*> blocks = changers(signal.scope);
      scope->second = of_blocks.emplace(blocks, changers_.size()).first->second;
      if (scope->second == changers_.size()) changers_.push_back(blocks);
    }
    groups_.push_back(scope->second);
  }
}

/// From the start of simulation on.
void WaveWindow::find_blocks() {
  due_.resize(changers_.size() / kWordBits + 1);
  always_.resize(due_.size());
  for (std::size_t group = 0; group < changers_.size(); ++group) {
    if (changers_[group].empty()) always_[group / kWordBits] |= std::uint64_t{1} << group % kWordBits;
    for (const Clocked* block : changers_[group]) {
      const ClockDomain& domain = block->domain();
      auto watched = std::find_if(watched_.begin(), watched_.end(),
                                  [&domain](const Watched& w) { return w.domain == &domain; });
      if (watched == watched_.end()) {
        watched = watched_.insert(watched_.end(), {&domain, {}, {}});
        watched->blocks.resize(domain.ticked().size());
      }
      const std::size_t index = domain.index_of(*block);
      watched->blocks[index / kWordBits] |= std::uint64_t{1} << index % kWordBits;
      if (watched->groups.size() <= index) watched->groups.resize(index + 1);
      watched->groups[index].push_back(group);
    }
  }
}

/// The last time that there is, when it is later.
Ticks WaveWindow::time_of(std::uint64_t cycle) const {
  const Ticks period = clocks_.front().period;
  return cycle > ClockTree::kNever / period ? ClockTree::kNever : cycle * period;
}

void WaveWindow::start_of_simulation() { event_.notify(sc_core::sc_time::from_value(time_of(window_.from))); }

/// At the time of the window's first edge, before that edge or after it: the blocks have not gone on.
void WaveWindow::open() {
  if (started_) return;
  started_ = true;
  find_blocks();
  file_.emplace(path_, signals_, groups_, clocks_);
  file_->begin(time_of(window_.from));
}

void WaveWindow::look() {
  const Ticks now = tree_.time();
  if (!file_) {
    if (started_ || now != time_of(window_.from)) return;
    open();
  }
  if (now >= to_) {
    end();
  } else {
    sample(now);
  }
}

/// Groups in the order of their numbers, whichever blocks they are looked at for.
void WaveWindow::sample(Ticks now) {
  std::copy(always_.begin(), always_.end(), due_.begin());
  for (const Watched& watched : watched_) {
    if (watched.domain->now() != now) continue;
    const std::vector<std::uint64_t>& ticked = watched.domain->ticked();
    for (std::size_t w = 0; w < ticked.size(); ++w) {
      for (std::uint64_t left = ticked[w] & watched.blocks[w]; left != 0; left &= left - 1) {
        for (const std::size_t group : watched.groups[w * kWordBits + lowest_bit(left)]) {
          due_[group / kWordBits] |= std::uint64_t{1} << group % kWordBits;
        }
      }
    }
  }
  for (std::size_t w = 0; w < due_.size(); ++w) {
    for (std::uint64_t left = due_[w]; left != 0; left &= left - 1) {
      file_->sample(now, w * kWordBits + lowest_bit(left));
    }
  }
}

void WaveWindow::end() {
  const Ticks period = clocks_.front().period;
  file_->end(std::min(to_, (tree_.time() / period + 1) * period));
  failed_ = !file_->good();
  file_.reset();
}

void WaveWindow::close() {
  if (file_) end();
  if (failed_) throw OutputError(fmt::format("{}: can't be written", path_));
}

}  // namespace heddle
