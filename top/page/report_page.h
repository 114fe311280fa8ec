#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heddle {

/// One HTML file that needs nothing else: `data` (report_data()), the charting library D3, and the scripts
/// and style of top/page/assets.
std::string report_page(const nlohmann::json& data);

}  // namespace heddle
