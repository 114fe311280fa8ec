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

/// A script's text ends at "</script", which strings of JSON may not hold; "<\/" is the same string.
std::string inside_script(std::string json) {
  for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3)
    json.insert(at + 1, "\\");
  return json;
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
