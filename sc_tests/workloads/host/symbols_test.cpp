#include "sc_tests/workloads/host/program_folder.h"

namespace heddle {
namespace {

// take copies element `index` of c_table (16 floats, the first two 1 and 2), g_count and g_pointer's first
// element to `to`; it adds 1 to g_count.
constexpr const char* kSymbolsPtx = R"(.version 6.0
.target sm_20
.address_size 64
.const .align 4 .f32 c_table[16] = {1.0, 2.0};
.global .align 4 .u32 g_count = 40;
.global .align 8 .u64 g_pointer;
.global .align 4 .f32 g_room[4];
.visible .entry take(.param .u64 to, .param .u32 index)
{
  .reg .b64 %rd<8>;
  .reg .b32 %r<6>;
  .reg .f32 %f<3>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [index];
  mul.wide.u32 %rd2, %r1, 4;
  mov.u64 %rd3, c_table;
  add.s64 %rd3, %rd3, %rd2;
  ld.const.f32 %f1, [%rd3];
  st.global.f32 [%rd1], %f1;
  ld.global.u32 %r2, [g_count];
  cvt.rn.f32.u32 %f2, %r2;
  st.global.f32 [%rd1+4], %f2;
  add.u32 %r2, %r2, 1;
  st.global.u32 [g_count], %r2;
  ld.global.u64 %rd4, [g_pointer];
  setp.eq.u64 %p1, %rd4, 0;
  @%p1 bra DONE;
  ld.global.f32 %f1, [%rd4];
  st.global.f32 [%rd1+8], %f1;
DONE:
  ret;
}
)";

class Symbols : public test::ProgramFolder {
 protected:
  Symbols() {
    std::string text = kSymbolsPtx;
    text.insert(text.find("  .reg .f32"), "  .reg .pred %p<2>;\n");
    write("k.ptx", text);
  }
  /// One that takes element 1 of the table to `out`; the symbols' buffers begin in line 4.
  static std::string with(const std::string& symbols, const std::string& more = "") {
    return "ptx: k.ptx\nbuffers:\n  out: {type: f32, count: 4}\n" + symbols +
           "launches: [{kernel: take, grid: 1, block: 1, args: [out, 1]}]\n" + more;
  }
};

TEST_F(Symbols, HoldWhatThePtxSaysUnlessTheyAreGivenSomething) {
  const auto plain = run(with("  table: {symbol: c_table, type: f32}\n"));
  EXPECT_EQ(element<float>(*plain, "out", 0), 2.0F);
  EXPECT_EQ(element<float>(*plain, "out", 1), 40.0F);
  EXPECT_EQ(element<std::uint32_t>(*plain, "g_count", 0), 41U);
  const auto given =
      run(with("  table: {symbol: c_table, type: f32, init: {formula: 10 + i}}\n"
               "  count: {symbol: g_count, type: u32, init: 7}\n"));
  EXPECT_EQ(element<float>(*given, "out", 0), 11.0F);
  EXPECT_EQ(element<float>(*given, "out", 1), 7.0F);
  EXPECT_EQ(element<float>(*given, "c_table", 15), 25.0F);
}

TEST_F(Symbols, AZeroIsWrittenOverWhatThePtxSays) {
  const auto program = run(with("  count: {symbol: g_count, type: u32, init: 0}\n"));
  EXPECT_EQ(element<float>(*program, "out", 1), 0.0F);
}

TEST_F(Symbols, APartOfOneIsGivenByOffsetAndCount) {
  const auto program =
      run(with("  part: {symbol: c_table, type: f32, offset: 4, count: 2, set: [{index: 1, value: 9}]}\n"));
  EXPECT_EQ(element<float>(*program, "c_table", 0), 1.0F);
  EXPECT_EQ(element<float>(*program, "c_table", 1), 2.0F);  // no init: it stays
  EXPECT_EQ(element<float>(*program, "c_table", 2), 9.0F);
  EXPECT_EQ(element<float>(*program, "c_table", 3), 0.0F);
}

TEST_F(Symbols, AreSetFromFiles) {
  const float values[4] = {3.0F, 4.0F, 5.0F, 6.0F};
  write("t.bin", std::string(reinterpret_cast<const char*>(values), sizeof(values)));
  const auto program = run(with("  table: {symbol: c_table, type: f32, count: 4, init: {file: t.bin}}\n"));
  EXPECT_EQ(element<float>(*program, "out", 0), 4.0F);
}

TEST_F(Symbols, ChangeBetweenLaunches) {
  const auto program =
      run("ptx: k.ptx\nbuffers:\n  out: {type: f32, count: 16}\n  table: {symbol: c_table, type: f32}\n"
          "launches:\n"
          "  - repeat:\n      count: 2\n      as: k\n      launches:\n"
          "        - set: {buffer: table, index: 1, value: 100 + k}\n"
          "        - {kernel: take, grid: 1, block: 1, args: [{buffer: out, offset: 16 * k}, 1]}\n");
  EXPECT_EQ(element<float>(*program, "out", 0), 100.0F);
  EXPECT_EQ(element<float>(*program, "out", 4), 101.0F);
}

TEST_F(Symbols, AreCheckedAndHaveAddressesAsBuffersDo) {
  const auto program =
      run(with("  count: {symbol: g_count, type: u32}\n  table: {symbol: c_table, type: f32}\n"
               "  pointer: {symbol: g_pointer, type: u64, init: {addresses: [{buffer: table, offset: 4}]}}\n",
               "checks: [{buffer: count, sum: 41}, {buffer: table, sum: 4}]\n"));
  EXPECT_EQ(element<float>(*program, "out", 2), 2.0F);  // by way of the pointer
  const auto results = program->check();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_TRUE(results[0].passed);
  EXPECT_FALSE(results[1].passed);
  EXPECT_EQ(results[1].got, "3");
  const auto by_argument =
      run("ptx: k.ptx\nbuffers:\n  room: {symbol: g_room, type: f32, offset: 4}\n"
          "launches: [{kernel: take, grid: 1, block: 1, args: [{buffer: room, offset: 4}, 0]}]\n");
  EXPECT_EQ(element<float>(*by_argument, "g_room", 1), 0.0F);
  EXPECT_EQ(element<float>(*by_argument, "g_room", 2), 1.0F);
  EXPECT_EQ(element<float>(*by_argument, "g_room", 3), 40.0F);
}

// vector_add's reference reads a, b and writes c.
TEST_F(Symbols, ReferencesStartFromTheirFirstContents) {
  write("add.ptx", R"(.version 6.0
.target sm_20
.address_size 64
.global .align 4 .f32 a[4] = {1.0, 2.0, 3.0, 4.0};
.global .align 4 .f32 b[4];
.global .align 4 .f32 c[4];
.visible .entry add()
{
  .reg .b64 %rd<5>;
  .reg .b32 %r<2>;
  .reg .f32 %f<4>;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd1, %r1, 4;
  mov.u64 %rd2, a;
  add.s64 %rd2, %rd2, %rd1;
  ld.global.f32 %f1, [%rd2];
  mov.u64 %rd3, b;
  add.s64 %rd3, %rd3, %rd1;
  ld.global.f32 %f2, [%rd3];
  add.f32 %f3, %f1, %f2;
  mov.u64 %rd4, c;
  add.s64 %rd4, %rd4, %rd1;
  st.global.f32 [%rd4], %f3;
  st.global.f32 [%rd2], 0f00000000;
  ret;
}
)");
  const auto program =
      run("ptx: add.ptx\nparameters: {n: 4}\nbuffers:\n  a: {symbol: a, type: f32}\n"
          "  b: {symbol: b, type: f32, init: {formula: 10 * i}}\n"
          "  part_of_a: {symbol: a, type: f32, offset: 8, init: 7}\n  c: {symbol: c, type: f32}\n"
          "launches: [{kernel: add, grid: 1, block: n}]\nchecks: [{buffer: c, reference: vector_add}]\n");
  EXPECT_EQ(element<float>(*program, "c", 1), 12.0F);
  EXPECT_EQ(element<float>(*program, "c", 3), 37.0F);
  EXPECT_TRUE(program->check().at(0).passed) << program->check().at(0).message();
}

TEST_F(Symbols, CountAsCopiesFromTheHostOnlyWhenTheyAreWritten) {
  HostProgram program(workload(
      with("  table: {symbol: c_table, type: f32}\n  count: {symbol: g_count, type: u32, init: 1}\n")));
  const auto copies = program.take_host_copies();
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[0].address, program.memory().find("out")->address);
  EXPECT_EQ(copies[1].address, program.memory().find("g_count")->address);
  EXPECT_EQ(copies[1].bytes, 4U);
}

