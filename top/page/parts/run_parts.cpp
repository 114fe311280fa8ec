#include "top/page/parts/run_part.h"

namespace heddle {

const std::vector<RunPart>& run_parts() {
  static const std::vector<RunPart> kParts{
      {"launches", launches_part},
      {"energy_blocks", energy_part},
  };
  return kParts;
}

}  // namespace heddle
