#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace heddle {

/// Ports of one kind, by number; a port stays where it was made, as its bindings require.
template <class Port>
class PortList {
 public:
  /// Makes one more from `arguments`.
  template <class... Arguments>
  Port& add(Arguments&&... arguments) {
    ports_.push_back(std::make_unique<Port>(std::forward<Arguments>(arguments)...));
    return *ports_.back();
  }

  Port& operator[](std::size_t number) { return *ports_[number]; }
  const Port& operator[](std::size_t number) const { return *ports_[number]; }
  std::size_t size() const { return ports_.size(); }

  /// Whether `test` holds for every port.
  template <class Test>
  bool all(Test test) const {
    for (const auto& port : ports_) {
      if (!test(*port)) return false;
    }
    return true;
  }

 private:
  std::vector<std::unique_ptr<Port>> ports_;
};

}  // namespace heddle
