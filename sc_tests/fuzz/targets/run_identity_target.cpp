#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/batch/run_identity.h"

namespace heddle::fuzz {

namespace {

/// What is read is written and read again.
Verdict run_run_identity(std::string_view input) {
  const ScratchFolder& folder = ScratchFolder::get();
  folder.write("run.json", input);
  const std::optional<RunIdentity> identity = RunIdentity::read(folder.path());
  if (!identity) return Verdict::kRefused;
  folder.write("run.json", identity->json());
  const std::optional<RunIdentity> again = RunIdentity::read(folder.path());
  if (!again || !again->differences(*identity).empty()) finding("it is another one when it is read again");
  return Verdict::kLoaded;
}

}  // namespace

Target run_identity_target() {
  return {"run_identity", "run.json, by which results are told apart", 1024, &run_run_identity,
          &write_run_identity};
}

}  // namespace heddle::fuzz
