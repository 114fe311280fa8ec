#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sc_tests/workloads/ptx/execution/exec_kernel_support.h"

namespace heddle::ptx::testing {
namespace {

using ::testing::HasSubstr;

/// A texture of u32 in linear memory over words 1024 and on of the kernel's buffer.
Texture table(const KernelRun& kernel, std::uint32_t width) {
  Texture texture;
  texture.address = kernel.data() + 4096;
  texture.cached_address = texture.address;
  texture.type = TexelType::kU32;
  texture.size = {width, 1, 1};
  texture.pitch_bytes = width * 4;
  return texture;
}

const std::string kFetch = R"(
    tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [table, {%r1}];
    add.u32 %r4, %r4, %r7; st.global.u32 [%rd2], %r4; ret;)";

TEST(ExecTexture, AReferenceIsReadByItsName) {
  KernelRun kernel(kThreadAddress + kFetch, ".global .texref other;\n.global .texref table;");
  for (std::uint32_t i = 0; i < 40; ++i) kernel.set_word(1024 + i, 100 + i);
  kernel.spec().textures = {Texture(), table(kernel, 40)};
  kernel.run({1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(kernel.module().module().texture_references, (std::vector<std::string>{"other", "table"}));
  for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(kernel.word(i), 101 + i) << i;
  for (std::uint32_t i = 40; i < 64; ++i) EXPECT_EQ(kernel.word(i), 1U) << i;  // zeros beyond the end, 1 in w
}

TEST(ExecTexture, AHandleMayComeFromARegister) {
  // The address of a reference, and an object's handle, which is the one after the references.
  KernelRun kernel(kThreadAddress + R"(
    mov.u64 %rd5, table; setp.lt.u32 %p1, %r1, 16; add.u64 %rd6, %rd5, 1; selp.b64 %rd7, %rd5, %rd6, %p1;
    tex.1d.v4.s32.s32 {%r4, _, _, _}, [%rd7, {%r1}]; st.global.u32 [%rd2], %r4; ret;)",
                   ".visible .global .texref table;");
  for (std::uint32_t i = 0; i < 64; ++i) kernel.set_word(1024 + i, i);
  Texture second = table(kernel, 32);
  second.address += 128;
  kernel.spec().textures = {table(kernel, 32), second};
  kernel.run({1, 1, 1}, {32, 1, 1});
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(kernel.word(i), i < 16 ? i : i + 32) << i;
}

TEST(ExecTexture, TimingSeesTheTexelsOfTheActiveLanes) {
  KernelRun kernel(kThreadAddress + R"(
    setp.lt.u32 %p1, %r1, 3; cvt.rn.f32.u32 %f1, %r1;
    @%p1 tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [line, {%f1}]; st.global.f32 [%rd2], %f2; ret;)",
                   ".global .texref line;");
  Texture texture = table(kernel, 8);
  texture.type = TexelType::kF32;
  texture.memory = TextureMemory::kArray;
  texture.linear_filter = true;
  texture.cached_address = 0x5000;
  kernel.spec().textures = {texture};
  kernel.run({1, 1, 1}, {32, 1, 1});
  const auto fetch = std::find_if(kernel.accesses().begin(), kernel.accesses().end(),
                                  [](const auto& access) { return access.step.space == Space::kTexture; });
  ASSERT_NE(fetch, kernel.accesses().end());
  EXPECT_EQ(fetch->step.access, 7U);
  // Lane 0 lies at the first texel's left rim, lanes 1 and 2 between two texels.
  EXPECT_EQ(fetch->addresses.texels.address,
            (std::vector<std::uint64_t>{0x5000, 0x5000, 0x5000, 0x5004, 0x5004, 0x5008}));
  EXPECT_EQ(fetch->addresses.texels.of_lane[0], 2);
  EXPECT_EQ(fetch->addresses.texels.of_lane[2], 2);
  EXPECT_EQ(fetch->addresses.texels.of_lane[3], 0);
}

TEST(ExecTexture, TimingKnowsAFetchAsALoad) {
  KernelRun kernel(kThreadAddress + kFetch, ".global .texref table;");
  const Code& code = *kernel.module().module().find("k");
  for (std::size_t i = 0; i < code.operations.size(); ++i) {
    if (code.operations[i].opcode != Opcode::kTex) continue;
    const Instruction& fetch = code.program.code[i];
    EXPECT_EQ(fetch.mem, MemOp::kLoad);
    EXPECT_EQ(fetch.space, Space::kTexture);
    EXPECT_EQ(fetch.unit, Unit::kLdst);
    EXPECT_EQ(fetch.num_destinations, 4);
    EXPECT_EQ(fetch.num_sources, 1);
    return;
  }
  FAIL() << "no tex";
}

std::string fault(const std::string& fetch, const Texture& texture, bool bound = true) {
  KernelRun kernel(kThreadAddress + "cvt.rn.f32.u32 %f1, %r1;\n" + fetch + "\nret;", ".global .texref t;");
  Texture there = texture;
  if (bound) there.address = kernel.data();
  kernel.spec().textures = {there};
  try {
    kernel.run({1, 1, 1}, {1, 1, 1});
  } catch (const ExecutionFault& found) {
    return found.what();
  }
  return "no fault";
}

TEST(ExecTexture, WhatCanNotBeReadIsAFault) {
  Texture floats;
  EXPECT_THAT(fault("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];", floats, false),
              HasSubstr("thread (0, 0, 0) of block (0, 0, 0): the texture is not bound"));
  EXPECT_THAT(fault("tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1, %r1}];", floats),
              HasSubstr("the texture has 1 dimensions, expected 2"));
  EXPECT_THAT(fault("tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [t, {%r1}];", floats),
              HasSubstr("read as floats, expected integers for .u32"));
  EXPECT_THAT(fault("tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f1}];", floats),
              HasSubstr("float coordinates of a texture in linear memory"));
  Texture filtered;
  filtered.memory = TextureMemory::kArray;
  filtered.linear_filter = true;
  EXPECT_THAT(fault("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];", filtered),
              HasSubstr("integer coordinates of a texture with a linear filter"));
  Texture normalized;
  normalized.memory = TextureMemory::kArray;
  normalized.normalized = true;
  EXPECT_THAT(fault("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];", normalized),
              HasSubstr("integer coordinates of a texture with normalized ones"));
  EXPECT_THAT(fault("mov.u64 %rd5, 64; tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd5, {%r1}];", floats),
              HasSubstr("0x40 is not the handle of a texture"));
}

std::string refusal(const std::string& instruction, const std::string& module_scope = "") {
  const Module module = load_text(
      ".version 3.2\n.target sm_20\n.address_size 64\n.global .texref t;\n" + module_scope +
          ".entry k() {\n.reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;\n" + instruction + "\nret; }\n",
      "t.ptx");
  return module.refused.empty() ? "none" : module.refused.front().error;
}

TEST(ExecTexture, OtherFormsAreRefused) {
  EXPECT_EQ(refusal("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];"), "none");
  EXPECT_EQ(refusal("tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f1, %f2, %f3, %f3}];"), "none");
  EXPECT_EQ(refusal("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {0f3F000000, %f2}];"), "none");
  EXPECT_THAT(refusal("tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%r1, %f2, %f3, %f3}];"),
              HasSubstr("'tex' with '.a2d' is not supported"));
  EXPECT_THAT(refusal("tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f2, %f3}], %f1;"),
              HasSubstr("'tex' with '.level' is not supported"));
  EXPECT_THAT(refusal("tex.1d.v2.f32.s32 {%f1, %f2}, [t, {%r1}];"), HasSubstr("'tex' needs '.v4'"));
  EXPECT_THAT(refusal("tex.1d.v4.f16.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];"),
              HasSubstr("'tex' needs a result of type '.f32', '.s32' or '.u32'"));
  EXPECT_THAT(refusal("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f1}];"),
              HasSubstr("found 1 coordinates, expected 2"));
  EXPECT_THAT(refusal("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, s, {%r1}];", ".global .samplerref s;\n"),
              HasSubstr("found a sampler beside the texture"));
  EXPECT_THAT(refusal("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [s, {%r1}];", ".global .samplerref s;\n"),
              HasSubstr("samplers apart from textures, and surfaces, are not supported"));
  EXPECT_THAT(
      refusal("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [u, {%r1}];", ".global .texref u = { width = 4 };\n"),
      HasSubstr("texture references with an initialiser"));
  EXPECT_THAT(refusal("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%r2, {%r1}];"),
              HasSubstr("expected a texture reference's name or a 64-bit register"));
  EXPECT_THAT(refusal("tex.1d.v4.u32.s32 {%rd1, %rd2, %rd3, %rd4}, [t, {%r1}];"),
              HasSubstr("found a result of 64 bits, expected 32"));
  EXPECT_THAT(refusal("ld.global.u32 %r1, [t];"), HasSubstr("found 't', which only 'tex' can access"));
  EXPECT_THAT(refusal("ld.global.u32 %r1, [%rd1, {%r2}];"), HasSubstr("found ',' in an address"));
  EXPECT_THAT(refusal("tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f1, %f2}];"),
              HasSubstr("of textures and surfaces only 'tex' is"));
}

}  // namespace
}  // namespace heddle::ptx::testing
