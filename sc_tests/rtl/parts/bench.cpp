#include "sc_tests/rtl/parts/bench.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "Vparts_bench.h"
#include "hw/pricing/bits.h"
#include "verilated.h"
#include "verilated_syms.h"

struct VerilatedBench {
  VerilatedContext context;
  Vparts_bench top{&context, "TOP"};
};

namespace heddle::test {

std::uint64_t TwinPort::get(unsigned low, unsigned width) const {
  std::uint64_t value = 0;
  for (unsigned bit = 0; bit < width;) {
    const unsigned at = low + bit;
    value |= std::uint64_t{data_[at / 8]} >> at % 8 << bit;
    bit += 8 - at % 8;
  }
  return value & hw::low_bits(width);
}

void TwinPort::set(unsigned low, unsigned width, std::uint64_t value) {
  for (unsigned bit = 0; bit < width;) {
    const unsigned at = low + bit;
    const unsigned taken = std::min(8 - at % 8, width - bit);
    const auto mask = static_cast<std::uint8_t>(hw::low_bits(taken) << at % 8);
    const auto part = static_cast<std::uint8_t>(value >> bit << at % 8);
    data_[at / 8] = static_cast<std::uint8_t>((data_[at / 8] & ~mask) | (part & mask));
    bit += taken;
  }
}

void TwinPort::clear() { std::memset(data_, 0, (bits_ + 7) / 8); }

TwinBench::TwinBench() : bench_(new VerilatedBench) {
  Vparts_bench& top = bench_->top;
  top.clk_i = 0;
  top.rst_ni = 1;
  top.eval();
  top.rst_ni = 0;
  top.eval();
  top.rst_ni = 1;
  top.eval();
}

TwinBench::~TwinBench() {
  bench_->top.final();
  delete bench_;
}

TwinPort TwinBench::port(const std::string& instance, const std::string& name) {
  const VerilatedScope* scope = bench_->context.scopeFind(("TOP.parts_bench." + instance).c_str());
  VerilatedVar* found = scope == nullptr ? nullptr : scope->varFind(name.c_str());
  if (found == nullptr) throw std::logic_error("the bench has no port " + name + " of " + instance);
  return {found->datap(), static_cast<unsigned>(found->packed().elements())};
}

void TwinBench::settle() { bench_->top.eval(); }

void TwinBench::edge() {
  bench_->top.clk_i = 1;
  bench_->top.eval();
  bench_->top.clk_i = 0;
  bench_->top.eval();
}

hw::Owner TwinBench::owner() {
  hw::Owner owner;
  owner.path = "twin";
  owner.timing = hw::Timing::kHardware;
  owner.strict = true;
  return owner;
}

std::uint64_t Stimuli::value(unsigned bits) {
  const std::uint64_t mask = hw::low_bits(bits);
  switch (below(8)) {
    case 0:
      return 0;
    case 1:
      return mask;
    case 2:
      return std::uint64_t{1} << below(bits);
    case 3:
      return random_() & random_() & random_() & mask;
    default:
      return random_() & mask;
  }
}

}  // namespace heddle::test
