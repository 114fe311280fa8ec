#include "top/text/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/utf8.h"
#include "top/support/output/text_format.h"
#include "top/text/text_width.h"

namespace heddle {

namespace {

using Kind = TableColumn::Kind;
using Rank = TableColumn::Rank;
using For = TableColumn::For;
using Lines = std::vector<std::string>;

constexpr std::size_t kGap = 2;         ///< columns of a terminal between two of a table
constexpr std::size_t kLeastText = 16;  ///< a text is not wrapped to less
constexpr std::size_t kLongWord = 24;   ///< a word up to this length is not broken
constexpr double kSixDigits = 1e5;      ///< from here on figures of any kind are shown as whole numbers

std::string grouped_whole(double value) {
  const double whole = std::round(std::fabs(value));
  constexpr double kMost = 1e18;
  if (!(whole < kMost)) return fmt::format("{:.3g}", value);
  return (value < 0 && whole != 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(whole));
}

std::string shown(const Table::Cell& cell, Kind kind, bool grouping) {
  if (cell.is_null()) return "-";
  if (cell.is_boolean()) return cell.get<bool>() ? "yes" : "no";
  if (!cell.is_number()) {
    std::string text = as_utf8(cell.get<std::string>());
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; },
        ' ');
    return text;
  }
  constexpr double kPercent = 100;
  switch (kind) {
    case Kind::kPercent:
      return fmt::format("{:.1f}%", kPercent * cell.get<double>());
    case Kind::kTenths:
      return fmt::format("{:.1f}", cell.get<double>());
    case Kind::kDecimal:
      return fmt::format("{:.3f}", cell.get<double>());
    case Kind::kFigure:
      if (cell.is_number_float() && cell.get<double>() != std::round(cell.get<double>()) &&
          std::fabs(cell.get<double>()) < kSixDigits)
        return fmt::format("{:.6g}", cell.get<double>());
      [[fallthrough]];
    case Kind::kWhole:
      return grouping ? grouped_whole(cell.get<double>()) : fmt::format("{:.0f}", cell.get<double>());
    default:
      return cell.dump();
  }
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '|' ? "\\|" : std::string(1, c);
  return result;
}

/// Quoted when it has to be (RFC 4180).
std::string field(const Table::Cell& cell) {
  if (cell.is_null()) return "";
  if (!cell.is_string()) return cell.dump();
  const std::string text = as_utf8(cell.get<std::string>());
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::vector<std::size_t> columns_for(const std::vector<TableColumn>& columns, For whom) {
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].whom == For::kAll || columns[c].whom == whom) places.push_back(c);
  }
  return places;
}

/// A table as texts, of which it is seen what has room.
class Grid {
 public:
  Grid(const std::vector<TableColumn>& columns, const std::vector<std::vector<Table::Cell>>& rows,
       TextLayout layout)
      : columns_(columns), rows_(rows), layout_(layout), shown_(columns_for(columns, For::kPeople)) {
    for (const auto& row : rows) {
      Lines& texts = texts_.emplace_back();
      for (std::size_t c = 0; c < columns.size(); ++c) texts.push_back(shown(row[c], columns[c].kind, true));
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      std::size_t& widest = widest_.emplace_back(1);
      std::size_t& least = least_.emplace_back(std::max(kLeastText, longest_word(columns[c].heading)));
      for (const Lines& texts : texts_) {
        widest = std::max(widest, display_width(texts[c]));
        least = std::max(least, std::min(longest_word(texts[c]), kLongWord));
      }
    }
  }

  std::string text() {
    while (!fits()) {
      if (!leave_one_out()) return records();
    }
    return lines();
  }

 private:
  std::size_t total() const {
    return std::accumulate(widths_.begin(), widths_.end(), (shown_.size() - 1) * kGap);
  }
  bool has_room() const { return layout_.width == 0 || total() <= layout_.width; }

