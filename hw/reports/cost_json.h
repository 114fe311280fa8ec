#pragma once

#include <string>
#include <string_view>

#include "hw/reports/cost_table.h"

namespace heddle::hw {

/// Everything that the table holds, as JSON with units in the key names. What is unpriced is named, and the
/// totals are null then.
std::string cost_json(const CostTable& table);

/// "flip-flops", "RAM", "CAM" or "-".
std::string_view storage_name(StorageKind kind);

}  // namespace heddle::hw
