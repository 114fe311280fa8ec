#include "top/support/output/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "top/support/output/text_format.h"

namespace heddle {

namespace {

constexpr std::chrono::milliseconds kInterval(500);
constexpr const char* kEraseLine = "\r\033[K";

}  // namespace

std::string progress_text(const ProgressState& state, std::uint64_t first_cycle, double elapsed) {
  std::string text = fmt::format("{} #{}: {}/{} TBs, {} cycles", state.kernel, state.launch, state.tbs_done,
                                 state.tbs, grouped(state.cycle));
  if (elapsed > 0) {
    text +=
        fmt::format(", {:.0f} kcycles/s", static_cast<double>(state.cycle - first_cycle) / elapsed / 1000);
  }
  if (state.tbs_done != 0 && state.tbs_done <= state.tbs) {
    const double left = static_cast<double>(state.tbs - state.tbs_done) / static_cast<double>(state.tbs_done);
    text += fmt::format(", {} left", duration_text(elapsed * left));
  }
  return text;
}

bool overwrites_lines(std::FILE* stream) {
  const char* terminal = std::getenv("TERM");
  return isatty(fileno(stream)) != 0 && terminal != nullptr && *terminal != '\0' &&
         std::string_view(terminal) != "dumb";
}

ProgressLine::ProgressLine(std::FILE* stream, bool wanted)
    : stream_(stream), active_(wanted && overwrites_lines(stream)), last_(Clock::now()) {}

void ProgressLine::update(const ProgressState& state) {
  if (!active_) {
    return;
  }
  const Clock::time_point now = Clock::now();
  if (!started_ || state.launch != launch_) {
    started_ = true;
    launch_ = state.launch;
    first_cycle_ = state.cycle;
    launch_began_ = now;
  }
  if (now - last_ < kInterval) {
    return;
  }
  last_ = now;
  shown_ = true;
  const double elapsed = std::chrono::duration<double>(now - launch_began_).count();
  std::fputs((kEraseLine + progress_text(state, first_cycle_, elapsed)).c_str(), stream_);
  std::fflush(stream_);
}

void ProgressLine::clear() {
  if (shown_) {
    std::fputs(kEraseLine, stream_);
    std::fflush(stream_);
    shown_ = false;
  }
}

}  // namespace heddle
