#pragma once

#include <string>
#include <vector>

#include "hw/timing_path.h"

namespace heddle::hw {

class Part;

/// All parts that exist, in the order of their construction; parts enter and leave by themselves. Filled by a
/// running model, or by building one scheduler and walking it.
class Inventory {
 public:
  /// A path through several parts, declared by the block that owns them.
  struct BlockPath {
    std::string owner;  ///< path of the block
    std::string name;
    TimingPath path;
  };

  Inventory() = default;
  Inventory(const Inventory&) = delete;
  Inventory& operator=(const Inventory&) = delete;

  const std::vector<const Part*>& parts() const { return parts_; }
  const std::vector<BlockPath>& paths() const { return paths_; }
  void declare_path(BlockPath path) { paths_.push_back(std::move(path)); }

 private:
  friend class Part;
  void enter(const Part& part);
  void leave(const Part& part);

  std::vector<const Part*> parts_;
  std::vector<BlockPath> paths_;
};

}  // namespace heddle::hw
