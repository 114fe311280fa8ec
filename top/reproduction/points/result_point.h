#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace heddle {

/// A figure of a run or of the launches of a kernel.
struct FigureValue {
  double value = 0;
  bool adds_up = false;  ///< a count: over several launches or runs it is the sum
};

using FigureValues = std::map<std::string, FigureValue>;

/// What a point of an experiment came to, as figures of a paper ask for it.
struct ResultPoint {
  /// What the point is, by name: workload, scheduler, config, and the keys and parameters of the axes.
  std::map<std::string, std::string> coordinates;
  bool complete = false;                        ///< it ended and its outputs are right
  std::string status;                           ///< "complete", or why it is not
  FigureValues figures = {};                    ///< of the whole run
  std::map<std::string, FigureValues> kernels;  ///< of the launches of each kernel
  double cpu_seconds = 0;
  /// Where a figure asks for it: "instances" of stats.json, "thread_blocks" and other files of the run,
  /// "pairs".
  nlohmann::json details = {};
  std::string id = {};  ///< in the database; sets of kernels of kind timed that are one point have one

  /// It ended, well or not.
  bool was_run() const { return status != "not run"; }
  /// "workload atax, scheduler gto", for messages.
  std::string name() const;
};

/// Over several launches or runs such a figure is the sum: it is a count of a block, or the cycles. What is
/// derived of others has no block in its name; of a block are no counts "peak...", "...efficiency", what was
/// logged of a sort, and degrees.
bool adds_up(const std::string& figure);

/// Adds the figures of another launch of a kernel: counts add up; what does not stays where it is the same.
void add_launch(FigureValues& sum, const FigureValues& launch);

}  // namespace heddle
