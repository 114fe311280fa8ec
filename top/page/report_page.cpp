#include "top/page/report_page.h"

#include <stdexcept>

#include "top/page/page_parts.h"

namespace heddle {

namespace {

void put(std::string& page, const std::string& mark, const std::string& text) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw std::logic_error("report page: there is no " + mark);
  page.replace(at, mark.size(), text);
}

/// A script's text ends at "</script", or after "<!--<script" does not: strings of JSON, nothing else has the
/// sign, hold it as its number.
std::string inside_script(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string report_page(const nlohmann::json& data) {
  std::string page = kPageHtml;
  put(page, "/*STYLE*/", kPageStyle);
  put(page, "/*SCRIPT*/", kPageScript);
  put(page, "/*D3*/", kPageD3);
  const std::string text = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  put(page, "/*DATA*/", inside_script(text));
  return page;
}

}  // namespace heddle
