#include "sc_tests/top/machines/barrier_workload.h"

#include <cstdint>
#include <fstream>
#include <vector>

namespace heddle::test {

namespace {

constexpr const char* kKernel = R"(.version 3.2
.target sm_20
.address_size 64
.visible .entry turns(.param .u64 in, .param .u64 out)
{
  .reg .pred %p<8>;
  .reg .u32 %r<20>;
  .reg .u64 %rd<12>;
  .shared .align 4 .b8 exchanged[1024];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %nctaid.x;
  mul.lo.u32 %r5, %r2, %r4;
  mad.lo.u32 %r4, %r3, %r2, %r1;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd4, %rd1, %rd3;
  add.u64 %rd2, %rd2, %rd3;
  ld.global.u32 %r6, [%rd4];
  mad.lo.u32 %r7, %r4, 33, 7;
  rem.u32 %r7, %r7, %r5;
  mul.wide.u32 %rd3, %r7, 4;
  add.u64 %rd4, %rd1, %rd3;
  ld.global.u32 %r8, [%rd4];
  add.u32 %r6, %r6, %r8;
  mov.u64 %rd5, exchanged;
  mul.wide.u32 %rd6, %r1, 4;
  add.u64 %rd6, %rd5, %rd6;
  st.shared.u32 [%rd6], %r6;
  bar.sync 0;
  and.b32 %r9, %r1, 1;
  setp.eq.u32 %p1, %r9, 0;
  @%p1 bra EVEN;
  and.b32 %r9, %r1, 2;
  setp.eq.u32 %p2, %r9, 0;
  @%p2 bra THIRD;
  ld.shared.u32 %r10, [%rd6+-4];
  xor.b32 %r6, %r6, %r10;
  bra ODD;
THIRD:
  mul.lo.u32 %r6, %r6, 3;
ODD:
  add.u32 %r6, %r6, 1;
  bra MET;
EVEN:
  rem.u32 %r11, %r1, 5;
AGAIN:
  setp.eq.u32 %p3, %r11, 0;
  @%p3 bra MET;
  mad.lo.u32 %r6, %r6, 5, 1;
  and.b32 %r9, %r6, 4;
  setp.eq.u32 %p4, %r9, 0;
  @%p4 bra NEXT;
  add.u32 %r6, %r6, 7;
NEXT:
  sub.u32 %r11, %r11, 1;
  bra AGAIN;
MET:
  bar.sync 0;
  st.shared.u32 [%rd6], %r6;
  bar.sync 0;
  shr.u32 %r12, %r1, 5;
  rem.u32 %r13, %r12, 3;
  setp.eq.u32 %p5, %r13, 2;
  @%p5 bra STORE;
  bar.sync 0;
  setp.gt.u32 %p6, %r12, 1;
  @%p6 bra LAST;
  setp.le.u32 %p6, %r2, 32;
  @%p6 bra LAST;
  bar.sync 1, 64;
  xor.b32 %r14, %r1, 32;
  setp.lt.u32 %p7, %r14, %r2;
  selp.b32 %r14, %r14, 0, %p7;
  mul.wide.u32 %rd7, %r14, 4;
  add.u64 %rd7, %rd5, %rd7;
  ld.shared.u32 %r15, [%rd7];
  add.u32 %r6, %r6, %r15;
LAST:
  bar.sync 0;
STORE:
  st.global.u32 [%rd2], %r6;
  ret;
}
)";

std::uint32_t input(std::uint32_t i) { return 2654435761U * i + 12345; }

/// What a thread has when its warp has met the first barriers.
std::uint32_t diverged(std::uint32_t value, std::uint32_t left, unsigned tid) {
  if (tid % 2 == 1) return ((tid & 2U) != 0 ? value ^ left : 3 * value) + 1;
  for (unsigned round = tid % 5; round > 0; --round) {
    value = 5 * value + 1;
    if ((value & 4U) != 0) value += 7;
  }
  return value;
}

std::vector<std::uint32_t> expected(unsigned grid, unsigned block) {
  const unsigned threads = grid * block;
  std::vector<std::uint32_t> out(threads);
  std::vector<std::uint32_t> first(block);
  std::vector<std::uint32_t> second(block);
  for (unsigned tb = 0; tb < grid; ++tb) {
    for (unsigned t = 0; t < block; ++t) {
      const unsigned thread = tb * block + t;
      first[t] = input(thread) + input((33 * thread + 7) % threads);
    }
    for (unsigned t = 0; t < block; ++t) second[t] = diverged(first[t], t == 0 ? 0 : first[t - 1], t);
    for (unsigned t = 0; t < block; ++t) {
      const bool exchanges = t < 64 && block > 32;
      const unsigned other = (t ^ 32U) < block ? t ^ 32U : 0;
      out[tb * block + t] = second[t] + (exchanges ? second[other] : 0);
    }
  }
  return out;
}

}  // namespace

std::string write_barrier_workload(const std::string& folder, const std::string& name, unsigned grid,
                                   unsigned block) {
  std::ofstream(folder + "/turns.ptx") << kKernel;
  const std::vector<std::uint32_t> results = expected(grid, block);
  std::ofstream binary(folder + "/" + name + ".bin", std::ios::binary);
  binary.write(reinterpret_cast<const char*>(results.data()),
               static_cast<std::streamsize>(4 * results.size()));
  const std::string count = std::to_string(results.size());
  const std::string path = folder + "/" + name + ".yaml";
  std::ofstream(path)
      << "name: " << name << "\nptx: turns.ptx\nbuffers:\n  in: {type: u32, count: " << count
      << ", init: {formula: \"(2654435761 * i + 12345) % 4294967296\"}}\n  out: {type: u32, count: " << count
      << "}\nlaunches:\n  - {kernel: turns, grid: " << grid << ", block: " << block
      << ", args: [in, out]}\nchecks:\n  - {buffer: out, file: " << name << ".bin}\n";
  return path;
}

}  // namespace heddle::test