TEST_F(Symbols, OfProgramsBesideEachOtherAreTheirOwn) {
  const Workload both = workload(with("  count: {symbol: g_count, type: u32, init: 5}\n"));
  DeviceMemory memory;
  ProgramPlace place;
  place.memory = &memory;
  place.buffer_prefix = "x.";
  HostProgram x(both, {}, place);
  place.buffer_prefix = "y.";
  place.code_base = x.code_end();
  place.first_stream = 1;
  HostProgram y(both, {}, place);
  run_functionally(x);
  EXPECT_EQ(element<std::uint32_t>(x, "g_count", 0), 6U);
  EXPECT_EQ(element<std::uint32_t>(y, "g_count#2", 0), 5U);
  run_functionally(y);
  EXPECT_EQ(element<std::uint32_t>(y, "g_count#2", 0), 6U);
}

TEST_F(Symbols, ThatAreNotThereOrTooSmallAreNamed) {
  EXPECT_EQ(error(with("  t: {symbol: c_tabel, type: f32}\n")),
            "w.yaml:4:15: unknown symbol 'c_tabel' in k.ptx, expected a .global or .const variable; did you "
            "mean 'c_table'? (symbols: c_table, g_count, g_pointer, g_room)");
  EXPECT_EQ(error(with("  t: {symbol: c_table, type: f32, count: 17}\n")),
            "w.yaml:4:15: buffer 't' has 17 x f32 = 68 bytes from offset 0 on, but the symbol 'c_table' has "
            "64 bytes");
  EXPECT_EQ(error(with("  t: {symbol: c_table, type: f32, offset: 60, count: 2}\n")),
            "w.yaml:4:15: buffer 't' has 2 x f32 = 8 bytes from offset 60 on, but the symbol 'c_table' has "
            "64 bytes");
  EXPECT_EQ(error(with("  t: {symbol: c_table, type: f32, offset: 64}\n")),
            "w.yaml:4:15: buffer 't' has 1 x f32 = 4 bytes from offset 64 on, but the symbol 'c_table' has "
            "64 bytes");
  EXPECT_EQ(error(with("  t: {symbol: g_count, type: f64}\n")),
            "w.yaml:4:15: buffer 't' has 1 x f64 = 8 bytes from offset 0 on, but the symbol 'g_count' has 4 "
            "bytes");
  EXPECT_EQ(error(with("  t: {symbol: c_table, type: f32, offset: 68}\n")),
            "w.yaml:4:43: buffer 't': offset in the symbol 'c_table' is 68, expected 0..64");
  EXPECT_EQ(error(with("  t: {symbol: c_table, type: f32, offset: 2}\n")),
            "w.yaml:4:43: buffer 't': offset in the symbol 'c_table' is 2, expected a multiple of the 4 "
            "bytes of f32");
  EXPECT_EQ(error("ptx: k.ptx\nbuffers:\n  t: {type: f32, count: 1, offset: 4}\nlaunches: []\n"),
            "w.yaml:3:36: buffer 't', offset: only a buffer with a symbol has it");
  EXPECT_EQ(error("ptx: k.ptx\nbuffers:\n  t: {type: f32, count: 1, ptx: k.ptx}\nlaunches: []\n"),
            "w.yaml:3:33: buffer 't', ptx: only a buffer with a symbol has it");
  EXPECT_EQ(error("ptx: k.ptx\nbuffers:\n  a: {type: u32, count: 1}\n  t: {symbol: g_count, type: u32}\n"
                  "launches:\n  - swap: [a, t]\n"),
            "w.yaml:6:15: swap: 't' lies in the symbol 'g_count', which stays where it is: expected a buffer "
            "with memory of its own");
}

}  // namespace
}  // namespace heddle
