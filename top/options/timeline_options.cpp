#include "top/options/timeline_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace heddle::option_parser {

namespace {

/// "0,2-4": ascending, each once.
std::vector<unsigned> parse_sms(const std::string& text) {
  constexpr std::uint64_t kMostSms = 10'000;
  std::set<unsigned> sms;
  for (const std::string& part : split_values("run", "--timeline-sms " + text, text)) {
    const std::size_t dash = std::min(part.find('-'), part.size());
    const auto first = whole_number(std::string_view(part).substr(0, dash));
    const auto last = dash == part.size() ? first : whole_number(std::string_view(part).substr(dash + 1));
    if (!first || !last || *first > *last || *last >= kMostSms) {
      throw UsageError(
          fmt::format("heddle run: --timeline-sms {}: expected numbers of SMs, such as 0 or 0,2-4", text));
    }
    for (std::uint64_t sm = *first; sm <= *last; ++sm) sms.insert(static_cast<unsigned>(sm));
  }
  return {sms.begin(), sms.end()};
}

/// `count` stays as it is when the option is not given.
void take_count(const po::variables_map& values, const char* option, std::uint64_t least, std::uint64_t most,
                std::uint64_t& count) {
  if (values.count(option) == 0) return;
  const std::string text = text_of(values, option);
  const auto number = whole_number(text);
  if (!number || *number < least || *number > most) {
    throw UsageError(
        fmt::format("heddle run: --{} {}: expected a whole number, {} to {}", option, text, least, most));
  }
  count = *number;
}

}  // namespace

void add_timeline_options(po::options_description& options) {
  options.add_options()(
      "timeline", po::value<std::string>()->implicit_value("", kTimelineFile)->value_name("FILE"),
      "write a timeline for Perfetto and chrome://tracing: states of warps, lives of thread "
      "blocks, counters, memory requests");
  options.add_options()("timeline-window", po::value<std::string>()->value_name("FROM:TO"),
                        "only the core cycles from FROM up to TO; implies --timeline");
  options.add_options()("timeline-sms", po::value<std::string>()->value_name("LIST"),
                        "only these SMs, e.g. 0,2-4; implies --timeline");
  options.add_options()("timeline-events", po::value<std::string>()->value_name("N"),
                        "events that it has at most, 500000 when not given, which are about 40 MB; implies "
                        "--timeline");
  options.add_options()("timeline-requests", po::value<std::string>()->value_name("N"),
                        "follow one memory request in N, 64 when not given; 0: none; implies --timeline");
}

Arguments with_timeline_file(Arguments arguments) {
  constexpr std::string_view kEnding = ".json";
  const auto option = std::find(arguments.begin(), arguments.end(), "--timeline");
  if (option == arguments.end() || option + 1 == arguments.end()) return arguments;
  const std::string_view next = *(option + 1);
  if (next.size() >= kEnding.size() && next.substr(next.size() - kEnding.size()) == kEnding) {
    *option += fmt::format("={}", next);
    arguments.erase(option + 1);
  } else {
    std::rotate(option, option + 1, arguments.end());
  }
  return arguments;
}

void take_timeline_options(const po::variables_map& values, RunOptions& run) {
  for (const char* const option :
       {"timeline", "timeline-window", "timeline-sms", "timeline-events", "timeline-requests"}) {
    run.timeline = run.timeline || values.count(option) != 0;
  }
  run.timeline_file = text_of(values, "timeline");
  TimelineSettings& settings = run.timeline_settings;
  settings.window = window_option("run", values, "timeline-window");
  if (values.count("timeline-sms") != 0) settings.sms = parse_sms(text_of(values, "timeline-sms"));
  take_count(values, "timeline-events", TimelineSettings::kLeastEvents, TimelineSettings::kMostEvents,
             settings.events);
  take_count(values, "timeline-requests", 0, TimelineSettings::kMostRequestsBetween, settings.one_request_in);
}

}  // namespace heddle::option_parser
