#include "top/commands/run/run_timeline.h"

#include <fmt/format.h>

#include "top/support/output/console.h"
#include "top/support/version.h"

namespace heddle {

namespace {

const TimelineSettings& checked(const TimelineSettings& settings, const Gpu& gpu) {
  const unsigned sms = gpu.config().core.sms;
  if (!settings.sms.empty() && settings.sms.back() >= sms) {
    throw UsageError(fmt::format("heddle run: --timeline-sms: there is no SM {}; expected 0 to {}",
                                 settings.sms.back(), sms - 1));
  }
  return settings;
}

}  // namespace

RunTimeline::RunTimeline(Gpu& gpu, const RunOptions& options, const OutputFolder& folder)
    : shown_(options.timeline_file.empty() ? kTimelineFile : options.timeline_file),
      timeline_(gpu, checked(options.timeline_settings, gpu),
                options.timeline_file.empty() ? folder.path_of(kTimelineFile) : options.timeline_file) {}

void RunTimeline::finish(const RunDescription& description, const RunResult& result) {
  const GpuConfig& config = description.config;
  timeline_.write({std::string("heddle ") + version(), config.name, config.scheduler.name,
                   description.workload, description.command},
                  result);
  if (timeline_.left_out().empty()) return;
  tell("heddle: {} leaves out {}\n", shown_, fmt::join(timeline_.left_out(), "; "));
}

}  // namespace heddle
