#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "workloads/ptx/execution/execute_bind.h"
#include "workloads/ptx/execution/execute_operands.h"
#include "workloads/ptx/lanes/lane_build.h"

namespace heddle::ptx::testing {

inline std::uint64_t bits(float value) {
  std::uint32_t result = 0;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}
inline std::uint64_t bits(double value) {
  std::uint64_t result = 0;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}
inline float as_float(std::uint64_t value) {
  const auto low = static_cast<std::uint32_t>(value);
  float result = 0;
  std::memcpy(&result, &low, sizeof(result));
  return result;
}
inline double as_double(std::uint64_t value) {
  double result = 0;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

inline std::vector<const LaneBuild*> lane_builds() {
  std::vector<const LaneBuild*> builds{&baseline_lane_build()};
  if (avx2_lane_build() != nullptr) builds.push_back(avx2_lane_build());
  return builds;
}

inline Operand reg(unsigned slot, unsigned width) {
  Operand operand;
  operand.kind = Operand::Kind::kRegister;
  operand.slot = static_cast<std::uint16_t>(slot);
  operand.bits = static_cast<std::uint8_t>(width);
  return operand;
}
inline Operand predicate(unsigned number, bool inverted = false) {
  Operand operand;
  operand.kind = Operand::Kind::kPredicate;
  operand.slot = static_cast<std::uint16_t>(number);
  operand.inverted = inverted;
  return operand;
}
inline Operand immediate(std::uint64_t value) {
  Operand operand;
  operand.kind = Operand::Kind::kImmediate;
  operand.value = value;
  return operand;
}

/// The registers of one warp, and a handler to run on them.
class Rig {
 public:
  explicit Rig(const LaneBuild& build)
      : build_(build), registers_(64 * kRowBytes), block_(kBlockRowBytes), predicates_(64) {}

  std::uint64_t get(unsigned slot, unsigned width, unsigned lane) const {
    std::uint64_t value = 0;
    std::memcpy(&value, place(slot, width, lane), width == 64 ? 8 : 4);
    return value;
  }
  void set(unsigned slot, unsigned width, unsigned lane, std::uint64_t value) {
    std::memcpy(const_cast<std::uint8_t*>(place(slot, width, lane)), &value, width == 64 ? 8 : 4);
  }
  LaneMask& predicate_mask(unsigned number) { return predicates_[number]; }

  void run(const Operation& operation, LaneMask active = kAllLanes) {
    const std::vector<Operation> operations{operation};
    BoundCode code(operations, LaunchShape{{1, 1, 1}, {32, 1, 1}, 1, 0, 0}, build_);
    const BoundOperation& bound = code.operations()[0];
    ASSERT_NE(bound.run, nullptr) << "no handler in " << build_.name;
    LaneContext context;
    context.bases = {registers_.data(), code.constants(), block_.data(), nullptr};
    context.predicates = predicates_.data();
    context.active = active;
    bound.run(context, bound);
  }

 private:
  const std::uint8_t* place(unsigned slot, unsigned width, unsigned lane) const {
    return registers_.data() + slot * kRowBytes + lane * (width == 64 ? 8 : 4);
  }

  const LaneBuild& build_;
  AlignedBytes registers_;
  AlignedBytes block_;
  std::vector<LaneMask> predicates_;
};

inline Operation make(Opcode opcode, Type type, unsigned sources) {
  Operation operation;
  operation.opcode = opcode;
  operation.type = type;
  operation.num_dst = 1;
  operation.num_src = static_cast<std::uint8_t>(sources);
  return operation;
}

using Expected = std::function<std::uint64_t(const std::vector<std::uint64_t>&)>;
using Check = std::function<void(const std::vector<std::uint64_t>&, std::uint64_t result)>;

constexpr LaneMask kSomeLanes = 0xA5C3F00EU;
constexpr unsigned kResultSlot = 20;
constexpr std::uint64_t kUntouched = 0xDEADBEEF5A5A5A5AU;

/// Every combination of one value per source.
inline std::vector<std::vector<std::uint64_t>> combinations(
    const std::vector<std::vector<std::uint64_t>>& values) {
  std::vector<std::vector<std::uint64_t>> all{{}};
  for (const std::vector<std::uint64_t>& choices : values) {
    std::vector<std::vector<std::uint64_t>> longer;
    for (const std::vector<std::uint64_t>& start : all) {
      for (const std::uint64_t choice : choices) {
        longer.push_back(start);
        longer.back().push_back(choice);
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Runs the operation on 32 combinations of source values at a time, in every build, with all lanes and with
/// some; calls check for the active lanes, and checks that the others keep their value.
inline void sweep(Operation operation, const std::vector<std::vector<std::uint64_t>>& values,
                  const Check& check) {
  const unsigned result_width = result_bits(operation);
  for (unsigned i = 0; i < operation.num_src; ++i) operation.src[i] = reg(2 * i, source_bits(operation, i));
  operation.dst[0] = reg(kResultSlot, result_width);
  const auto inputs = combinations(values);
  for (const LaneBuild* build : lane_builds()) {
    for (const LaneMask active : {kAllLanes, kSomeLanes}) {
      for (std::size_t first = 0; first < inputs.size(); first += kWarpSize) {
        Rig rig(*build);
        const auto input = [&](unsigned lane) -> const std::vector<std::uint64_t>& {
          return inputs[(first + lane) % inputs.size()];
        };
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
          for (unsigned i = 0; i < operation.num_src; ++i) {
            rig.set(2 * i, source_bits(operation, i), lane, input(lane)[i]);
          }
          rig.set(kResultSlot, result_width, lane, kUntouched);
        }
        rig.run(operation, active);
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
          SCOPED_TRACE(std::string(build->name) + " lane " + std::to_string(lane));
          const std::uint64_t result = rig.get(kResultSlot, result_width, lane);
          if ((active >> lane & 1U) != 0) {
            check(input(lane), result);
          } else {
            const std::uint64_t kept = result_width == 64 ? kUntouched : kUntouched & 0xFFFFFFFFU;
            ASSERT_EQ(result, kept) << "inactive lane written";
          }
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

/// sweep() against the exact result.
inline void expect_lanes(const Operation& operation, const std::vector<std::vector<std::uint64_t>>& values,
                         const Expected& expected) {
  sweep(operation, values, [&](const std::vector<std::uint64_t>& in, std::uint64_t result) {
    ASSERT_EQ(result, expected(in)) << std::hex << "sources " << ::testing::PrintToString(in);
  });
}

}  // namespace heddle::ptx::testing
