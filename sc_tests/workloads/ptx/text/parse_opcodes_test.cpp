// Every opcode, textures aside, that clang (sm_20) and nvcc (sm_75) make of PolyBench/GPU, Rodinia, Parboil,
// SHOC, ISPASS-2009, the CUDA SDK, Pannotia, LonestarGPU and Mars must load, and so must forms beyond these.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "sc_tests/workloads/ptx/text/parse_support.h"

namespace heddle::ptx {
namespace {

constexpr std::string_view kBenchmarkOpcodes = R"(
abs.f32 %f1, %f2; abs.f64 %fd1, %fd2; abs.s32 %r1, %r2; add.cc.u32 %r1, %r2, %r3; add.f32 %f1, %f2, %f3;
add.f64 %fd1, %fd2, %fd3; add.rm.f64 %fd1, %fd2, %fd3; add.rn.f32 %f1, %f2, %f3;
add.rn.f64 %fd1, %fd2, %fd3; add.rp.f64 %fd1, %fd2, %fd3; add.s16 %rs1, %rs2, %rs3; add.s32 %r1, %r2, %r3;
add.s64 %rd1, %rd2, %rd3; add.u32 %r1, %r2, %r3; add.u64 %rd1, %rd2, %rd3; addc.cc.u32 %r1, %r2, %r3;
addc.u32 %r1, %r2, %r3; and.b16 %rs1, %rs2, %rs3; and.b32 %r1, %r2, %r3; and.b64 %rd1, %rd2, %rd3;
and.pred %p1, %p2, %p3; atom.dec.u32 %r1, [%rd9], %r2; atom.global.add.f32 %f1, [%rd9], %f2;
atom.global.add.u32 %r1, [%rd9], %r2; atom.global.and.b32 %r1, [%rd9], %r2;
atom.global.cas.b32 %r1, [%rd9], %r2, %r3; atom.global.dec.u32 %r1, [%rd9], %r2;
atom.global.exch.b32 %r1, [%rd9], %r2; atom.global.inc.u32 %r1, [%rd9], %r2;
atom.global.max.s32 %r1, [%rd9], %r2; atom.global.max.u32 %r1, [%rd9], %r2;
atom.global.min.s32 %r1, [%rd9], %r2; atom.global.min.u32 %r1, [%rd9], %r2;
atom.global.or.b32 %r1, [%rd9], %r2; atom.global.xor.b32 %r1, [%rd9], %r2; atom.inc.u32 %r1, [%rd9], %r2;
atom.or.acq_rel.cta.b32 %r1, [%rd9], %r2; atom.shared.add.u32 %r1, [%rd9], %r2;
atom.shared.or.b32 %r1, [%rd9], %r2; bar.red.or.pred %p1, 0, %p2; bar.sync 0; bar.warp.sync -1;
barrier.sync 0, 64; bfe.s32 %r1, %r2, %r3, %r4; bfe.u32 %r1, %r2, %r3, %r4; bfe.u64 %rd1, %rd2, %r3, %r4;
bfi.b32 %r1, %r2, %r3, %r4, %r5; bfi.b64 %rd1, %rd2, %rd3, %r4, %r5; bfind.shiftamt.u32 %r1, %r2;
bmsk.clamp.b32 %r1, %r2, %r3; bra DONE; bra.uni DONE; brev.b32 %r1, %r2; clz.b32 %r1, %r2;
clz.b64 %r1, %rd2; copysign.f32 %f1, %f2, %f3; cos.approx.f32 %f1, %f2; cvt.f64.f32 %fd1, %f2;
cvt.rmi.f32.f32 %f1, %f2; cvt.rn.f32.f64 %f1, %fd2; cvt.rn.f32.s32 %f1, %r2; cvt.rn.f32.u16 %f1, %rs2;
cvt.rn.f32.u32 %f1, %r2; cvt.rn.f64.s32 %fd1, %r2; cvt.rn.f64.s64 %fd1, %rd2; cvt.rn.f64.u32 %fd1, %r2;
cvt.rni.f32.f32 %f1, %f2; cvt.rni.s32.f32 %r1, %f2; cvt.rni.s32.f64 %r1, %fd2; cvt.rpi.f32.f32 %f1, %f2;
cvt.rpi.f64.f64 %fd1, %fd2; cvt.rzi.f32.f32 %f1, %f2; cvt.rzi.f64.f64 %fd1, %fd2; cvt.rzi.s32.f32 %r1, %f2;
cvt.rzi.s32.f64 %r1, %fd2; cvt.rzi.u16.f32 %rs1, %f2; cvt.rzi.u32.f32 %r1, %f2; cvt.s16.s8 %rs1, %rs2;
cvt.s32.s16 %r1, %rs2; cvt.s32.s8 %r1, %rs2; cvt.s64.s32 %rd1, %r2; cvt.sat.f32.f32 %f1, %f2;
cvt.u16.u32 %rs1, %r2; cvt.u16.u64 %rs1, %rd2; cvt.u32.u16 %r1, %rs2; cvt.u32.u64 %r1, %rd2;
cvt.u64.u16 %rd1, %rs2; cvt.u64.u32 %rd1, %r2; cvta.global.u64 %rd1, %rd2; cvta.local.u64 %rd1, %rd2;
cvta.shared.u64 %rd1, %rd2; cvta.to.global.u64 %rd1, %rd2; cvta.to.local.u64 %rd1, %rd2;
div.approx.f32 %f1, %f2, %f3; div.rm.f64 %fd1, %fd2, %fd3; div.rn.f32 %f1, %f2, %f3;
div.rn.f64 %fd1, %fd2, %fd3; div.rp.f64 %fd1, %fd2, %fd3; div.s32 %r1, %r2, %r3; div.u16 %rs1, %rs2, %rs3;
div.u32 %r1, %r2, %r3; ex2.approx.f32 %f1, %f2; ex2.approx.ftz.f32 %f1, %f2; exit;
fma.rm.f32 %f1, %f2, %f3, %f4; fma.rn.f32 %f1, %f2, %f3, %f4; fma.rn.f64 %fd1, %fd2, %fd3, %fd4;
fma.rz.f32 %f1, %f2, %f3, %f4; ld.acquire.cta.u32 %r1, [%rd9+-8]; ld.cg.u32 %r1, [%rd9+-8];
ld.const.f32 %f1, [table+4]; ld.const.f64 %fd1, [table+4]; ld.const.s32 %r1, [table+4];
ld.const.u32 %r1, [table+4]; ld.const.u64 %rd1, [table+4]; ld.const.u8 %rs1, [table+4];
ld.const.v2.u32 {%r1, %r2}, [table+4]; ld.const.v4.f32 {%f1, %f2, %f3, %f4}, [table+4];
ld.f32 %f1, [%rd9+-8]; ld.f64 %fd1, [%rd9+-8]; ld.global.f32 %f1, [%rd9+-8]; ld.global.f64 %fd1, [%rd9+-8];
ld.global.nc.f32 %f1, [%rd9+-8]; ld.global.nc.f64 %fd1, [%rd9+-8]; ld.global.nc.u32 %r1, [%rd9+-8];
ld.global.nc.u64 %rd1, [%rd9+-8]; ld.global.nc.v2.f32 {%f1, %f2}, [%rd9+-8];
ld.global.nc.v2.f64 {%fd1, %fd2}, [%rd9+-8]; ld.global.nc.v2.u32 {%r1, %r2}, [%rd9+-8];
ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd9+-8]; ld.global.s32 %r1, [%rd9+-8];
ld.global.s8 %rs1, [%rd9+-8]; ld.global.u16 %rs1, [%rd9+-8]; ld.global.u32 %r1, [%rd9+-8];
ld.global.u64 %rd1, [%rd9+-8]; ld.global.u8 %rs1, [%rd9+-8]; ld.global.v2.f32 {%f1, %f2}, [%rd9+-8];
ld.global.v2.f64 {%fd1, %fd2}, [%rd9+-8]; ld.global.v2.u32 {%r1, %r2}, [%rd9+-8];
ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd9+-8]; ld.global.v4.u16 {%rs1, %rs2, %rs3, %rs4}, [%rd9+-8];
ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd9+-8]; ld.global.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%rd9+-8];
ld.local.f32 %f1, [frame+4]; ld.local.f64 %fd1, [frame+4]; ld.local.u32 %r1, [frame+4];
ld.local.u64 %rd1, [frame+4]; ld.local.u8 %rs1, [frame+4]; ld.local.v2.u32 {%r1, %r2}, [frame+4];
ld.local.v4.f32 {%f1, %f2, %f3, %f4}, [frame+4]; ld.local.v4.u32 {%r1, %r2, %r3, %r4}, [frame+4];
ld.local.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [frame+4]; ld.param.b32 %r1, [in+8]; ld.param.b64 %rd1, [in+8];
ld.param.f32 %f1, [in+8]; ld.param.f64 %fd1, [in+8]; ld.param.s16 %rs1, [in+8]; ld.param.s8 %rs1, [in+8];
ld.param.u16 %rs1, [in+8]; ld.param.u32 %r1, [in+8]; ld.param.u64 %rd1, [in+8]; ld.param.u8 %rs1, [in+8];
ld.param.v2.f32 {%f1, %f2}, [in+8]; ld.param.v2.f64 {%fd1, %fd2}, [in+8];
ld.param.v2.u32 {%r1, %r2}, [in+8]; ld.s32 %r1, [%rd9+-8]; ld.s8 %rs1, [%rd9+-8];
ld.shared.f32 %f1, [tile+4]; ld.shared.f64 %fd1, [tile+4]; ld.shared.s32 %r1, [tile+4];
ld.shared.u16 %rs1, [tile+4]; ld.shared.u32 %r1, [tile+4]; ld.shared.u64 %rd1, [tile+4];
ld.shared.u8 %rs1, [tile+4]; ld.shared.v2.f32 {%f1, %f2}, [tile+4]; ld.shared.v2.f64 {%fd1, %fd2}, [tile+4];
ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [tile+4]; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [tile+4];
ld.shared.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [tile+4]; ld.u32 %r1, [%rd9+-8]; ld.u64 %rd1, [%rd9+-8];
ld.u8 %rs1, [%rd9+-8]; ld.v2.u32 {%r1, %r2}, [%rd9+-8]; ld.v4.f32 {%f1, %f2, %f3, %f4}, [%rd9+-8];
ld.v4.u32 {%r1, %r2, %r3, %r4}, [%rd9+-8]; ld.volatile.global.f32 %f1, [%rd9+-8];
ld.volatile.global.s32 %r1, [%rd9+-8]; ld.volatile.global.u32 %r1, [%rd9+-8];
ld.volatile.global.u8 %rs1, [%rd9+-8]; ld.volatile.shared.f32 %f1, [tile+4];
ld.volatile.shared.f64 %fd1, [tile+4]; ld.volatile.shared.u32 %r1, [tile+4]; lg2.approx.f32 %f1, %f2;
mad.lo.cc.u32 %r1, %r2, %r3, %r4; mad.lo.s32 %r1, %r2, %r3, %r4; mad.wide.u32 %rd1, %r2, %r3, %rd4;
madc.hi.cc.u32 %r1, %r2, %r3, %r4; madc.hi.u32 %r1, %r2, %r3, %r4; madc.lo.cc.u32 %r1, %r2, %r3, %r4;
max.f32 %f1, %f2, %f3; max.f64 %fd1, %fd2, %fd3; max.s32 %r1, %r2, %r3; max.u32 %r1, %r2, %r3; membar.cta;
membar.gl; min.f32 %f1, %f2, %f3; min.f64 %fd1, %fd2, %fd3; min.s32 %r1, %r2, %r3; min.u16 %rs1, %rs2, %rs3;
min.u32 %r1, %r2, %r3; mov.b32 %r1, %r2; mov.b64 %rd1, %rd2; mov.f32 %f1, %f2; mov.f64 %fd1, %fd2;
mov.pred %p1, %p2; mov.s32 %r1, %r2; mov.u16 %rs1, %rs2; mov.u32 %r1, %r2; mov.u64 %rd1, %rd2;
mul.f32 %f1, %f2, %f3; mul.f64 %fd1, %fd2, %fd3; mul.hi.s32 %r1, %r2, %r3; mul.hi.u16 %rs1, %rs2, %rs3;
mul.hi.u32 %r1, %r2, %r3; mul.lo.s16 %rs1, %rs2, %rs3; mul.lo.s32 %r1, %r2, %r3;
mul.lo.s64 %rd1, %rd2, %rd3; mul.lo.u32 %r1, %r2, %r3; mul.rm.f64 %fd1, %fd2, %fd3;
mul.rn.f32 %f1, %f2, %f3; mul.rn.f64 %fd1, %fd2, %fd3; mul.rp.f64 %fd1, %fd2, %fd3;
mul.wide.s32 %rd1, %r2, %r3; mul.wide.u16 %r1, %rs2, %rs3; mul.wide.u32 %rd1, %r2, %r3; neg.f32 %f1, %f2;
neg.f64 %fd1, %fd2; neg.s32 %r1, %r2; neg.s64 %rd1, %rd2; not.b32 %r1, %r2; not.b64 %rd1, %rd2;
not.pred %p1, %p2; or.b16 %rs1, %rs2, %rs3; or.b32 %r1, %r2, %r3; or.b64 %rd1, %rd2, %rd3;
or.pred %p1, %p2, %p3; popc.b32 %r1, %r2; prmt.b32 %r1, %r2, %r3, 0x5410; rcp.approx.ftz.f32 %f1, %f2;
rcp.approx.ftz.f64 %fd1, %fd2; rcp.rn.f32 %f1, %f2; rcp.rn.f64 %fd1, %fd2;
red.and.release.cta.b32 [%rd9], %r2; rem.s32 %r1, %r2, %r3; rem.u32 %r1, %r2, %r3; ret;
rsqrt.approx.f32 %f1, %f2; rsqrt.approx.f64 %fd1, %fd2; selp.b16 %rs1, %rs2, %rs3, %p1;
selp.b32 %r1, %r2, %r3, %p1; selp.b64 %rd1, %rd2, %rd3, %p1; selp.f32 %f1, %f2, %f3, %p1;
selp.f64 %fd1, %fd2, %fd3, %p1; selp.s32 %r1, %r2, %r3, %p1; selp.u16 %rs1, %rs2, %rs3, %p1;
selp.u32 %r1, %r2, %r3, %p1; selp.u64 %rd1, %rd2, %rd3, %p1; setp.eq.b16 %p1, %rs2, %rs3;
setp.eq.b32 %p1, %r2, %r3; setp.eq.b64 %p1, %rd2, %rd3; setp.eq.f32 %p1, %f2, %f3;
setp.eq.f64 %p1, %fd2, %fd3; setp.eq.s16 %p1, %rs2, %rs3; setp.eq.s32 %p1, %r2, %r3;
setp.eq.s64 %p1, %rd2, %rd3; setp.equ.f32 %p1, %f2, %f3; setp.ge.f32 %p1, %f2, %f3;
setp.ge.f64 %p1, %fd2, %fd3; setp.ge.s32 %p1, %r2, %r3; setp.ge.s64 %p1, %rd2, %rd3;
setp.ge.u32 %p1, %r2, %r3; setp.ge.u64 %p1, %rd2, %rd3; setp.geu.f32 %p1, %f2, %f3;
setp.geu.f64 %p1, %fd2, %fd3; setp.gt.f32 %p1, %f2, %f3; setp.gt.f64 %p1, %fd2, %fd3;
setp.gt.s16 %p1, %rs2, %rs3; setp.gt.s32 %p1, %r2, %r3; setp.gt.s64 %p1, %rd2, %rd3;
setp.gt.u16 %p1, %rs2, %rs3; setp.gt.u32 %p1, %r2, %r3; setp.gt.u64 %p1, %rd2, %rd3;
setp.gtu.f32 %p1, %f2, %f3; setp.gtu.f64 %p1, %fd2, %fd3; setp.le.f32 %p1, %f2, %f3;
setp.le.f64 %p1, %fd2, %fd3; setp.le.s32 %p1, %r2, %r3; setp.le.s64 %p1, %rd2, %rd3;
setp.le.u32 %p1, %r2, %r3; setp.leu.f32 %p1, %f2, %f3; setp.leu.f64 %p1, %fd2, %fd3;
setp.lt.f32 %p1, %f2, %f3; setp.lt.f64 %p1, %fd2, %fd3; setp.lt.s16 %p1, %rs2, %rs3;
setp.lt.s32 %p1, %r2, %r3; setp.lt.s64 %p1, %rd2, %rd3; setp.lt.u16 %p1, %rs2, %rs3;
setp.lt.u32 %p1, %r2, %r3; setp.lt.u64 %p1, %rd2, %rd3; setp.ltu.f32 %p1, %f2, %f3;
setp.ltu.f64 %p1, %fd2, %fd3; setp.nan.f64 %p1, %fd2, %fd3; setp.ne.s16 %p1, %rs2, %rs3;
setp.ne.s32 %p1, %r2, %r3; setp.ne.s64 %p1, %rd2, %rd3; setp.ne.u32 %p1, %r2, %r3;
setp.neu.f32 %p1, %f2, %f3; setp.neu.f64 %p1, %fd2, %fd3; setp.num.f64 %p1, %fd2, %fd3;
shf.l.wrap.b32 %r1, %r2, %r3, %r4; shfl.sync.bfly.b32 %r1|%p1, %r2, 3, 31, -1;
shfl.sync.down.b32 %r1|%p1, %r2, 3, 31, -1; shfl.sync.idx.b32 %r1|%p1, %r2, 3, 31, -1;
shfl.sync.up.b32 %r1|%p1, %r2, 3, 31, -1; shl.b16 %rs1, %rs2, %r3; shl.b32 %r1, %r2, %r3;
shl.b64 %rd1, %rd2, %r3; shr.b32 %r1, %r2, %r3; shr.s16 %rs1, %rs2, %r3; shr.s32 %r1, %r2, %r3;
shr.u16 %rs1, %rs2, %r3; shr.u32 %r1, %r2, %r3; shr.u64 %rd1, %rd2, %r3; sin.approx.f32 %f1, %f2;
sqrt.approx.f32 %f1, %f2; sqrt.rn.f32 %f1, %f2; sqrt.rn.f64 %fd1, %fd2; st.cg.u32 [%rd9], %r1;
st.f32 [%rd9], %f1; st.f64 [%rd9], %fd1; st.global.f32 [%rd9], %f1; st.global.f64 [%rd9], %fd1;
st.global.u16 [%rd9], %rs1; st.global.u32 [%rd9], %r1; st.global.u64 [%rd9], %rd1;
st.global.u8 [%rd9], %rs1; st.global.v2.f32 [%rd9], {%f1, %f2}; st.global.v2.f64 [%rd9], {%fd1, %fd2};
st.global.v2.u32 [%rd9], {%r1, %r2}; st.global.v2.u8 [%rd9], {%rs1, %rs2};
st.global.v4.f32 [%rd9], {%f1, %f2, %f3, %f4}; st.global.v4.u32 [%rd9], {%r1, %r2, %r3, %r4};
st.global.v4.u8 [%rd9], {%rs1, %rs2, %rs3, %rs4}; st.local.f32 [frame], %f1; st.local.f64 [frame], %fd1;
st.local.u32 [frame], %r1; st.local.u64 [frame], %rd1; st.local.u8 [frame], %rs1;
st.local.v2.f32 [frame], {%f1, %f2}; st.local.v2.f64 [frame], {%fd1, %fd2};
st.local.v2.u32 [frame], {%r1, %r2}; st.local.v2.u8 [frame], {%rs1, %rs2};
st.local.v4.f32 [frame], {%f1, %f2, %f3, %f4}; st.local.v4.u8 [frame], {%rs1, %rs2, %rs3, %rs4};
st.param.b32 [out+4], %r1; st.param.b64 [out+4], %rd1; st.param.f32 [out+4], %f1;
st.param.f64 [out+4], %fd1; st.shared.f32 [tile], %f1; st.shared.f64 [tile], %fd1;
st.shared.u16 [tile], %rs1; st.shared.u32 [tile], %r1; st.shared.u64 [tile], %rd1;
st.shared.u8 [tile], %rs1; st.shared.v2.f32 [tile], {%f1, %f2}; st.shared.v2.f64 [tile], {%fd1, %fd2};
st.shared.v4.u32 [tile], {%r1, %r2, %r3, %r4}; st.shared.v4.u8 [tile], {%rs1, %rs2, %rs3, %rs4};
st.u32 [%rd9], %r1; st.u64 [%rd9], %rd1; st.u8 [%rd9], %rs1; st.v2.u32 [%rd9], {%r1, %r2};
st.v4.u32 [%rd9], {%r1, %r2, %r3, %r4}; st.volatile.global.f32 [%rd9], %f1;
st.volatile.global.u32 [%rd9], %r1; st.volatile.global.u8 [%rd9], %rs1; st.volatile.shared.f32 [tile], %f1;
st.volatile.shared.f64 [tile], %fd1; st.volatile.shared.u32 [tile], %r1;
st.volatile.shared.u64 [tile], %rd1; st.volatile.u32 [%rd9], %r1; sub.cc.u32 %r1, %r2, %r3;
sub.f32 %f1, %f2, %f3; sub.f64 %fd1, %fd2, %fd3; sub.s32 %r1, %r2, %r3; sub.s64 %rd1, %rd2, %rd3;
subc.cc.u32 %r1, %r2, %r3; subc.u32 %r1, %r2, %r3; vote.all.pred %p1, %p2; vote.any.pred %p1, %p2;
vote.ballot.sync.b32 %r1, %p2, %r3; vote.sync.all.pred %p1, %p2, %r3; vote.sync.any.pred %p1, %p2, %r3;
vote.sync.ballot.b32 %r1, %p2, %r3; xor.b16 %rs1, %rs2, %rs3; xor.b32 %r1, %r2, %r3;
xor.b64 %rd1, %rd2, %rd3; xor.pred %p1, %p2, %p3;
)";

