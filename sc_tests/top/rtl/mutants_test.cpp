// Mutants of the twins: each is a text of the SystemVerilog that becomes another one. Lock-step on three
// kernels and the proofs have to find them, the proofs alone those of parts that no scheduler has. The tests
// take a few; HEDDLE_RTL_MUTANTS=all takes all, =NAME those of a scheduler, and counts.
#include <algorithm>
#include <iostream>

#include "sc_tests/top/rtl/rtl_fixture.h"

namespace heddle {
namespace {

struct Mutant {
  std::string scheduler;
  std::string file;
  std::string text;
  std::string by;
};

std::string with_lines(std::string text) {
  for (std::size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n"))
    text.replace(at, 2, "\n");
  return text;
}

std::vector<Mutant> all_mutants() {
  std::ifstream file(test::source_dir() + "/sc_tests/top/rtl/mutants.txt");
  std::vector<Mutant> mutants;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t file_at = line.find(" | ");
    const std::size_t text_at = line.find(" | ", file_at + 1);
    const std::size_t by_at = line.find(" ~> ");
    mutants.push_back({line.substr(0, file_at), line.substr(file_at + 3, text_at - file_at - 3),
                       with_lines(line.substr(text_at + 3, by_at - text_at - 3)),
                       with_lines(line.substr(by_at + 4))});
  }
  return mutants;
}

// Else one that a change of the SystemVerilog has left behind is found out by whoever runs all.
TEST(MutantList, EachTextIsInItsFile) {
  const std::vector<Mutant> mutants = all_mutants();
  ASSERT_GE(mutants.size(), 20U);
  for (const Mutant& mutant : mutants) {
    std::ostringstream source;
    source << std::ifstream(test::source_dir() + "/rtl/" + mutant.file).rdbuf();
    EXPECT_NE(source.str().find(mutant.text), std::string::npos)
        << mutant.file << " has no '" << mutant.text << "'";
    EXPECT_NE(mutant.text, mutant.by) << mutant.file;
  }
}

class Mutants : public RtlProgram {
 protected:
  enum class Found { kByLockstep, kByProof, kNot };

