// Buffers that hold addresses of other buffers.
#include "sc_tests/workloads/host/program_folder.h"

namespace heddle {
namespace {

// take(table, to): to[tid] = the first element of what table[tid] points at.
constexpr const char* kPointerTablesPtx = R"(.version 3.2
.target sm_20
.address_size 64
.visible .entry take(.param .u64 table, .param .u64 to)
{
  .reg .b64 %rd<6>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd1, [table];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 8;
  add.s64 %rd1, %rd1, %rd3;
  ld.global.u64 %rd4, [%rd1];
  ld.global.u32 %r2, [%rd4];
  mul.wide.u32 %rd5, %r1, 4;
  add.s64 %rd2, %rd2, %rd5;
  st.global.u32 [%rd2], %r2;
  ret;
}
)";

class PointerTables : public test::ProgramFolder {
 protected:
  PointerTables() { write("k.ptx", kPointerTablesPtx); }
  /// a: 0 to 7, b: 10 to 17; the table in line 5.
  static std::string with(const std::string& table, const std::string& launches = "") {
    return "ptx: k.ptx\nbuffers:\n  a: {type: u32, count: 8, init: {formula: i}}\n  b: {type: u32, count: 8, "
           "init: {formula: 10 + i}}\n  t: " +
           table + "\n  to: {type: u32, count: 4}\nlaunches:\n" + launches +
           "  - {kernel: take, grid: 1, block: 3, args: [t, to]}\n";
  }
  std::vector<std::uint32_t> taken(const std::string& table, const std::string& launches = "") const {
    const auto program = run(with(table, launches));
    std::vector<std::uint32_t> values;
    for (unsigned i = 0; i < 3; ++i) values.push_back(element<std::uint32_t>(*program, "to", i));
    return values;
  }
  using Values = std::vector<std::uint32_t>;
};

TEST_F(PointerTables, HoldAddressesOfBuffersAndOfPartsOfThem) {
  EXPECT_EQ(taken("{type: u64, count: 3, init: {addresses: [b, {buffer: a, offset: 20}, a]}}"),
            (Values{10, 5, 0}));
  EXPECT_EQ(taken("{type: u64, count: 3, init: {addresses: {buffer: b, offset: 4 * (2 * i + 1)}}}"),
            (Values{11, 13, 15}));
}

TEST_F(PointerTables, AreFilledBetweenLaunches) {
  EXPECT_EQ(taken("{type: u64, count: 3, init: {addresses: [a, a, a]}}",
                  "  - fill: {buffer: t, first: 1, count: 2, addresses: [b, {buffer: b, offset: 8}]}\n"),
            (Values{0, 10, 12}));
}

TEST_F(PointerTables, SayWhatIsWrong) {
  EXPECT_EQ(error(with("{type: u64, count: 2, init: {addresses: [a, a, a]}}")),
            "w.yaml:5:53: buffer 't': a table of 3 addresses, expected at most 2, its elements");
  EXPECT_EQ(error(with("{type: u64, count: 3, init: {addresses: [a, {buffer: a, offset: 33}]}}")),
            "w.yaml:5:70: buffer 't', element 1: offset in 'a' is 33, expected 0..32");
  EXPECT_EQ(error(with("{type: u64, count: 3, init: {addresses: {buffer: a, offset: 16 * i + 1}}}")),
            "w.yaml:5:46: buffer 't', element 2: offset 33 in 'a', expected 0..32");
  EXPECT_EQ(error(with("{type: u64, count: 3, init: {addresses: [a, c]}}")),
            "w.yaml:5:50: unknown buffer 'c' (buffers: a, b, t, to)");
  EXPECT_EQ(error(with("{type: u32, count: 3, init: {addresses: [a]}}")),
            "w.yaml:5:46: buffer 't', init: addresses needs type u64, found u32");
}

}  // namespace
}  // namespace heddle
