#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace heddle {

/// How far a run is.
struct ProgressState {
  std::uint64_t cycle = 0;
  std::uint64_t launch = 0;  ///< from 0
  std::string kernel;
  std::uint64_t tbs_done = 0;  ///< of the launch
  std::uint64_t tbs = 0;
};

/// "atax_rows #0: 30/120 TBs, 12,345 cycles, 150 kcycles/s, 5 s left", for `elapsed` seconds since the launch
/// began at `first_cycle`.
std::string progress_text(const ProgressState& state, std::uint64_t first_cycle, double elapsed);

/// A terminal whose lines can be erased: its TERM is set and not "dumb".
bool overwrites_lines(std::FILE* stream);

/// Shows progress in one line of a terminal, which it overwrites every half second of wall-clock time. Silent
/// when `stream` is nothing that overwrites_lines().
class ProgressLine {
 public:
  ProgressLine(std::FILE* stream, bool wanted);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether there is anything to show at all.
  bool active() const { return active_; }
  void update(const ProgressState& state);
  /// Empties the line, before something else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::FILE* stream_;
  bool active_;
  bool shown_ = false;
  bool started_ = false;
  std::uint64_t launch_ = 0;
  std::uint64_t first_cycle_ = 0;
  Clock::time_point launch_began_;
  Clock::time_point last_;
};

}  // namespace heddle
