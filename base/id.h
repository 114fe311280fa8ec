#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

namespace heddle {

/// The number of one of several like things (an SM, a warp slot), as a type of its own: ids of two kinds
/// can't be swapped, and no number becomes an id, or an id a number, unless one says so. `Tag` tells the
/// kinds apart; `Value` is the unsigned type that it is stored in, and all that it costs.
template <class Tag, class Value = unsigned>
class Id {
  static_assert(std::is_unsigned_v<Value>, "ids are numbered from 0");

 public:
  /// What value() returns: wide enough to count with.
  using Number = std::conditional_t<(sizeof(Value) < sizeof(unsigned)), unsigned, Value>;

  /// Number 0.
  constexpr Id() = default;
  /// `number` must fit into Value.
  constexpr explicit Id(Number number) : value_(static_cast<Value>(number)) {}

  constexpr Number value() const { return value_; }

  friend constexpr bool operator==(Id a, Id b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(Id a, Id b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(Id a, Id b) { return a.value_ < b.value_; }
  /// The next one.
  constexpr Id& operator++() {
    ++value_;
    return *this;
  }

 private:
  Value value_ = 0;
};

}  // namespace heddle

template <class Tag, class Value>
struct std::hash<heddle::Id<Tag, Value>> {
  std::size_t operator()(heddle::Id<Tag, Value> id) const noexcept {
    return std::hash<typename heddle::Id<Tag, Value>::Number>()(id.value());
  }
};
