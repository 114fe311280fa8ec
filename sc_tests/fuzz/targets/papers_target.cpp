#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "workloads/papers/paper_tables.h"

namespace heddle::fuzz {

namespace {

Verdict run_papers(std::string_view input) {
  return verdict_of([input] { load_paper_tables(ScratchFolder::get().write("paper.yaml", input)); });
}

}  // namespace

Target papers_target() {
  return {"papers", "the papers' tables of benchmarks", 2048, &run_papers, &write_paper_tables};
}

}  // namespace heddle::fuzz
