#include "top/batch/batch_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "top/support/output/text_format.h"

namespace heddle {

namespace {

constexpr double kInterval = 0.5;
constexpr const char* kEraseLine = "\r\033[K";

struct Mean {
  double sum = 0;
  unsigned count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  double value() const { return sum / count; }
};

}  // namespace

std::optional<double> seconds_left(const std::vector<RunTime>& runs, double now, unsigned at_a_time) {
  Mean of_all;
  std::map<std::string, Mean> of_kind;
  for (const RunTime& run : runs) {
    if (!run.ended) continue;
    of_all.add(*run.ended - *run.began);
    of_kind[run.kind].add(*run.ended - *run.began);
  }
  if (of_all.count == 0) return std::nullopt;
  double work = 0;
  double longest = 0;
  for (const RunTime& run : runs) {
    if (run.ended) continue;
    const auto kind = of_kind.find(run.kind);
    const double whole = kind == of_kind.end() ? of_all.value() : kind->second.value();
    const double rest = run.began ? std::max(whole - (now - *run.began), 0.0) : whole;
    work += rest;
    longest = std::max(longest, rest);
  }
  return std::max(work / at_a_time, longest);
}

std::string batch_progress_text(const std::vector<RunTime>& runs, double now, unsigned at_a_time) {
  const auto ended =
      std::count_if(runs.begin(), runs.end(), [](const RunTime& run) { return run.ended.has_value(); });
  std::string text = fmt::format("{} of {} runs", ended, runs.size());
  if (const auto left = seconds_left(runs, now, at_a_time))
    text += fmt::format(", {} left", duration_text(*left));
  return text;
}

BatchProgress::BatchProgress(std::FILE* stream, bool wanted, std::vector<std::string> kinds,
                             unsigned at_a_time)
    : stream_(stream), active_(wanted && isatty(fileno(stream)) != 0), at_a_time_(at_a_time) {
  for (std::string& kind : kinds) runs_.push_back({std::move(kind)});
}

void BatchProgress::begin(std::size_t run) { runs_[run].began = now(); }

void BatchProgress::end(std::size_t run) {
  runs_[run].ended = now();
  next_ = 0;
}

void BatchProgress::update() {
  if (!active_ || now() < next_) return;
  next_ = now() + kInterval;
  shown_ = true;
  std::fputs((kEraseLine + batch_progress_text(runs_, now(), at_a_time_)).c_str(), stream_);
  std::fflush(stream_);
}

void BatchProgress::clear() {
  if (!shown_) return;
  std::fputs(kEraseLine, stream_);
  std::fflush(stream_);
  shown_ = false;
}

}  // namespace heddle
