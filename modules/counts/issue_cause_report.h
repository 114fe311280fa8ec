#pragma once

#include "base/observe.h"
#include "modules/counts/issue_cause.h"

namespace heddle {

/// Whose cycles are reported: all of a scheduler, or those of one launch. Idle cycles in which no warp could
/// have issued belong to no launch.
enum class CauseScope : std::uint8_t { kScheduler, kLaunch };

/// The classes, their sum "cycles" and the causes.
void report_causes(const CauseCycles& cycles, CauseScope scope, StatSink& sink);

/// The classes of a scheduler with an active set when only the warps in it are looked at.
void report_active_set(const ClassCycles& cycles, StatSink& sink);

}  // namespace heddle
