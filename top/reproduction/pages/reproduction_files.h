#pragma once

#include <map>
#include <string>

#include "top/reproduction/definition/paper_definition.h"
#include "top/reproduction/figures/paper_results.h"
#include "top/support/output_folder.h"

namespace heddle {

/// The numbers in FOLDER/PAPER.json; empty without that file. Throws ResultsError when it is damaged.
PaperResults load_paper_results(const std::string& folder, const std::string& id);

/// What is written of a paper, by the names of the files: its page, its pictures, its numbers.
std::map<std::string, std::string> paper_files(const PaperDefinition& paper, const PaperResults& results);

/// Writes them. Throws OutputError.
void write_paper(const OutputFolder& folder, const PaperDefinition& paper, const PaperResults& results);

/// README.md: of the papers that come with Heddle, and others that have numbers in the folder.
std::string index_of(const std::string& folder);
void write_index(const OutputFolder& folder);

}  // namespace heddle
