#pragma once

#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <string>

namespace heddle {

/// How far the points of a sweep are, and how long the rest takes: those that have not ended are taken to
/// last as long as those of their workload have in the mean, in this sweep or, before there are any, as the
/// database knows, else as all have.
class SweepForecast {
 public:
  explicit SweepForecast(std::map<std::string, double> known_seconds = {})
      : known_(std::move(known_seconds)) {}

  /// `count` points of a workload are still to come.
  void expect(const std::string& workload, std::size_t count = 1) { left_[workload] += count; }
  /// One of them has ended; nothing when it was not run here.
  void end(const std::string& workload, std::optional<double> seconds);

  /// Of a point, as others of its workload lasted; nothing when none is known.
  std::optional<double> known_seconds_of(const std::string& workload) const;
  /// Of a point; nothing when there is nothing to go by.
  std::optional<double> seconds_of(const std::string& workload) const;
  /// Until all have ended, `at_once` at the same time, of which those that run have done `running_seconds`.
  std::optional<double> seconds_left(unsigned at_once, double running_seconds) const;

 private:
  struct Mean {
    double sum = 0;
    std::size_t count = 0;
  };
  std::map<std::string, double> known_;
  std::map<std::string, Mean> measured_;
  std::map<std::string, std::size_t> left_;
  Mean all_;
};

/// Shows it: on a terminal in one line that is overwritten, elsewhere in a line a minute.
class SweepProgress {
 public:
  SweepProgress(std::FILE* stream, bool wanted, std::string command);
  ~SweepProgress() { clear(); }
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  SweepForecast& forecast() { return forecast_; }
  void set_forecast(SweepForecast forecast) { forecast_ = std::move(forecast); }
  void set_at_once(unsigned processes) { at_once_ = processes; }
  /// Points that need not run.
  void add_settled(std::size_t done, std::size_t failed);
  void add_expected(const std::string& workload);
  /// A point of which it will be known later what it is.
  void add_later(const std::string& workload);
  /// It is known: what becomes of it is told like that of others.
  void end_later(const std::string& workload);

  void begin(std::size_t place);
  void end(std::size_t place, const std::string& workload, bool done, std::optional<double> seconds);
  /// It goes back to those that wait.
  void give_back(std::size_t place) { running_.erase(place); }
  void set_running(std::size_t count) { running_elsewhere_ = count; }
  /// Writes the line anew, when it is time.
  void update();
  void clear();
  /// "12 of 40 points, 1 failed, 2 running, 3 min left".
  std::string text() const;

  std::size_t done() const { return done_; }
  std::size_t failed() const { return failed_; }
  std::size_t total() const { return total_; }

 private:
  using Clock = std::chrono::steady_clock;
  double now() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  std::FILE* stream_;
  bool wanted_;
  bool terminal_;
  std::string command_;
  SweepForecast forecast_;
  unsigned at_once_ = 1;
  std::size_t total_ = 0;
  std::size_t later_ = 0;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  std::size_t running_elsewhere_ = 0;
  std::map<std::size_t, double> running_;  ///< when each began
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  double next_ = 0;
};

}  // namespace heddle
