#include "top/batch/program_copies.h"

#include "top/support/processes/exit_code.h"

namespace heddle {

std::vector<int> run_program_copies(const std::vector<ProgramCopy>& copies, unsigned at_a_time,
                                    const std::function<void(CopyEvent, std::size_t)>& on_event) {
  std::vector<int> codes(copies.size(), static_cast<int>(ExitCode::kInterrupted));
  ProgramPool pool;
  std::size_t next = 0;
  while (pool.running() > 0 || (next < copies.size() && !pool.interrupted())) {
    while (!pool.interrupted() && pool.running() < at_a_time && next < copies.size()) {
      pool.start(next, copies[next]);
      on_event(CopyEvent::kBegin, next);
      ++next;
    }
    for (const EndedCopy& ended : pool.wait()) {
      codes[ended.place] = ended.code;
      on_event(CopyEvent::kEnd, ended.place);
    }
    on_event(CopyEvent::kWait, 0);
  }
  return codes;
}

}  // namespace heddle
