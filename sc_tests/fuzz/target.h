#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sc_tests/support/choice_stream.h"

namespace heddle::fuzz {

enum class Verdict {
  kRefused,  ///< with a message, as the program would
  kLoaded,   ///< what was read is whole
};

/// A reader of Heddle that is given inputs which nobody has looked at.
struct Target {
  const char* name;  ///< of its folders in corpus/ and regressions/
  const char* reads;
  std::size_t most_bytes;  ///< of an input
  /// Gives it the input. An exception that leaves it, a signal, a sanitizer's report, more than five seconds
  /// or more than a gigabyte is a finding.
  Verdict (*run)(std::string_view input);
  /// An input that is loaded, made of the choices; nullptr: inputs are choices, of which any are loaded.
  std::string (*fresh)(test::ChoiceStream& choices) = nullptr;
  /// A line for the middle of such an input; nullptr: one of its own lines.
  std::string (*line)(test::ChoiceStream& choices) = nullptr;
  /// Of a file that is not text and that few changes break: three inputs of four are one of corpus/ with one
  /// to four bytes changed.
  bool near_its_seeds = false;
};

/// All of them.
const std::vector<Target>& targets();
/// nullptr when there is none of the name.
const Target* find_target(std::string_view name);

// One each in targets/.
Target accepted_speeds_target();
Target alone_cache_target();
Target command_line_target();
Target config_target();
Target energy_target();
Target experiment_target();
Target expression_target();
Target intervals_target();
Target kernel_target();
Target machine_target();
Target papers_target();
Target ptx_target();
Target ptx_timing_target();
Target reference_figures_target();
Target report_target();
Target report_logs_target();
Target profile_target();
Target reproduction_target();
Target run_figures_target();
Target run_identity_target();
Target technology_target();
Target timed_workload_target();
Target timeline_target();
Target workload_target();
Target workload_timing_target();

}  // namespace heddle::fuzz
