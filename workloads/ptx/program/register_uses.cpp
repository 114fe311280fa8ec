#include "workloads/ptx/program/register_uses.h"

#include <algorithm>

namespace heddle::ptx {

namespace {

bool writes_before_reading_all(const Operation& operation) {
  switch (operation.opcode) {
    case Opcode::kLd:
    case Opcode::kTex:
    case Opcode::kAtom:
    case Opcode::kShfl:
    case Opcode::kVote:
    case Opcode::kMatch:
    case Opcode::kPrintf:
    case Opcode::kBarRed:
      return true;
    default:
      return operation.num_dst > 1;
  }
}

void add_once(std::vector<std::uint32_t>& list, std::uint32_t value) {
  if (value != kNoVirtual && std::find(list.begin(), list.end(), value) == list.end()) {
    list.push_back(value);
  }
}

}  // namespace

std::vector<Flow> flow_of(const VirtualCode& code) {
  std::vector<Flow> flow;
  flow.reserve(code.operations.size());
  for (const VirtualOperation& lowered : code.operations) {
    const bool guarded = lowered.guard != kNoVirtual;
    Flow step;
    if (lowered.operation.opcode == Opcode::kBra) {
      step.kind = guarded ? Flow::Kind::kBranch : Flow::Kind::kJump;
      step.target = lowered.operation.target;
    } else if (lowered.operation.opcode == Opcode::kExit && !guarded) {
      step.kind = Flow::Kind::kExit;
    } else if (lowered.operation.opcode == Opcode::kTrap && !guarded) {
      step.kind = Flow::Kind::kTrap;
    }
    flow.push_back(step);
  }
  return flow;
}

std::vector<RegisterUse> uses_of(const VirtualCode& code) {
  std::vector<RegisterUse> uses;
  uses.reserve(code.operations.size());
  for (const VirtualOperation& lowered : code.operations) {
    RegisterUse& use = uses.emplace_back();
    use.disjoint = writes_before_reading_all(lowered.operation);
    for (const std::uint32_t source : lowered.src) {
      add_once(use.reads, source);
    }
    add_once(use.reads, lowered.base);
    add_once(use.reads, lowered.guard);
    for (const std::uint32_t destination : lowered.dst) {
      add_once(use.writes, destination);
      if (lowered.guard != kNoVirtual) {
        add_once(use.reads, destination);
      }
    }
  }
  return uses;
}

}  // namespace heddle::ptx
