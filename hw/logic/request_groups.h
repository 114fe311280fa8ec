#pragma once

#include "hw/pricing/part.h"

namespace heddle::hw {

struct RequestGroupsShape {
  unsigned groups = 8;   ///< 1 to 64
  unsigned inputs = 24;  ///< that may be of one group, 1 to 64
  bool wired = false;    ///< the members of a group never change: an OR each; otherwise an AND-OR with lines
                         ///< that say who they are, which another block keeps
};

/// Which of some groups have a member among the requests. Combinational; it takes cycles() (0 in ideal
/// timing).
class RequestGroups final : public Part {
 public:
  /// Throws std::invalid_argument for sizes outside the ranges of the shape.
  RequestGroups(const Owner& owner, std::string_view name, const RequestGroupsShape& shape);

  /// Bit g: `members(g)` has one of `requests`.
  template <class Members>
  std::uint64_t with_any(std::uint64_t requests, const Members& members) {
    ++activity_.selects;
    std::uint64_t groups = 0;
    for (unsigned g = 0; g < shape_.groups; ++g) {
      if ((members(g) & requests) != 0) groups |= std::uint64_t{1} << g;
    }
    return groups;
  }

  Structure structure() const override;

 private:
  RequestGroupsShape shape_;
};

}  // namespace heddle::hw
