#pragma once

#include <map>
#include <string>
#include <vector>

#include "top/reproduction/points/result_point.h"

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

/// The coordinate has that value: as a text or as a number.
bool has_coordinate(const ResultPoint& point, const std::string& key, const std::string& value);

/// The points that have all of the coordinates.
std::vector<const ResultPoint*> matching_points(const std::vector<ResultPoint>& points,
                                                const std::map<std::string, std::string>& where);

/// The point that is meant, of `kernel` ("": of the whole run) where cycles are compared; nullptr when there
/// is none, or when it is not complete. With best_over the incomplete ones are left out. Throws ResultsError
/// when several match without.
const ResultPoint* choose_point(const std::vector<ResultPoint>& points, const PointChoice& choice,
                                const std::string& kernel);

}  // namespace heddle
