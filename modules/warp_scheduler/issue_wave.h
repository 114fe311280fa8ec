#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/observe.h"
#include "modules/messages/warp_instruction.h"

namespace heddle {

/// What kind of instruction waves call it: its operation class, or what it does to memory or control.
std::uint64_t instruction_kind(const Instruction& instruction);
const std::vector<std::string>& instruction_kind_names();
/// Names of Space in the order of its values.
const std::vector<std::string>& space_names();

/// The instruction that a scheduler issued last, as waves show it.
class IssueWave {
 public:
  void show(const WarpInstruction& issued);
  void trace(WaveSink& sink) const;

 private:
  std::uint64_t id_ = 0;
  std::uint64_t pc_ = 0;
  std::uint64_t kind_ = 0;
  std::uint64_t unit_ = 0;
  std::uint64_t space_ = 0;
  std::uint64_t lanes_ = 0;
  std::uint64_t access_lanes_ = 0;
};

}  // namespace heddle
