#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle::fidelity {

/// Rows of text under headings, as Markdown or with aligned columns.
class Table {
 public:
  explicit Table(std::vector<std::string> headings) : rows_{std::move(headings)} {}

  /// As many cells as there are headings.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  std::string markdown() const;
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  ///< the first: the headings
};

}  // namespace heddle::fidelity
