#include "top/experiment/sweep_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "top/support/output/progress.h"
#include "top/support/output/text_format.h"

namespace heddle {

namespace {

constexpr double kTerminalInterval = 0.5;
constexpr double kLineInterval = 60;
constexpr const char* kEraseLine = "\r\033[K";

}  // namespace

void SweepForecast::end(const std::string& workload, std::optional<double> seconds) {
  std::size_t& left = left_[workload];
  if (left > 0) --left;
  if (!seconds) return;
  for (Mean* const mean : {&measured_[workload], &all_}) {
    mean->sum += *seconds;
    ++mean->count;
  }
}

std::optional<double> SweepForecast::known_seconds_of(const std::string& workload) const {
  const auto measured = measured_.find(workload);
  if (measured != measured_.end()) return measured->second.sum / static_cast<double>(measured->second.count);
  const auto known = known_.find(workload);
  return known == known_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<double> SweepForecast::seconds_of(const std::string& workload) const {
  if (const auto known = known_seconds_of(workload)) return known;
  return all_.count == 0 ? std::nullopt : std::optional(all_.sum / static_cast<double>(all_.count));
}

std::optional<double> SweepForecast::seconds_left(unsigned at_once, double running_seconds) const {
  double work = 0;
  double longest = 0;
  for (const auto& [workload, count] : left_) {
    if (count == 0) continue;
    const auto seconds = seconds_of(workload);
    if (!seconds) return std::nullopt;
    work += *seconds * static_cast<double>(count);
    longest = std::max(longest, *seconds);
  }
  const double rest = std::max(work - running_seconds, 0.0);
  return std::max(rest / at_once, std::min(longest, rest));
}

SweepProgress::SweepProgress(std::FILE* stream, bool wanted, std::string command)
    : stream_(stream),
      wanted_(wanted),
      terminal_(overwrites_lines(stream)),
      command_(std::move(command)),
      next_(terminal_ ? 0 : kLineInterval) {}

void SweepProgress::add_settled(std::size_t done, std::size_t failed) {
  total_ += done + failed;
  done_ += done;
  failed_ += failed;
}

void SweepProgress::add_expected(const std::string& workload) {
  ++total_;
  forecast_.expect(workload);
}

void SweepProgress::add_later(const std::string& workload) {
  ++later_;
  forecast_.expect(workload);
}

void SweepProgress::end_later(const std::string& workload) {
  --later_;
  forecast_.end(workload, std::nullopt);
}

void SweepProgress::begin(std::size_t place) { running_[place] = now(); }

void SweepProgress::end(std::size_t place, const std::string& workload, bool done,
                        std::optional<double> seconds) {
  running_.erase(place);
  forecast_.end(workload, seconds);
  (done ? done_ : failed_) += 1;
}

std::string SweepProgress::text() const {
  double running_seconds = 0;
  for (const auto& [place, began] : running_) running_seconds += now() - began;
  std::string text = fmt::format("{} of {} points done, {} failed, {} running", done_, total_ + later_,
                                 failed_, running_.size() + running_elsewhere_);
  if (const auto left = forecast_.seconds_left(at_once_, running_seconds))
    text += fmt::format(", {} left", duration_text(*left));
  return text;
}

void SweepProgress::update() {
  if (!wanted_ || now() < next_) return;
  next_ = now() + (terminal_ ? kTerminalInterval : kLineInterval);
  if (terminal_) {
    shown_ = true;
    std::fputs((kEraseLine + text()).c_str(), stream_);
  } else {
    std::fputs(fmt::format("heddle {}: {}\n", command_, text()).c_str(), stream_);
  }
  std::fflush(stream_);
}

void SweepProgress::clear() {
  if (!shown_) return;
  std::fputs(kEraseLine, stream_);
  std::fflush(stream_);
  shown_ = false;
}

}  // namespace heddle
