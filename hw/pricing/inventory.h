#pragma once

#include <string>
#include <vector>

#include "hw/pricing/timing_path.h"

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

  /// Why a part is left out of a paper's byte total, or any other remark on it.
  struct Note {
    std::string owner;  ///< path of the block
    std::string part;   ///< its name; with a final "*" instead of a number it means all of these
    std::string text;
  };

  Inventory() = default;
  Inventory(const Inventory&) = delete;
  Inventory& operator=(const Inventory&) = delete;

  const std::vector<const Part*>& parts() const { return parts_; }
  const std::vector<BlockPath>& paths() const { return paths_; }
  void declare_path(BlockPath path) { paths_.push_back(std::move(path)); }
  const std::vector<Note>& notes() const { return notes_; }
  void note(Note note) { notes_.push_back(std::move(note)); }

 private:
  friend class Part;
  void enter(const Part& part);
  void leave(const Part& part);

  std::vector<const Part*> parts_;
  std::vector<BlockPath> paths_;
  std::vector<Note> notes_;
};

}  // namespace heddle::hw
