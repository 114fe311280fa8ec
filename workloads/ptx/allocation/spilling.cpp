#include "workloads/ptx/allocation/spilling.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "workloads/ptx/allocation/register_count.h"
#include "workloads/ptx/isa/limits.h"
#include "workloads/ptx/isa/type_info.h"
#include "workloads/ptx/text/ptx_error.h"
#include "workloads/ptx/text/storage.h"

namespace heddle::ptx {

namespace {

constexpr double kLoopWeight = 10;
constexpr int kMostWeighedLoops = 6;
constexpr unsigned kByteBits = 8;
constexpr unsigned kStackAlignment = 8;  ///< of what threads have of local memory
constexpr unsigned kWordBits = 32;

/// How often each operation runs, roughly: ten times for each loop around it.
std::vector<double> weights(const VirtualCode& code) {
  // Loops that begin at an operation, less those that have ended before it.
  std::vector<int> begins(code.operations.size() + 1, 0);
  for (std::uint32_t i = 0; i < code.operations.size(); ++i) {
    const Operation& operation = code.operations[i].operation;
    if (operation.opcode != Opcode::kBra || operation.target > i) continue;
    ++begins[operation.target];
    --begins[i + 1];
  }
  std::vector<double> found(code.operations.size(), 1);
  int depth = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    depth += begins[i];
    for (int loop = 0; loop < std::min(depth, kMostWeighedLoops); ++loop) found[i] *= kLoopWeight;
  }
  return found;
}

bool reads(const VirtualOperation& operation, std::uint32_t wanted) {
  return operation.base == wanted ||
         std::find(operation.src.begin(), operation.src.end(), wanted) != operation.src.end();
}

bool writes(const VirtualOperation& operation, std::uint32_t wanted) {
  return std::find(operation.dst.begin(), operation.dst.end(), wanted) != operation.dst.end();
}

/// What keeping each virtual register in memory costs, over the registers that it frees.
std::vector<double> costs(const VirtualCode& code) {
  const std::vector<double> weight = weights(code);
  std::vector<double> found(code.registers.size(), 0);
  const auto add = [&](std::uint32_t used, double cost) {
    if (used != kNoVirtual) found[used] += code.registers[used] > kWordBits ? cost / 2 : cost;
  };
  for (std::size_t i = 0; i < code.operations.size(); ++i) {
    for (const std::uint32_t source : code.operations[i].src) add(source, weight[i]);
    add(code.operations[i].base, weight[i]);
    for (const std::uint32_t destination : code.operations[i].dst) add(destination, weight[i]);
  }
  return found;
}

void rename(VirtualOperation& operation, std::uint32_t from, std::uint32_t to) {
  std::replace(operation.src.begin(), operation.src.end(), from, to);
  std::replace(operation.dst.begin(), operation.dst.end(), from, to);
  if (operation.base == from) operation.base = to;
}

/// A copy of a kernel's code with one register in memory.
class Rewriting {
 public:
  Rewriting(VirtualCode& code, std::uint32_t victim)
      : code_(code), victim_(victim), bits_(code.registers[victim]) {
    const unsigned bytes = std::max(bits_, kWordBits) / kByteBits;
    offset_ = (code.local_bytes + bytes - 1) / bytes * bytes;
    code_.local_bytes = offset_ + bytes;
    code_.spilled_bytes += bytes;
  }

  void run() {
    std::vector<VirtualOperation> before = std::move(code_.operations);
    code_.operations.clear();
    std::vector<std::uint32_t> first(before.size() + 1);  // what a jump to an operation goes to
    std::vector<std::uint32_t> moved(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      first[i] = next();
      moved[i] = rewrite(std::move(before[i]));
    }
    first.back() = next();
    for (VirtualOperation& operation : code_.operations) {
      if (operation.operation.opcode == Opcode::kBra)
        operation.operation.target = first[operation.operation.target];
    }
    for (std::uint32_t& kept : code_.kept_loops) kept = first[kept];
    for (Relocation& relocation : code_.relocations) relocation.operation = moved[relocation.operation];
  }

