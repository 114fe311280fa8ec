#pragma once

#include <string>

#include "top/pairs/pair_figures.h"
#include "top/text/output_format.h"

namespace heddle {

/// The results as text, Markdown, CSV or JSON, with what the policies did: pairs that came to share SMs, and
/// sampling and hand-off delays in core cycles, summed over a pair's kernels and SMs, in the means the mean
/// of the pairs. With repetitions the means have their least and greatest of a repetition beside them.
/// Figures published for the same policy and arrival, if any, stand beside the measured ones. Where fifo or
/// mpmax is among the policies, the improvement of the others over it follows, of the means, and the number
/// of pairs in which they are fairer and as fair. A pair that failed has "-" for figures, in JSON its reason.
/// `detail`: every pair, not only the means (CSV and JSON always have them).
std::string pairs_report(const PairFigures& figures, OutputFormat format, bool detail);

}  // namespace heddle
