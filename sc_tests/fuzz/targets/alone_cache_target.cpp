#include "sc_tests/fuzz/inputs/record_writers.h"
#include "sc_tests/fuzz/runs/scratch_folder.h"
#include "sc_tests/fuzz/runs/verdict_of.h"
#include "top/pairs/alone_run.h"

namespace heddle::fuzz {

namespace {

/// What is read and written again is the same.
Verdict run_alone_cache(std::string_view input) {
  const ScratchFolder& folder = ScratchFolder::get();
  const std::string file = folder.write("alone.json", input);
  const std::optional<AloneRun> read = read_alone_run(file);
  if (!read) return Verdict::kRefused;
  const std::string written = to_json(*read, "key");
  const std::optional<AloneRun> again = read_alone_run(folder.write("again.json", written), "key");
  if (!again || to_json(*again, "key") != written) finding("what is written of an entry is another one");
  return Verdict::kLoaded;
}

}  // namespace

Target alone_cache_target() {
  return {"alone_cache", "pairs' cache of runs alone", 1024, &run_alone_cache, &write_alone_run};
}

}  // namespace heddle::fuzz
