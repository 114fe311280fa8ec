#include "top/reproduction/definition/paper_files.h"

#include "top/support/project_files.h"

namespace heddle {

std::vector<std::string> defined_papers() {
  std::vector<std::string> papers;
  for (const char* paper : {"pro", "warpman", "srtf", "ipaws", "oaws"}) {
    if (!paper_definition_file(paper).empty()) papers.emplace_back(paper);
  }
  return papers;
}

std::string paper_definition_file(const std::string& paper) {
  return ProjectFiles().experiment(paper + "/figures");
}

std::string experiment_file(const std::string& paper, const std::string& size,
                            const std::string& experiment) {
  return ProjectFiles().experiment(paper + (size == kQuickSize ? "/quick/" : "/") + experiment);
}

}  // namespace heddle
