#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "top/reproduction/definition/paper_definition.h"
#include "top/reproduction/figures/paper_results.h"

namespace heddle {

/// A paper with what came out.
struct ReproducedPaper {
  PaperDefinition definition;
  PaperResults results;
  std::map<std::string, std::set<std::string>> experiments = {};  ///< that its figures need, by size
  bool has_page = false;                                          ///< beside the index
};

/// The page of all papers: the headline figures of all papers, and what the runs took.
std::string index_page(const std::vector<ReproducedPaper>& papers);

}  // namespace heddle
