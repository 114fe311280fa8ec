#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/observe.h"

namespace heddle {

/// The blocks that an assembly is made of, in the order in which they report. What is done with all of them
/// is done with this list.
class BlockList {
 public:
  /// `block` is an sc_module with idle(), settle(), report() and trace(); it must outlive the list. Its
  /// statistics and signals stand in a scope with the module's name.
  template <class Block>
  void add(Block& block) {
    entries_.push_back({block.basename(), std::make_unique<HandleOf<Block>>(block)});
  }
  /// As add(), with its statistics and signals in the assembly's own scope.
  template <class Block>
  void add_without_scope(Block& block) {
    entries_.push_back({"", std::make_unique<HandleOf<Block>>(block)});
  }

  /// All are idle.
  bool idle() const {
    return std::all_of(entries_.begin(), entries_.end(),
                       [](const Entry& entry) { return entry.block->idle(); });
  }
  /// See Clocked::settle().
  void settle() {
    for (const Entry& entry : entries_) entry.block->settle();
  }
  void report(StatSink& sink) const {
    for (const Entry& entry : entries_) {
      if (!entry.scope.empty()) sink.enter(entry.scope);
      entry.block->report(sink);
      if (!entry.scope.empty()) sink.leave();
    }
  }
  void trace(WaveSink& sink) {
    for (const Entry& entry : entries_) {
      if (!entry.scope.empty()) sink.enter(entry.scope);
      entry.block->trace(sink);
      if (!entry.scope.empty()) sink.leave();
    }
  }

 private:
  /// What is asked of a block, whatever its type.
  struct Handle {
    virtual ~Handle() = default;
    virtual bool idle() const = 0;
    virtual void settle() = 0;
    virtual void report(StatSink& sink) const = 0;
    virtual void trace(WaveSink& sink) = 0;
  };
  template <class Block>
  class HandleOf : public Handle {
   public:
    explicit HandleOf(Block& block) : block_(block) {}
    bool idle() const override { return block_.idle(); }
    void settle() override { block_.settle(); }
    void report(StatSink& sink) const override { block_.report(sink); }
    void trace(WaveSink& sink) override { block_.trace(sink); }

   private:
    Block& block_;
  };
  struct Entry {
    std::string scope;  ///< "": the assembly's own
    std::unique_ptr<Handle> block;
  };

  std::vector<Entry> entries_;
};

}  // namespace heddle