  /// Sets the widths of the columns that are shown.
  bool fits() {
    widths_.clear();
    for (const std::size_t c : shown_)
      widths_.push_back(std::max(widest_[c], display_width(columns_[c].heading)));
    if (has_room()) return true;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      widths_[i] = std::max(widest_[shown_[i]], longest_word(columns_[shown_[i]].heading));
    }
    while (!has_room()) {
      std::size_t* widest = nullptr;
      for (std::size_t i = 0; i < shown_.size(); ++i) {
        const bool can_shrink = !is_number(shown_[i]) && widths_[i] > least_[shown_[i]];
        if (can_shrink && (widest == nullptr || widths_[i] > *widest)) widest = &widths_[i];
      }
      if (widest == nullptr) return false;
      --*widest;
    }
    return true;
  }

  /// False when there are only keys.
  bool leave_one_out() {
    auto least = shown_.end();
    for (auto place = shown_.begin(); place != shown_.end(); ++place) {
      const Rank rank = columns_[*place].rank;
      if (rank != Rank::kKey && (least == shown_.end() || rank >= columns_[*least].rank)) least = place;
    }
    if (least == shown_.end()) return false;
    left_out_.insert(left_out_.begin(), columns_[*least].heading);
    shown_.erase(least);
    return !shown_.empty();
  }

  bool is_number(std::size_t column) const { return columns_[column].kind != Kind::kText; }

  Ink ink_of(std::size_t row, std::size_t column) const {
    return columns_[column].ink == nullptr ? Ink::kPlain : columns_[column].ink(rows_[row][column]);
  }

  /// A row of cells of several lines each, at their tops or, headings, at their bottoms.
  template <class InkOf>
  std::string joined(const std::vector<Lines>& cells, bool at_bottom, const InkOf& ink) const {
    std::size_t height = 1;
    for (const Lines& cell : cells) height = std::max(height, cell.size());
    std::string text;
    for (std::size_t line = 0; line < height; ++line) {
      std::string joined;
      std::size_t blanks = 0;  // that stand in front of the next cell
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t first = at_bottom ? height - cells[i].size() : 0;
        const bool there = line >= first && line - first < cells[i].size();
        const std::string word = there ? cells[i][line - first] : "";
        const std::size_t rest = widths_[i] - std::min(widths_[i], display_width(word));
        const bool right = is_number(shown_[i]);
        if (!word.empty()) {
          joined.append(blanks + (right ? rest : 0), ' ').append(inked(word, ink(i), layout_.colour));
          blanks = (right ? 0 : rest) + kGap;
        } else {
          blanks += widths_[i] + kGap;
        }
      }
      text += joined + "\n";
    }
    return text;
  }

  std::string lines() const {
    std::vector<Lines> cells;
    for (std::size_t i = 0; i < shown_.size(); ++i)
      cells.push_back(wrap_text(columns_[shown_[i]].heading, widths_[i]));
    std::string text = joined(cells, true, [](std::size_t) { return Ink::kBold; });
    for (std::size_t i = 0; i < shown_.size(); ++i) cells[i] = {std::string(widths_[i], '-')};
    text += joined(cells, false, [](std::size_t) { return Ink::kFaint; });
    for (std::size_t r = 0; r < texts_.size(); ++r) {
      for (std::size_t i = 0; i < shown_.size(); ++i) cells[i] = wrap_text(texts_[r][shown_[i]], widths_[i]);
      text += joined(cells, false, [this, r](std::size_t i) { return ink_of(r, shown_[i]); });
    }
    if (left_out_.empty()) return text;
    const std::string note =
        fmt::format("Not shown for want of width (--format csv has them): {}", fmt::join(left_out_, ", "));
    for (const std::string& line : wrap_text(note, layout_.width))
      text += inked(line, Ink::kFaint, layout_.colour) + "\n";
    return text;
  }

  std::string records() const {
    const std::vector<std::size_t> all = columns_for(columns_, For::kPeople);
    constexpr std::size_t kMargin = 2;
    const std::size_t width = std::max<std::size_t>(layout_.width, 2 * kMargin);
    std::string text;
    for (std::size_t r = 0; r < texts_.size(); ++r) {
      if (r != 0) text += "\n";
      for (const std::size_t c : all) {
        for (const std::string& line : wrap_text(columns_[c].heading + ":", width))
          text += inked(line, Ink::kBold, layout_.colour) + "\n";
        for (const std::string& line : wrap_text(texts_[r][c], width - kMargin))
          text += std::string(kMargin, ' ') + inked(line, ink_of(r, c), layout_.colour) + "\n";
      }
    }
    return text;
  }

  const std::vector<TableColumn>& columns_;
  const std::vector<std::vector<Table::Cell>>& rows_;
  const TextLayout layout_;
  std::vector<Lines> texts_;         ///< by row, then by column
  std::vector<std::size_t> widest_;  ///< cell, by column
  std::vector<std::size_t> least_;   ///< to which a text is wrapped, by column
  std::vector<std::size_t> shown_;   ///< columns
  std::vector<std::size_t> widths_;  ///< of those that are shown
  Lines left_out_;                   ///< headings
};

}  // namespace

