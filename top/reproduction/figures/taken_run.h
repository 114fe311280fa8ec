#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "top/reproduction/definition/paper_definition.h"
#include "top/reproduction/figures/paper_results.h"

namespace heddle {

/// A figure of which a run without all of its points lacks values that were there.
struct KeptFigure {
  std::string name;
  std::size_t values = 0;  ///< that were there
  std::size_t in_run = 0;
  std::vector<std::string> rows;  ///< that are the run's all the same: it has all points of them
};

/// Takes over into `results` what a run of the paper's figures has; the rest stays. So does a figure of which
/// some points are not complete in the run, when it lacks values that are there: these are returned. Of one
/// whose rows are benchmarks, or values of an axis, the rows of which the run has all points are taken over,
/// and means are taken anew.
std::vector<KeptFigure> take_run(PaperResults& results, const PaperResults& run,
                                 const PaperDefinition& paper);

}  // namespace heddle
