#include "top/text/output_format.h"

namespace heddle {

std::optional<OutputFormat> output_format(std::string_view name) {
  if (name == "text") return OutputFormat::kText;
  if (name == "markdown" || name == "md") return OutputFormat::kMarkdown;
  if (name == "csv") return OutputFormat::kCsv;
  if (name == "json") return OutputFormat::kJson;
  return std::nullopt;
}

}  // namespace heddle
