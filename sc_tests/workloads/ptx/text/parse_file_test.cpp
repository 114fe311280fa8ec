#include <gtest/gtest.h>

#include <algorithm>

#include "sc_tests/workloads/ptx/text/parse_support.h"
#include "workloads/ptx/text/parser.h"

namespace heddle::ptx {
namespace {

const std::string kFileHead = ".version 9.0\n.target sm_75\n.address_size 64\n";

std::vector<std::uint8_t> initial(const std::string& declaration) {
  return load_text(kFileHead + declaration, "t.ptx").variables.back().initial;
}

using Bytes = std::vector<std::uint8_t>;

TEST(PtxFile, InitialValues) {
  EXPECT_EQ((Bytes{1, 0, 2, 0, 0, 0}), initial(".global .u16 a[3] = {1, 2};"));
  EXPECT_EQ((Bytes{1, 0, 2, 3}), initial(".global .u8 a[2][2] = {{1}, {2, 3}};"));
  EXPECT_EQ((Bytes{0xFF, 0xFF, 0xFF, 0xFF}), initial(".global .s32 a = -1;"));
  EXPECT_EQ((Bytes{0, 0, 128, 63}), initial(".const .f32 a[1] = {0f3F800000};"));
  EXPECT_EQ((Bytes{0, 0, 192, 63}), initial(".const .f32 a[] = {1.5};"));
  EXPECT_EQ((Bytes{12, 0}), initial(".global .b16 a = (1 + 2) * 4;"));
  EXPECT_EQ(Bytes{}, initial(".global .align 8 .b8 a[16];"));
}

TEST(PtxFile, VariablesKeepSpaceSizeAndAlignment) {
  const Module module = load_text(
      kFileHead + ".const .align 16 .b8 a[24];\n.visible .global .u64 b;\n.global .v4 .f32 c[2];", "t.ptx");
  ASSERT_EQ(3U, module.variables.size());
  EXPECT_EQ(Space::kConst, module.variables[0].space);
  EXPECT_EQ(24U, module.variables[0].bytes);
  EXPECT_EQ(16U, module.variables[0].alignment);
  EXPECT_EQ(8U, module.variables[1].bytes);
  EXPECT_EQ(8U, module.variables[1].alignment);
  EXPECT_EQ(32U, module.variables[2].bytes);
}

TEST(PtxFile, PointersToVariables) {
  const Module module =
      load_text(kFileHead + ".global .u32 a[4];\n.global .u64 p[3] = {generic(a), 7, a+8};", "t.ptx");
  const Variable& pointers = module.variables[1];
  ASSERT_EQ(2U, pointers.pointers.size());
  EXPECT_EQ((std::pair<std::uint64_t, std::uint32_t>{0, 0}), pointers.pointers[0]);
  EXPECT_EQ((std::pair<std::uint64_t, std::uint32_t>{16, 0}), pointers.pointers[1]);
  EXPECT_EQ(7U, pointers.initial[8]);
  EXPECT_EQ(8U, pointers.initial[16]);
}

TEST(PtxFile, ExternDeclarationMeetsItsDefinition) {
  const std::string use = ".entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [a]; ret; }\n";
  const Module module =
      load_text(kFileHead + ".extern .global .u32 a;\n" + use + ".global .u32 a = 5;\n", "t.ptx");
  ASSERT_EQ(1U, module.variables.size());
  ASSERT_EQ(1U, module.kernels[0].relocations.size());
  EXPECT_EQ(0U, module.kernels[0].relocations[0].variable);
  EXPECT_NE(std::string::npos,
            load_error(kFileHead + ".extern .global .u32 a;\n" + use).find("nowhere defined"));
}

TEST(PtxFile, LinesMeanNothing) {
  const std::string one_line =
      ".version 9.0 .target sm_75, debug .address_size 64 .file 1 \"a.cu\", 123, 456 .file 2 \"b.cu\" "
      ".entry k() { .reg .b32 %r<3>; .loc 1 3 4 mov.u32 %r1, 5; "
      ".loc 1 4 4, function_name $L__info + 5, inlined_at 1 5 6 mov.u32 %r2, 6; ret; }";
  std::string one_token_a_line = one_line;
  std::replace(one_token_a_line.begin(), one_token_a_line.end(), ' ', '\n');
  for (const std::string& text : {one_line, one_token_a_line}) {
    const Module module = load_text(text, "t.ptx");
    ASSERT_EQ(1U, module.kernels.size());
    EXPECT_EQ(3U, module.kernels[0].program.code.size());
  }
  EXPECT_EQ("t.ptx:1:22: found '75', expected a target such as sm_20", load_error(".version 9.0 .target 75"));
}

TEST(PtxFile, SkipsWhatOnlyDebuggersAndOldDriversRead) {
  EXPECT_EQ("",
            load_error(kFileHead +
                       ".file 1 \"a.cu\", 123, 456\n"
                       ".entry k() .maxntid 128, 2, 1 .minnctapersm 2 .maxnreg 32\n{\n"
                       ".pragma \"nounroll\";\n.loc 1 3 4, function_name $L__info_string0, inlined_at 1 5 6\n"
                       "ret; }\n"
                       ".section .debug_str { $L__info_string0: .b8 95, 90 .b8 0 }\n"
                       "@@DWARF .section .debug_info\n.global .texref image;\n"));
}

TEST(PtxFile, BlockSizeLimit) {
  EXPECT_EQ(256U, load_kernel(kFileHead + ".entry k() .maxntid 128, 2, 1 { ret; }").max_threads);
  EXPECT_EQ(64U, load_kernel(kFileHead + ".entry k() .reqntid 64 { ret; }").max_threads);
  EXPECT_EQ(0U, load_kernel(kFileHead + ".entry k() { ret; }").max_threads);
  EXPECT_EQ("t.ptx:4:12: found '.maxntid' of 2048 threads, expected 1 to 1024",
            load_error(kFileHead + ".entry k() .maxntid 2048 { ret; }"));
}

TEST(PtxFile, ScopesHideOuterNames) {
  const Code code = load_kernel(kFileHead +
                                ".entry k() { .reg .b32 %r<3>; mov.u32 %r1, 1;\n"
                                "{ .reg .b64 %r1; mov.u64 %r1, 2; bra L; L: }\n"
                                "{ bra L; L: }\n"
                                "add.s32 %r2, %r1, 3; ret; }");
  EXPECT_EQ(64U, code.operations[1].dst[0].bits);
  EXPECT_EQ(32U, code.operations[4].src[0].bits);
  EXPECT_EQ(3U, code.operations[2].target);
  EXPECT_EQ(4U, code.operations[3].target);
}

TEST(PtxFile, RegisterRangesWhoseNameEndsInADigit) {
  const Code code = load_kernel(
      kFileHead +
      ".entry k() { .reg .b32 %r1<12>; .reg .b64 %r<9>; mov.u64 %r8, 1; mov.u32 %r111, 1; ret; }");
  EXPECT_EQ(64U, code.operations[0].dst[0].bits);
  EXPECT_EQ(32U, code.operations[1].dst[0].bits);
}

TEST(PtxFile, LinesAndTextOfInstructions) {
  const Code code = load_kernel(in_kernel("add.s32\t%r1,\n   %r2, 3;\n @!%p1  bra DONE;"));
  EXPECT_EQ("add.s32 %r1, %r2, 3", code.program.text[0]);
  EXPECT_EQ(10U, code.program.code[0].line);
  EXPECT_EQ(1U, code.program.code[0].column);
  EXPECT_EQ("@!%p1 bra DONE", code.program.text[1]);
  EXPECT_EQ(12U, code.program.code[1].line);
  EXPECT_EQ(9U, code.program.code[1].column);
}

TEST(PtxFile, ErrorsOfTheFile) {
  EXPECT_EQ("t.ptx:1:10: found PTX version 2.3, expected 3.0 to 9.x", load_error(".version 2.3\n"));
  EXPECT_EQ("t.ptx:1:15: found .address_size 32, expected 64", load_error(".address_size 32\n"));
  EXPECT_EQ(
      "t.ptx:4:1: found '.globl', expected a directive such as .entry, .func, .global, .const or .shared",
      load_error(kFileHead + ".globl .u32 a;"));
  EXPECT_EQ("t.ptx:4:9: found '.u31', expected a type such as .u32; did you mean 'u32'?",
            load_error(kFileHead + ".global .u31 a;"));
  EXPECT_EQ("t.ptx:4:27: found more values than the 2 elements of 'a'",
            load_error(kFileHead + ".global .u8 a[2] = {1, 2, 3};"));
  EXPECT_EQ("t.ptx:5:13: found a second variable 'a', the first is in line 4",
            load_error(kFileHead + ".global .u8 a;\n.global .u8 a;"));
  EXPECT_EQ("nowhere.ptx: can't be read: No such file or directory", [] {
    try {
      load_file("nowhere.ptx");
      return std::string();
    } catch (const PtxError& error) {
      return std::string(error.what());
    }
  }());
}

std::vector<std::string> refused(const Module& module) {
  std::vector<std::string> all;
  for (const RefusedKernel& kernel : module.refused) all.push_back(kernel.name + ": " + kernel.error);
  return all;
}

std::vector<std::string> launchable(const Module& module) {
  std::vector<std::string> names;
  for (const Code& code : module.kernels) names.push_back(code.program.name);
  return names;
}

// What is wrong with one kernel: an instruction, a register, a label, a parameter, what it calls, and a
// vector that opens a brace of its own.
TEST(PtxFile, AnErrorOfAKernelRefusesThatKernelAlone) {
  const Module module = load_text(kFileHead +
                                      ".visible .entry first() { ret; }\n"
                                      ".visible .entry unknown() { .reg .b32 %r<2>; { .reg .b32 %x;\n"
                                      "  frob.s32 %r1, {%x, 1}; } ret; }\n"
                                      ".visible .entry label() { bra NOWHERE; }\n"
                                      ".visible .entry parameter(.param .u31 a) { ld.param.u32 %r1, [a]; }\n"
                                      ".visible .entry threads() .maxntid 2048 { ret; }\n"
                                      ".visible .entry last() { .reg .b32 %r<2>; mov.u32 %r1, 1; ret; }\n",
                                  "t.ptx");
  EXPECT_EQ(launchable(module), (std::vector<std::string>{"first", "last"}));
  EXPECT_EQ(refused(module).size(), 4U);
  EXPECT_EQ(refused(module)[0].substr(0, 46), "unknown: t.ptx:6:3: in 'frob.s32 %r1, {%x, 1}'");
  EXPECT_EQ(refused(module)[1], "label: t.ptx:7:31: in 'bra NOWHERE': found the unknown label 'NOWHERE'");
  EXPECT_EQ(refused(module)[2].substr(0, 42), "parameter: t.ptx:8:34: found '.u31', expec");
  EXPECT_EQ(refused(module)[3], "threads: t.ptx:9:27: found '.maxntid' of 2048 threads, expected 1 to 1024");
  EXPECT_EQ(module.find("label"), nullptr);
  EXPECT_EQ(module.find_refused("first"), nullptr);
  EXPECT_EQ(module.find_refused("label")->name, "label");
}

TEST(PtxFile, AnErrorOfAFunctionRefusesTheKernelsThatReachIt) {
  const Module module = load_text(kFileHead +
                                      ".func bad() { frob; }\n"
                                      ".func between() { call bad; ret; }\n"
                                      ".func good() { ret; }\n"
                                      ".visible .entry direct() { call bad; ret; }\n"
                                      ".visible .entry by_way() { call good; call between; ret; }\n"
                                      ".visible .entry other() { call good; ret; }\n",
                                  "t.ptx");
  EXPECT_EQ(launchable(module), std::vector<std::string>{"other"});
  ASSERT_EQ(module.refused.size(), 2U);
  EXPECT_EQ(module.refused[0].error.substr(0, 23), "t.ptx:4:15: in 'frob': ");
  EXPECT_EQ(module.refused[1].error, module.refused[0].error);
}

// Where the next kernel begins is not known then.
TEST(PtxFile, AFunctionWithoutItsEndIsAnErrorOfTheFile) {
  EXPECT_EQ(load_error(kFileHead + ".entry a(.param .u32 x .entry b() { ret; }").substr(0, 26),
            "t.ptx:4:24: found '.entry'");
  EXPECT_THROW(load_text(kFileHead + ".visible .entry a() { frob;\n.visible .entry b() { ret; }\n", "t.ptx"),
               PtxError);
}

TEST(PtxFile, SizesThatNoMachineHas) {
  EXPECT_EQ("t.ptx:4:13: found 'a' of 16777217 bytes, expected at most 49152",
            load_error(kFileHead + ".shared .b8 a[16777217];"));
  EXPECT_EQ("t.ptx:4:13: found 'a' of 8589934593 bytes, expected at most 8589934592",
            load_error(kFileHead + ".global .b8 a[4294967296][4294967296];"));
  EXPECT_EQ("t.ptx:4:15: found array size -1, expected 0 to 2^33",
            load_error(kFileHead + ".global .b8 a[-1];"));
}

TEST(PtxFile, AnythingMayEndTooEarly) {
  EXPECT_EQ("t.ptx:4:12: found the end of the file, expected '{'", load_error(kFileHead + ".section .a"));
  EXPECT_EQ("t.ptx:4:13: found the end of the file, expected '}'", load_error(kFileHead + ".section .a{"));
  EXPECT_EQ("t.ptx:4:31: found the end of the file, expected ')'",
            load_error(kFileHead + ".func .attribute(.unified(1, 2"));
  EXPECT_EQ("t.ptx:4:13: found the end of the file, expected an instruction, a label, a declaration or '}'",
            load_error(kFileHead + ".entry k() {"));
}

TEST(PtxFile, ErrorsOfInstructions) {
  const auto error = [](const std::string& body) { return load_error(in_kernel(body)); };
  EXPECT_EQ(
      "t.ptx:10:14: in 'add.s32 %r1, %q2, 3': found the unknown name '%q2', expected a declared register or "
      "variable, or a special register",
      error("add.s32 %r1, %q2, 3;"));
  EXPECT_EQ(
      "t.ptx:10:14: in 'add.s32 %r1, %rd2, 3': found register '%rd2' of 64 bits, expected 32 bits for .s32",
      error("add.s32 %r1, %rd2, 3;"));
  EXPECT_EQ("t.ptx:10:1: in 'add.s32 %r1, %r2': found 2 operands, expected 3", error("add.s32 %r1, %r2;"));
  EXPECT_EQ("t.ptx:10:5: in 'bra DOME': found the unknown label 'DOME'; did you mean 'DONE'?",
            error("bra DOME;"));
  EXPECT_EQ(
      "t.ptx:10:20: in 'ld.global.u32 %r1, [tile]': found 'tile', which is in .shared, expected a variable "
      "in .global",
      error("ld.global.u32 %r1, [tile];"));
  EXPECT_EQ("t.ptx:10:19: in 'add.f32 %f1, %f2, 3': found the constant '3', expected one of type .f32",
            error("add.f32 %f1, %f2, 3;"));
  EXPECT_EQ("t.ptx:10:14: in 'mov.u32 %r1, 5.5': found the constant '5.5', expected one of type .u32",
            error("mov.u32 %r1, 5.5;"));
  EXPECT_EQ("t.ptx:10:14: in 'mov.b32 %r1, 5.5': found the constant '5.5', expected one of type .b32",
            error("mov.b32 %r1, 5.5;"));
  EXPECT_EQ("", error("mov.b32 %r1, 0f40B00000;\nmov.b64 %rd1, 5.5;"));
  EXPECT_EQ("t.ptx:10:2: in '@%r1 bra DONE': found the guard '%r1', expected a .pred register",
            error("@%r1 bra DONE;"));
  EXPECT_EQ(
      "t.ptx:10:1: in 'txq.width.b32 %r1, [heap]': 'txq' is not supported; of textures and surfaces only "
      "'tex' is",
      error("txq.width.b32 %r1, [heap];"));
  EXPECT_EQ("t.ptx:11:1: in 'add.s32 %r1, %r2, %r3': found 'ret', expected ';' after the last operand",
            error("add.s32 %r1, %r2, %r3\nret;"));
}

}  // namespace
}  // namespace heddle::ptx
