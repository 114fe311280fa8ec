// What PTX may not ask for is refused when it is read, in one line that says what was found and what is
// allowed.
#include "workloads/ptx/isa/limits.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "sc_tests/support/paths.h"
#include "sc_tests/workloads/ptx/text/parse_support.h"
#include "workloads/ptx/text/parser.h"

namespace heddle::ptx {
namespace {

const std::string kLimitsHead = ".version 9.0\n.target sm_75\n.address_size 64\n";

std::string times(const std::string& text, std::uint64_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (std::uint64_t i = 0; i < count; ++i) all += text;
  return all;
}

/// A kernel without registers around `body`, which stands in line 4.
std::string kernel(const std::string& body, const std::string& parameters = "") {
  return kLimitsHead + ".entry k(" + parameters + ") { " + body + " ret; }\n";
}

/// The file with what must be refused is the one with `count` of something, that with one less must not be.
void expect_most(const std::string& what, std::uint64_t most, std::string (*file)(std::uint64_t)) {
  EXPECT_EQ(load_error(file(most)), "");
  const std::string message = load_error(file(most + 1));
  EXPECT_NE(message.find("t.ptx:"), std::string::npos) << message;
  EXPECT_NE(message.find(what), std::string::npos) << message;
  EXPECT_NE(message.find(std::to_string(most)), std::string::npos) << message;
  EXPECT_LT(message.size(), 2000U);
}

TEST(PtxLimits, AreInTheDocumentation) {
  const std::string path = "docs/ptx.md";
  std::ifstream file(test::source_dir() + "/" + path);
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const std::size_t begin = text.find("\n## Limits\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = text.substr(begin, text.find("\n## ", begin + 1) - begin);
  std::string expected;
  for (const Limit& limit : limit_table()) {
    expected += "| " + std::string(limit.what) + " | " + std::to_string(limit.most) + " |\n";
  }
  EXPECT_NE(section.find(expected), std::string::npos) << "expected the rows\n" << expected;
}

// Each of these is a recursion of the parser.
TEST(PtxLimits, NestingInConstants) {
  for (const std::string opener : {"(", "-", "~", "+"}) {
    const std::string closer = opener == "(" ? ")" : "";
    const auto file = [&](std::uint64_t depth) {
      return kLimitsHead + ".global .b32 a = " + times(opener, depth) + "1" + times(closer, depth) + ";\n";
    };
    EXPECT_EQ(load_error(file(limits::kNesting - 1)), "") << opener;
    for (const std::uint64_t depth : {limits::kNesting, std::uint64_t{30000}, std::uint64_t{1000000}}) {
      const std::string message = load_error(file(depth));
      EXPECT_NE(message.find("in one another, expected at most 256"), std::string::npos) << message;
    }
  }
}

TEST(PtxLimits, NestingInOperandsInitialisersAndBlocks) {
  const std::string message = "in one another, expected at most 256";
  const std::string deep = times("{", 30000);
  for (const std::string& text :
       {kernel(".reg .b64 %r; mov.b64 %r, " + deep + "1;"),
        kernel(".reg .b32 %r; mov.b32 %r, " + times("(", 30000) + "1;"),
        kernel(".reg .b32 %r; ld.u32 %r, [" + times("-", 30000) + "1];"), kernel(deep + times("}", 30000)),
        kernel(times("{", limits::kNesting) + times("}", limits::kNesting))}) {
    EXPECT_NE(load_error(text).find(message), std::string::npos) << load_error(text);
  }
  EXPECT_EQ(load_error(kernel(times("{", limits::kNesting - 1) + times("}", limits::kNesting - 1))), "");
  EXPECT_NE(load_error(kLimitsHead + ".global .b32 a[2] = " + deep)
                .find("expected as many as 'a' has dimensions, 1"),
            std::string::npos);
}

std::string chain(std::uint64_t functions) {
  std::string text = kLimitsHead + ".func f0() { ret; }\n";
  for (std::uint64_t i = 1; i < functions; ++i) {
    text += ".func f" + std::to_string(i) + "() { call f" + std::to_string(i - 1) + "; ret; }\n";
  }
  return text + ".entry k() { call f" + std::to_string(functions - 1) + "; ret; }\n";
}

TEST(PtxLimits, CallsInOneAnother) {
  EXPECT_EQ(load_error(chain(limits::kCallDepth - 1)), "");
  const std::string message = load_error(chain(limits::kCallDepth));
  EXPECT_NE(message.find("kernel 'k': found 129 calls in one another, expected at most 128"),
            std::string::npos)
      << message;
  EXPECT_NE(load_error(chain(limits::kFunctions - 1)).find("calls in one another"), std::string::npos);
  EXPECT_NE(load_error(chain(20000)).find("found more than 4096 functions"), std::string::npos);
}

TEST(PtxLimits, CallsOfAKernel) {
  // Each function calls the one before twice: 2^19 calls.
  std::string text = kLimitsHead + ".func f0() { ret; }\n";
  for (unsigned i = 1; i < 20; ++i) {
    const std::string call = "call f" + std::to_string(i - 1) + "; ";
    text += ".func f" + std::to_string(i) + "() { " + call + call + "ret; }\n";
  }
  const std::string message = load_error(text + ".entry k() { call f19; ret; }\n");
  EXPECT_NE(message.find("16385 calls, expected at most 16384"), std::string::npos) << message;
}

TEST(PtxLimits, TheHardwaresMemories) {
  expect_most("bytes up to 'p'", limits::kParamBytes, [](std::uint64_t bytes) {
    return kernel("", ".param .u32 first, .param .b8 p[" + std::to_string(bytes - 4) + "]");
  });
  expect_most("bytes of .const variables so far", limits::kConstBytes, [](std::uint64_t bytes) {
    return kLimitsHead + ".const .b32 a;\n.const .b8 b[" + std::to_string(bytes - 4) + "];\n";
  });
  expect_most("bytes of .shared variables", limits::kSharedBytes, [](std::uint64_t bytes) {
    return kernel(".reg .b32 %r; .shared .b32 a; .shared .b8 b[" + std::to_string(bytes - 4) +
                  "]; ld.shared.u32 %r, [a]; ld.shared.u8 %r, [b];");
  });
  expect_most("bytes of local memory, up to 'b'", limits::kLocalBytes, [](std::uint64_t bytes) {
    return kernel(".reg .b32 %r; .local .b32 a; .local .b8 b[" + std::to_string(bytes - 4) +
                  "]; ld.local.u32 %r, [a]; ld.local.u8 %r, [b];");
  });
}

TEST(PtxLimits, OneVariableOfTheHardwaresMemories) {
  const auto sized = [](const std::string& space, std::uint64_t bytes) {
    return load_error(kLimitsHead + space + " .b8 a[" + std::to_string(bytes) + "];\n");
  };
  EXPECT_EQ(sized(".const", 65536), "");
  EXPECT_NE(sized(".const", 65537).find("'a' of 65537 bytes, expected at most 65536"), std::string::npos);
  EXPECT_NE(sized(".shared", 49153).find("expected at most 49152"), std::string::npos);
  EXPECT_NE(sized(".local", 16 << 20).find("'a' of 16777216 bytes, expected at most 524288"),
            std::string::npos);
  EXPECT_EQ(sized(".global", limits::kGlobalBytes), "");
  EXPECT_NE(sized(".global", limits::kGlobalBytes + 1).find("expected 0 to 2^33"), std::string::npos);
  // Products of dimensions that leave 64 bits.
  EXPECT_NE(load_error(kLimitsHead + ".global .b8 a[8589934592][8589934592][8589934592];\n")
                .find("expected at most"),
            std::string::npos);
  EXPECT_NE(load_error(kLimitsHead + ".global .b8 a[1][8589934592][8589934592] = {{{1}}};\n")
                .find("expected at most"),
            std::string::npos);
}

TEST(PtxLimits, LocalMemoryOfInlinedCopiesAddsUp) {
  const std::string function =
      ".func f() { .reg .b32 %r; .local .b8 a[100000]; ld.local.u8 %r, [a]; ret; }\n";
  EXPECT_EQ(load_error(kLimitsHead + function + ".entry k() {" + times(" call f;", 5) + " ret; }\n"), "");
  EXPECT_NE(load_error(kLimitsHead + function + ".entry k() {" + times(" call f;", 6) + " ret; }\n")
                .find("600000 bytes of local memory, up to 'a', expected at most 524288"),
            std::string::npos);
}

TEST(PtxLimits, InitialValues) {
  const auto file = [](std::uint64_t bytes) {
    return kLimitsHead + ".global .b8 a[33554432] = {1};\n.global .b8 b[" + std::to_string(bytes) +
           "] = {1};\n";
  };
  EXPECT_NE(load_error(file((32U << 20U) + 1)).find("67108865 bytes of variables with initial values so far"),
            std::string::npos);
  EXPECT_NE(load_error(kLimitsHead + ".global .b8 a[1073741824] = {1};\n").find("expected at most 67108864"),
            std::string::npos);
}

TEST(PtxLimits, Registers) {
  expect_most("registers", limits::kDeclaredRegisters,
              [](std::uint64_t count) { return kernel(".reg .b32 %r<" + std::to_string(count) + ">;"); });
  expect_most("262145 registers of a function", limits::kDeclaredRegisters, [](std::uint64_t count) {
    return kernel(".reg .b32 %a, %r<" + std::to_string(count - 1) + ">;");
  });
  EXPECT_NE(load_error(kernel(".reg .b32 %r<18446744073709551615>;")).find("found -1 registers"),
            std::string::npos);
  const std::string function = ".func f() { .reg .b32 %r<262144>; ret; }\n";
  EXPECT_NE(load_error(kLimitsHead + function + ".entry k() {" + times(" call f;", 5) + " ret; }\n")
                .find("1310720 registers, calls inlined, expected at most 1048576"),
            std::string::npos);
}

/// `count` registers are loaded and then stored.
std::string alive(std::uint64_t count) {
  std::string text = ".reg .b32 %r<" + std::to_string(count) + ">; .reg .b64 %a;\n";
  for (const std::string access : {"ld.global.u32 %r", "st.global.u32 [%a], %r"}) {
    for (std::uint64_t i = 0; i < count; ++i) {
      text += access + std::to_string(i) + (access[0] == 'l' ? ", [%a];\n" : ";\n");
    }
  }
  return kernel(text);
}

TEST(PtxLimits, RegistersAliveAtOnce) {
  EXPECT_EQ(load_error(alive(limits::kLiveRegisters - 4)), "");
  const std::string message = load_error(alive(50000));
  EXPECT_NE(message.find("kernel 'k' keeps 50002 32-bit registers alive at once, expected at most 512"),
            std::string::npos)
      << message;
}

TEST(PtxLimits, InstructionsTimesSpilledRegisters) {
  std::string text = ".reg .b32 %r<200>; .reg .b64 %a;\n";
  for (unsigned i = 0; i < 200; ++i) text += "ld.global.u32 %r" + std::to_string(i) + ", [%a];\n";
  text += times("membar.cta;", 30000);
  for (unsigned i = 0; i < 200; ++i) text += "st.global.u32 [%a], %r" + std::to_string(i) + ";\n";
  CompileOptions options;
  options.max_registers = 63;
  const Module module = load_text(kernel(text), "t.ptx", options);
  ASSERT_EQ(module.refused.size(), 1U);
  EXPECT_NE(module.refused[0].error.find("instructions times spilled registers, expected at most 2097152"),
            std::string::npos)
      << module.refused[0].error;
}

TEST(PtxLimits, RegistersAliveAcrossBlocks) {
  std::string text = ".reg .pred %p<3001>; .reg .b32 %r<3001>;\n";
  for (unsigned i = 0; i < 3000; ++i) {
    const std::string number = std::to_string(i);
    text += "L" + number + ": add.u32 %r" + number + ", %r" + number + ", 1;\n@%p" + number + " bra L" +
            number + ";\n";
  }
  EXPECT_NE(load_error(kernel(text + "@%p0 bra L0;\n"))
                .find("more than 576 registers and predicates alive at once"),
            std::string::npos);
}

TEST(PtxLimits, OperandsAndArguments) {
  EXPECT_NE(
      load_error(kernel(".reg .b32 %r; add.u32 %r" + times(", %r", 16) + ";")).find("more than 16 operands"),
      std::string::npos);
  EXPECT_NE(load_error(kernel(".reg .b64 %r; mov.b64 %r, {1" + times(", 1", 16) + "};"))
                .find("more than 16 elements of a vector"),
            std::string::npos);
  EXPECT_NE(load_error(kLimitsHead + ".func f(.param .b32 _" + times(", .param .b32 _", 512) +
                       ") { ret; }\n.entry k() { call f; ret; }\n")
                .find("more than 512 parameters of a function"),
            std::string::npos);
  EXPECT_NE(load_error(kLimitsHead + ".func f() { ret; }\n.entry k() { call f, (1" + times(", 1", 512) +
                       "); ret; }\n")
                .find("more than 512 arguments of a call"),
            std::string::npos);
}

TEST(PtxLimits, AFileThatIsTooLong) {
  std::string text = kLimitsHead;
  text.resize(limits::kFileBytes + 1, '\n');
  EXPECT_EQ(load_error(text), "t.ptx: found a file of 16777217 bytes, expected at most 16777216");
  EXPECT_THROW(load_file("/dev/zero"), PtxError);
}

TEST(PtxLimits, BlocksAndVariablesAndInstructionsOfAFile) {
  EXPECT_NE(load_error(kernel(times("{}", limits::kBlocks))).find("more than 262144 blocks in the file"),
            std::string::npos);
  EXPECT_NE(
      load_error(kernel(times(".param .b8 _;", limits::kVariables + 1))).find("more than 1048576 variables"),
      std::string::npos);
  EXPECT_NE(load_error(kernel(times("ret;", limits::kFileInstructions)))
                .find("more than 524288 instructions in the file"),
            std::string::npos);
  EXPECT_NE(load_error(kernel(times("ret;", limits::kOperations))).find("grows beyond 262144 instructions"),
            std::string::npos);
}

TEST(PtxLimits, InstructionsOfAllKernelsOfAFile) {
  const std::string body = times("membar.cta;", 200000);
  std::string text = kLimitsHead + ".func f() { " + body + " ret; }\n";
  for (const char* name : {"a", "b", "c"}) text += ".entry " + std::string(name) + "() { call f; ret; }\n";
  const std::string message = load_error(text);
  EXPECT_NE(message.find("kernel 'c': found 600009 instructions of kernels so far, expected at most 524288"),
            std::string::npos)
      << message;
}

TEST(PtxLimits, ThreadsOfABlockDoNotWrapAround) {
  const std::string message =
      load_error(kLimitsHead + ".entry k() .maxntid 4294967296, 4294967296, 4294967297 { ret; }\n");
  EXPECT_NE(message.find("found '.maxntid' of more than 2147483648 threads, expected 1 to 1024"),
            std::string::npos)
      << message;
}

// What takes time that goes with the square or the cube of a text's length is bounded too.
TEST(PtxLimits, LongTextsAreReadInTimeThatGoesWithTheirLength) {
  // Statements without an end, each of which could be read to the end of the file for its message.
  EXPECT_NE(load_error(kLimitsHead + times(".entry a(){add}", 1)), "");
  std::string text = kLimitsHead;
  for (unsigned i = 0; i < 4000; ++i)
    text += ".entry k" + std::to_string(i) + "(){add " + times("x ", 200) + "}";
  EXPECT_NE(load_error(text), "");
  // A long name that is not there, among many.
  std::string names = ".reg .b32 ";
  for (unsigned i = 0; i < 5000; ++i) names += (i == 0 ? "a" : ", a") + times("b", 100) + std::to_string(i);
  EXPECT_NE(load_error(kernel(names + "; mov.u32 " + times("c", 1000000) + ", 1;")), "");
  // A chain of additions of which the end decides what the beginning needs, and loads that wait for a chain.
  std::string sums = ".reg .b64 %r<60000>; .reg .b32 %x;\n";
  for (unsigned i = 1; i < 60000; ++i) {
    sums += "add.s64 %r" + std::to_string(i) + ", %r" + std::to_string(i - 1) + ", 1;\n";
  }
  EXPECT_EQ(load_error(kernel(sums + "ld.global.u32 %x, [%r59999]; st.global.u32 [%r59999], %x;")), "");
}

}  // namespace
}  // namespace heddle::ptx
