#include "top/fidelity/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::fidelity {

std::string Table::markdown() const {
  std::string text;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    text += fmt::format("| {} |\n", fmt::join(rows_[i], " | "));
    if (i != 0) continue;
    for (std::size_t column = 0; column < rows_[0].size(); ++column) text += "| --- ";
    text += "|\n";
  }
  return text;
}

std::string Table::text() const {
  std::vector<std::size_t> widths(rows_[0].size(), 0);
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace heddle::fidelity
