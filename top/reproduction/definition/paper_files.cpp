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

}  // namespace heddle
