#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "top/rtl/golden_vectors.h"
#include "top/rtl/twin_design.h"
#include "top/rtl/twin_library.h"

namespace heddle {

/// A verilated twin that is told the values of its ports cycle by cycle, beside what the model puts out:
/// compares them, keeps the last cycles for waves, and gives golden vectors.
class PortTwin {
 public:
  struct Setup {
    const TwinDesign* design = nullptr;
    const TwinLibrary* library = nullptr;
    std::string waves;                        ///< file for a mismatch
    std::atomic<bool>* mismatched = nullptr;  ///< by some twin: the first writes waves
    GoldenVectors* vectors = nullptr;         ///< takes what its SM's twin is told and says; nullptr: none
  };
  PortTwin(unsigned sm, const Setup& setup);

  /// The inputs of the design, in its order, and behind them what the model puts out.
  std::vector<std::uint64_t>& words() { return words_; }
  unsigned inputs() const { return inputs_; }
  /// What the twin puts out with these inputs; no clock edge.
  const std::vector<std::uint64_t>& look() {
    twin_.look(words_.data(), out_.data());
    return out_;
  }
  /// The words are those of `cycle`: compares, and goes on to the next one. Throws TwinMismatch.
  void end_cycle(std::uint64_t cycle);
  [[noreturn, gnu::cold]] void fail(std::uint64_t cycle, const std::string& problem);

  std::uint64_t edges() const { return edges_; }

 private:
  static constexpr unsigned kWindow = 100;  ///< cycles of waves before a mismatch
  struct Record {
    std::uint64_t cycle;
    std::vector<std::uint64_t> words;
  };
  /// A state and what came after it.
  struct Stretch {
    std::vector<std::uint8_t> state;
    std::vector<Record> records;
    unsigned used = 0;  ///< records that count
    void add(std::uint64_t cycle, const std::vector<std::uint64_t>& words);
  };

  std::string write_waves(std::uint64_t cycle);

  const unsigned sm_;
  const TwinDesign& design_;
  const unsigned inputs_;
  const std::string waves_;
  std::atomic<bool>& mismatched_;
  GoldenVectors* const vectors_;
  TwinInstance twin_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> out_;
  Stretch older_;
  Stretch newer_;
  std::uint64_t edges_ = 0;
};

}  // namespace heddle
