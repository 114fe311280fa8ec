#pragma once

#include <map>
#include <string>

#include "base/observe.h"

namespace heddle::test {

/// The counts that blocks report, by "scope/name".
class Figures : public StatSink {
 public:
  template <class Block>
  static std::map<std::string, std::uint64_t> of(const Block& block) {
    Figures figures;
    block.report(figures);
    return figures.counts_;
  }

  void enter(std::string_view scope) override { prefix_ += std::string(scope) + "/"; }
  void leave() override { prefix_.erase(prefix_.rfind('/', prefix_.size() - 2) + 1); }
  void count(std::string_view name, std::uint64_t value, std::string_view /*unit*/,
             std::string_view /*description*/) override {
    counts_[prefix_ + std::string(name)] = value;
  }
  void level(std::string_view /*name*/, double /*value*/, std::string_view /*unit*/,
             std::string_view /*description*/) override {}

 private:
  std::string prefix_;
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace heddle::test
