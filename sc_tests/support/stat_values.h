#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/observe.h"

namespace heddle::test {

/// Reads statistics by name.
class StatValues : public StatSink {
 public:
  void enter(std::string_view /*scope*/) override {}
  void leave() override {}
  void count(std::string_view name, std::uint64_t value, std::string_view /*unit*/,
             std::string_view /*description*/) override {
    values[std::string(name)] = static_cast<double>(value);
  }
  void level(std::string_view name, double value, std::string_view /*unit*/,
             std::string_view /*description*/) override {
    values[std::string(name)] = value;
  }
  std::map<std::string, double> values;
};

}  // namespace heddle::test