  Found look_for(const Mutant& mutant) {
    const std::string folder = mutated(mutant.file, mutant.text, mutant.by);
    const std::string part = fs::path(mutant.file).stem().string();
    if (mutant.scheduler == "simple_slicing") return look_for_in_pairs(mutant.scheduler, folder);
    if (mutant.scheduler == "workload_buffer") return look_for_in_fragments(mutant.scheduler, folder, part);
    if (mutant.scheduler == "-") {
      return proves(folder, "4 " + part) ? Found::kNot : Found::kByProof;
    }
    // Its twin takes longer to build than the proofs of what it is made of.
    const bool ccws = mutant.scheduler == "ccws";
    const bool proofs_first = ccws || mutant.scheduler == "ipaws" || mutant.scheduler == "oaws_dynamic" ||
                              mutant.scheduler == "mascar";
    // What is proven of one warp's tags is proven of those of all.
    const std::string proof = part == "heddle_ccws_warp_tags" ? "heddle_ccws_tags" : part;
    if (proofs_first && !proves(folder, "4 '" + proof + (ccws ? " '" : "'"))) return Found::kByProof;
    if (ccws) return look_for_at_eight_warps(mutant.scheduler, folder);
    for (const Words& kernel :
         {Words{"histogram", "--param", "words=8192"}, Words{"bfs", "--param", "nodes=1024"},
          Words{"scalar_product", "--param", "pairs=16"}}) {
      Words words = kernel;
      words.insert(words.end(), {"--scheduler", mutant.scheduler, "--set", "core.sms=2", "--out", "mutant",
                                 "--rtl-sources", folder});
      const ProgramOutcome run = run_with("lockstep", words);
      if (run.code == 13) return Found::kByLockstep;
      EXPECT_EQ(run.code, 0) << run.err;
    }
    if (proofs_first) return Found::kNot;
    if (mutant.scheduler == "oaws_static") return proves(folder, "4 oaws") ? Found::kNot : Found::kByProof;
    if (mutant.scheduler == "pro") return proves(folder, "4 'pro_choice'") ? Found::kNot : Found::kByProof;
    return proves(folder, "8 'lrr|oldest|gto|two_level|least_issued|swl|rotating|age_'") ? Found::kNot
                                                                                         : Found::kByProof;
  }
  /// Of one whose twin is large: on a kernel that loses locality.
  Found look_for_at_eight_warps(const std::string& scheduler, const std::string& folder) {
    std::vector<std::string> words = kCcwsKernel;
    for (const char* word : {"--scheduler", scheduler.c_str(), "--out", "mutant", "--rtl-sources"})
      words.emplace_back(word);
    words.push_back(folder);
    const ProgramOutcome run = run_with("lockstep", words);
    if (run.code == 13) return Found::kByLockstep;
    EXPECT_EQ(run.code, 0) << run.err;
    return Found::kNot;
  }
  /// Of that of warp-level resources, on thread blocks that start in part.
  Found look_for_in_fragments(const std::string& twin, const std::string& folder, const std::string& part) {
    if (!proves(folder, "4 " + part)) return Found::kByProof;
    const ProgramOutcome run =
        run_with("lockstep", {"matrix_multiply", "--config", "warpman", "--set",
                              "core.resources.management=warp_temporal_spatial", "--set", "core.sms=2",
                              "--twin", twin, "--out", "mutant", "--rtl-sources", folder});
    if (run.code == 13) return Found::kByLockstep;
    EXPECT_EQ(run.code, 0) << run.err;
    return Found::kNot;
  }
  /// Of a twin of what gives thread blocks to SMs: by proof of all of it, and on two programs that share the
  /// machine.
  Found look_for_in_pairs(const std::string& twin, const std::string& folder) {
    if (!proves(folder, "4 heddle_" + twin)) return Found::kByProof;
    for (const char* const mixed : {"false", "true"}) {
      const ProgramOutcome run =
          run_with("lockstep", {"vector_add",    "bfs",
                                "--param",       "nodes=1024",
                                "--arrival",     "0",
                                "--arrival",     "500",
                                "--config",      "srtf",
                                "--set",         "core.sms=4",
                                "--set",         "tb_dispatcher.policy=srtf",
                                "--set",         std::string("tb_dispatcher.mixed_sms=") + mixed,
                                "--twin",        twin,
                                "--scheduler",   "gto",
                                "--out",         "mutant",
                                "--rtl-sources", folder});
      if (run.code == 13) return Found::kByLockstep;
      EXPECT_EQ(run.code, 0) << run.err;
    }
    return Found::kNot;
  }
  /// Or there is nothing to prove of it. A mutant that can't be read is none.
  bool proves(const std::string& folder, const std::string& what) const {
    const std::string proof = "RTL=" + folder + " " + test::source_dir() + "/rtl/prove.sh " + what + " >" +
                              (folder_ / "proof.txt").string() + " 2>&1";
    const bool proven = std::system(proof.c_str()) == 0;
    EXPECT_EQ(read("proof.txt").find("not read"), std::string::npos) << read("proof.txt");
    return proven || read("proof.txt").find("no proof is of") != std::string::npos;
  }
};

TEST_F(Mutants, AreFound) {
  if (!has_tool("verilator") || !has_tool("yosys") || !has_tool("z3") || !has_tool("cadical")) {
    GTEST_SKIP() << "verilator, yosys, z3 or cadical is not installed (make check installs them)";
  }
  const char* const wanted = std::getenv("HEDDLE_RTL_MUTANTS");
  std::vector<Mutant> mutants = all_mutants();
  const bool all = wanted == nullptr || std::string(wanted) == "all";
  if (!all) {  // those of one scheduler
    mutants.erase(std::remove_if(mutants.begin(), mutants.end(),
                                 [wanted](const Mutant& mutant) { return mutant.scheduler != wanted; }),
                  mutants.end());
  }
  const std::size_t step = wanted != nullptr ? 1 : 61;
  unsigned taken = 0;
  unsigned by_lockstep = 0;
  unsigned by_proof = 0;
  for (std::size_t i = 0; i < mutants.size(); i += step) {
    const Mutant& mutant = mutants[i];
    const Found found = look_for(mutant);
    ++taken;
    by_lockstep += found == Found::kByLockstep ? 1 : 0;
    by_proof += found == Found::kByProof ? 1 : 0;
    if (wanted != nullptr || found == Found::kNot) {
      std::cout << (found == Found::kNot       ? "survives:     "
                    : found == Found::kByProof ? "by proof:     "
                                               : "by lock-step: ")
                << mutant.scheduler << ", " << mutant.file << ": '" << mutant.text << "' -> '" << mutant.by
                << "'" << std::endl;
    }
  }
  std::cout << taken << " mutants: " << by_lockstep << " found by lock-step, " << by_proof << " by proof, "
            << taken - by_lockstep - by_proof << " survive\n";
  EXPECT_EQ(taken, by_lockstep + by_proof);
}

}  // namespace
}  // namespace heddle
