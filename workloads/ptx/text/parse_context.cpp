#include "workloads/ptx/text/parse_context.h"

#include "base/nearest_name.h"

namespace heddle::ptx {

std::string ParseContext::suggest_name(std::string_view name) {
  if (suggestions == 0) return "";
  --suggestions;
  return did_you_mean(name, scopes.known_names());
}

std::string ParseContext::suggest_function(std::string_view name) {
  if (suggestions == 0) return "";
  --suggestions;
  std::vector<std::string_view> known;
  for (const auto& [known_name, function] : functions) known.push_back(known_name);
  return did_you_mean(name, known);
}

}  // namespace heddle::ptx
