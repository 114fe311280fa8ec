#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/observe.h"

namespace heddle::test {

/// Statistics by their scoped names, "sp.dispatched".
class StatTable : public StatSink {
 public:
  void enter(std::string_view scope) override { prefix_.push_back(std::string(scope) + "."); }
  void leave() override { prefix_.pop_back(); }
  void count(std::string_view name, std::uint64_t value, std::string_view /*unit*/,
             std::string_view /*description*/) override {
    values[full(name)] = value;
  }
  void level(std::string_view name, double value, std::string_view /*unit*/,
             std::string_view /*description*/) override {
    levels[full(name)] = value;
  }

  std::map<std::string, std::uint64_t> values;
  std::map<std::string, double> levels;

 private:
  std::string full(std::string_view name) const {
    std::string whole;
    for (const std::string& part : prefix_) whole += part;
    return whole.append(name);
  }
  std::vector<std::string> prefix_;
};

/// What `block` reports as of this moment.
template <class Block>
StatTable statistics(Block& block) {
  block.settle();
  StatTable table;
  block.report(table);
  return table;
}

}  // namespace heddle::test
