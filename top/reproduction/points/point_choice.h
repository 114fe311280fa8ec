#pragma once

#include <map>
#include <string>

#include "top/reproduction/points/result_points.h"

namespace heddle {

/// Which point of an experiment is meant.
struct PointChoice {
  std::string experiment;                    ///< "": that of the figure
  std::map<std::string, std::string> where;  ///< coordinates that it has
  /// A coordinate that is left open: of the points that match, the one with the fewest cycles. "": none is.
  std::string best_over;

  /// The coordinates of both; `more` goes before.
  PointChoice with(const std::map<std::string, std::string>& more) const;
};

/// The point that is meant, of `kernel` ("": of the whole run) where cycles are compared; nullptr when there
/// is none, or when it is not complete. With best_over the incomplete ones are left out. Throws ResultsError
/// when several match without.
const ResultPoint* choose_point(const ResultPoints& points, const PointChoice& choice,
                                const std::string& kernel);

}  // namespace heddle
