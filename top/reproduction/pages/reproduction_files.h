#pragma once

#include <map>
#include <string>
#include <vector>

#include "top/reproduction/definition/paper_definition.h"
#include "top/reproduction/figures/paper_results.h"
#include "top/support/output/output_folder.h"
#include "top/support/results.h"

namespace heddle {

/// The papers whose numbers, PAPER.json, are in a folder: first those that come with Heddle.
std::vector<std::string> papers_in(const std::string& folder);
/// Throws ResultsError when the folder has numbers of a paper that no experiments/PAPER/figures.yaml defines.
void refuse_undefined_papers(const std::string& folder);

/// Of FOLDER/PAPER.json, which `problem` keeps from being read.
ResultsError damaged_paper(const std::string& folder, const std::string& id, const std::string& problem);

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
