#include "top/support/stats_file.h"

#include <fmt/format.h>

#include "top/support/processes/exit_code.h"
#include "top/support/results.h"

namespace heddle {

namespace {

template <class Json>
void check_format(const Json& stats, const std::string& file) {
  const auto format = stats.find("format");
  if (!stats.is_object() || format == stats.end() || !format->is_number_integer()) {
    throw ResultsError(fmt::format("{}: is no stats.json of Heddle", file));
  }
  if (*format != kStatsFormat) {
    throw ResultsError(fmt::format(
        "{}: has format {}, written by {} version of Heddle; this one reads format {}: run it again", file,
        format->dump(), *format < kStatsFormat ? "an older" : "a newer", kStatsFormat));
  }
}

template <class Json>
std::string status_in(const Json& stats) {
  const std::string complete = status_of(static_cast<int>(ExitCode::kOk));
  const auto end = stats.at("end").template get<std::string>();
  if (end != complete) return end;
  if (const auto checks = stats.find("checks"); checks != stats.end()) {
    for (const Json& check : *checks) {
      if (!check.at("passed").template get<bool>())
        return status_of(static_cast<int>(ExitCode::kCheckFailed));
    }
  }
  return is_sampled(stats) ? "sampled" : complete;
}

}  // namespace

std::string run_status(const nlohmann::json& stats) { return status_in(stats); }
std::string run_status(const nlohmann::ordered_json& stats) { return status_in(stats); }

void check_stats_format(const nlohmann::json& stats, const std::string& file) { check_format(stats, file); }
void check_stats_format(const nlohmann::ordered_json& stats, const std::string& file) {
  check_format(stats, file);
}

MetricName::MetricName(const std::string& full_name) {
  const std::size_t dot = full_name.rfind('.');
  if (dot != std::string::npos) scope = full_name.substr(0, dot);
  name = dot == std::string::npos ? full_name : full_name.substr(dot + 1);
}

}  // namespace heddle
