#include "modules/warp_scheduler/issue_wave.h"

namespace heddle {

namespace {

constexpr unsigned kIdBits = 48;
constexpr unsigned kPcBits = 48;

/// Behind the operation classes.
enum Kind : std::uint64_t {
  kLoad = static_cast<std::uint64_t>(OpClass::kMemory),
  kStore,
  kAtomic,
  kReduction,
  kBranch,
  kBarrier,
  kMembar,
  kExit,
};

}  // namespace

std::uint64_t instruction_kind(const Instruction& instruction) {
  switch (instruction.control) {
    case Control::kBranch:
      return kBranch;
    case Control::kBarrier:
      return kBarrier;
    case Control::kMembar:
      return kMembar;
    case Control::kExit:
      return kExit;
    case Control::kNone:
      break;
  }
  switch (instruction.mem) {
    case MemOp::kLoad:
      return kLoad;
    case MemOp::kStore:
      return kStore;
    case MemOp::kAtomic:
      return kAtomic;
    case MemOp::kReduction:
      return kReduction;
    case MemOp::kNone:
      break;
  }
  return static_cast<std::uint64_t>(instruction.op_class);
}

const std::vector<std::string>& instruction_kind_names() {
  static const std::vector<std::string> names{
      "simple",    "int_add",      "int_min_max", "int_mul",        "int_mad",  "int_div",  "shuffle",
      "fp32_add",  "fp32_min_max", "fp32_mul",    "fp32_mad",       "fp32_div", "fp64_add", "fp64_min_max",
      "fp64_mul",  "fp64_mad",     "fp64_div",    "transcendental", "load",     "store",    "atomic",
      "reduction", "branch",       "barrier",     "membar",         "exit"};
  return names;
}

const std::vector<std::string>& space_names() {
  static const std::vector<std::string> names{"none",  "global", "local",   "shared",
                                              "const", "param",  "generic", "texture"};
  return names;
}

void IssueWave::show(const WarpInstruction& issued) {
  id_ = issued.id;
  pc_ = issued.pc;
  kind_ = instruction_kind(*issued.instruction);
  unit_ = static_cast<std::uint64_t>(issued.instruction->unit);
  space_ = static_cast<std::uint64_t>(issued.space);
  lanes_ = issued.active;
  access_lanes_ = issued.access;
}

void IssueWave::trace(WaveSink& sink) const {
  sink.signal(id_, kIdBits, "issue_id");
  sink.signal(pc_, kPcBits, "issue_pc");
  sink.enumeration(kind_, "issue_class", instruction_kind_names());
  sink.enumeration(unit_, "issue_unit", {"sp", "sfu", "ldst"});
  sink.enumeration(space_, "issue_space", space_names());
  sink.signal(lanes_, kWarpSize, "issue_lanes");
  sink.signal(access_lanes_, kWarpSize, "issue_access_lanes");
}

}  // namespace heddle