 private:
  std::uint32_t next() const { return static_cast<std::uint32_t>(code_.operations.size()); }

  /// Where the operation itself comes to stand. One that is guarded leaves what it does not write as it was,
  /// and everything of the register is stored afterwards.
  std::uint32_t rewrite(VirtualOperation operation) {
    const bool written = writes(operation, victim_);
    const bool read = reads(operation, victim_) || (written && operation.guard != kNoVirtual);
    std::uint32_t temporary = kNoVirtual;
    if (read || written) {
      temporary = static_cast<std::uint32_t>(code_.registers.size());
      code_.registers.push_back(code_.registers[victim_]);
      rename(operation, victim_, temporary);
    }
    if (read) access(operation, Opcode::kLd, temporary);
    const std::uint32_t place = next();
    code_.operations.push_back(operation);
    if (written) access(operation, Opcode::kSt, temporary);
    return place;
  }

  void access(const VirtualOperation& beside, Opcode opcode, std::uint32_t temporary) {
    VirtualOperation made;
    made.position = beside.position;
    Operation& operation = made.operation;
    operation.opcode = opcode;
    operation.space = Space::kLocal;
    operation.type = untyped(bits_);
    operation.address.offset = static_cast<std::int64_t>(offset_);
    const bool loads = opcode == Opcode::kLd;
    Operand& operand = loads ? operation.dst[0] : operation.src[0];
    operand.kind = Operand::Kind::kRegister;
    operand.bits = code_.registers[temporary];
    (loads ? operation.num_dst : operation.num_src) = 1;
    (loads ? made.dst[0] : made.src[0]) = temporary;
    code_.texts.push_back(std::make_shared<const std::string>(fmt::format(
        loads ? "ld.local.b{} (spilled), [{}]" : "st.local.b{} [{}], (spilled)", bits_, offset_)));
    made.text = code_.texts.back().get();
    code_.operations.push_back(made);
  }

  VirtualCode& code_;
  std::uint32_t victim_;
  unsigned bits_;
  unsigned offset_ = 0;
};

/// The cheapest of what takes registers where the most are taken. Temporaries of spilled ones, which follow
/// the kernel's own `registers`, stay.
std::uint32_t choose(const VirtualCode& code, const RegisterCount& count, std::size_t registers,
                     const std::vector<bool>& spilled) {
  const std::vector<double> cost = costs(code);
  std::uint32_t best = kNoVirtual;
  for (const std::uint32_t candidate : count.at_most) {
    if (candidate >= registers || spilled[candidate] || code.registers[candidate] == 1) continue;
    if (best == kNoVirtual || cost[candidate] < cost[best] ||
        (cost[candidate] == cost[best] && candidate < best))
      best = candidate;
  }
  return best;
}

}  // namespace

VirtualCode spill(const std::string& file, const ast::Function& kernel, VirtualCode code, unsigned limit) {
  const std::size_t registers = code.registers.size();
  std::vector<bool> spilled(registers, false);
  for (std::uint64_t work = 0;; work += code.operations.size()) {
    if (work > limits::kSpillWork) {
      throw PtxError(file, kernel.position.line, kernel.position.column,
                     fmt::format("kernel '{}': {}", kernel.name,
                                 over_limit(fmt::format("{} instructions times spilled registers", work),
                                            limits::kSpillWork)));
    }
    const RegisterCount count = count_registers(code, Effort::kSmall);
    if (count.registers <= limit) {
      code.local_bytes = static_cast<unsigned>(align_up(code.local_bytes, kStackAlignment));
      return code;
    }
    const std::uint32_t victim = choose(code, count, registers, spilled);
    if (victim == kNoVirtual) {
      throw PtxError(file, kernel.position.line, kernel.position.column,
                     fmt::format("kernel '{}' needs {} registers per thread with all else in local memory, "
                                 "expected at most {}",
                                 kernel.name, count.registers, limit));
    }
    spilled[victim] = true;
    Rewriting(code, victim).run();
  }
}

}  // namespace heddle::ptx
