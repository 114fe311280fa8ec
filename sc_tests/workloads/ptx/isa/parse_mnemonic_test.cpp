#include <gtest/gtest.h>

#include "workloads/ptx/isa/mnemonic.h"

namespace heddle::ptx {
namespace {

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t dot = text.find('.');
    parts.push_back(text.substr(0, dot));
    if (dot == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(dot + 1);
  }
}

Mnemonic decode(std::string_view text) { return decode_mnemonic(split(text)); }

std::string message_for(std::string_view text) {
  try {
    decode(text);
    return "";
  } catch (const MnemonicError& error) {
    return error.what();
  }
}

TEST(PtxMnemonic, SameWordMeansWhatTheInstructionNeeds) {
  EXPECT_EQ(MulPart::kLo, decode("mul.lo.s32").operation.mul_part);
  EXPECT_EQ(Compare::kLo, decode("setp.lo.u32").operation.compare);
  EXPECT_EQ(Bool::kAnd, decode("setp.lt.and.s32").operation.bool_op);
  EXPECT_EQ(AtomicOp::kAnd, decode("atom.and.b32").operation.atomic);
  EXPECT_EQ(VoteMode::kUni, decode("vote.uni.pred").operation.vote);
  EXPECT_TRUE(decode("bra.uni").operation.uniform);
  EXPECT_EQ(Opcode::kAnd, decode("and.b32").operation.opcode);
}

TEST(PtxMnemonic, CarryChains) {
  const Operation first = decode("mad.lo.cc.u32").operation;
  EXPECT_TRUE(first.carry_out);
  EXPECT_FALSE(first.carry_in);
  const Operation middle = decode("addc.cc.u32").operation;
  EXPECT_EQ(Opcode::kAdd, middle.opcode);
  EXPECT_TRUE(middle.carry_in);
  EXPECT_TRUE(middle.carry_out);
  const Operation last = decode("subc.u32").operation;
  EXPECT_EQ(Opcode::kSub, last.opcode);
  EXPECT_TRUE(last.carry_in);
  EXPECT_FALSE(last.carry_out);
}

TEST(PtxMnemonic, FloatMadIsFma) {
  EXPECT_EQ(Opcode::kFma, decode("mad.rn.f32").operation.opcode);
  EXPECT_EQ(Opcode::kMad, decode("mad.lo.s32").operation.opcode);
}

TEST(PtxMnemonic, ConversionsNameBothTypes) {
  const Operation operation = decode("cvt.rzi.ftz.sat.s32.f32").operation;
  EXPECT_EQ(Type::kS32, operation.type);
  EXPECT_EQ(Type::kF32, operation.source_type);
  EXPECT_EQ(Rounding::kRzi, operation.rounding);
  EXPECT_TRUE(operation.ftz);
  EXPECT_TRUE(operation.sat);
}

TEST(PtxMnemonic, SpacesAndCaching) {
  EXPECT_EQ(Space::kGeneric, decode("ld.f32").operation.space);
  EXPECT_EQ(Space::kGeneric, decode("atom.add.u32").operation.space);
  EXPECT_EQ(Space::kShared, decode("ld.shared::cta.f32").operation.space);
  EXPECT_EQ(CacheOp::kAll, decode("ld.global.nc.f32").cache);
  EXPECT_EQ(CacheOp::kAll, decode("ld.acquire.cta.u32").cache);
  EXPECT_EQ(CacheOp::kGlobalLevel, decode("ld.global.cg.u32").cache);
  EXPECT_EQ(CacheOp::kGlobalLevel, decode("ld.volatile.u32").cache);
  EXPECT_EQ(CacheOp::kGlobalLevel, decode("ld.relaxed.gpu.u32").cache);
  EXPECT_EQ(4U, decode("ld.global.v4.u8").operation.vector);
}

TEST(PtxMnemonic, LegacyAndCurrentSpellingsAgree) {
  for (const std::string_view text : {"vote.ballot.b32", "vote.sync.ballot.b32", "vote.ballot.sync.b32"}) {
    EXPECT_EQ(VoteMode::kBallot, decode(text).operation.vote) << text;
    EXPECT_EQ(text != "vote.ballot.b32", decode(text).operation.sync) << text;
  }
  for (const std::string_view text :
       {"bar.sync", "bar.cta.sync.aligned", "barrier.sync", "barrier.cta.sync.aligned"}) {
    EXPECT_EQ(Opcode::kBar, decode(text).operation.opcode) << text;
  }
  EXPECT_EQ(Opcode::kBarWarp, decode("bar.warp.sync").operation.opcode);
  EXPECT_EQ(Opcode::kBarRed, decode("barrier.cta.red.popc.aligned.u32").operation.opcode);
  for (const std::string_view text : {"membar.gl", "membar.cta", "fence.sc.sys", "fence.acq_rel.gpu"}) {
    EXPECT_EQ(Opcode::kMembar, decode(text).operation.opcode) << text;
  }
}

TEST(PtxMnemonic, ErrorsSuggest) {
  EXPECT_EQ("unknown or unsupported instruction 'setq'; did you mean 'setp'?", message_for("setq.eq.s32"));
  EXPECT_EQ("'sust' is not supported; of textures and surfaces only 'tex' is", message_for("sust.b.2d.b32"));
  EXPECT_EQ("unknown or unsupported modifier '.gobal' of 'ld'; did you mean 'global'?",
            message_for("ld.gobal.f32"));
  EXPECT_EQ("unknown or unsupported modifier '.arrive' of 'bar'", message_for("bar.arrive"));
  EXPECT_EQ("'cvt' needs 2 types, found 1", message_for("cvt.rn.f32"));
  EXPECT_EQ("'mul' needs '.lo', '.hi' or '.wide' with an integer type", message_for("mul.s32"));
  EXPECT_EQ("'setp' needs a comparison such as '.eq' or '.lt'", message_for("setp.s32"));
  EXPECT_EQ("'atom' needs an operation such as '.add' or '.cas'", message_for("atom.global.u32"));
}

}  // namespace
}  // namespace heddle::ptx
