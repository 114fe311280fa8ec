#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

namespace heddle {

/// The delta cycles of a domain's edge, when its blocks tick as SystemC processes: those of one level run in
/// one, and may run in any order. Blocks are numbered so that those of a level stand together. Each level has
/// an event, the domain's edge as its blocks see it.
class TickLevels {
 public:
  using Block = std::uint32_t;

  /// Levels are added from the first to the last; a level ends before block `end`.
  void add(Block end);

  /// The edge begins: next() goes to the first level.
  void restart() { present_ = kNone; }
  /// Goes to the next level; false when there is none.
  bool next() { return ++present_ < levels_.size(); }

  /// Of the present level: its blocks are [begin, end).
  Block begin() const { return present_ == 0 ? 0 : levels_[present_ - 1].end; }
  Block end() const { return levels_[present_].end; }
  sc_core::sc_event& edge() const { return *levels_[present_].edge; }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Level {
    Block end;
    std::unique_ptr<sc_core::sc_event> edge;
  };
  std::vector<Level> levels_;
  std::size_t present_ = kNone;
};

}  // namespace heddle
