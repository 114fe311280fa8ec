#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// When a run of a batch began and ended, in seconds from a common start.
struct RunTime {
  std::string kind;  ///< runs of a kind take about as long
  std::optional<double> began = {};
  std::optional<double> ended = {};
};

/// Seconds until all runs have ended, `at_a_time` of them at once: those that have not are taken to last as
/// long as ended ones of their kind in the mean, or, when there are none, as all. Nothing before the first
/// has ended.
std::optional<double> seconds_left(const std::vector<RunTime>& runs, double now, unsigned at_a_time);

/// "3 of 10 runs, 12 s left".
std::string batch_progress_text(const std::vector<RunTime>& runs, double now, unsigned at_a_time);

/// Shows how far a batch is in one line of a terminal. Silent when `stream` is no terminal.
class BatchProgress {
 public:
  BatchProgress(std::FILE* stream, bool wanted, std::vector<std::string> kinds, unsigned at_a_time);
  ~BatchProgress() { clear(); }
  BatchProgress(const BatchProgress&) = delete;
  BatchProgress& operator=(const BatchProgress&) = delete;

  void begin(std::size_t run);
  void end(std::size_t run);
  /// Writes the line anew, twice a second at most.
  void update();
  /// Empties the line, before something else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  double now() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  std::FILE* stream_;
  bool active_;
  bool shown_ = false;
  unsigned at_a_time_;
  std::vector<RunTime> runs_;
  Clock::time_point start_ = Clock::now();
  double next_ = 0;  ///< when the line is written again
};

}  // namespace heddle
