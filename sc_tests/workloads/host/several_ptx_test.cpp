#include "sc_tests/workloads/host/program_folder.h"

namespace heddle {
namespace {

/// A file with a variable `shared_name` that holds `value`, the kernels `both` and `only_VALUE`: they store
/// the variable's value, and add 1 to it.
std::string file_of(const std::string& value) {
  const std::string body =
      "(.param .u64 to)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\nld.param.u64 %rd1, [to];\n"
      "ld.global.u32 %r1, [shared_name];\nst.global.u32 [%rd1], %r1;\nadd.u32 %r1, %r1, 1;\n"
      "st.global.u32 [shared_name], %r1;\nret;\n}\n";
  return ".version 6.0\n.target sm_20\n.address_size 64\n.global .align 4 .u32 shared_name = " + value +
         ";\n.global .align 4 .u32 name_" + value + " = " + value + ";\n.visible .entry both" + body +
         ".visible .entry only_" + value + body;
}

class SeveralPtx : public test::ProgramFolder {
 protected:
  SeveralPtx() {
    write("a.ptx", file_of("10"));
    write("b.ptx", file_of("20"));
  }
  static std::string with(const std::string& launches, const std::string& symbols = "") {
    return "ptx: [a.ptx, b.ptx]\nbuffers:\n  out: {type: u32, count: 4}\n" + symbols + "launches:\n" +
           launches;
  }
};

TEST_F(SeveralPtx, KernelsAreFoundInAllAndVariablesAreOfTheirFile) {
  const auto program =
      run(with("  - {kernel: only_10, grid: 1, block: 1, args: [out]}\n"
               "  - {kernel: only_20, grid: 1, block: 1, args: [{buffer: out, offset: 4}]}\n"
               "  - {kernel: both, ptx: b.ptx, grid: 1, block: 1, args: [{buffer: out, offset: 8}]}\n"
               "  - {kernel: both, ptx: a.ptx, grid: 1, block: 1, args: [{buffer: out, offset: 12}]}\n"));
  EXPECT_EQ(element<std::uint32_t>(*program, "out", 0), 10U);
  EXPECT_EQ(element<std::uint32_t>(*program, "out", 1), 20U);
  EXPECT_EQ(element<std::uint32_t>(*program, "out", 2), 21U);
  EXPECT_EQ(element<std::uint32_t>(*program, "out", 3), 11U);
}

TEST_F(SeveralPtx, SymbolsAreOfTheFileThatIsNamed) {
  const auto program = run(with(
      "  - {kernel: only_10, grid: 1, block: 1, args: [out]}\n"
      "  - {kernel: only_20, grid: 1, block: 1, args: [{buffer: out, offset: 4}]}\n",
      "  x: {symbol: shared_name, ptx: b.ptx, type: u32, init: 33}\n  y: {symbol: name_10, type: u32}\n"));
  EXPECT_EQ(element<std::uint32_t>(*program, "out", 0), 10U);
  EXPECT_EQ(element<std::uint32_t>(*program, "out", 1), 33U);
}

TEST_F(SeveralPtx, TheirCodeLiesInDifferentPlaces) {
  HostProgram program(
      workload(with("  - {kernel: both, ptx: a.ptx, grid: 1, block: 1, args: [out]}\n"
                    "  - {kernel: both, ptx: b.ptx, grid: 1, block: 1, args: [out]}\n")));
  const auto first = program.next();
  const auto second = program.next();
  EXPECT_GE(second->code_base(), first->code_base() + first->program().code.size() * Instruction::kBytes);
  EXPECT_GE(program.code_end(), second->code_base() + second->program().code.size() * Instruction::kBytes);
}

TEST_F(SeveralPtx, EachIsCompiledAsIsSaidOfIt) {
  ptx::CompileOptions few;
  few.registers["both"] = 30;
  ptx::CompileOptions many;
  many.registers["both"] = 40;
  HostProgram program(workload(with("  - {kernel: both, ptx: a.ptx, grid: 1, block: 1, args: [out]}\n"
                                    "  - {kernel: both, ptx: b.ptx, grid: 1, block: 1, args: [out]}\n")),
                      {}, {}, {few, many});
  EXPECT_EQ(program.next()->registers_per_thread(), 30U);
  EXPECT_EQ(program.next()->registers_per_thread(), 40U);
}

TEST_F(SeveralPtx, ANameInTwoFilesIsAnErrorThatSaysHowToTellThemApart) {
  EXPECT_EQ(error(with("  - {kernel: both, grid: 1, block: 1, args: [out]}\n")),
            "w.yaml:5:5: kernel 'both' is in a.ptx and in b.ptx: expected `ptx`, as in `ptx: a.ptx`, to say "
            "which");
  EXPECT_EQ(error(with("  []\n", "  x: {symbol: shared_name, type: u32}\n")),
            "w.yaml:4:15: symbol 'shared_name' is in a.ptx and in b.ptx: expected `ptx`, as in `ptx: a.ptx`, "
            "to say which");
}

TEST_F(SeveralPtx, NamesThatAreInNoneAreNamed) {
  EXPECT_EQ(error(with("  - {kernel: only_30, grid: 1, block: 1, args: [out]}\n")),
            "w.yaml:5:5: unknown kernel 'only_30' in a.ptx, b.ptx; did you mean 'only_10'? (kernels: both, "
            "only_10, only_20)");
  EXPECT_EQ(
      error(with("  - {kernel: only_20, ptx: a.ptx, grid: 1, block: 1, args: [out]}\n")),
      "w.yaml:5:5: unknown kernel 'only_20' in a.ptx; did you mean 'only_10'? (kernels: both, only_10)");
  EXPECT_EQ(error(with("  []\n", "  x: {symbol: name_20, ptx: a.ptx, type: u32}\n")),
            "w.yaml:4:15: unknown symbol 'name_20' in a.ptx, expected a .global or .const variable; did you "
            "mean 'name_10'? (symbols: name_10, shared_name)");
  EXPECT_EQ(
      error(with("  - {kernel: both, ptx: c.ptx, grid: 1, block: 1, args: [out]}\n")),
      "w.yaml:5:25: launch, ptx: the workload has no file 'c.ptx'; did you mean 'a.ptx'? (files: a.ptx, "
      "b.ptx)");
  EXPECT_EQ(error("ptx: [a.ptx, none.ptx]\nlaunches: []\n"), "w.yaml:1:14: there is no PTX file 'none.ptx'");
  EXPECT_EQ(error("ptx: [a.ptx, ./a.ptx]\nlaunches: []\n"),
            "w.yaml:1:14: workload, ptx: './a.ptx' stands twice");
  EXPECT_EQ(error("ptx: []\nlaunches: []\n"), "w.yaml:1:6: workload, ptx: expected 1 to 64 files, found 0");
}

}  // namespace
}  // namespace heddle