constexpr std::string_view kFurtherForms = R"(
add.sat.s32 %r1, %r2, %r3; add.rz.ftz.sat.f32 %f1, %f2, 0f3F800000;
sub.rm.f64 %fd1, %fd2, 0d3FF0000000000000; mul24.lo.s32 %r1, %r2, %r3; mad24.hi.u32 %r1, %r2, %r3, %r4;
mad.hi.sat.s32 %r1, %r2, %r3, %r4; mad.rn.f32 %f1, %f2, %f3, %f4; div.full.ftz.f32 %f1, %f2, %f3;
sqrt.approx.f32 %f1, %f2; cnot.b32 %r1, %r2; lop3.b32 %r1, %r2, %r3, %r4, 0xE8;
shf.r.clamp.b32 %r1, %r2, %r3, 8; bfe.s32 %r1, %r2, 3, 5; bfind.s64 %r1, %rd2; popc.b64 %r1, %rd2;
prmt.b32.f4e %r1, %r2, %r3, %r4; dp4a.u32.s32 %r1, %r2, %r3, %r4; testp.notanumber.f64 %p1, %fd1;
setp.lt.and.f32 %p1|%p2, %f1, %f2, !%p3; setp.eq.s32 %p1|_, %r1, 0; set.gt.u32.f32 %r1, %f2, %f3;
set.lt.f32.s32 %f1, %r2, %r3; slct.s32.f32 %r1, %r2, %r3, %f4; slct.f32.s32 %f1, %f2, %f3, %r4;
cvt.rzi.sat.u8.f32 %rs1, %f1; cvt.u8.u32 %r1, %r2; cvt.ftz.f64.f32 %fd1, %f2; cvta.shared.u64 %rd1, tile;
cvta.to.local.u64 %rd1, %rd2; isspacep.shared %p1, %rd1; mov.u32 %r1, %tid.x; mov.u64 %rd1, %clock64;
mov.u32 %r1, WARP_SZ; mov.u64 %rd1, table+8; mov.u32 %r1, tile; mov.b64 %rd1, {%r1, %r2};
mov.b64 {%r1, %r2}, %fd3; mov.b32 {%rs1, _}, %r1; mov.pred %p1, -1; not.pred %p1, !%p2;
selp.b64 %rd1, 5, %rd2, !%p1; ld.u32 %r1, [%rd1]; ld.volatile.u32 %r1, [%rd1];
ld.relaxed.gpu.global.u32 %r1, [%rd1]; ld.global.L1::no_allocate.L2::128B.v2.b64 {%rd1, %rd2}, [%rd3];
ld.global.lu.u8 %r1, [%rd1]; ldu.global.f32 %f1, [%rd1]; ld.param.u32 %r1, [%rd1+4];
ld.const.f64 %fd1, [%rd1]; ld.shared.u32 %r1, [%r2+4*4]; ld.global.u32 %r1, [3221225472];
st.global.wt.f32 [%rd1-4], 0f00000000; st.release.sys.global.u32 [%rd1], %r1;
atom.shared.cas.b64 %rd1, [%r1], %rd2, %rd3; atom.add.f64 _, [%rd1], %fd1;
atom.acq_rel.gpu.global.exch.b32 %r1, [%rd1], %r2; red.global.add.f32 [%rd1], %f1; vote.uni.pred %p1, %p2;
vote.ballot.b32 %r1, !%p2; match.any.sync.b32 %r1, %r2, -1; match.all.sync.b64 %r1|%p1, %rd2, -1;
shfl.up.b32 %r1, %r2, 1, 0; shfl.idx.b32 %r1|%p1, %r2, %r3, 31; activemask.b32 %r1; bar.sync %r1, %r2;
bar.red.popc.u32 %r1, 1, 64, !%p1; barrier.cta.sync.aligned 0; barrier.cta.red.and.pred %p1, 0, %p2;
membar.sys; fence.acq_rel.gpu; @!%p1 bra.uni DONE; @%p1 exit; @%p1 add.s32 %r1, %r1, 1; trap;
prefetch.global.L2 [%rd1];
)";

void expect_all_load(std::string_view list) {
  while (list.find(';') != std::string_view::npos) {
    const std::size_t end = list.find(';');
    std::string instruction(list.substr(0, end));
    instruction.erase(0, instruction.find_first_not_of(" \n"));
    list.remove_prefix(end + 1);
    EXPECT_EQ("", load_error(in_kernel(instruction + ";"))) << instruction;
  }
}

TEST(PtxOpcodes, BenchmarkOpcodesLoad) { expect_all_load(kBenchmarkOpcodes); }

TEST(PtxOpcodes, FurtherFormsLoad) { expect_all_load(kFurtherForms); }

}  // namespace
}  // namespace heddle::ptx
