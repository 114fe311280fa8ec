// Every kind of arithmetic with the ends of its operands' ranges: the sanitizers see what has no defined
// result.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sc_tests/workloads/ptx/execution/exec_kernel_support.h"

namespace heddle::ptx::testing {
namespace {

const std::vector<std::string> kWords = {
    "0",          "1",          "-1",         "2",          "31",         "32",         "33",
    "63",         "64",         "255",        "256",        "0x7FFFFFFF", "0x80000000", "0xFFFFFF80",
    "0x00800000", "0x7F800000", "0xFF800000", "0x7FC00000", "0x00000001", "0x4F000000", "0xCF000000"};
const std::vector<std::string> kWides = {"0",
                                         "1",
                                         "-1",
                                         "63",
                                         "64",
                                         "0x7FFFFFFFFFFFFFFF",
                                         "0x8000000000000000",
                                         "0x7FF0000000000000",
                                         "0xFFF0000000000000",
                                         "0x7FF8000000000000",
                                         "0x0000000000000001",
                                         "0x43E0000000000000",
                                         "0xC3E0000000000000",
                                         "0x41E0000000000000",
                                         "0xC1E0000000000001"};

struct Family {
  const char* kind;  ///< of destination and sources: r, l, h, f, d, p
  std::vector<const char*> mnemonics;
};

// clang-format off
const std::vector<Family> kFamilies = {
    {"rrr", {"add.s32", "add.sat.s32", "sub.s32", "sub.sat.s32", "mul.lo.s32", "mul.hi.s32", "mul.hi.u32", "mul24.lo.s32",
             "mul24.hi.s32", "mul24.lo.u32", "mul24.hi.u32", "div.s32", "div.u32", "rem.s32", "rem.u32", "min.s32",
             "max.u32", "and.b32", "shl.b32", "shr.s32", "shr.u32", "bmsk.clamp.b32", "bmsk.wrap.b32",
             "szext.clamp.s32", "szext.wrap.u32", "add.cc.u32", "addc.cc.u32", "subc.cc.u32"}},
    {"rrrr", {"mad.lo.s32", "mad.hi.s32", "mad.hi.sat.s32", "mad24.lo.s32", "mad24.hi.sat.s32", "sad.s32", "sad.u32",
              "bfe.s32", "bfe.u32", "shf.l.wrap.b32", "shf.r.clamp.b32", "prmt.b32", "prmt.b32.rc16", "fns.b32",
              "dp4a.s32.s32", "dp4a.u32.s32", "dp2a.lo.s32.u32", "dp2a.hi.s32.s32", "madc.hi.cc.s32", "slct.b32.s32"}},
    {"rrrrr", {"bfi.b32"}},
    {"rr", {"abs.s32", "neg.s32", "not.b32", "cnot.b32", "brev.b32", "clz.b32", "popc.b32", "bfind.s32",
            "bfind.shiftamt.u32", "cvt.s32.s8", "cvt.sat.s8.s32", "cvt.sat.u8.s32", "cvt.sat.u16.u32",
            "cvt.sat.s16.u32"}},
    {"rf", {"cvt.rzi.s32.f32", "cvt.rni.u32.f32", "cvt.rmi.s8.f32", "cvt.rpi.u16.f32", "cvt.rzi.ftz.u32.f32"}},
    {"lf", {"cvt.rzi.s64.f32", "cvt.rni.u64.f32"}},
    {"rd", {"cvt.rzi.s32.f64", "cvt.rni.u32.f64", "cvt.rzi.s16.f64"}},
    {"ld", {"cvt.rzi.s64.f64", "cvt.rpi.u64.f64"}},
    {"fr", {"cvt.rn.f32.s32", "cvt.rz.f32.u32", "cvt.rn.sat.f32.s32"}},
    {"fl", {"cvt.rn.f32.s64", "cvt.rp.f32.u64"}},
    {"dl", {"cvt.rn.f64.s64", "cvt.rm.f64.u64"}},
    {"fd", {"cvt.rn.f32.f64", "cvt.rz.f32.f64"}},
    {"hf", {"cvt.rn.f16.f32"}},
    {"ff", {"cvt.rni.f32.f32", "cvt.rmi.ftz.f32.f32", "ex2.approx.f32", "lg2.approx.f32", "sin.approx.f32",
            "cos.approx.ftz.f32", "tanh.approx.f32", "rcp.rn.f32", "rsqrt.approx.f32", "sqrt.rz.f32", "neg.f32",
            "abs.ftz.f32"}},
    {"fff", {"add.sat.f32", "sub.rp.f32", "mul.ftz.f32", "div.rn.f32", "div.approx.f32", "min.f32", "max.f32"}},
    {"ffff", {"fma.rn.f32", "fma.rm.sat.f32", "slct.f32.f32"}},
    {"dd", {"rcp.approx.ftz.f64", "rsqrt.approx.f64", "sqrt.rn.f64", "cvt.rzi.f64.f64", "neg.f64"}},
    {"ddd", {"add.rz.f64", "mul.f64", "div.rn.f64", "min.f64"}},
    {"dddd", {"fma.rp.f64"}},
    {"lll", {"add.s64", "sub.s64", "mul.lo.s64", "mul.hi.s64", "mul.hi.u64", "div.s64", "div.u64", "rem.s64", "rem.u64",
             "min.s64", "max.s64", "add.cc.u64", "subc.cc.u64"}},
    {"llll", {"mad.lo.s64", "mad.hi.s64", "sad.s64"}},
    {"ll", {"abs.s64", "neg.s64", "brev.b64"}},
    {"rl", {"clz.b64", "popc.b64", "bfind.s64", "bfind.shiftamt.s64", "cvt.sat.s32.s64", "cvt.sat.u8.u64"}},
    {"llr", {"shl.b64", "shr.s64", "shr.u64"}},
    {"llrr", {"bfe.s64", "bfe.u64"}},
    {"lllrr", {"bfi.b64"}},
    {"lrr", {"mul.wide.s32", "mul.wide.u32"}},
    {"lrrl", {"mad.wide.s32", "mad.wide.u32"}},
    {"hhh", {"add.s16", "sub.s16", "mul.lo.s16", "mul.hi.s16", "mul.lo.u16", "mul.hi.u16", "div.s16", "rem.s16",
             "div.u16", "min.s16"}},
    {"hhhh", {"mad.lo.s16", "mad.hi.u16", "sad.s16"}},
    {"hh", {"abs.s16", "neg.s16", "not.b16"}},
    {"hhr", {"shl.b16", "shr.s16", "shr.u16"}},
    {"rhh", {"mul.wide.s16", "mul.wide.u16"}},
    {"pff", {"setp.lt.f32", "setp.nan.f32", "setp.geu.f32"}},
    {"pf", {"testp.subnormal.f32", "testp.infinite.f32"}},
    {"pll", {"setp.lt.s64", "setp.hi.u64"}},
};
// clang-format on

/// Register %X<i> of a kind holds the value `value` of its list.
std::string set(char kind, unsigned i, unsigned value) {
  const std::string number = std::to_string(i);
  const std::string word = kWords[value % kWords.size()];
  const std::string wide = kWides[value % kWides.size()];
  switch (kind) {
    case 'r':
      return "mov.u32 %r" + number + ", " + word + ";\n";
    case 'f':
      return "mov.u32 %r9, " + word + "; mov.b32 %f" + number + ", %r9;\n";
    case 'l':
      return "mov.u64 %rd" + number + ", " + wide + ";\n";
    case 'd':
      return "mov.u64 %rd9, " + wide + "; mov.b64 %fd" + number + ", %rd9;\n";
    default:
      return "mov.u32 %r9, " + word + "; cvt.u16.u32 %rs" + number + ", %r9;\n";
  }
}

std::string name(char kind, unsigned i) {
  const std::string prefix = kind == 'l'   ? "rd"
                             : kind == 'd' ? "fd"
                             : kind == 'h' ? "rs"
                                           : std::string(1, kind);
  return "%" + prefix + std::to_string(i);
}

TEST(ExecExtremes, EveryOperationTakesTheEndsOfItsRanges) {
  for (const Family& family : kFamilies) {
    const std::string kind = family.kind;
    std::string body;
    for (unsigned value = 0; value < kWords.size(); ++value) {
      for (unsigned other = 0; other < kWords.size(); ++other) {
        for (unsigned i = 1; i < kind.size(); ++i) {
          body += set(kind[i], i, i == 1 ? value : i == 2 ? other : (value + other + i) % 21);
        }
        for (const char* const mnemonic : family.mnemonics) {
          body += std::string(mnemonic) + " " + name(kind[0], 7);
          for (unsigned i = 1; i < kind.size(); ++i) body += ", " + name(kind[i], i);
          body += ";\n";
        }
        if (kind.size() == 2) break;
      }
    }
    KernelRun kernel(body + "ret;");
    ASSERT_TRUE(kernel.module().module().refused.empty()) << kernel.module().module().refused.front().error;
    kernel.run({1, 1, 1}, {1, 1, 1});
  }
}

}  // namespace
}  // namespace heddle::ptx::testing