void Table::add(std::vector<Cell> row) {
  if (row.size() != columns_.size()) {
    throw std::logic_error(
        fmt::format("a row of {} cells in a table of {} columns", row.size(), columns_.size()));
  }
  rows_.push_back(std::move(row));
}

void Table::add_by_key(const Row& row) {
  std::vector<Cell> cells;
  for (const TableColumn& column : columns_) {
    const auto found = row.find(column.key);
    cells.push_back(found == row.end() ? Cell() : found->second);
  }
  rows_.push_back(std::move(cells));
}

std::string Table::text(const TextLayout& layout) const { return Grid(columns_, rows_, layout).text(); }

std::string Table::markdown() const {
  const std::vector<std::size_t> places = columns_for(columns_, For::kPeople);
  std::string head = "|";
  std::string rule = "|";
  for (const std::size_t c : places) {
    head += " " + escaped(columns_[c].heading) + " |";
    rule += columns_[c].kind == Kind::kText ? " --- |" : " ---: |";
  }
  std::string text = head + "\n" + rule + "\n";
  for (const auto& row : rows_) {
    text += "|";
    for (const std::size_t c : places) text += " " + escaped(shown(row[c], columns_[c].kind, false)) + " |";
    text += "\n";
  }
  return text;
}

std::string Table::csv() const {
  const std::vector<std::size_t> places = columns_for(columns_, For::kPrograms);
  std::string text;
  for (const std::size_t c : places) text += (c == places.front() ? "" : ",") + field(columns_[c].key);
  text += "\n";
  for (const auto& row : rows_) {
    for (const std::size_t c : places) text += (c == places.front() ? "" : ",") + field(row[c]);
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json Table::json() const {
  auto list = nlohmann::ordered_json::array();
  for (const auto& row : rows_) {
    nlohmann::ordered_json object;
    for (const std::size_t c : columns_for(columns_, For::kPrograms)) object[columns_[c].key] = row[c];
    list.push_back(std::move(object));
  }
  return list;
}

std::string Table::print(OutputFormat format) const {
  switch (format) {
    case OutputFormat::kMarkdown:
      return markdown();
    case OutputFormat::kCsv:
      return csv();
    case OutputFormat::kJson:
      return print_json(json());
    default:
      return text(stdout_layout());
  }
}

Table::Cell cell(const std::optional<double>& value) { return value ? Table::Cell(*value) : Table::Cell(); }

Table::Cell whole_cell(const std::optional<double>& value) {
  return value ? Table::Cell(std::llround(*value)) : Table::Cell();
}

std::string heading_with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" || unit == name ? name : fmt::format("{} ({})", name, unit);
}

std::string print_json(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace heddle
