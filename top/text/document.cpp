#include "top/text/document.h"

#include <algorithm>

#include "top/text/text_width.h"

namespace heddle {

void Document::begin_block() {
  // A text's heading stands close to what it is of.
  if (!text_.empty() && (markdown_ || !after_heading_)) text_ += "\n";
  after_heading_ = false;
}

void Document::add_heading(std::string_view text, std::string_view mark) {
  after_heading_ = false;
  begin_block();
  if (markdown_) {
    text_.append(mark).append(text) += '\n';
    return;
  }
  for (const std::string& line : wrap_text(text, layout_.width == 0 ? text.size() + 2 : layout_.width)) {
    text_ += inked(line, Ink::kBold, layout_.colour) + "\n";
  }
  after_heading_ = true;
}

void Document::table(const Table& table) {
  begin_block();
  text_ += markdown_ ? table.markdown() : table.text(layout_);
}

void Document::paragraph(std::string_view text) {
  begin_block();
  text_ += fill_text(text, markdown_ ? 0 : layout_.width);
}

void Document::list(const std::vector<std::string>& items) {
  begin_block();
  constexpr std::size_t kMargin = 2;
  const std::size_t width =
      markdown_ || layout_.width == 0 ? 0 : layout_.width - std::min(layout_.width, kMargin);
  for (const std::string& item : items) {
    std::string_view mark = "- ";
    for (const std::string& line :
         width == 0 ? std::vector<std::string>{item} : wrap_text(item, std::max<std::size_t>(width, 2))) {
      text_.append(mark).append(line) += '\n';
      mark = "  ";
    }
  }
}

void Document::lines(std::string_view text) {
  begin_block();
  if (markdown_) text_ += "```\n";
  text_ += text;
  if (markdown_) text_ += "```\n";
}

}  // namespace heddle
