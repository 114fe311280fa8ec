#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle {

/// What a command prints its results as: laid out for people, or for programs, whose figures have all their
/// digits and units in their names.
enum class OutputFormat : std::uint8_t { kText, kMarkdown, kCsv, kJson };

/// Of "text", "markdown" or "md", "csv" and "json"; nothing for another name.
std::optional<OutputFormat> output_format(std::string_view name);

}  // namespace heddle
