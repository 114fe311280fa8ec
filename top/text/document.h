#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "top/text/table.h"

namespace heddle {

/// Headings, paragraphs, lists and tables for people, one after the other with a blank line between them: as
/// Markdown, or laid out as text.
class Document {
 public:
  /// `format`: kMarkdown, else text in `layout`.
  explicit Document(OutputFormat format, TextLayout layout = stdout_layout())
      : markdown_(format == OutputFormat::kMarkdown), layout_(layout) {}

  void title(std::string_view text) { add_heading(text, "# "); }
  void heading(std::string_view text) { add_heading(text, "## "); }
  void table(const Table& table);
  void paragraph(std::string_view text);
  void list(const std::vector<std::string>& items);
  /// Lines that are laid out already: kept as they are, in Markdown as code.
  void lines(std::string_view text);

  const std::string& text() const { return text_; }

 private:
  void add_heading(std::string_view text, std::string_view mark);
  void begin_block();

  bool markdown_;
  TextLayout layout_;
  std::string text_;
  bool after_heading_ = false;
};

}  // namespace heddle
